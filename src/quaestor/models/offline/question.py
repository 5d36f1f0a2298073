"""A question taken apart: what it quotes, names, sets side by side and asks for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quaestor.evidence.text import content_terms, terms, words
from quaestor.models.offline.language import QUESTION_MARKS, Facet, Wanted, asked_facets, either_or, stems_of, wanted

_QUOTE_MARKS = {
    '"': '"',
    "“": "”",
    "„": "“",
    "«": "»",
    "「": "」",
    "『": "』",
    "《": "》",
    "\u2018": "\u2019",
    "'": "'",
}
_TOKEN = re.compile(r"[^\W_][\w&]*(?:['\u2019.\-_/][^\W_]\w*)*(?:\(\))?")
_LINK = re.compile(r"(?: (?:of|de|del|van|von|der|da|di|du|the|la|and the))? ")
_CLAUSE = re.compile(
    r"\s*(?:[;?\uff1f\uff1b]\s*|,? (?:and|but also) (?=(?:what|why|how|when|who|where|which|whether)\b)"
    r"|[,\uff0c]\s*(?=为什么|为何|如何|何时|谁))",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\bthe (?P<noun>[\w-]+(?: [\w-]+)?) "
    r"(?P<rest>(?:that|which|who|whose|where) .+|\w+(?:ed|en) (?:by|in|from|on|for) .+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:between|compare|comparing) (?P<one>.+?) (?:and|with|to|versus) (?P<two>.+)", re.IGNORECASE)
_VERSUS = re.compile(
    r"(?:.*?\b(?:how|do|does|is|are) )?(?P<one>[^,]+?) "
    r"(?:vs\.?|versus|differs? from|different from|compares? (?:to|with)) (?P<two>.+)",
    re.IGNORECASE,
)
_BOTH = re.compile(r"^(?:are|were|is|was|do|did|does) (?P<one>.+?) and (?P<two>.+?) both\b", re.IGNORECASE)
_DOTTED = re.compile(r"\w{2}\.\w{2}")
_ASKED_NOUN = re.compile(r"\b(?:which|what) $", re.IGNORECASE)
_ORDERS = frozenset(
    [
        "explain",
        "describe",
        "compare",
        "list",
        "give",
        "find",
        "tell",
        "summarise",
        "summarize",
        "name",
        "show",
        "discuss",
        "outline",
    ]
)
_LONGEST_ASKING = 7
_LONGEST_OPTION = 6
_LONGEST_COMPARISON = 500


@dataclass(frozen=True, slots=True)
class Question:
    """A question or a task, taken apart.

    `titles` are quoted, `names` are capitalised or look like identifiers and numbers, `options` are what it sets
    side by side (one of two alternatives, the sides of a comparison), `terms` its index terms.
    """

    text: str
    wanted: Wanted
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


@dataclass(frozen=True, slots=True)
class Relation:
    """A thing described by how it stands to another: ``proposal`` in "the proposal that X replaces".

    `acts` is true when the thing named in `text` does what the verb says: X replaces, required by X.
    """

    text: str
    acts: bool


def take_apart(text: str) -> Question:
    """Take a question or a task apart."""
    quoted = tuple(_quoted(text))
    titles = tuple(text[start + 1 : end - 1].strip() for start, end in quoted)
    masked = text
    for start, end in quoted:
        masked = masked[:start] + "\0" * (end - start) + masked[end:]
    asked, facets = tuple(content_terms(text)), asked_facets(masked)
    sides = frozenset[str]().union(*(stems_of(facet.asked) for facet in facets))
    return Question(
        text=text,
        wanted=wanted(masked),
        titles=tuple(dict.fromkeys(titles)),
        names=tuple(dict.fromkeys(_names(masked))),
        options=_options(text, masked),
        terms=asked,
        core=tuple(term for term in asked if term not in sides) or asked,
        facets=facets,
    )


def clauses(text: str) -> tuple[str, ...]:
    """Give the questions that are asked in one text, in order."""
    parts = (part.strip(" ,.") for part in _CLAUSE.split(text))
    return tuple(part for part in parts if len(content_terms(part)) > 0)


def relation(text: str) -> Relation | None:
    """Find the thing that a question describes only by its relation to another."""
    masked = text
    for start, end in _quoted(text):
        masked = masked[:start] + "\0" * (end - start) + masked[end:]
    match = _RELATIVE.search(masked)
    if match is None:
        return None
    noun, rest = match.start("noun"), match.start("rest")
    pronoun = re.match(r"(?:that|which|who|whose|where) ", masked[rest:], re.IGNORECASE)
    subject = re.match(r"\0+ \w+", masked[rest + (pronoun.end() if pronoun else 0) :])
    if pronoun and subject:
        end = rest + pronoun.end() + subject.end()
        return Relation(text=f"the {text[noun:end]}", acts=True)
    return Relation(text=f"the {text[noun:].rstrip(QUESTION_MARKS)}", acts=pronoun is None)


def runs(text: str) -> tuple[str, ...]:
    """Give the words of a text; of a script without blanks between words, what stands between its marks."""
    spans: list[tuple[int, int]] = []
    for word in words(text):
        joined = spans and spans[-1][1] == word.start
        spans[-1:] = [(spans[-1][0], word.end)] if joined else [*spans[-1:], (word.start, word.end)]
    return tuple(text[start:end] for start, end in spans)


def core_words(question: Question) -> str:
    """Give the words that say what a question is about, in their order, each once."""
    core = set(question.core)
    return once(" ".join(run for run in runs(question.text) if core.intersection(terms(run))))


def telling(text: str) -> str:
    """Give the words of a text that carry meaning, in their order."""
    return " ".join(run for run in runs(text) if content_terms(run))


def once(text: str) -> str:
    """Drop the words of a query that it has already."""
    return " ".join(
        {word.casefold(): word for word in reversed(text.split())}.get(key, key)
        for key in dict.fromkeys(text.casefold().split())
    )


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """Give the spans of quoted text, marks included; what is quoted within a quote belongs to it."""
    place = 0
    while place < len(text):
        end = _closing(text, place)
        if end is None:
            place += 1
        else:
            yield place, end
            place = end


def _closing(text: str, start: int) -> int | None:
    mark = _QUOTE_MARKS.get(text[start])
    if mark is None or (text[start] in "'\u2018" and start and text[start - 1].isalnum()):
        return None
    end = text.find(mark, start + 1)
    while end > 0 and mark in "'\u2019" and text[end + 1 : end + 2].isalnum():
        end = text.find(mark, end + 1)
    return end + 1 if end > start + 1 else None


def _names(masked: str) -> Iterator[str]:
    """Give names: runs of capitalised words, with the numbers and small words between them, and identifiers."""
    tokens = list(_TOKEN.finditer(masked))
    run: list[re.Match[str]] = []
    for place, token in enumerate(tokens):
        if not _is_name(token.group(), first=_opens_alone(masked, tokens[place : place + 2])):
            continue
        if (
            not run
            and _ASKED_NOUN.search(masked[max(0, token.start() - _LONGEST_ASKING) : token.start()])
            and not masked[token.end() :].lstrip()[:1].isdigit()
        ):
            continue
        if run and not _LINK.fullmatch(masked, run[-1].end(), token.start()):
            yield _joined(masked, run)
            run = []
        run.append(token)
        if place + 1 == len(tokens):
            break
    if run:
        yield _joined(masked, run)


def _joined(masked: str, run: list[re.Match[str]]) -> str:
    return re.sub(r"['\u2019]s$", "", masked[run[0].start() : run[-1].end()])


def _is_name(token: str, *, first: bool) -> bool:
    bare = re.sub(r"['\u2019]s$", "", token)
    if not content_terms(bare):
        return False
    inner = any(letter.isupper() for letter in bare[1:])
    coded = any(letter.isdigit() for letter in bare) or "_" in bare or "()" in bare or _DOTTED.search(bare) is not None
    return inner or coded or (bare[0].isupper() and not first)


def _opens_alone(masked: str, tokens: Sequence[re.Match[str]]) -> bool:
    """Tell a first word, whose capital means nothing, from the first word of a longer name."""
    if not _opens_sentence(masked, tokens[0].start()):
        return False
    name_goes_on = (
        len(tokens) > 1
        and masked[tokens[0].end() : tokens[1].start()] == " "
        and _is_name(tokens[1].group(), first=False)
    )
    return not name_goes_on or tokens[0].group().casefold() in _ORDERS


def _opens_sentence(masked: str, start: int) -> bool:
    return not masked[:start].strip(" ¿¡(") or masked[:start].rstrip()[-1:] in ".?!:"


def _options(text: str, masked: str) -> tuple[str, ...]:
    """Give what a question sets side by side: A or B; between A and B; A versus B; A and B, both."""
    if len(masked) > _LONGEST_COMPARISON:
        return ()
    for pattern in (_BOTH, _BETWEEN, _VERSUS):
        match = pattern.search(masked)
        if match:
            return tuple(_bare(text[slice(*match.span(side))]) for side in ("one", "two"))
    split = either_or(masked)
    if split is None:
        return ()
    left, right = split
    last = _head(text[len(masked) - len(right) :], masked[len(masked) - len(right) :])
    options = (*_before_or(text[: len(left)], left, size=len(words(last))), last)
    return options if all(_may_be_option(option, masked) for option in options) else ()


def _before_or(text: str, masked: str, size: int) -> tuple[str, ...]:
    """Give the options listed before the "or": after the lead with the question word, or at that lead's end."""
    parts = [match.span() for match in re.finditer(r"[^,\uff0c、:\uff1a]+", masked) if match.group().strip()]
    lead = max((place for place, (start, end) in enumerate(parts) if _asks(masked[start:end])), default=-1)
    listed = tuple(_bare(text[start:end]) for start, end in parts[lead + 1 :])
    chooses = wanted(masked) in {Wanted.NAME, Wanted.PERSON}
    if lead < 0 or (listed and chooses):
        return listed
    start, end = parts[lead]
    return (_tail(text[start:end], masked[start:end], size), *listed)


def _asks(part: str) -> bool:
    return wanted(part) is not Wanted.PROSE or not content_terms(part.split(maxsplit=1)[0])


def _may_be_option(option: str, masked: str) -> bool:
    if not content_terms(option):
        return False
    return option not in masked or len(words(option)) <= _LONGEST_OPTION


def _tail(text: str, masked: str, size: int) -> str:
    """Give the name or quote at the end of a text, or its last words."""
    quote = re.search("\0+$", masked.rstrip())
    if quote:
        return _bare(text[quote.start() :])
    name = next((name for name in reversed(tuple(_names(masked))) if masked.rstrip().endswith(name)), None)
    last = words(text)[-max(1, size) :]
    return _bare(name or text[last[0].start :]) if last else ""


def _head(text: str, masked: str) -> str:
    """Give the name or quote at the beginning of a text, or its words up to the first small one."""
    quote = re.match("\\s*\0+", masked)
    if quote:
        return _bare(text[: quote.end()])
    bare = _bare(text)
    name = next(_names(f"- {bare}"), None)
    if name and bare.startswith(name):
        return name
    small = next((word.start for word in words(bare) if not content_terms(bare[word.start : word.end])), None)
    return _bare(bare if small is None else bare[:small])


def _is_small(lead: str) -> bool:
    """Tell small words before an option, which can go, from marks that belong to it."""
    return all(letter.isalpha() or letter.isspace() for letter in lead)


def _bare(text: str) -> str:
    """Strip blanks and marks around an option, and the small words before it unless it is quoted."""
    stripped = text.strip(" \t\n.,;:?\uff1f。")
    if len(stripped) > 1 and _QUOTE_MARKS.get(stripped[0]) == stripped[-1]:
        return stripped[1:-1].strip()
    leading = next((word.start for word in words(stripped) if content_terms(word.text)), 0)
    return stripped[leading:] if _is_small(stripped[:leading]) else stripped
