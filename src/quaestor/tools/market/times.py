"""Times as files write them, as milliseconds since the beginning of 1970, in UTC."""

import re
from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import NamedTuple

from quaestor.contracts.market import since_epoch

Reading = Callable[[str], int]
"""A time as it is written -> milliseconds. Raises ValueError, which says what is wrong with it."""


class _Unit(NamedTuple):
    name: str
    digits: range
    times: int
    divided: int


_UNITS = (
    _Unit("seconds", range(1, 12), 1000, 1),
    _Unit("milliseconds", range(12, 15), 1, 1),
    _Unit("microseconds", range(15, 18), 1, 1000),
    _Unit("nanoseconds", range(18, 20), 1, 1_000_000),
)
_NUMBER = re.compile(r"([0-9]{1,19})(?:\.0*)?")


def reading(first: str, zone: tzinfo | None) -> Reading:
    """Give how the times of a file are read, by its first one: all are written in the same way.

    A whole number counts from the beginning of 1970 in UTC: with at most 11 digits it is one of seconds, with 14 of
    milliseconds, with 17 of microseconds, with more of nanoseconds. Everything else is ISO 8601, with `UTC` as an
    offset too; a time without an offset is one of `zone`, and is refused without that.
    """
    number = _NUMBER.fullmatch(first.strip())
    if number is None:
        return lambda text: _iso(text.strip(), zone)
    unit = next(unit for unit in _UNITS if len(number[1]) in unit.digits)
    return lambda text: _count(text.strip(), unit)


def _count(text: str, unit: _Unit) -> int:
    number = _NUMBER.fullmatch(text)
    if number is None or len(number[1]) not in unit.digits:
        raise ValueError(f"the time {text!r} is not one of {unit.name}, as the first one is")
    milliseconds, rest = divmod(int(number[1]) * unit.times, unit.divided)
    if rest:
        raise ValueError(f"the time {text!r} is no whole millisecond")
    return milliseconds


def _iso(text: str, zone: tzinfo | None) -> int:
    try:
        time = datetime.fromisoformat(text.removesuffix("UTC").rstrip() + "Z" if text.endswith("UTC") else text)
    except ValueError:
        raise ValueError(
            f"the time {text!r} is neither a count from 1970 nor ISO 8601, as 2025-01-31T13:00:00Z"
        ) from None
    return since_epoch(time if time.utcoffset() is not None else _placed(time, zone))


def _placed(time: datetime, zone: tzinfo | None) -> datetime:
    """Put a time without an offset into a zone, unless a clock there shows it twice or never."""
    if zone is None:
        raise ValueError(f"the time {time.isoformat()} has no offset; declare the zone of the file, as UTC")
    placed = time.replace(tzinfo=zone)
    if placed.utcoffset() != placed.replace(fold=1).utcoffset():
        raise ValueError(f"a clock in {zone} shows {time.isoformat()} twice or never; write it with an offset")
    return placed
