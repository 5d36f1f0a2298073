"""Other names: what a text says that something is also called."""

import re
from collections.abc import Iterable, Iterator

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import content_terms, terms
from quaestor.research.offline.words.names import find_names, mask_quotes, quoted_spans
from quaestor.research.offline.words.question import Question, core_words

_NAMING_PHRASE = re.compile(
    r"\b(?:known|referred to|called|nicknamed|dubbed|termed|abbreviated|named|spelled)\b"
    r"(?:\s+(?:as|to|simply|also|informally|commonly|either))*\s+",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\((?:(?:or|also|aka|a\.k\.a\.|abbreviated(?: as)?|short),?\s+)?(?P<name>[^()]{2,60})\)")
_NAME_FOR = re.compile(
    r"\b(?:is|are|was|were) (?:a|an|the|another|just|only|also)(?: \w+)? (?:name|term|nickname|abbreviation|acronym|"
    r"shorthand|synonym)s? (?:for|of)\b",
    re.IGNORECASE,
)
_TITLED_CLAIM = re.compile(r"(?P<title>[^:]{3,120}): (?P<said>.+)", re.DOTALL)
_MAX_DISTANCE = 20
"""How many characters a name may stand behind the words that introduce it."""
_MIN_TERMS = 2


class Alias(Immutable):
    """Another name, and the name in a task for which it stands."""

    name: str
    other: str


def find_aliases(claims: Iterable[str], task: Question) -> tuple[Alias, ...]:
    """Return the other names that claims state for what a task names, else for its subject, each once.

    A claim headed by the title of its document speaks of that document: the title is the other name. Of any other
    claim it is the name or quote that stands nearest before the words which introduce the subject's name.
    """
    called = task.anchors or tuple(filter(None, [core_words(task)]))
    found = (Alias(name, other) for claim in claims for name in called for other in _aliases_in(claim, name))
    asked = frozenset(terms(task.text))
    return tuple(
        dict.fromkeys(
            one
            for one in found
            if len(content_terms(one.other)) >= _MIN_TERMS and not asked.issuperset(terms(one.other))
        )
    )


def _aliases_in(claim: str, name: str) -> Iterator[str]:
    headed = _TITLED_CLAIM.fullmatch(claim)
    if headed and any(_alias_contexts(headed["said"], name)):
        yield headed["title"]
        return
    for side in _alias_contexts(claim, name):
        yield from _last_name(side)


def _alias_contexts(claim: str, name: str) -> Iterator[str]:
    """Return the part of a sentence that holds the other name, for each place where it introduces this one."""
    stems = frozenset(terms(name)) - frozenset(terms("the"))
    for called in _NAMING_PHRASE.finditer(claim):
        if stems.issubset(terms(claim[called.end() : called.end() + len(name) + _MAX_DISTANCE])):
            yield claim[: called.start()]
    for bracketed in _BRACKETED.finditer(claim):
        if stems == frozenset(terms(bracketed["name"])):
            yield claim[: bracketed.start()]
    for copula in _NAME_FOR.finditer(claim):
        before, after = claim[: copula.start()], claim[copula.end() :]
        if stems.issubset(terms(before)):
            yield after
        elif stems.issubset(terms(after)):
            yield before


def _last_name(side: str) -> list[str]:
    """Return the last name or quote of a part of a sentence."""
    quotes = [(start, side[start + 1 : end - 1]) for start, end in quoted_spans(side)]
    named = [(side.rfind(name), name) for name in find_names(mask_quotes(side))]
    return [max([*quotes, *named])[1]] if quotes or named else []
