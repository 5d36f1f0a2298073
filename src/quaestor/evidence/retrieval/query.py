"""A query taken apart: its parts, what it sets side by side, and the names it may hold."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.latin_languages import question_language
from quaestor.evidence.numeric_dates import asked_date_terms
from quaestor.evidence.retrieval.document_names import Mention, candidate_mentions, key_terms, marked_names
from quaestor.evidence.stemming import stemmed_terms
from quaestor.evidence.tokenization import content_terms, sentence_spans, terms
from quaestor.evidence.written_forms import other_forms

_QUERIES = 256
"""Queries that are remembered taken apart: the steps of a todo and the rules of a brief ask for the same few."""
_MAX_PART_TERMS = 40
"""Terms of a part; a longer sentence is cut at its commas."""
_MIN_TERMS = 2
_MAX_QUESTION_PARTS = 3
"""The most parts of a question; a query with more is a text about many things."""
_CUT = re.compile(r"[,;:\u2014]\s|\s[\u2013-]\s|[\uff0c\uff1b\uff1a]")
_SIDE_SEPARATOR = re.compile(
    r",? (?:and|or|vs\.?|versus|with|und|oder|et|ou|y|o) |\s*(?:\u548c|\u4e0e|\u8fd8\u662f|\u6216)\s*", re.IGNORECASE
)
_COMPARISON = re.compile(
    r"\b(?:between|compared?|comparing|comparison of|differences?|vs\.?|versus|both|which (?:came|was|is) \w+)\b"
    r"|\b(?:zwischen|vergleiche?|unterschiede?|entre|comparar?|diferencias?|diff\u00e9rences?)\b|\u6bd4\u8f83|\u533a\u522b",
    re.IGNORECASE,
)
_FULL_STOP = re.compile(r"[.。।][\"')\]\u2019\u201d]*\s*\Z")
_REQUEST = re.compile(
    r"\b(?:who|whom|whose|what|when|where|which|why|how)\b"
    r"|\A\W*(?:please|tell|give|find|list|name|show|explain|describe|compare|discuss|outline|summari[sz]e)\b",
    re.IGNORECASE,
)

DURATION_WORD = re.compile(
    r"(?<=\bhow )(?:often|soon|quickly"
    r"|long(?= (?:do|does|did|will|would|can|could|may|must|should|shall|has|have|had)\b))",
    re.IGNORECASE,
)
"""What asks for a time, and seldom stands in what tells it: how long one may wait, but not how long a bridge is."""
SPENT_TIME = re.compile(
    r"\bhow long (?:do|does|did|will|would|can|could|may|should)\b[^.?!]*?\b(?P<spent>take)\b", re.IGNORECASE
)
"""A question for a time whose verb says no more than that."""
_NEXT, _LATER = " ", r"\b[^.?!]*?\b"
_TAKING_PLACE = (
    ("when|where|how|what|which", "take[sn]?|took|taking", _NEXT, "place"),
    (r"wann|wo|wie|was|welche\w?", "findet|finden|fand|fanden", _LATER, "statt"),
    (r"wann|wo|wie|was|welche\w?", "statt", "", "finde[nt]|fand(?:en)?|gefunden|zufinden"),
    (
        "quand|où|comment|quel(?:le)?s?",
        "a|ont|aur(?:a|ont)|avai(?:en)?t|eu|avoir",
        "(?:(?:-t)?-(?:il|elle)s?)? ",
        "lieu",
    ),
    ("cuándo|dónde|cómo|qué", "tienen?|tuvo|tuvieron|tendrán?|tenían?|tenido|tener", _NEXT, "lugar"),
    ("quando|dove|come|che|quale?", "ha|hanno|ebbe|avr(?:à|anno)|aveva|avuto|avere?", _NEXT, "luogo"),
    ("wanneer|waar|hoe|wat|welke?", "vindt|vinden|vond|vonden", _LATER, "plaats"),
    ("wanneer|waar|hoe|wat|welke?", "plaats", "", "vindt|vinden|vond|vonden|gevonden"),
    ("quando|onde|como|que|qual", "t[eê]m|teve|tiveram|terá|terão|tido|ter", _NEXT, "lugar"),
)
"""What asks, the verb, what may stand between, and the noun, in seven languages."""
TAKES_PLACE = re.compile(
    "|".join(
        rf"\b(?:{asking})\b[^.?!]*?\b(?P<verb{place}>{verb}){between}(?P<noun{place}>{noun})\b"
        for place, (asking, verb, between, noun) in enumerate(_TAKING_PLACE)
    ),
    re.IGNORECASE,
)
"""A question when or where something is, whose verb says no more than that."""
_HAPPENS = re.compile(
    r"(?<=\bwhat )happen(?:s|ed)?\b"
    r"|(?:(?<=\bwhat will )|(?<=\bwhat would )|(?<=\bwhat can )|(?<=\bwhat could ))happen\b",
    re.IGNORECASE,
)
"""What asks for all that follows from something, and names none of it."""

_MEASURE = re.compile(r"(?<=\bhow )(?:far|old(?= (?:can|could|may|must|might|should|will|would)\b))", re.IGNORECASE)
"""What asks for a distance or an age, and stands in hardly any text that tells it: four metres, 90 seconds."""

TOTAL_NUMBER = re.compile(r"\b(?P<total>total|whole) (?P<number>number|count)(?= of\b)", re.IGNORECASE)
"""What asks how many there are in all, as "how many" does: a table that tells it has neither word."""


SAID_IN_PASSING = re.compile(
    r"\b(?:in the (?P<end>end)|at the (?P<moment>moment)|at (?P<present>present)|so (?P<far>far)|(?P<now>right now)"
    r"|these (?P<days>days)|in (?P<total>total)|(?P<passing>currently|nowadays|altogether)"
    r"|am (?P<ende>ende)|im (?P<momente>moment)|zur (?P<zeit>zeit)|(?P<derzeit>zurzeit|derzeit|momentan|insgesamt)"
    r"|en ce (?P<instant>moment)|au (?P<somme>total)|(?P<passage>actuellement|finalement)"
    r"|en este (?P<momento>momento)|en (?P<suma>total)|al (?P<final>final)|(?P<paso>actualmente)"
    r"|al (?P<attimo>momento)|in (?P<totale>totale)|(?P<passata>attualmente)"
    r"|op dit (?P<ogenblik>moment)|in (?P<totaal>totaal)|(?P<momenteel>momenteel)"
    r"|neste (?P<agora>momento)|no (?P<soma>total)|(?P<passagem>atualmente))(?=\s*(?:[?!.,;]|\Z))",
    re.IGNORECASE,
)
"""What closes a question or a clause and tells nothing of what it asks, in seven languages: at the moment, in total."""


class QueryPart(Immutable):
    """A span of the query and its terms."""

    start: int
    end: int
    terms: tuple[str, ...]


class Query(Immutable):
    """A query taken apart; `candidates` are the runs of words that are names if some document is called so."""

    text: str
    language: str | None
    terms: tuple[str, ...]
    plain: tuple[str, ...]
    """The terms without the stems of its language, as names have them."""
    parts: tuple[QueryPart, ...]
    sides: tuple[tuple[str, ...], ...]
    candidates: tuple[Mention, ...]
    names: tuple[str, ...]

    @property
    def tells(self) -> bool:
        """Whether it is a text about many things rather than a question."""
        return len(self.parts) > _MAX_QUESTION_PARTS

    @property
    def states(self) -> bool:
        """Whether it is a statement to be checked: it ends in a full stop, and asks and requests nothing."""
        return _FULL_STOP.search(self.text) is not None and _REQUEST.search(self.text) is None

    def part_terms_at(self, place: int) -> tuple[str, ...]:
        """Return the terms of the part that holds a character, or of the whole query."""
        return next((part.terms for part in self.parts if part.start <= place < part.end), self.terms)

    def known_names(self, frequencies: Mapping[str, int]) -> tuple[Mention, ...]:
        """Return the candidates that name a document, the longest where they overlap, in order: NIP-16 is no NIP."""
        known = (each for each in self.candidates if frequencies.get(each.key))
        chosen: list[Mention] = []
        for each in sorted(known, key=lambda each: (each.start - each.end, each.start, -len(key_terms(each.key)))):
            if all(each.end <= other.start or other.end <= each.start for other in chosen):
                chosen.append(each)
        return tuple(sorted(chosen, key=lambda each: each.start))


@lru_cache(maxsize=_QUERIES)
def parse_query(text: str, language: str | None = None) -> Query:
    """Take a query apart; its terms are stems of a language, where one is given."""
    marked = (
        mention
        for mention in marked_names(text)
        if mention.is_proper_name and not text[mention.start : mention.end].isupper()
    )
    told = without_asking_words(text)
    return Query(
        text=text,
        language=language,
        terms=tuple(dict.fromkeys((*stemmed_terms(told, language), *_terms_of_other_forms(told, language)))),
        plain=tuple(content_terms(told) or terms(told)),
        parts=tuple(_parts(text, language)),
        sides=_sides(text, language),
        candidates=tuple(candidate_mentions(text)),
        names=tuple(dict.fromkeys(mention.key for mention in marked)),
    )


def _terms_of_other_forms(text: str, language: str | None) -> list[str]:
    """Return the terms by which texts write in other signs what a query says: km of kilometres, 2025-09 of a month."""
    forms = other_forms(text, language or question_language(text))
    return [*stemmed_terms(" ".join(forms), language), *asked_date_terms(text)]


def without_asking_words(text: str) -> str:
    """Return a question without the words that say what it wants, and that what answers it seldom holds."""
    told = without_groups(TAKES_PLACE, without_groups(SPENT_TIME, without_groups(SAID_IN_PASSING, text)))
    told = TOTAL_NUMBER.sub(" ", told)
    return _MEASURE.sub(" ", _HAPPENS.sub(" ", DURATION_WORD.sub(" ", told)))


def without_groups(pattern: re.Pattern[str], text: str) -> str:
    """Return a text with blanks for what the groups of a pattern find in it."""
    for found in pattern.finditer(text):
        for start, end in (found.span(name) for name in pattern.groupindex if found[name]):
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _parts(text: str, language: str | None) -> Iterator[QueryPart]:
    for start, end in sentence_spans(text):
        for first, last in _split_long(text, start, end):
            if len(content_terms(text[first:last])) >= _MIN_TERMS:
                yield QueryPart(first, last, tuple(stemmed_terms(text[first:last], language)))


def _split_long(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a long sentence at its commas into pieces of half the largest size at least."""
    if len(content_terms(text[start:end])) > _MAX_PART_TERMS:
        for mark in _CUT.finditer(text, start, end):
            if len(content_terms(text[start : mark.start()])) >= _MAX_PART_TERMS // 2:
                yield start, mark.start()
                start = mark.end()
    yield start, end


def _sides(text: str, language: str | None) -> tuple[tuple[str, ...], ...]:
    """Return the terms of each side of a comparison that the words of a query announce."""
    sides = _SIDE_SEPARATOR.split(text)
    if len(sides) == 1 or not _COMPARISON.search(text):
        return ()
    return tuple(tuple(stemmed_terms(side, language)) for side in sides if content_terms(side))
