"""From where to where: two times, numbers or places between which a question asks something, and compares nothing."""

import re

from quaestor.research.offline.words.dates import is_date

_TIME = re.compile(
    r"(?:the )?\d[\d.,:]*(?:st|nd|rd|th)?(?:\s?(?:h|o'clock|uhr|heures?|am|pm|a\.m\.|p\.m\.|%|[a-z]{1,3}))?"
    r"|noon|midday|midnight|dawn|dusk|now|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    re.IGNORECASE,
)
_EXTENT = re.compile(
    r"\bhow (?:many|much|far|long|often|fast|soon|quickly|old)\b|\b(?:when|what (?:time|year|date|distance))\b"
    r"|\b(?:distance|journey|passage|voyage|trip|way|route|road|flight|interval)s?\b",
    re.IGNORECASE,
)
"""What is asked of the way or the time from one to the other."""
_COMPARES = re.compile(
    r"\b(?:differ|compar|distin|contrast|choos|choice|decid|similar|alike|versus|vs\b|trade-?off|better|prefer)",
    re.IGNORECASE,
)


def is_range(text: str, one: str, two: str) -> bool:
    """Return whether what stands between two things is asked for, and not how these differ."""
    if all(_TIME.fullmatch(end.strip(" ?.")) or is_date(end.strip(" ?.")) for end in (one, two)):
        return True
    return _EXTENT.search(text) is not None and _COMPARES.search(text) is None
