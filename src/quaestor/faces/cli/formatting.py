"""Numbers, long texts and long lists, said briefly."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from quaestor.views.escaping import one_line

MAX_LINES = 20
"""The most items of a list that are said one by one."""

_MAX_WIDTH = 100


def count_noun(number: int, one: str, many: str | None = None) -> str:
    """Give a number with its noun; `many` where the plural is not made with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def truncate_line(text: str, width: int = _MAX_WIDTH) -> str:
    """Give a text on one line that takes at most `width` cells of a terminal."""
    return truncate(one_line(text), width)


def truncate(line: str, width: int) -> str:
    """Give a line that takes at most `width` cells; an ellipsis stands for what was cut."""
    return line if cell_len(line) <= width else f"{set_cell_size(line, width - 1).rstrip()}…"


def first_lines(lines: Sequence[str], most: int = MAX_LINES) -> tuple[str, ...]:
    """Give the first lines, and how many more there are."""
    more = len(lines) - most
    return (*lines[:most], f"... and {more:,} more") if more > 0 else tuple(lines)
