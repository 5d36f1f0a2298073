"""Numbers, times, long texts and long lists as short plain text for a terminal."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from rich.cells import cell_len, set_cell_size

from quaestor.views.escaping import one_line, replace_hidden

MAX_LINES = 20
"""Items of a list that are shown one by one; the rest is counted."""

_MAX_WIDTH = 100

_SMALL = Decimal("0.1")


def count_noun(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun; `many` is the plural where it is not formed with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def truncate_line(text: str, width: int = _MAX_WIDTH) -> str:
    """Return a text on one line of at most `width` terminal cells, without control characters."""
    return truncate(one_line(text), width)


def truncate_columns(text: str) -> str:
    """Return a text on one line like `truncate_line`, but keep the blanks between its columns."""
    return truncate(replace_hidden(" ".join(text.splitlines())), _MAX_WIDTH)


def truncate(line: str, width: int) -> str:
    """Return a line of at most `width` terminal cells; an ellipsis marks a cut."""
    return line if cell_len(line) <= width else f"{set_cell_size(line, width - 1).rstrip()}…"


def first_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the first `MAX_LINES` lines, and a line with the number of those left out."""
    more = len(lines) - MAX_LINES
    return (*lines[:MAX_LINES], f"... and {more:,} more") if more > 0 else tuple(lines)


def format_amount(number: float | Decimal) -> str:
    """Format a number with thousands separators and at most six decimals, without trailing zeros."""
    return f"{number:,.6f}".rstrip("0").rstrip(".")


def format_dollars(dollars: Decimal) -> str:
    """Format an amount of money: two decimals, and four below ten cents."""
    return f"${dollars:,.2f}" if not dollars or dollars >= _SMALL else f"${dollars:,.4f}"


def format_timestamp(at: datetime) -> str:
    """Format a time to the second, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
