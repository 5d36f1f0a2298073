"""Whether the times of a sentence are times of its quotes: 9 a.m. is not 9 p.m., and 21:00 is."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from quaestor.contracts.immutable import Immutable

_CLOCK_TIME = r"(?P<hour>\d{1,2})(?:[:.](?P<minutes>[0-5]\d))?(?:\so['\u2019]clock)?"
_PART_OF_DAY = r"(?:(?P<meridiem>[ap])\.?\s?m\b\.?|(?:in\sthe|at)\s(?P<part>morning|afternoon|evening|night)\b)"
_TIME = re.compile(
    rf"(?<![\d.,:]){_CLOCK_TIME}\s?{_PART_OF_DAY}"
    r"|(?<![\d.,:])(?P<bare>[01]?\d|2[0-4]):(?P<past>[0-5]\d)(?![\d:])"
    r"|\b(?P<named>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    r"(?<![\d.,:])(?P<bare>\d{1,2})(?=\s?(?:to|and|or|until|till|[-\u2013])\s?\d{1,2}(?:[:.][0-5]\d)?\s?[ap]\.?\s?m\b)",
    re.IGNORECASE,
)
_DAY, _NOON = 24, 12
"""Hours."""
_HOUR = 60
"""Minutes."""
_LAST_OF_NIGHT = 5
"""Up to which an hour "at night" is one of the morning."""
_TEXTS = 64
"""How many texts are kept with their times."""


class TimeMention(Immutable):
    """A time at start..end of a text and the minutes of the day that it can be: 9:30 is before or after noon."""

    start: int
    end: int
    text: str
    readings: frozenset[int]


def missing_times(sentence: str, quotes: Sequence[str]) -> Iterator[str]:
    """Return the times of a sentence that are none of its quotes, where these name one of the same hour on a clock.

    Another hour may stand there as a bare number: "from 9" can be 9 a.m.
    """
    known = known_times(quotes)
    hours = set(map(_hour_on_clock, known))
    for time in find_times(sentence):
        if known.isdisjoint(time.readings) and not hours.isdisjoint(map(_hour_on_clock, time.readings)):
            yield time.text


def _hour_on_clock(minute: int) -> int:
    return minute // _HOUR % _NOON


def known_times(texts: Iterable[str]) -> frozenset[int]:
    """Return the times of texts, in minutes of the day."""
    return frozenset(minute for text in texts for time in find_times(text) for minute in time.readings)


@lru_cache(maxsize=_TEXTS)
def find_times(text: str) -> tuple[TimeMention, ...]:
    """Return the times of a text, and the hours that begin such as "9 to 11 a.m."."""
    found = (match for pattern in (_TIME, _BEGINNING) for match in pattern.finditer(text))
    return tuple(TimeMention(*match.span(), match[0], frozenset(_minutes(match.groupdict("")))) for match in found)


def _minutes(said: Mapping[str, str]) -> Iterator[int]:
    """Yield the minutes of the day that the parts of a time can be."""
    if named := said.get("named"):
        yield 0 if named.lower() == "midnight" else _NOON * _HOUR
        return
    past = int(said.get("minutes") or said.get("past") or 0)
    part = said.get("meridiem") or said.get("part") or ""
    for hour in _hours(int(said.get("hour") or said["bare"]), part.lower()):
        yield hour * _HOUR + past


def _hours(hour: int, part: str) -> Sequence[int]:
    """Return the hours of the day that an hour in a part of the day can be; in none, both of a clock."""
    if not 0 < hour <= _NOON:
        return (hour % _DAY,)
    morning = hour % _NOON
    if not part:
        return (morning, morning + _NOON)
    is_before_noon = part in {"a", "morning"} or (part == "night" and morning <= _LAST_OF_NIGHT)
    return (morning if is_before_noon else morning + _NOON,)
