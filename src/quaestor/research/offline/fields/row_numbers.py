"""Numbers and years in prose that may stand for those of a cell, and which of them are days, hours or durations."""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from decimal import Decimal

from quaestor.research.offline.fields.cell_words import parse_number, tokens
from quaestor.research.offline.fields.reserve_words import READS
from quaestor.research.offline.words.dates import holds_day, holds_duration
from quaestor.research.offline.words.markup import strip_markup

_NUMBER = re.compile(r"(?<![\w.,:])\d+(?:[.,]\d+)*(?![\w:])")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
DATE = re.compile(
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th|\.)?(?: de| of)? [^\W\d_]{3,}\.? \d{4}|[^\W\d_]{3,} \d{1,2}, \d{4}"
    r"|1\d{3}|20\d{2})\b"
)
"""Days and years, which stand beside many names and contradict no size."""
_AMOUNT = re.compile(r"[€£$]?\s?(-?\d+(?:[.,]\d+)*)(?:\s?(?:[^\W\d_]+|[€£$%]))?")
_YEAR = re.compile(r"(?<!\w)(?:1[5-9]|20)\d\d(?!\w)")
_BESIDE = re.compile(r"[^\W\d_]+ \Z")
_NEXT = re.compile(r" ?[^\W\d_]+")
_AT = re.compile(r"(?:at|um|à|alle|om) ", re.IGNORECASE)
_HOUR = re.compile(r" ?(?:[ap]m|uhr|heures?|horas?|uur)", re.IGNORECASE)
"""Beside a number that is the hour of a day."""
_YEARS = 10
"""Years by which two texts may differ on one event."""
_LIKE = 2
"""How many times as much a number may be that stands for another one: further off it is of something else."""


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text as they are written."""
    return _NUMBER.findall(text)


def years_in(text: str) -> frozenset[str]:
    """Return the years of a text."""
    return frozenset(_YEAR.findall(text))


def tells_other_year(sentence: str, own: AbstractSet[str], *, names_column: bool) -> bool:
    """Return whether a sentence tells another year than that of a cell, and not this one.

    It names the column, or quotes somebody or something, and the year is not far off, or has the same figures.
    """
    told = years_in(sentence)
    if not own.isdisjoint(told) or not (names_column or READS.search(sentence)):
        return False
    return any(_is_near(one, other) for one in told for other in own)


def _is_near(year: str, other: str) -> bool:
    return abs(int(year) - int(other)) <= _YEARS or sorted(year) == sorted(other)


def amounts(sentence: str, columns: frozenset[str]) -> Iterator[str]:
    """Yield the numbers of a sentence that are no days, hours or durations, unless a column of such is asked for."""
    told = DATE.sub(" ", sentence)
    for number in _NUMBER.finditer(told):
        beside = _BESIDE.search(told[: number.start()]), _NEXT.match(told, number.end())
        before, after = (one[0] if one else "" for one in beside)
        is_time = holds_duration(number[0] + after) or holds_day(before + number[0]) or holds_day(number[0] + after)
        is_hour = _AT.fullmatch(before) or _HOUR.fullmatch(after)
        if not (is_time or is_hour) or not columns.isdisjoint(tokens(after)):
            yield number[0]


def is_like(number: str, own: Decimal) -> bool:
    """Return whether a number in prose may stand for that of a cell: it differs from it, and is not far off."""
    told = parse_number(_plain(number))
    return told is not None and told != own and own > 0 and own / _LIKE <= told <= own * _LIKE


def amounts_of(values: Iterable[str]) -> Iterator[Decimal]:
    """Yield the numbers of cells that hold nothing else, but for a currency or a unit: "60 €"."""
    for value in values:
        told = _AMOUNT.fullmatch(strip_markup(value))
        if told and not holds_day(told[0]) and (number := parse_number(_plain(told[1]))) is not None:
            yield number


def _plain(number: str) -> str:
    return number.replace(",", "") if _THOUSANDS.fullmatch(number) else number.replace(",", ".")
