"""Times of the day, which some write with twelve hours and others with twenty-four: 7.30 pm, 19:30, half past seven."""

import re
from collections.abc import Iterator

from quaestor.evidence.number_words import find_spelled_numbers

_CLOCK = re.compile(
    r"(?<![\w.,:])(?P<hour>[01]?\d|2[0-4])(?:(?P<mark>[:.h])(?P<minute>[0-5]\d))?"
    r"(?:\s?(?P<half>[ap])\.?\s?m\b|\s(?:(?:Uhr|o['\u2019]clock|heures?|uur|horas?|ore)\b)|(?<=[:h]\d\d)(?![\w:]))",
    re.IGNORECASE,
)
_ASKED = re.compile(r"(?P<hour>\d{1,2})[:.](?P<minute>[0-5]\d)")
_SPOKEN = re.compile(r"\b(?P<part>half|(?:a )?quarter) (?P<side>past|to) (?P<hour>[a-z]+|\d{1,2})\b", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:(?P<noon>noon|midday|mittags?|midi|mediodía|mezzogiorno)|midnight|mitternacht|minuit)\b", re.IGNORECASE
)
_HALF_DAY, _HOUR = 12 * 60, 60


def holds_time(text: str, asked: str) -> bool:
    """Return whether a text holds a time of the day that is asked for, however it is written."""
    clock = _ASKED.fullmatch(asked)
    if clock is None:
        return False
    wanted = int(clock["hour"]) * _HOUR + int(clock["minute"])
    either = {wanted, wanted + _HALF_DAY} if wanted < _HALF_DAY + _HOUR else {wanted}
    return not either.isdisjoint(_times(text))


def _times(text: str) -> Iterator[int]:
    """Yield the times of a text in minutes; one of which it does not say the half of the day by both."""
    for clock in _CLOCK.finditer(text):
        minutes = int(clock["hour"]) * _HOUR + int(clock["minute"] or 0)
        half = (clock["half"] or "").casefold()
        yield minutes % _HALF_DAY + _HALF_DAY * (half == "p") if half else minutes
    for named in _NAMED.finditer(text):
        yield from (_HALF_DAY,) if named["noon"] else (0, 2 * _HALF_DAY)
    for spoken in _SPOKEN.finditer(text):
        hour = next(find_spelled_numbers(spoken["hour"], "en"), None) or _digits(spoken["hour"])
        part = 30 if spoken["part"].casefold() == "half" else 15
        minutes = (hour * _HOUR + (part if spoken["side"].casefold() == "past" else -part)) % _HALF_DAY
        if hour:
            yield from (minutes, minutes + _HALF_DAY)


def _digits(word: str) -> int:
    return int(word) if word.isdigit() else word.casefold() == "one"
