"""One row a figure, all of them in one table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_HEADINGS = ("data set", "measure", "ours", "known", "bound", "")


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure. `known` is what others reach, with their names; a figure below `bound` fails the bench.

    With `least` false the bound is a ceiling, as it is for times.
    """

    data: str
    measure: str
    ours: float
    known: str = ""
    bound: float | None = None
    least: bool = True

    @property
    def holds(self) -> bool:
        """Return whether the figure is on the right side of its bound."""
        if self.bound is None:
            return True
        return self.ours >= self.bound if self.least else self.ours <= self.bound


def table(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    return lined([_HEADINGS, *map(_cells, rows)])


def lined(cells: Sequence[Sequence[str]]) -> str:
    """Return cells as a Markdown table, the first row as its headings."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def _cells(row: Row) -> tuple[str, ...]:
    bound = "" if row.bound is None else f"{'>=' if row.least else '<='} {row.bound:g}"
    return (row.data, row.measure, f"{row.ours:.3f}", row.known, bound, "" if row.holds else "missed")
