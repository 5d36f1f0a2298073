"""What a workflow shows of a session on a page of its own: tables, lists, facts and drawings, of its own words."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract

Tone = Literal["plain", "good", "warn", "bad"]


class PanelItem(Contract):
    """An entry of a list, with what is below it, each with whether it is done."""

    text: str
    status: str = ""
    tone: Tone = "plain"
    below: tuple[tuple[str, bool], ...] = ()


class PanelRow(Contract):
    """A row of a table."""

    cells: tuple[str, ...]
    tone: Tone = "plain"


class PanelTable(Contract):
    """A table; the columns of `numbers` are aligned on the right."""

    heads: tuple[str, ...]
    rows: tuple[PanelRow, ...]
    numbers: frozenset[int] = frozenset()


class Panel(Contract):
    """A part of a page; what is empty of it is left out."""

    heading: str
    text: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    items: tuple[PanelItem, ...] = ()
    table: PanelTable | None = None
    drawings: tuple[str, ...] = Field(
        default=(), description="SVG without styles of its own: a wide one, and one for a narrow page."
    )
    note: str = ""
