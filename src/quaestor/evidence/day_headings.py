"""The days above entries that stand in one text, as in a diary or the minutes of a year: "16 December 2021"."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from quaestor.evidence.block_lines import Block, BlockKind, Line, make_block
from quaestor.evidence.months import MONTH_NUMBERS
from quaestor.evidence.short_forms import CALENDARS

DAY = "day"
"""The style of a heading that is a day alone."""

_NAMES = (
    frozenset(
        word.casefold()
        for names in CALENDARS.values()
        for short, full in names.items()
        for word in (short, *full.split())
    )
    | MONTH_NUMBERS.keys()
)
"""Months and days of the week, also those that have no short form."""
_NAME = r"[^\W\d_]+"
_ARTICLE = "(?:the|le|den|el|il) "
_YEAR = r"(?:,?(?: de| del)? \d{4})?"
_DAY = re.compile(
    rf"[*_]{{0,3}}(?:(?!{_ARTICLE})(?P<weekday>{_NAME})\.?,? )?(?:{_ARTICLE})?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?(?: of| de)? (?P<month>{_NAME})\.?{_YEAR}"
    rf"|(?P<first>{_NAME})\.? \d{{1,2}}(?:st|nd|rd|th)?{_YEAR}"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d\d)):?[*_]{0,3}",
    re.IGNORECASE,
)
_LONGEST = 45
"""Characters of a line that is a day alone."""
_FEWEST = 3
"""Entries of a text that has them; a letter has its day once."""


def day_heading(lines: Sequence[Line], at: int) -> Block | None:
    """Return a day that stands alone above words, if several do in a text; None where a line is none."""
    if not _is_heading(lines, at):
        return None
    alike = (place for place in _nearest_first(at, len(lines)) if _is_heading(lines, place))
    if sum(1 for _ in islice(alike, _FEWEST)) < _FEWEST:
        return None
    return make_block(BlockKind.HEADING, lines, at, at)._replace(style=DAY)


def _is_heading(lines: Sequence[Line], at: int) -> bool:
    if lines[at].indent or not _is_day(lines[at].text):
        return False
    below = next((lines[place].text for place in range(at + 1, len(lines)) if lines[place].text), "")
    return bool(below) and not _is_day(below)


def _is_day(line: str) -> bool:
    if len(line) > _LONGEST or not any(map(str.isdigit, line)):
        return False
    day = _DAY.fullmatch(line)
    return day is not None and all(name.casefold() in _NAMES for name in day.groups() if name)


def _nearest_first(at: int, count: int) -> Iterable[int]:
    """Yield the places of a text from one on, those that are near first."""
    for step in range(count):
        yield from (place for place in {at - step, at + step} if 0 <= place < count)
