"""Whether the days of a sentence are days of its quotes: 3 May is not one of "1 May and 3 June"."""

import calendar
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.months import month_number
from quaestor.evidence.tokenization import Word

MONTHS = "|".join(form for name in calendar.month_name[1:] for form in (name, name[:3]))
_YEAR = r"\d{4}(?!\d)"
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|[º°])?"
_DAYS = rf"{_DAY}(?:\s?(?:,|-|\u2013|to|and|or|until|till)\s?(?:the\s)?{_DAY})*"
_WRITTEN = re.compile(
    rf"(?:(?<![\d.,:])(?P<before>{_DAYS})\.?\s(?:of\s)?(?P<month>{MONTHS})\b"
    rf"|\b(?P<named>{MONTHS})\.?\s(?P<after>{_DAYS})(?![\d:]))(?:\.?\s?,?\s(?:of\s)?(?P<year>{_YEAR}))?",
)
_ONE_DAY = re.compile(r"\d{1,2}")
NUMERIC_DATE = re.compile(
    r"(?<!\w)(?:(?P<year>\d{4})[-/](?P<month>\d{1,2})(?:[-/](?P<day>\d{1,2}))?"
    r"|(?P<dotted_day>\d{1,2})\.(?P<dotted>\d{1,2})\.(?P<dotted_year>\d{2,4})"
    r"|(?P<one>\d{1,2})/(?P<other>\d{1,2})/(?P<last_year>\d{2,4}))(?!\w)"
    r"|(?:(?<!\d)(?P<cjk_year>\d{4})\s?[年년]\s?)?(?<!\d)(?P<cjk>\d{1,2})\s?[月월](?:\s?(?P<cjk_day>\d{1,2})\s?[日일])?"
)
_MONTH_PARTS = ("month", "dotted", "one", "other", "cjk")
_TEXTS = 64
"""How many texts are kept with their days."""
_TWO_DIGITS = 99
"""The last year that lacks its century, and so is not known."""

Day = tuple[int, int, int]
"""Year, month and day; a year of 0 is not said."""


class DateMention(Immutable):
    """Days at start..end of a text, and which each can be: 3/5/1844 is one in May or in March."""

    start: int
    end: int
    text: str
    readings: frozenset[Day]


def missing_days(sentence: str, quotes: Sequence[str]) -> Iterator[str]:
    """Return the days of a sentence that are none of its quotes, where these name days at all.

    A day in another month, a month with another day and both in another year are another day, though all these numbers
    stand there.
    """
    known = known_days(quotes)
    if known:
        yield from (date.text for date in find_days(sentence) if not is_known_day(date, known))


def known_days(texts: Iterable[str]) -> frozenset[Day]:
    """Return the days of texts."""
    return frozenset(day for text in texts for date in find_days(text) for day in date.readings)


def is_known_day(date: DateMention, known: Iterable[Day]) -> bool:
    """Return whether a known day is one that a text may name; a year that either does not say is any."""
    return any(
        day[1:] == other[1:] and (day[0] == other[0] or not (day[0] and other[0]))
        for day in date.readings
        for other in known
    )


@lru_cache(maxsize=_TEXTS)
def find_days(text: str) -> tuple[DateMention, ...]:
    """Return the days of a text: those in words in order, then those in numbers."""
    return (*_written_days(text), *_numeric_days(text))


def _written_days(text: str) -> Iterator[DateMention]:
    for match in _WRITTEN.finditer(text):
        month = month_number(match["month"] or match["named"])
        for day in _ONE_DAY.findall(match["before"] or match["after"]):
            if month:
                reading = (int(match["year"] or 0), month, int(day))
                yield DateMention(*match.span(), match[0], frozenset({reading}))


def _numeric_days(text: str) -> Iterator[DateMention]:
    for match in NUMERIC_DATE.finditer(text):
        found = {name: int(value) for name, value in match.groupdict().items() if value}
        years = (found.get(name, 0) for name in ("year", "dotted_year", "last_year", "cjk_year"))
        year = next((one for one in years if one > _TWO_DIGITS), 0)
        pairs = (("month", "day"), ("dotted", "dotted_day"), ("one", "other"), ("other", "one"), ("cjk", "cjk_day"))
        days = frozenset((year, found[month], found[day]) for month, day in pairs if {month, day} <= found.keys())
        if days:
            yield DateMention(*match.span(), match[0], days)


def month_numbers(text: str, own: Iterable[Word]) -> frozenset[int]:
    """Return the months that a text with these words names, in words or in dates."""
    dates = NUMERIC_DATE.finditer(text)
    dated = (int(date[name]) for date in dates for name in _MONTH_PARTS if date[name])
    named = (month_number(word.text) for word in own)
    return frozenset({*dated, *(month for month in named if month)})
