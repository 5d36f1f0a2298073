"""What is calculated from a column of numbers of one table: its largest, its smallest, and its sum.

As with lists, every word of the question must be accounted for, and every row that counts must hold a number.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import assert_never

from quaestor.contracts.immutable import Immutable
from quaestor.research.offline.fields.cell_words import key_tokens, parse_number, telling_tokens, tokens
from quaestor.research.offline.fields.collections import Cell, Collection, Thing
from quaestor.research.offline.fields.doubtful_rows import doubt_extreme, doubt_sum, doubt_values
from quaestor.research.offline.fields.enumeration import MAX_LISTED, OPERATORS, REQUEST_WORDS
from quaestor.research.offline.fields.row_watch import RowWatch
from quaestor.research.offline.fields.selection import Selection, select_things, watch_selection
from quaestor.research.offline.words.field_names import key_without_unit
from quaestor.research.offline.words.question import split_clauses
from quaestor.research.reports.fixed_words import ReportWords, report_words
from quaestor.views.text import format_amount


class Operation(StrEnum):
    """What is calculated."""

    LARGEST = "largest"
    SMALLEST = "smallest"
    SUM = "sum"


_WORDS: Mapping[Operation, str] = {
    Operation.LARGEST: r"largest|most|highest|biggest|greatest|maximum",
    Operation.SMALLEST: r"smallest|fewest|least|lowest|minimum",
    Operation.SUM: r"sum|(?:in )?total|altogether",
}
_PATTERNS = {each: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for each, words in _WORDS.items()}
_SAID_OF_IT = re.compile(r"\b(?:is|are|was|were)\s+(?:the\s+)?\Z", re.IGNORECASE)
"""Between a column and what is said of it: "whose rent is the lowest"."""
_WHICH = re.compile(r"\b(?:which|what) ([^\W\d_]+)", re.IGNORECASE)
_QUESTION_WORDS = tokens("value amount table")


class Calculation(Immutable):
    """A result with what it was calculated from, and the rows that show it."""

    answer: str
    label: str
    rows: tuple[tuple[Thing, Cell], ...] = ()
    compared: tuple[tuple[Thing, Cell], ...] = ()
    """The other rows, of which the largest or the smallest is none."""
    watched: tuple[RowWatch, ...] = ()
    """The rows that other documents may contradict."""
    refusal: str = ""
    """Why there is none, though a column of numbers fits."""


def find_operation(text: str) -> Operation | None:
    """Return what a question asks to calculate; None where it asks for nothing else, or for several things."""
    found = [(each, len(pattern.findall(text))) for each, pattern in _PATTERNS.items() if pattern.search(text)]
    if len(found) != 1 or found[0][1] != 1 or len(split_clauses(text)) > 1:
        return None
    operation = found[0][0]
    return None if OPERATORS.search(_PATTERNS[operation].sub(" ", text)) else operation


class _Column(Immutable):
    """The numbers of one column of a table, in the rows that a question chooses.

    Fewer, where a cell holds none, or where it may hold the total of others.
    """

    table: Collection
    key: str
    told_by: str | None
    """The column whose values the question asks for; None: what names the rows."""
    chosen: Selection
    numbers: tuple[Decimal, ...]

    @property
    def asked(self) -> frozenset[str]:
        """The columns that the question names."""
        return self.chosen.chosen_by | {self.key}


def calculate(
    text: str, operation: Operation, tables: Sequence[Collection], language: str | None = None
) -> Calculation | None:
    """Return the result over the one column that accounts for every word, or why it is none; None without such a one.

    The largest and the smallest are also those of several tables, if these are parts of one list. Its label is in a
    language; None: English.
    """
    wording = report_words(language)
    words = telling_tokens(_PATTERNS[operation].sub(" ", text)) - REQUEST_WORDS - _QUESTION_WORDS
    fitting = [one for table in tables for key in table.keys if (one := _column(text, words, table, key, wording))]
    # A column whose unit the question names comes before one of the same quantity in another unit.
    found = [one for one in fitting if key_tokens(one.key) <= words] or fitting
    whole = [one for one in found if len(one.numbers) == len(one.chosen.members)]
    keys = {one.key for one in whole}
    # A number that cannot be read may be the largest, and so may one that a part of a table lacks.
    if any(one.key in keys for one in found if one not in whole) or any(one.table.is_part for one in whole):
        return None
    if len(whole) == 1 or (operation is not Operation.SUM and _are_parts_of_one_list(whole)):
        refusal = next(filter(None, (_doubt(operation, one, wording) for one in whole)), "")
        return Calculation("", whole[0].table.label, refusal=refusal) if refusal else _result(operation, whole, wording)
    return None


def _doubt(operation: Operation, column: _Column, wording: ReportWords) -> str:
    rows = [thing for thing, _ in column.chosen.members]
    doubt = doubt_sum if operation is Operation.SUM else doubt_extreme
    if operation is not Operation.SUM and column.told_by:  # the numbers of the rows with one value may add up
        repeated = doubt_values(column.told_by, rows, column.table, wording)
        return repeated or doubt(rows, column.asked, column.table, wording)
    return doubt(rows, column.asked, column.table, wording)


def _are_parts_of_one_list(found: Sequence[_Column]) -> bool:
    """Return whether tables have the same columns, and no thing is in two of them, as in those of two years."""
    names = [thing.name for one in found for thing in one.table.things]
    columns = {(one.key, one.table.keys) for one in found}
    return len(columns) == 1 and len(set(names)) == len(names)


def _column(text: str, words: frozenset[str], table: Collection, key: str, wording: ReportWords) -> _Column | None:
    own = key_tokens(key_without_unit(key))
    if not own <= words or key in table.naming or not _is_compared(text, own):
        return None
    chosen = select_things(text, words - own - key_tokens(key) - table.nouns, table, wording)
    if chosen is None or chosen.refusal:
        return None
    numbers = (parse_number(thing.cells[key].value) for thing, _ in chosen.members if not thing.may_be_total)
    return _Column(
        table, key, _told_by(text, table, key), chosen, tuple(number for number in numbers if number is not None)
    )


def _is_compared(text: str, column: frozenset[str]) -> bool:
    """Return whether a column stands where what is compared does: who rents the largest plot asks of no rent."""
    patterns = (pattern for each, pattern in _PATTERNS.items() if each is not Operation.SUM)
    found = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    if found is None or column & tokens(text[found.end() :]):
        return True
    return _SAID_OF_IT.search(text[: found.start()]) is not None


def _told_by(text: str, table: Collection, key: str) -> str | None:
    """Return the column that a question asks for, where it asks for none that names the rows: "Which club has"."""
    asked = _WHICH.search(text)
    own = tokens(asked[1]) if asked else frozenset[str]()
    if own <= table.nouns:
        return None
    return next((each for each in table.keys if each not in table.naming | {key} and key_tokens(each) == own), None)


def _result(operation: Operation, columns: Sequence[_Column], wording: ReportWords) -> Calculation:
    numbers = [number for one in columns for number in one.numbers]
    cells = [(thing, thing.cells[one.key]) for one in columns for thing, _ in one.chosen.members]
    places = "; ".join(one.chosen.label for one in columns)
    label = _template(operation, wording).format(column=f"“{columns[0].key}”", number=f"{len(numbers):,}", place=places)
    watched = tuple(watch for one in columns for watch in watch_selection(one.chosen, one.asked, one.table))
    if operation is Operation.SUM:
        return Calculation(format_amount(sum(numbers)), label, tuple(cells[:MAX_LISTED]), watched=watched)
    best = max(numbers) if operation is Operation.LARGEST else min(numbers)
    rows = [row for row, number in zip(cells, numbers, strict=True) if number == best][:MAX_LISTED]
    told_by = columns[0].told_by
    told = (thing.cells[told_by].parts[0] if told_by else _name(thing, wording) for thing, _ in rows)
    names = "; ".join(dict.fromkeys(told))
    others = [row for row, number in zip(cells, numbers, strict=True) if number != best][:MAX_LISTED]
    return Calculation(f"{names} ({format_amount(best)})", label, tuple(rows), tuple(others), watched)


def _template(operation: Operation, wording: ReportWords) -> str:
    match operation:
        case Operation.LARGEST:
            return wording.largest
        case Operation.SMALLEST:
            return wording.smallest
        case Operation.SUM:
            return wording.total
        case never:
            assert_never(never)


def _name(thing: Thing, wording: ReportWords) -> str:
    return f"{thing.name}, {wording.row.format(row=thing.row)}"
