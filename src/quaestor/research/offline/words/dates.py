"""Dates as texts write them, made comparable."""

import re
from functools import cache

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.months import MONTH_NUMBERS

_MONTH = "|".join(sorted((re.escape(name) for name in MONTH_NUMBERS), key=len, reverse=True))
_ORDINAL = "st|nd|rd|th|er|[º°]"
"""Behind the number of a day: 1st, 1er, 1º."""
_DATE_FORMATS = (
    rf"(?P<d>\d{{1,2}})(?:{_ORDINAL})?(?:-|\.? (?:de |of )?)(?P<name>{_MONTH})\.?(?:[ \-,]+| de | del )(?P<y>\d{{4}})",
    rf"(?P<name>{_MONTH})\.? (?P<d>\d{{1,2}})(?:{_ORDINAL})?,? (?P<y>\d{{4}})",
    r"(?P<y>\d{4})\s?年(?:\s?(?P<m>\d{1,2})\s?月(?:\s?(?P<d>\d{1,2})\s?日)?)?",
    r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})",
    r"(?P<y>\d{4})-(?P<m>0[1-9]|1[0-2])(?!-\d)",
    r"(?<![./-])(?P<m>0[1-9]|1[0-2]|[1-9](?=/))[/.](?P<y>(?:1[5-9]|20)\d\d)(?![./-]?\d)",
    rf"(?P<name>{_MONTH})[.,]? (?:de )?(?P<y>\d{{4}})",
    r"(?P<y>1[0-9]{3}|20[0-9]{2})",
)
_DAY_FIRST = r"(?P<d>0?[1-9]|[12]\d|3[01])/(?P<m>0?[1-9]|1[0-2])/(?P<y>\d{4})"
_MONTH_FIRST = r"(?P<m>0?[1-9]|1[0-2])/(?P<d>0?[1-9]|[12]\d|3[01])/(?P<y>\d{4})"
_SLASHED = re.compile(r"(?<![\w/])(\d{1,2})/(\d{1,2})/\d{4}(?![\w/])")
_MONTHS_OF_YEAR = 12
_DAY_WITHOUT_YEAR = re.compile(
    rf"\b(?:\d{{1,2}}(?:{_ORDINAL}|\.)? (?:de )?(?:{_MONTH})|(?:{_MONTH}) \d{{1,2}})\b", re.IGNORECASE
)
_DAY_OR_MONTH = re.compile(
    rf"(?<!\w)(?:(?P<d_1>\d{{1,2}})(?:{_ORDINAL})?\.? (?:de |of )?(?P<name_1>{_MONTH})"
    rf"|(?P<name_2>{_MONTH})\.? (?P<d_2>\d{{1,2}})(?:{_ORDINAL})?|(?P<name_3>{_MONTH}))(?!\w)"
    r"|(?<![\w.,])(?P<d_4>0?[1-9]|[12]\d|3[01])\.\s?(?P<m_4>0?[1-9]|1[0-2])\.(?:\s?(?P<y_4>\d{4}))?(?!\.?\w)",
    re.IGNORECASE,
)
"""A day or a month whose year is not said, and a day in numbers with full stops."""
_SPELLED = (
    r"an?|half an?|a few|several|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|sixty|ninety"
    r"|eine[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix"
    r"|un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|due|tre|quattro|cinque|два|две|три|четыре|пять|десять"
)
_DAYS_OF = "working|business|calendar|full|whole|consecutive|more|further|volle|weitere"
_UNITS = (
    r"(?:second|minute|hour|day|night|week|fortnight|month|year|decade|minuto|hora|día|semana|año|seconde|heure|jour"
    r"|semaine|mois|an|année)s?|meses|mes|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|sekunden?|minuten|giorn[oi]|or[ae]"
    r"|settiman[ae]|mes[ei]|ann[oi]|секунд\w*|минут\w*|час\w*|дн\w*|день|недел\w*|месяц\w*|год\w*|лет"
)
_DURATION = re.compile(
    rf"(?<!\w)(?:(?:\d[\d.,]*|{_SPELLED})[\s-]+(?:(?:{_DAYS_OF})\s+)?(?:{_UNITS})|(?:every|each|per|alle|jeden?|chaque|cada)"
    rf"\s+(?:\w+\s+)?(?:{_UNITS})|hourly|daily|weekly|monthly|yearly|annually|once|twice|indefinitely|perpetual(?:ly)?"
    r"|täglich|wöchentlich|monatlich|jährlich)(?!\w)",
    re.IGNORECASE,
)


class PartialDate(Immutable, order=True):
    """A date as far as it is known; a month or day of 0 is not said. `text` is how it was written."""

    year: int
    month: int
    day: int
    text: str


def find_dates(text: str) -> tuple[PartialDate, ...]:
    """Return the dates in a text, in order of appearance."""
    return tuple(_to_date(match) for match in _pattern_for(text).finditer(text))


def holds_day(text: str) -> bool:
    """Return whether a text holds a date, or a day whose year it does not say, as minutes and letters do."""
    return bool(find_dates(text)) or _DAY_WITHOUT_YEAR.search(text) is not None


def holds_duration(text: str) -> bool:
    """Return whether a text says how long something lasts or how often it comes: "two working days", "weekly"."""
    return _DURATION.search(text) is not None


def parse_date(text: str) -> PartialDate | None:
    """Return the date that a text is, if it is nothing else."""
    match = _pattern_for(text).fullmatch(text.strip())
    return _to_date(match) if match else None


def is_date(text: str) -> bool:
    """Return whether a text is nothing but a date, or a month."""
    return text.casefold() in MONTH_NUMBERS or parse_date(text) is not None


def parse_partial_date(text: str) -> PartialDate | None:
    """Return the date that a text is, be it a day or a month whose year it does not say, as 8 May and September."""
    match = _DAY_OR_MONTH.fullmatch(text.strip())
    return parse_date(text) or (_to_date(match) if match else None)


def find_partial_dates(text: str) -> tuple[PartialDate, ...]:
    """Return the dates of a text, and the days and the months whose year it does not say."""
    return _partial_dates(text, _pattern_for(text))


def _partial_dates(text: str, pattern: re.Pattern[str]) -> tuple[PartialDate, ...]:
    whole = list(pattern.finditer(text))
    spans = [match.span() for match in whole if _to_date(match).month]
    partial = (
        match
        for match in _DAY_OR_MONTH.finditer(text)
        if not any(start <= match.start() and match.end() <= end for start, end in spans)
    )
    return (*map(_to_date, whole), *map(_to_date, partial))


def holds_date(text: str, when: PartialDate, *, is_of_its_year: bool = False) -> bool:
    """Return whether a text has a date as far as it is known, in numbers or by the name of its month.

    8.5.2024 is on 8 May, and 2025-09 is September 2025. What may be 3 April and 4 March is both. In a text that is of
    the year of the date a day needs none.
    """
    pattern = _pattern_for(text)
    readings = (_DAY_FIRST, _MONTH_FIRST) if pattern is _date_pattern() and _SLASHED.search(text) else ()
    found = [date for one in (pattern, *map(_date_pattern, readings)) for date in _partial_dates(text, one)]
    wanted = (when.year, when.month, when.day)
    said_dates = ((one.year or (when.year if is_of_its_year else 0), one.month, one.day) for one in found)
    return any(all(not asked or asked == said for asked, said in zip(wanted, date, strict=True)) for date in said_dates)


def _pattern_for(text: str) -> re.Pattern[str]:
    """Return the pattern of the dates of a text: 3/4/2026 is read as its other dates with slashes show, else not.

    They show it where the day is beyond all months, or is as the month in every one.
    """
    pairs = [(int(first), int(second)) for first, second in _SLASHED.findall(text)] if "/" in text else []
    is_day_first = any(first > _MONTHS_OF_YEAR for first, _ in pairs)
    is_month_first = any(second > _MONTHS_OF_YEAR for _, second in pairs)
    is_same = all(first == second for first, second in pairs)
    if not pairs or (is_day_first == is_month_first and not is_same):
        return _date_pattern()
    return _date_pattern(_MONTH_FIRST if is_month_first else _DAY_FIRST)


@cache
def _date_pattern(slashed: str = "(?!)") -> re.Pattern[str]:
    """Return the pattern of dates, of those with slashes in one order of day and month, or of none of them."""
    formats = (slashed, *_DATE_FORMATS)
    numbered = (re.sub(r"\(\?P<(\w+)>", rf"(?P<\1_{place}>", form) for place, form in enumerate(formats))
    return re.compile(r"(?<![A-Za-z0-9])(?:" + "|".join(numbered) + r")(?![\d])", re.IGNORECASE)


def _to_date(match: re.Match[str]) -> PartialDate:
    parts = {name.split("_")[0]: value for name, value in match.groupdict().items() if value}
    named = MONTH_NUMBERS.get(parts.get("name", "").casefold(), 0)
    return PartialDate(
        year=int(parts.get("y", 0)),
        month=named or int(parts.get("m", 0)),
        day=int(parts.get("d", 0)),
        text=match.group(),
    )
