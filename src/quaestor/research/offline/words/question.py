"""A question taken apart: what it quotes, names, sets side by side and asks for."""

import re
from collections.abc import Callable
from functools import lru_cache

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.retrieval.query import parse_query, without_asking_words
from quaestor.evidence.tokenization import content_terms, sentence_spans, terms, words
from quaestor.research.offline.words.alternatives import find_alternatives
from quaestor.research.offline.words.language import (
    ACTION_WORDS,
    QUESTION_MARKS,
    AnswerKind,
    Facet,
    answer_kind,
    facets_in,
    stems_of,
)
from quaestor.research.offline.words.names import find_names, mask_quotes, quoted_spans
from quaestor.research.reports.languages import function_words, report_language

_QUESTIONS = 256
"""How many questions and tasks are remembered as they were taken apart: each step of a todo asks for the same two."""

_REQUESTS = "explain describe discuss outline summarize summarise"
"""Words that say what is to be done; a rare one would outweigh the subject among sentences that all speak of that."""
_LAST_SENTENCES = 2
"""Among which a text that tells before it asks has its question: "... How do I mend it? Thank you."."""
_CLAUSE = re.compile(
    r"\s*(?:[;?\uff1f\uff1b]\s*|,? (?:and|but also) (?=(?:what|why|how|when|who|where|which|whether)\b)"
    r"|,? und (?=(?:was|warum|wieso|wie|wann|wer|wen|wem|wo|woher|wohin|welche[rsnm]?)\b)"
    r"|,? et (?=(?:pourquoi|comment|quand|qui|où|combien|quel(?:le)?s?)\b)"
    r"|,? y (?=(?:por qué|cómo|cuándo|quién(?:es)?|dónde|cuánt[oa]s?|cuál(?:es)?|qué)\b)"
    r"|[,\uff0c]\s*(?=为什么|为何|如何|何时|谁))",
    re.IGNORECASE,
)
_RELATIVE_CLAUSE = re.compile(
    r"\bthe (?P<noun>[\w-]+(?: [\w-]+)?) "
    r"(?P<rest>(?:that|which|who|whose|where) .+|\w+(?:ed|en) (?:by|in|from|on|for) .+)",
    re.IGNORECASE,
)


_TIMES = r"(?:way|other|time|minute|hour|day|night|morning|evening|week|month|quarter|season|term|year)\b"
"""What follows "each" where it asks for no list: how often something is."""
_ENDING_IN_S = (
    r"(?:surplus|status|bonus|bus|campus|census|consensus|focus|virus|basis|analysis|thesis|crisis|news|gas|lens"
    r"|series)"
)
"""Words that are no plurals."""
_ONE_NAME = re.compile(r"\W*what(?: is|['\u2019]s| was) the name of\b", re.IGNORECASE)
"""How a question opens that asks for one thing: "... of the table that knows which lids are in use"."""
_LIST_REQUEST = re.compile(
    r"^\W*(?:list|name|enumerate)\b"
    r"|\b(?:which|what) (?:(?!was\b|is\b|does\b|do\b|did\b)[\w-]+ )?"
    rf"(?!(?:was|is|does|{_ENDING_IN_S})\b)\w+(?<!s)s "
    r"(?:(?:of|in|on|at|from|for|by|with) (?:\S+ ){1,4}?)?"
    r"(?:are|were|have|do|does|did|has|can|that)\b"
    r"|\A(?!\W*(?:how(?! many)|why|when|where|do(?:es)?|did|is|are|was|were|can|could|should|would|will"
    r"|must|may|has|have)\b)"
    r".*(?<!\bdo )(?<!\bdoes )(?<!\bdid )\b"
    rf"(?:(?-i:all) (?!right\b)|(?:for|of) (?:each|every) |(?:each|every) (?!{_TIMES}))(?:the )?\w+",
    re.IGNORECASE,
)
_AMOUNT_REQUEST = re.compile(
    r"\bhow much\b|\bcombien (?:co[uû]te|vaut|pèse)|\bcuánt[oa]\b|\bwie ?viel\b|多少钱|多少费用", re.IGNORECASE
)
_EARLIEST = re.compile(r"\b(?:first|earlie(?:r|st)|olde(?:r|st)|before|primero|antes)\b|最早|更早|先", re.IGNORECASE)
_LATEST = re.compile(
    r"\b(?:last|late(?:r|st)|newe(?:r|st)|younge(?:r|st)|recent|después)\b|最晚|更晚|后", re.IGNORECASE
)


_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
ASKS_FOR_LEAVE = re.compile(
    r"(?:\b(?=may\b)|\A\W*(?=May (?:[a-z]|I\b|(?!Day\b)[A-Z][\w-]+ (?:[A-Z][\w-]+ )?[a-z])))(?P<wanted>[Mm]ay)\b"
)
"""The word that asks for leave; in the month it has a capital within the sentence."""


class Question(Immutable):
    """A question or a task, taken apart.

    `titles` are quoted, `names` are capitalised or look like identifiers and numbers, `options` are what it sets
    side by side (one of two alternatives, the sides of a comparison), `terms` its index terms.
    """

    text: str
    wanted: AnswerKind
    titles: tuple[str, ...]
    names: tuple[str, ...]
    options: tuple[str, ...]
    terms: tuple[str, ...]
    core: tuple[str, ...]
    facets: tuple[Facet, ...]

    @property
    def anchors(self) -> tuple[str, ...]:
        """What an answer must be about: titles and names."""
        return (*self.titles, *self.names)

    @property
    def subjects(self) -> tuple[str, ...]:
        """What it is about, as it is called: anchors, and what is set side by side."""
        return (*self.anchors, *self.options)


class Relation(Immutable):
    """A thing described by how it stands to another: ``proposal`` in "the proposal that X replaces".

    `acts` is true when the thing named in `text` does what the verb says: X replaces, required by X.
    """

    text: str
    named_is_agent: bool


@lru_cache(maxsize=_QUESTIONS)
def parse_question(text: str) -> Question:
    """Take a question or a task apart."""
    titles = tuple(filter(_may_be_title, (text[start + 1 : end - 1].strip() for start, end in quoted_spans(text))))
    bare = mask_quotes(text)
    # A long story that tells of a controversy does not ask for what was said against anything.
    facets = () if parse_query(text).tells else facets_in(bare)
    asked = tuple(content_terms(ASKS_FOR_LEAVE.sub(" ", _without_small_words(text)))) or tuple(content_terms(text))
    sides = stems_of(_REQUESTS).union(*(stems_of(f"{facet.asked} {ACTION_WORDS}") for facet in facets))
    return Question(
        text=text,
        wanted=answer_kind(bare),
        titles=tuple(dict.fromkeys(titles)),
        names=tuple(dict.fromkeys(find_names(bare))),
        options=find_alternatives(text, bare),
        terms=asked,
        core=tuple(term for term in asked if term not in sides) or asked,
        facets=facets,
    )


def _without_small_words(text: str) -> str:
    """Return a question without the words that ask, and those that its language says of any subject: "pour mon"."""
    told = without_asking_words(text)
    if report_language(text) == "en":
        return told
    small = function_words(text)
    return _WORD.sub(lambda word: " " if word[0] in small else word[0], told)


def _may_be_title(quoted: str) -> bool:
    """Return whether quoted words may be a title: one word in small letters is set off as a word."""
    return bool(quoted) and (" " in quoted or not quoted.strip("'").isascii() or quoted.casefold() != quoted)


def split_clauses(text: str) -> tuple[str, ...]:
    """Return the questions that are asked in one text, in order."""
    parts = (part.strip(" ,.") for part in _CLAUSE.split(text))
    return tuple(part for part in parts if len(content_terms(part)) > 0)


@lru_cache(maxsize=_QUESTIONS)
def asking_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return of a text about many things that begins or ends with a question its sentences with a question mark.

    What such a text tells besides is why it is asked, and no passage that answers need hold it. Any other text is
    returned whole: questions in the midst of a story are part of it.
    """
    spans = sentence_spans(text) if parse_query(text).tells else ()
    marks = tuple(QUESTION_MARKS.strip())
    asking = tuple(span for span in spans if text[slice(*span)].endswith(marks))
    asks = not {*spans[:1], *spans[-_LAST_SENTENCES:]}.isdisjoint(asking)
    return asking if asks else ((0, len(text)),)


def asking_text(text: str) -> str:
    """Return the sentences of a long text that ask; any other text as it is."""
    return " ".join(text[start:end] for start, end in asking_spans(text))


def find_relation(text: str) -> Relation | None:
    """Find the thing that a question describes only by its relation to another."""
    bare = mask_quotes(text)
    match = _RELATIVE_CLAUSE.search(bare)
    if match is None:
        return None
    noun, rest = match.start("noun"), match.start("rest")
    pronoun = re.match(r"(?:that|which|who|whose|where) ", bare[rest:], re.IGNORECASE)
    subject = re.match(r"\0+ \w+", bare[rest + (pronoun.end() if pronoun else 0) :])
    if pronoun and subject:
        end = rest + pronoun.end() + subject.end()
        return Relation(text=f"the {text[noun:end]}", named_is_agent=True)
    return Relation(text=f"the {text[noun:].rstrip(QUESTION_MARKS)}", named_is_agent=pronoun is None)


def asks_for_list(text: str) -> bool:
    """Return whether a question asks for all things of a kind: it says list, all or every, or "which things are"."""
    return _LIST_REQUEST.search(asking_text(text)) is not None and _ONE_NAME.match(text) is None


def asks_for_amount(text: str) -> bool:
    """Return whether a question asks how much, which a sentence may state, and not how many."""
    return _AMOUNT_REQUEST.search(text) is not None


def date_order(text: str) -> Callable[..., int] | None:
    """Return whether a question asks for the earliest or the latest of several: `min`, `max` or None."""
    if _EARLIEST.search(text):
        return min
    return max if _LATEST.search(text) else None


def word_runs(text: str) -> tuple[str, ...]:
    """Return the words of a text; of a script without blanks between words, the text between its marks."""
    spans: list[tuple[int, int]] = []
    for word in words(text):
        joined = spans and spans[-1][1] == word.start
        spans[-1:] = [(spans[-1][0], word.end)] if joined else [*spans[-1:], (word.start, word.end)]
    return tuple(text[start:end] for start, end in spans)


def core_words(question: Question) -> str:
    """Return the words of a question's subject, in their order, each once."""
    core = set(question.core)
    return drop_repeats(" ".join(run for run in word_runs(question.text) if core.intersection(terms(run))))


def content_words(text: str) -> str:
    """Return the words of a text that carry meaning, in their order."""
    return " ".join(run for run in word_runs(text) if content_terms(run))


def drop_repeats(text: str) -> str:
    """Drop the words of a query that it has already."""
    return " ".join(
        {word.casefold(): word for word in reversed(text.split())}.get(key, key)
        for key in dict.fromkeys(text.casefold().split())
    )
