"""Dates in numbers as index terms: a query for September 2025 finds a text that writes 2025-09 or 15.9.2025.

The term of a month is 202509, that of a day 20250915, which is also how the names of many files begin.
"""

import re
from collections.abc import Iterator

from quaestor.evidence.months import month_number

_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)"
_MONTH = r"(?P<month>0?[1-9]|1[0-2])"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_IN_NUMBERS = (
    re.compile(rf"(?<![\d-]){_YEAR}(?P<mark>[-_]){_MONTH}(?:(?P=mark){_DAY})?(?!\d)"),
    re.compile(rf"(?<![\d.]){_DAY}\.\s?{_MONTH}\.\s?{_YEAR}(?!\d)"),
    re.compile(rf"(?<![\w./-])(?P<month>0[1-9]|1[0-2]|[1-9](?=/))[/.]{_YEAR}(?![\d./-])"),
)
"""Of a day with slashes nobody knows which number is the month, and 2025.9 is a version."""
_NAME = r"(?<![^\W\d_])(?P<name>[^\W\d_]{3,})\.?"  # looked for once in a word, however long that is
_OF = "(?:of |de |del )?"
_NAMED = (
    re.compile(rf"(?:(?<!\d){_DAY}(?:st|nd|rd|th|er|[.º])? {_OF})?{_NAME},? {_OF}{_YEAR}(?!\d)"),
    re.compile(rf"{_NAME} {_DAY}(?:st|nd|rd|th)?,? {_YEAR}(?!\d)"),
)
"""The name is that of a month."""


def date_terms(text: str) -> tuple[str, ...]:
    """Return the terms of the months and the days that a text has in numbers, each once, in order."""
    found = (one for pattern in _IN_NUMBERS for one in pattern.finditer(text))
    return tuple(dict.fromkeys(term for one in found for term in _terms(one, int(one["month"]))))


def asked_date_terms(query: str) -> tuple[str, ...]:
    """Return the term of each day or month that a query names with its year; of a day not that of its month too."""
    numbered = ((one, int(one["month"])) for pattern in _IN_NUMBERS for one in pattern.finditer(query))
    named = (
        (one, number)
        for pattern in _NAMED
        for one in pattern.finditer(query)
        if (number := month_number(one["name"])) is not None
    )
    return tuple(dict.fromkeys([*_terms(one, month)][-1] for one, month in (*numbered, *named)))


def _terms(date: re.Match[str], month: int) -> Iterator[str]:
    day = date.groupdict().get("day")
    yield f"{date['year']}{month:02}"
    if day:
        yield f"{date['year']}{month:02}{int(day):02}"
