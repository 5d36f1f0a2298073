"""When a document says it was last changed."""

import re
from collections.abc import Iterable
from datetime import date

_TOP = 2_000
"""Characters that are searched for the field of a date."""
_FIELDS = ("last-modified", "updated", "date", "created")
"""The later of what they tell comes first."""
_FIELD = re.compile(rf"^:?(?P<name>{'|'.join(_FIELDS)}):[ \t]*(?P<day>\S[^\n]{{0,99}})", re.IGNORECASE | re.MULTILINE)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"(?<!\d)(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)",
        r"^(?:D:)?(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?:\d{6}|\d{4}|\d{2})?(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[-\s]+{_MONTH}[-,\s]+(?P<year>\d{{4}})(?!\d)",
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})(?!\d)",
    )
)
"""Year first, also with a time behind it; as PDF writes it, section 7.9.4 of ISO 32000-1; two ways with a month's name.

A day and a month that are both numbers and stand before the year are not told apart, so they are no date.
"""


def field(text: str) -> date | None:
    """Give the date in a field near the top of a text, or None.

    The fields are `Last-Modified:`, `Updated:`, `Date:` and `Created:`, looked at in this order.
    """
    fields = {found["name"].lower(): found["day"] for found in reversed([*_FIELD.finditer(text[:_TOP])])}
    return first(fields.get(name) for name in _FIELDS)


def first(written: Iterable[str | None]) -> date | None:
    """Give the first of these that can be read as a date, or None."""
    return next((found for each in written if each and (found := day(each))), None)


def day(written: str) -> date | None:
    """Give the day that a date names, as it is written and in no other time zone; None when it cannot be read."""
    for shape in _SHAPES:
        if found := shape.search(written):
            parts = found.groupdict()
            month = int(parts["month"]) if "month" in parts else _MONTHS.index(parts["name"].lower()) + 1
            try:
                return date(int(parts["year"]), month, int(parts["day"]))
            except ValueError:
                return None
    return None
