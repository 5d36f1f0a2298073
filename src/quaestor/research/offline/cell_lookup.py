"""The cell of a table that a question names by its row and its column, the column with or without its unit."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quaestor.research.languages import function_words
from quaestor.research.offline.collections import Cell, Collection, Thing, key_tokens, telling_tokens, tokens
from quaestor.research.offline.enumeration import OPERATORS, REQUEST_WORDS
from quaestor.research.offline.field_names import key_without_unit, name_measure


def find_cell(text: str, collections: Iterable[Collection]) -> tuple[str, Thing, Cell] | None:
    """Return the cell of a table that a question names by its row and its column, with the name of the table.

    Every word of the question must name the row, the column or the table, and no other cell may fit. The unit of a
    column need not be named; of two columns that differ in it none fits, but that which is named whole.
    """
    asked, measured = name_measure(text)
    named = [one for one in _named_cells(asked, tokens(measured), collections) if _chooses_nothing(asked, one)]
    if len(named) > 1:  # names that differ in case alone
        named = [one for one in named if re.search(rf"(?<!\w){re.escape(one.thing.name)}(?!\w)", text)]
    found = [one for one in named if one.is_whole] or named
    places = {(one.thing.source, one.cell.start, one.cell.key) for one in found}
    return (found[0].label, found[0].thing, found[0].cell) if len(places) == 1 else None


@dataclass(frozen=True, slots=True)
class _NamedCell:
    """A cell whose row and column a question names; `is_whole`: with the unit of the column, if it has one."""

    label: str
    thing: Thing
    cell: Cell
    is_whole: bool


def _named_cells(text: str, measured: frozenset[str], collections: Iterable[Collection]) -> Iterator[_NamedCell]:
    """Yield the cells that account for every word; `measured` are columns that are meant and not named."""
    named = telling_tokens(text)
    left = named - REQUEST_WORDS
    telling = left - tokens(" ".join(function_words(text)))
    said = tokens(text)
    for collection in collections:
        columns = {key: key_tokens(key_without_unit(key)) for key in collection.keys}
        for thing in collection.things:
            row = telling_tokens(thing.name) or tokens(thing.name)
            if not row or not row <= named:
                continue
            for key, cell in thing.cells.items():
                own, whole = columns[key], tokens(key)
                is_meant = (own <= said and own & left) or (own and own <= measured)
                accounted = {*row, *whole, *collection.nouns, *collection.named}
                if is_meant and telling <= accounted and not cell.is_empty and cell.value != thing.name:
                    yield _NamedCell(collection.label, thing, cell, is_whole=whole <= said)


def _chooses_nothing(text: str, named: _NamedCell) -> bool:
    """Return whether the words beside the names of a row and a column compare, negate or choose nothing."""
    for name in sorted((named.thing.name, named.cell.key, key_without_unit(named.cell.key)), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return not OPERATORS.search(text)
