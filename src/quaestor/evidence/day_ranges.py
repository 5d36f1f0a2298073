"""Days of the week that a text names by the first and the last of them: "Mon-Fri" is also on Wednesday."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from quaestor.evidence.short_forms import CALENDARS

_DAYS_OF_WEEK = 7
_UNTIL = r"\s*(?:-|\u2013|\u2014|\b(?:to|until|till|through|bis|au?|à|al|tot(?: en met)?|t/m)\b)\s*"


def days_between(text: str, language: str) -> Iterator[str]:
    """Yield the names of the days within the ranges of a text, the first and the last too; one may go over Sunday."""
    days, numbers = _days(language), _numbers(language)
    for found in _range(language).finditer(text):
        first, last = numbers[found[1].casefold()], numbers[found[2].casefold()]
        yield from (days[(first + step) % _DAYS_OF_WEEK] for step in range((last - first) % _DAYS_OF_WEEK + 1))


@cache
def _days(language: str) -> tuple[str, ...]:
    """Return the days of the week from Monday on, which stand behind the months."""
    return tuple(dict.fromkeys(CALENDARS.get(language, {}).values()))[-_DAYS_OF_WEEK:]


@cache
def _numbers(language: str) -> Mapping[str, int]:
    days = _days(language)
    short = {word: days.index(full) for word, full in CALENDARS.get(language, {}).items() if full in days}
    return short | {word.casefold(): number for number, full in enumerate(days) for word in full.split()}


@cache
def _range(language: str) -> re.Pattern[str]:
    day = "|".join(sorted(map(re.escape, _numbers(language)), key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?<!\w)({day})s?\.?{_UNTIL}({day})s?(?!\w)", re.IGNORECASE)
