"""What another cell of a row says of the columns that are asked for: a remark or a description may take them back.

A remark is about its row whatever it says. A description speaks of much else, so there a form of the column's word
must stand beside another number or somebody else. Which of two cells is right nobody knows here.
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import NamedTuple

from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.offline.fields.cell_words import are_akin, word_sequence
from quaestor.research.offline.fields.collections import Cell, Collection, Thing
from quaestor.research.offline.fields.reserve_words import CHANGED, FOR_SALE, GONE, REMARK_COLUMN
from quaestor.research.offline.fields.row_mentions import is_person
from quaestor.research.offline.fields.row_numbers import (
    amounts,
    amounts_of,
    is_like,
    numbers_in,
    tells_other_year,
    years_in,
)
from quaestor.research.offline.fields.row_watch import RowWatch, watch_rows
from quaestor.research.offline.words.dates import holds_day
from quaestor.research.offline.words.markup import strip_markup

_MIN_PROSE = 4
"""Words of a cell that describes something."""
_NAME = re.compile(r"(?<!\w)(?!(?:In|At|On|Im|Am|En|À|From|Near) )[A-ZÀ-Þ][\w'\u2019-]+(?: [A-ZÀ-Þ][\w'\u2019-]+)*")
_PLACE_BEFORE = re.compile(
    r"\b(?:in|at|near|from|on|im|am|aus|bei|à|en|dans|a|da|te|op|em|n[oa])"
    r"(?: (?:the|der|dem|den|la|le|el|il|de|het))? \Z",
    re.IGNORECASE,
)
"""Before a name that is one of a place."""
_SMALL = r"[^\W\dA-ZÀ-Þ]+"
_JOINED = re.compile(rf"\W*(?:{_SMALL} )?(?:and|with|und|mit|et|avec|y|con|e|en|met|com)\b(?: {_SMALL}){{0,3}} ?")
"""Between two people who did something together: "together with his brother"."""


class RowRemark(NamedTuple):
    """The name of a row, the column that may tell otherwise of it, and its sentence."""

    name: str
    column: str
    said: str


class _Asked(NamedTuple):
    """What is asked of one row: the values of the columns, their numbers and years, and what other cells say."""

    values: tuple[str, ...]
    numbers: tuple[Decimal, ...]
    years: frozenset[str]
    beside: str


def find_remark(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection) -> RowRemark | None:
    """Return the first sentence of a cell that may tell otherwise of its row, or of its columns that are asked for."""
    rows = [row for row in rows if row.row and any(_speaking(row, asked, collection))]
    watch = watch_rows(collection, rows, asked)
    for row in rows:
        for cell in _speaking(row, asked, collection):
            own = _asked_of(row, asked - collection.naming, cell)
            is_remark = REMARK_COLUMN.search(cell.key) is not None
            for said in _sentences(strip_markup(cell.value)):
                if (is_remark and _is_gone(said, watch)) or _tells_otherwise(said, own, watch, is_remark=is_remark):
                    return RowRemark(row.name, cell.key, said)
    return None


def _speaking(row: Thing, asked: AbstractSet[str], collection: Collection) -> Iterator[Cell]:
    """Yield the cells beside those that are asked for that may speak of these."""
    for key, cell in row.cells.items():
        if key not in asked | collection.naming:
            is_prose = len(cell.value.split()) >= _MIN_PROSE
            if is_prose or (cell.value.strip() and REMARK_COLUMN.search(key)):
                yield cell


def _asked_of(row: Thing, asked: AbstractSet[str], speaking: Cell) -> _Asked:
    values = tuple(strip_markup(row.cells[key].value) for key in row.cells if key in asked)
    beside = "\n".join(cell.value for cell in row.cells.values() if cell is not speaking)
    years = frozenset[str]().union(*map(years_in, values))
    return _Asked(values, tuple(amounts_of(values)), years, f"{row.name}\n{beside}")


def _sentences(text: str) -> Iterator[str]:
    yield from (text[start:end] for start, end in sentence_spans(text))


def _is_gone(said: str, watch: RowWatch) -> bool:
    return any(not (watch.has_prices and FOR_SALE.fullmatch(one[0])) for one in GONE.finditer(said))


def _tells_otherwise(said: str, own: _Asked, watch: RowWatch, *, is_remark: bool) -> bool:
    words = word_sequence(said)
    names_column = any(are_akin(word, column) for word in words for column in watch.columns)
    if not own.values or not (names_column or watch.is_about(said)):
        return False
    if own.years:
        return tells_other_year(said, own.years, names_column=names_column)
    if _names_another(said, own, watch, names_column=names_column, is_remark=is_remark):
        return True
    if not (is_remark or names_column):
        return False
    if own.numbers:
        known = numbers_in(own.beside)
        told = [number for number in amounts(said, watch.columns) if number not in known]
        return any(is_like(number, one) for number in told for one in own.numbers)
    lacks_value = not any(value in said for value in own.values if value)
    return lacks_value and CHANGED.search(said) is not None


def _names_another(said: str, own: _Asked, watch: RowWatch, *, names_column: bool, is_remark: bool) -> bool:
    """Return whether a sentence names somebody else than the one in the column that is asked for.

    Beside him it must name another one as joined with him: he may have made what that one sold.
    """
    people = [value for value in own.values if is_person(value)]
    if not people:
        return False
    others = [one for one in _NAME.finditer(said) if _is_new_name(one, said, own)]
    held = next((one for one in map(said.find, people) if one >= 0), None)
    if held is not None:
        end = held + max(len(one) for one in people if said.startswith(one, held))
        gaps = (said[end : one.start()] if one.start() >= end else said[one.end() : held] for one in others)
        return any(map(_JOINED.fullmatch, gaps))
    in_table = {value for value, call in watch.values if value not in own.beside and call.find(said)}
    is_told = len(in_table) == 1 or ((names_column or is_remark) and any(is_person(one[0]) for one in others))
    return is_told or (names_column and is_remark and any(one.start() > 0 for one in others))


def _is_new_name(name: re.Match[str], said: str, own: _Asked) -> bool:
    """Return whether a name in a sentence may be that of somebody whom no other cell of the row names."""
    return name[0] not in own.beside and not holds_day(name[0]) and not _PLACE_BEFORE.search(said[: name.start()])
