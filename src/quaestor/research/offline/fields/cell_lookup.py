"""The cell of a table that a question names by its row and its column, the column with or without its unit."""

import re
from collections.abc import Iterable, Iterator, Sequence

from quaestor.contracts.immutable import Immutable, replace
from quaestor.evidence.tokenization import normalize
from quaestor.research.offline.fields.cell_words import key_tokens, telling_tokens, tokens
from quaestor.research.offline.fields.collections import Cell, Collection, Thing
from quaestor.research.offline.fields.enumeration import OPERATORS, REQUEST_WORDS
from quaestor.research.offline.fields.yes_no import says_no, says_yes
from quaestor.research.offline.words.dates import parse_date
from quaestor.research.offline.words.field_names import key_without_unit, name_measure
from quaestor.research.offline.words.language import AnswerKind, answer_kind, stems_of
from quaestor.research.reports.languages import function_words

_WHEN = re.compile(r"\b(?:when|wann|quand|cuándo|quando|wanneer|когда)\b", re.IGNORECASE)
_DIRECTED = re.compile(
    r"\w (to|from|for|at|with|an|von|für|bei|mit|à|de|pour|chez|a|para|por|con|da|per|aan|van|voor|met|com)\Z",
    re.IGNORECASE,
)
"""The end of the name of a column that is not what its verb alone asks for: who lent is not to whom it was lent."""
_NAMING_COLUMN = re.compile(r"(?:.*[\W_])?(?:\w*name|title|code|symbol|alias|acronym|abbreviation|id)", re.IGNORECASE)
"""The names of columns whose values name their rows as well as the first cell does, where no two are alike."""


def find_cell(text: str, collections: Iterable[Collection]) -> tuple[Collection, Thing, Cell] | None:
    """Return the cell of a table that a question names by its row and its column, with the table and the row.

    Every word of the question must name the row, the column or the table, and no other cell may fit. The unit of a
    column need not be named; of two columns that differ in it none fits, but that which is named whole. A column of
    dates is also named by another form of its word: "When was it released?" asks for "release".
    """
    found = _fitting_cells(text, collections)
    places = {(one.thing.source, one.cell.start, one.cell.key) for one in found}
    if len(places) != 1:
        return None
    return found[0].table, replace(found[0].thing, name=found[0].row), found[0].cell


def tables_that_differ(text: str, cell: Cell, collections: Iterable[Collection]) -> tuple[str, ...]:
    """Return the labels of the tables in which a question names a cell, if one holds another value than this one."""
    found = _fitting_cells(text, collections)
    if all(normalize(one.cell.value) == normalize(cell.value) for one in found):
        return ()
    return tuple(dict.fromkeys(one.table.label for one in found))


def _fitting_cells(text: str, collections: Iterable[Collection]) -> Sequence["_NamedCell"]:
    """Return the cells that a question names, those with the unit of their column before others."""
    asked, measured = name_measure(text)
    cells = _named_cells(asked, tokens(measured), collections)
    named = [one for one in cells if _chooses_nothing(asked, one) and _is_asked(text, one.cell)]
    if len(named) > 1:  # names that differ in case alone
        named = [one for one in named if re.search(rf"(?<!\w){re.escape(one.row)}(?!\w)", text)]
    return [one for one in named if one.is_whole] or named


class _NamedCell(Immutable):
    """A cell whose row and column a question names; `is_whole`: with the unit of the column, if it has one."""

    table: Collection
    thing: Thing
    row: str
    """The name by which the question calls the row."""
    cell: Cell
    is_whole: bool


def _named_cells(text: str, measured: frozenset[str], collections: Iterable[Collection]) -> Iterator[_NamedCell]:
    """Yield the cells that account for every word; `measured` are columns that are meant and not named."""
    named = telling_tokens(text)
    left = named - REQUEST_WORDS
    telling = left - tokens(" ".join(function_words(text)))
    said = tokens(text)
    stems = stems_of(text) if _WHEN.search(text) else frozenset[str]()
    for collection in collections:
        columns = {key: key_tokens(key_without_unit(key)) for key in collection.keys}
        naming = _naming_columns(collection)
        for thing in _asked_rows(collection):
            names = (thing.name, *(thing.cells[key].value for key in naming))
            row = next((name for name in names if _is_named(name, named)), "")
            for key, cell in thing.cells.items() if row else ():
                own, whole = columns[key], tokens(key)
                if own and stems_of(key) <= stems and parse_date(cell.value):
                    own = frozenset(word for word in left if stems_of(word) & stems_of(key))
                is_meant = (own <= said and own & left) or (own and own <= measured)
                accounted = {*telling_tokens(row), *own, *whole, *collection.nouns, *collection.named}
                if is_meant and telling <= accounted and not cell.is_empty and cell.value != row:
                    yield _NamedCell(collection, thing, row, cell, is_whole=whole <= said)


def _asked_rows(collection: Collection) -> Iterable[Thing]:
    """Return the rows of which a cell may be asked for: of a part no total, which is none of the whole."""
    if collection.is_part:
        return (thing for thing in collection.things if not thing.may_be_total)
    return (*collection.things, *collection.totals)


def _is_named(name: str, said: frozenset[str]) -> bool:
    return bool(own := telling_tokens(name) or tokens(name)) and own <= said


def _naming_columns(collection: Collection) -> list[str]:
    """Return the columns whose values name the rows of a table as well as its first cells do."""
    found: list[str] = []
    for key in collection.keys:
        values = [normalize(thing.cells[key].value) for thing in collection.things if key in thing.cells]
        is_distinct = len(set(values)) == len(collection.things) and all(values)
        if is_distinct and _NAMING_COLUMN.fullmatch(key):
            found.append(key)
    return found


def _is_asked(text: str, cell: Cell) -> bool:
    """Return whether a question may ask for a cell: whether something is so for yes or no; to whom by that "to"."""
    if answer_kind(text) is AnswerKind.YES_NO and not (says_yes(cell.value) or says_no(cell.value)):
        return False
    directed = _DIRECTED.search(cell.key)
    return directed is None or re.search(rf"(?<!\w){directed[1]}(?!\w)", text, re.IGNORECASE) is not None


def _chooses_nothing(text: str, named: _NamedCell) -> bool:
    """Return whether the words beside the names of a row and a column compare, negate or choose nothing."""
    for name in sorted((named.row, named.cell.key, key_without_unit(named.cell.key)), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return not OPERATORS.search(text)
