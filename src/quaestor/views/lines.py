"""Counts, and long lists in few lines, as every face prints them."""

from collections.abc import Sequence

MAX_LINES = 20
"""The most items of a list that are printed one by one."""


def count_noun(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun; `many` where the plural does not end in s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def first_lines(lines: Sequence[str], most: int = MAX_LINES) -> tuple[str, ...]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - most
    return (*lines[:most], f"... and {more:,} more") if more > 0 else tuple(lines)
