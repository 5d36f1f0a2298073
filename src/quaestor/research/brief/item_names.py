"""How texts name what another one says, by an identifier, a place or a day, and that they take it back."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.brief.disputed_dates import is_same_day
from quaestor.research.offline.words.correction_words import REPLACES, TAKEN_BACK, UNSURE
from quaestor.research.offline.words.dates import PartialDate, find_partial_dates, is_date

IDENTIFIER = re.compile(
    r"\b(?:(?!(?:TOP|ITEM|POINT|PUNKT|PUNT[OE]|NO|NR|PAGE|SEITE|PART|TEIL)[ -]?\d)[A-Z]{1,6}[ -]?\d[\w/-]*"
    r"|\d+(?:[/-]\d+)+|(?<![\w:.])\d+(?:\.\d+){2}(?!\.?\w))(?!\w)"
)
"""As PEP 12, B-7, 2023/05 or 2.6.2; every agenda has a TOP 6."""
OF_RULES = (
    r"§+|\b(?:art(?:icle|ikel|[íi]culo|icolo|igo|\.)|section|sec\.|clause|rule|cl[aá]usula|clausola|clausule|ziffer)"
)
"""What a part of rules is called, before its number."""
_OF_RECORD = r"\b(?:top|minute|motion|resolution|decision|beschluss|antrag|décision|decisi[oó]n[e]?|delibera|besluit)"
PLACE = re.compile(
    rf"(?:(?P<rules>{OF_RULES})|(?P<record>{_OF_RECORD})|\b(?:item|punkt|point|punt[oe]?|ponto))"
    r"\s*(?P<number>\d+(?:\.\d+)*[a-z]?)\b"
    r"(?:,? ?(?:\((?P<bracketed>\d{1,2})\)"
    r"|\b(?:abs(?:atz|\.)|para(?:graph|\.)?|alinéa|al\.) ?(?P<paragraph>\d{1,2})\b))?",
    re.IGNORECASE,
)
"""As § 4, article 4.3, item 2 or § 5 Abs. 3, with its number."""
_OF = r"(?:\b(?:of|dated|vom|du|del|dell|di|de|van|do)\W+(?:the\W+)?|\()"
"""Before the day that a document is called by."""
_OPENING = 60
"""Characters at the beginning of a sentence in which it names what it is about."""
_BESIDE = 60
"""Characters between what is named and the words that take it back."""
_REPLACES = re.compile(rf"\b(?:{REPLACES})\b[^.;]{{0,{_BESIDE}}}\Z", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|dans|en|nel|em)\W+\Z", re.IGNORECASE)


def identifiers_of(text: str) -> Iterator[str]:
    """Yield the identifiers by which the sentences of a text begin; a date is none."""
    for start, end in sentence_spans(text):
        for match in IDENTIFIER.finditer(text, start, min(end, start + _OPENING)):
            if not is_date(match[0]):
                yield match[0]


class Place(NamedTuple):
    """A place that a text names: § 5 of rules is not item 5 of a record. What is empty is not said."""

    number: str
    kind: str = ""
    paragraph: str = ""

    @property
    def section(self) -> "Place":
        """The section that it is in: that of 4.3 is 4."""
        return self._replace(number=self.number.split(".")[0])

    def is_same_or_above(self, other: "Place") -> bool:
        """Return whether another place may be this one or below it."""
        pairs = ((self.kind, other.kind), (self.paragraph, other.paragraph))
        is_alike = all(a == b for a, b in pairs if a and b)
        return is_alike and f"{other.number}.".startswith(f"{self.number}.")


def to_place(match: re.Match[str]) -> Place:
    """Return the place that a match of `PLACE` names."""
    kind = next((kind for kind in ("rules", "record") if match[kind]), "")
    return Place(match["number"], kind, match["bracketed"] or match["paragraph"] or "")


def places_of(text: str) -> frozenset[Place]:
    """Return the places that a text names."""
    return frozenset(map(to_place, PLACE.finditer(text)))


def ends_after(text: str, day: PartialDate) -> Iterator[int]:
    """Yield where a text has named something by its day: behind "of 3 May"; a month of another language is the same."""
    yield from (match.end() for match in _called_by(text, day))


def _called_by(text: str, day: PartialDate) -> Iterator[re.Match[str]]:
    for one in find_partial_dates(text):
        if one.day and one.month and is_same_day(one, day):
            yield from re.finditer(f"{_OF}{re.escape(one.text)}(?!\\w)", text)


def taken_back(sentence: str, end: int) -> re.Match[str] | None:
    """Return the words that take back what a sentence has named before an offset, unless they may not."""
    found = TAKEN_BACK.search(sentence, end)
    between = sentence[end : found.start()] if found else ""
    return None if len(between) > _BESIDE or ";" in between or UNSURE.search(between) else found


def replaces_before(sentence: str, day: PartialDate) -> Iterator[str]:
    """Yield what a sentence names of a day that it says to replace: "the one" in "This replaces the one of 3 May"."""
    for called in _called_by(sentence, day):  # before the day, which may have a full stop: "27. März"
        if (found := _REPLACES.search(sentence[: called.start()])) and not UNSURE.search(found[0]):
            yield found[0]


def replaces_identified(sentence: str, name: str) -> bool:
    """Return whether a sentence says that something is in the place of what has an identifier: "obsoletes GEP-12"."""
    before = (sentence[: place.start()] for place in places_taken(sentence, name))
    return any(_REPLACES.search(said) is not None and UNSURE.search(said) is None for said in before)


def places_taken(sentence: str, name: str) -> Iterator[re.Match[str]]:
    """Yield where a sentence has an identifier, and nothing longer that begins so."""
    return re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence)


def is_amending(sentence: str, place: re.Match[str]) -> bool:
    """Return whether a sentence tells what is so in something that it names: "In D-04 the amount is 18"."""
    return _IN.search(sentence[: place.start()]) is not None
