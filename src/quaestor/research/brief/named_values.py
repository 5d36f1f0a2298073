"""The numbers and the days by which a sentence names what another one tells, and whether it denies or replaces them.

A day is one value: the 6 of "6 December" is not that of "6 pm", and "le 6 décembre" is the same day.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from quaestor.evidence.number_words import find_spelled_numbers
from quaestor.research.brief.disputed_dates import is_same_day
from quaestor.research.brief.marked_sentence import NUMBER, MarkedSentence, numbers_of, plain_number
from quaestor.research.offline.words.correction_words import (
    BECOMES,
    DENIED,
    FOR_READ,
    FROM,
    INSTEAD,
    MOVED_AT_END,
    MOVED_FROM,
    MOVED_TO,
)
from quaestor.research.offline.words.dates import PartialDate, find_partial_dates
from quaestor.research.reports.languages import report_language

_DIGIT = re.compile(r"\d")
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)")
"""A number with blanks between its thousands, of which neither the 6 nor the 100 of "6 100" is one."""
_VERSION_LETTER = re.compile(r"(?<![^\W_])[vV](?=\d)")
_BEFORE = 30
"""Characters before a number that say that it is no longer the one."""
_FAR_BEFORE = 70
"""The same, from the word that says that it was moved on."""


def named_values(sentence: str, marked: MarkedSentence) -> list[re.Match[str]]:
    """Return the numbers of a sentence that are values of a marked one, or stand in a day of it."""
    days, own = _days_of(sentence), [date for _, date in _days_of(marked.text)]
    grouped = [found.span() for found in _GROUPED.finditer(sentence)]
    return [
        found
        for found in NUMBER.finditer(sentence)
        if not any(start <= found.start() < end for start, end in grouped)
        and (_is_day_of(at, own) if (at := _day_at(found, days)) else plain_number(found[0]) in marked.numbers)
    ]


def names_day_of(sentence: str, marked: MarkedSentence) -> bool:
    """Return whether a sentence names a day of a marked one by its month."""
    return names_same_day(sentence, marked.text)


def names_day(sentence: str) -> bool:
    """Return whether a sentence names a day by its month."""
    return bool(_days_of(sentence))


def names_same_day(sentence: str, text: str) -> bool:
    """Return whether a sentence names a day of a text by its month."""
    own = [date for _, date in _days_of(text)]
    return any(_is_day_of(date, own) for _, date in _days_of(sentence))


def names_value_of(sentence: str, marked: MarkedSentence) -> bool:
    """Return whether a sentence names a number or a day of a marked one."""
    return bool(named_values(sentence, marked)) or names_day_of(sentence, marked)


def denied_values(sentence: str) -> list[re.Match[str]]:
    """Return the numbers of a sentence that it says not to be the right ones."""
    return [found for found in NUMBER.finditer(sentence) if DENIED.search(_before(sentence, found))]


def outdated_values(sentence: str) -> frozenset[str]:
    """Return the numbers of a sentence that it says not to be the right ones, or no longer, each as it is compared.

    That of a version may have its letter: "raised from v3.7 to v3.8".
    """
    plain = _VERSION_LETTER.sub("", sentence)
    moved = (found for found in NUMBER.finditer(plain) if replaces_value(plain, [found]))
    return frozenset(plain_number(found[0]) for found in (*denied_values(plain), *moved))


def denies_day(sentence: str, text: str) -> bool:
    """Return whether a sentence denies a day of a text, by its month or its number alone: "not the 5th"."""
    days, own = _days_of(sentence), [date for _, date in _days_of(text)]
    numbers = {str(date.day) for date in own}
    return any(
        _is_day_of(at, own) if (at := _day_at(found, days)) else found[0] in numbers
        for found in denied_values(sentence)
    )


def denies_only_others(sentence: str, text: str) -> bool:
    """Return whether a sentence denies values, and none of them is told in a text."""
    denied = denied_values(sentence)
    if not denied or denies_day(sentence, text):
        return False
    days = _days_of(sentence)
    told = numbers_of(text).union(map(str, find_spelled_numbers(text, report_language(text))))
    return told.isdisjoint(plain_number(found[0]) for found in denied if not _day_at(found, days))


def replaces_value(sentence: str, numbers: Sequence[re.Match[str]]) -> bool:
    """Return whether a sentence sets something in place of one of these numbers of it."""
    if any(INSTEAD.search(_before(sentence, one)) or BECOMES.match(sentence, one.end()) for one in numbers):
        return True
    moved = (one for one in numbers if MOVED_FROM.search(sentence[max(one.start() - _FAR_BEFORE, 0) : one.start()]))
    if any(MOVED_TO.match(sentence, one.end()) for one in moved):
        return True
    if any(FROM.search(_before(sentence, one)) and MOVED_AT_END.match(sentence, one.end()) for one in numbers):
        return True
    read = FOR_READ.search(sentence)
    return read is not None and any(read.start() < one.start() < read.end() for one in numbers)


def _before(sentence: str, found: re.Match[str]) -> str:
    return sentence[max(found.start() - _BEFORE, 0) : found.start()]


@lru_cache(maxsize=512)  # a sentence is asked for its days beside every other one
def _days_of(text: str) -> tuple[tuple[tuple[int, int], PartialDate], ...]:
    """Return the days of a text whose month it says, with where they stand."""
    return tuple(_find_days(text)) if _DIGIT.search(text) else ()


def _find_days(text: str) -> Iterator[tuple[tuple[int, int], PartialDate]]:
    for date in find_partial_dates(text):
        if date.day and date.month:
            yield from ((found.span(), date) for found in re.finditer(re.escape(date.text), text))


def _day_at(found: re.Match[str], days: Sequence[tuple[tuple[int, int], PartialDate]]) -> PartialDate | None:
    return next((date for (start, end), date in days if start <= found.start() < end), None)


def _is_day_of(date: PartialDate, own: Sequence[PartialDate]) -> bool:
    return any(is_same_day(date, one) for one in own)
