"""How texts name what another one says, by an identifier, a place or a day, and that they take it back."""

import re
from collections.abc import Iterator

from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.brief.disputed_dates import is_same_day
from quaestor.research.offline.words.correction_words import REPLACES, TAKEN_BACK, UNSURE
from quaestor.research.offline.words.dates import PartialDate, find_partial_dates, is_date

IDENTIFIER = re.compile(r"\b(?:[A-Z]{1,6}[ -]?\d[\w/-]*|\d+(?:[/-]\d+)+|(?<![\w:.])\d+(?:\.\d+){2}(?!\.?\w))(?!\w)")
"""As PEP 12, B-7, 2023/05 or 2.6.2."""
PLACE = re.compile(
    r"(?:§+|\b(?:art(?:icle|ikel|[íi]culo|icolo|igo|\.)|section|sec\.|clause|rule|top|item|minute|motion|resolution"
    r"|decision|beschluss|antrag|décision|decisi[oó]n[e]?|delibera|besluit|punkt|point|punt[oe]?|ponto"
    r"|cl[aá]usula|clausola|clausule|ziffer))\s*(\d+(?:\.\d+)*[a-z]?)\b",
    re.IGNORECASE,
)
"""As § 4, article 4.3 or item 2, with its number."""
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


def places_of(text: str) -> frozenset[str]:
    """Return the numbers of the places that a text names."""
    return frozenset(match[1] for match in PLACE.finditer(text))


def ends_after(text: str, day: PartialDate) -> Iterator[int]:
    """Yield where a text has named something by its day: behind "of 3 May"; a month of another language is the same."""
    for one in find_partial_dates(text):
        if one.day and one.month and is_same_day(one, day):
            yield from (match.end() for match in re.finditer(f"{_OF}{re.escape(one.text)}(?!\\w)", text))


def taken_back(sentence: str, end: int) -> re.Match[str] | None:
    """Return the words that take back what a sentence has named before an offset, unless they may not."""
    found = TAKEN_BACK.search(sentence, end)
    between = sentence[end : found.start()] if found else ""
    return None if len(between) > _BESIDE or ";" in between or UNSURE.search(between) else found


def replaces_before(sentence: str, day: PartialDate) -> Iterator[str]:
    """Yield what a sentence names of a day that it says to replace: "the one" in "This replaces the one of 3 May"."""
    for end in ends_after(sentence, day):
        if (found := _REPLACES.search(sentence[:end])) and not UNSURE.search(found[0]):
            yield found[0]


def places_taken(sentence: str, name: str) -> Iterator[re.Match[str]]:
    """Yield where a sentence has an identifier, and nothing longer that begins so."""
    return re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence)


def is_amending(sentence: str, place: re.Match[str]) -> bool:
    """Return whether a sentence tells what is so in something that it names: "In D-04 the amount is 18"."""
    return _IN.search(sentence[: place.start()]) is not None
