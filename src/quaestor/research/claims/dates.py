"""Whether the days of a sentence are days of its quotes: 3 May is not one of "1 May and 3 June"."""

import re
from collections.abc import Iterator, Sequence

from quaestor.research.claims.names import MONTHS, NUMERIC_DATE
from quaestor.research.offline.words.dates import month_number

_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DAYS = rf"{_DAY}(?:\s?(?:,|-|\u2013|to|and|or|until|till)\s?(?:the\s)?{_DAY})*"
_WRITTEN = re.compile(
    rf"(?<![\d.,:])(?P<before>{_DAYS})\.?\s(?:of\s)?(?P<month>{MONTHS})\b|\b(?P<named>{MONTHS})\.?\s(?P<after>{_DAYS})(?![\d:])",
)
_ONE_DAY = re.compile(r"\d{1,2}")


def missing_days(sentence: str, quotes: Sequence[str]) -> Iterator[str]:
    """Return the days of a sentence that are none of its quotes, where these name days at all.

    A day in another month or a month with another day is another day, though both numbers stand there.
    """
    known = {day for quote in quotes for day, _ in _days(quote)}
    if known:
        yield from (text for day, text in _days(sentence) if day not in known)


def _days(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Return the days of a text as (month, day), and how each was written; both readings of 3/5/1844."""
    for match in _WRITTEN.finditer(text):
        month = month_number(match["month"] or match["named"])
        for day in _ONE_DAY.findall(match["before"] or match["after"]):
            if month:
                yield (month, int(day)), match[0]
    for date in NUMERIC_DATE.finditer(text):
        numbers = [int(number) for number in re.findall(r"\d+", date[0])]
        if date["month"] and len(numbers) > len(("year", "month")):
            yield (numbers[1], numbers[2]), date[0]
        elif date["dotted"]:
            yield (numbers[1], numbers[0]), date[0]
        elif date["one"]:
            yield (numbers[1], numbers[0]), date[0]
            yield (numbers[0], numbers[1]), date[0]
