"""The day a page was published, as services write it."""

import re
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR, _DAY, _END = r"(?P<year>\d{4})", r"(?P<day>\d{1,2})", r"(?!\d)"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE | re.ASCII)
    for form in (
        rf"{_YEAR}\s+{_MONTH}(?:\s+{_DAY}{_END})?",  # 2023 Mar 15
        rf"{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}{_END}",  # March 15, 2023
        rf"(?:[a-z]+,?\s+)?{_DAY}\s+{_MONTH},?\s+{_YEAR}{_END}",  # Wed, 15 Mar 2023
        rf"{_MONTH}\s+{_YEAR}{_END}",  # March 2023
        rf"{_YEAR}(?:[-/ ](?P<month>\d{{1,2}}){_END}(?:[-/ ]{_DAY}{_END})?)?{_END}",  # 2023-03-15T08:00:00Z
    )
)


def day(text: str) -> date | None:
    """Give the day that a text begins with; None where it names none, as `3 days ago`.

    A day is taken as it is written, in whatever time zone; a month or a year alone counts as its first day.
    """
    found = next(filter(None, (form.match(text.strip()) for form in _FORMS)), None)
    if found is None:
        return None
    said = found.groupdict()
    try:
        return date(int(said["year"]), _number(said.get("month")), int(said.get("day") or 1))
    except ValueError:
        return None


def _number(month: str | None) -> int:
    if month is None:
        return 1
    return int(month) if month.isdigit() else _MONTHS.index(month.lower()) + 1
