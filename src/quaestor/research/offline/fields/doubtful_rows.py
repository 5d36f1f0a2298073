"""Why the rows of a table may not each be one thing that counts: parts, remarks, placeholders, things that are gone.

What a reader sees at once in a row ("sold in 2019") no list, no count and no sum shows; these are declined instead.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, combinations, pairwise

from quaestor.evidence.tokenization import normalize, shorten
from quaestor.research.offline.fields.cell_words import key_tokens, parse_number
from quaestor.research.offline.fields.collections import Cell, Collection, Thing
from quaestor.research.offline.fields.number_meaning import doubt_number, doubt_numbers, doubt_times, is_rank
from quaestor.research.offline.fields.reserve_words import (
    AMOUNT_COLUMN,
    END_COLUMN,
    GONE,
    GONE_STATE,
    NO_NAME,
    PART_NAME,
    RESERVE,
)
from quaestor.research.offline.fields.row_remarks import find_remark
from quaestor.research.offline.fields.table_notes import speaks_of_cell, speaks_of_numbers, speaks_of_rows
from quaestor.research.offline.words.dates import parse_date
from quaestor.research.offline.words.markup import is_struck, strip_markup
from quaestor.research.reports.fixed_words import ReportWords

_REMARK = re.compile(r"\S\s+[(\[][^()\[\]]+[)\]]\W*\Z|\A[^\W\d_]{3,}:\s+\S")
"""A remark in a name: in brackets behind it, or before a colon."""
_DOUBTED = re.compile(r"\S+(?: \S+)? ?(?:\?|\(\?\))")
"""A short name with a mark of doubt; a long one may be a title that asks."""
_PARTING = re.compile(r"\A[#=*\-\u2013\u2014>]|:\Z")
_INITIAL = re.compile(r"[^\W\d_](?:\.|\s)")
_MIN_CAPITALS = 2
"""Names with a capital letter beside which one without is none."""
_MAX_SAID = 200
"""Characters of a sentence that speaks against an answer."""


def refuse_answer(title: str, name: str, place: str, said: str, words: ReportWords) -> str:
    """Return why there is no direct answer: a document with a title may say otherwise of what has a name, and how."""
    reason = words.told_otherwise.format(title=title, name=name, place=place)
    return f"{reason}: “{shorten(said.strip(), _MAX_SAID)}”"


def doubt_cell(collection: Collection, thing: Thing, cell: Cell, wording: ReportWords) -> str:
    """Return why a cell may not hold what is asked, or nothing."""
    if is_struck(thing.name):
        return _unlike(thing.name, collection, wording)
    if speaks_of_cell(collection.notes, thing.name, cell.key, cell.value):
        return wording.spoken_of.format(place=collection.label)
    return (
        doubt_number(cell.key, cell.value, collection, wording)
        or _remarked([thing], {cell.key}, collection, wording)
        or _replaced(collection, wording)
    )


def doubt_list(
    rows: Sequence[Thing], shown: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords
) -> str:
    """Return why a list may not be all that is asked, or more than that; or nothing.

    `shown` are the rows as they are named in it, by themselves or by a value of theirs. `asked` are the columns that
    the question names: what these hold, it knows of.
    """
    names = [row.name for row in shown]
    return (
        _total_or_part(rows, collection, wording)
        or _doubt_rows(rows, asked, collection, wording)
        or _half_filled(rows, asked, collection, wording)
        or _placeholder(names, collection, wording)
        or _same_person(names, collection, wording)
        or (_denied_name(rows, collection, wording) if asked else "")
        or _spoken_of(rows, asked, collection, wording)
    )


def doubt_count(
    rows: Sequence[Thing], shown: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords
) -> str:
    """Return why the number of rows, or of values, may not be that of the things that are asked, or nothing."""
    return doubt_list(rows, shown, asked, collection, wording) or _remark(rows, collection, wording)


def doubt_sum(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    """Return why the numbers of a column may not add up to what is asked, or nothing."""
    return (
        _half_filled(rows, asked, collection, wording)
        or doubt_extreme(rows, asked, collection, wording)
        or doubt_times(rows, collection, wording)
    )


def doubt_extreme(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    """Return why the largest or the smallest number of a column may not be what is asked, or nothing."""
    values = [row.cells[key].value for row in rows for key in asked if key in row.cells]
    return (
        _doubt_rows(rows, asked, collection, wording)
        or doubt_numbers(rows, asked, collection, wording)
        or _unplaced(rows, asked, collection, wording)
        or _remark(rows, collection, wording)
        or _spoken_of(rows, asked, collection, wording)
        or (wording.spoken_of.format(place=collection.label) if speaks_of_numbers(collection.notes, values) else "")
    )


def doubt_names(rows: Sequence[Thing], noun: frozenset[str], collection: Collection, wording: ReportWords) -> str:
    """Return why rows are not counted as things, or nothing: two rows of one name may be of one thing.

    Days and numbers name a row only where the question calls it by their column.
    """
    folded = [normalize(row.name) for row in rows]
    different = frozenset(folded)
    column = next(iter(collection.naming), "")
    if len(different) == len(folded) or (are_days(different) and not noun <= key_tokens(column)):
        return ""
    return wording.names_repeat.format(
        number=len(folded), different=len(different), field=f"“{column}”", place=collection.label
    )


def doubt_amounts(rows: Sequence[Thing], noun: frozenset[str], collection: Collection, wording: ReportWords) -> str:
    """Return which column tells how many things each row stands for, so that rows are not counted; or nothing.

    It is called as what is counted, or as an amount, and holds numbers that are more than those of the rows: of three
    hotels with 40 beds each three are no beds.
    """
    for key in collection.keys:
        numbers = [parse_number(row.cells[key].value) for row in rows if key in row.cells]
        told = [int(number) for number in numbers if number is not None and number == int(number)]
        is_amount = key not in collection.naming and (noun == key_tokens(key) or AMOUNT_COLUMN.fullmatch(key.strip()))
        is_running = all(after - before == 1 for before, after in pairwise(told)) and len(told) > 1
        if is_amount and told and len(told) == len(numbers) and any(one != 1 for one in told) and not is_running:
            return wording.field_excludes.format(field=f"“{key}”", place=collection.label)
    return ""


def doubt_values(column: str, rows: Sequence[Thing], collection: Collection, wording: ReportWords) -> str:
    """Return that several rows have one value of a column, so that it names none of them; or nothing."""
    values = [normalize(row.cells[column].value) for row in rows]
    different = len({value for value in values if value})
    if different == len(values):
        return ""
    return wording.names_repeat.format(
        number=len(values), different=different, field=f"“{column}”", place=collection.label
    )


def are_days(names: Iterable[str]) -> bool:
    """Return whether names are all days or numbers."""
    return all(parse_date(name) or parse_number(name) is not None for name in names)


def _total_or_part(rows: Sequence[Thing], collection: Collection, wording: ReportWords) -> str:
    """Return which row may sum up others, or that the table says that it is a part."""
    if unsure := next((row.name for row in rows if row.may_be_total), ""):
        return wording.may_be_total.format(name=unsure, place=collection.label)
    return wording.may_be_part.format(place=collection.label) if collection.is_part else ""


def _doubt_rows(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    """Return which row may be none of the kind: what holds for a list, a count and a number alike.

    A line between the rows parts them, whether the question chooses it or not.
    """
    if parting := next((row.name for row in collection.things if _is_parting(row, collection)), ""):
        return _unlike(parting, collection, wording)
    for row in rows:
        is_odd = PART_NAME.match(row.name) or any(map(is_struck, _values(row))) or _is_label(row, collection)
        if is_odd:
            return _unlike(row.name, collection, wording)
        gone = next((key for key, value in _beside(row, asked, collection) if _is_gone(value)), None)
        if gone is not None:
            return wording.field_excludes.format(field=f"“{gone}”", place=collection.label)
    return _remarked(rows, asked, collection, wording) or _replaced(collection, wording)


def _remarked(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    """Return what another cell of a row says against those that are asked for."""
    found = find_remark(rows, asked, collection)
    return refuse_answer(found.column, found.name, collection.label, found.said, wording) if found else ""


def _values(row: Thing) -> Iterator[str]:
    return (cell.value for cell in row.cells.values())


def _beside(row: Thing, asked: AbstractSet[str], collection: Collection) -> Iterator[tuple[str, str]]:
    """Yield the fields of a row that neither name it nor are asked for, with their values."""
    return ((key, cell.value) for key, cell in row.cells.items() if key not in asked | collection.naming)


def _is_label(row: Thing, collection: Collection) -> bool:
    """Return whether a row holds nothing but its name, as a line between two groups of rows does."""
    others = [cell for key, cell in row.cells.items() if key not in collection.naming]
    return bool(others) and not any(cell.value.strip() for cell in others)


def _is_parting(row: Thing, collection: Collection) -> bool:
    """Return whether a row is a line that parts those above it from those below, as "left:" does."""
    is_marked = _PARTING.search(row.name) or _is_gone(row.name)
    return bool(is_marked and row.row) and _is_label(row, collection)


def _is_gone(value: str) -> bool:
    return GONE_STATE.match(strip_markup(value)) is not None


def _unplaced(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    """Return which row has a word in place of its rank, as who did not finish: its other numbers may say nothing."""
    for key in (key for key in collection.keys if key not in asked and is_rank(key)):
        unranked = [row for row in rows if key in row.cells and parse_number(row.cells[key].value) is None]
        if 0 < len(unranked) < len(rows):
            return _unlike(unranked[0].name, collection, wording)
    return ""


def _half_filled(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    """Return which column may tell that some rows no longer count: it names an end, or most of all rows lack it.

    One that lacks a value here and there, as a year that nobody knows, tells nothing of the kind; a dash is a value.
    """
    are_all = len(rows) == len(collection.things)
    for key in collection.keys:
        if key in asked or key in collection.naming:
            continue
        values = [row.cells[key].value if key in row.cells else "" for row in rows]
        filled = sum(any(map(str.isalnum, value)) for value in values)
        is_rare = are_all and values.count("") * 2 > len(rows)
        if 0 < filled < len(rows) and (is_rare or END_COLUMN.search(key)):
            return wording.field_excludes.format(field=f"“{key}”", place=collection.label)
    return ""


def _placeholder(names: Sequence[str], collection: Collection, wording: ReportWords) -> str:
    """Return which name stands for none yet: it says so, or it is the only one without a capital letter."""
    different = tuple(dict.fromkeys(names))
    if unnamed := next(filter(NO_NAME.fullmatch, different), ""):
        return _unlike(unnamed, collection, wording)
    cased = [name for name in different if any(map(str.isupper, name))]
    plain = [name for name in different if any(map(str.islower, name)) and name not in cased]
    if len(plain) == 1 and len(cased) >= _MIN_CAPITALS:
        return _unlike(plain[0], collection, wording)
    return ""


def _same_person(names: Sequence[str], collection: Collection, wording: ReportWords) -> str:
    """Return which two names may be of one person: the same surname, first or last, and an initial that fits."""
    families: dict[str, dict[str, str]] = {}
    for name in dict.fromkeys(names):
        first, _, last = name.partition(" ")[0], *name.rpartition(" ")[1:]
        if first != name:
            families.setdefault(last, {})[name] = name[: -len(last)]
            families.setdefault(first, {}).setdefault(name, name[len(first) :].strip())
    for family in families.values():
        for (one, given), (other, called) in combinations(family.items(), 2):
            is_short = _INITIAL.match(given) or _INITIAL.match(called) or given.strip() == called.strip()
            if given[0] == called[0] and is_short:
                return wording.may_be_same.format(one=one, other=other, place=collection.label)
    return ""


def _remark(rows: Sequence[Thing], collection: Collection, wording: ReportWords) -> str:
    """Return which name has a remark that others lack: it may tell why the row is unlike them."""
    noted = [row.name for row in rows if _REMARK.search(row.name)]
    return _unlike(noted[0], collection, wording) if 0 < len(noted) < len(rows) else ""


def _denied_name(rows: Sequence[Thing], collection: Collection, wording: ReportWords) -> str:
    """Return which name has a remark that may deny what is asked of it ("Dan (cancelled)"), or a mark of doubt."""
    remarks = ((row.name, _REMARK.search(row.name)) for row in rows)
    denied = (name for name, told in remarks if told and (GONE.search(told[0]) or RESERVE.search(told[0])))
    doubted = (row.name for row in rows if _DOUBTED.fullmatch(row.name))
    name = next(chain(denied, doubted), "")
    return _unlike(name, collection, wording) if name else ""


def _spoken_of(rows: Sequence[Thing], asked: AbstractSet[str], collection: Collection, wording: ReportWords) -> str:
    kind = collection.nouns.union(*map(key_tokens, asked))
    is_told = speaks_of_rows(collection.notes, [row.name for row in rows], kind)
    return wording.spoken_of.format(place=collection.label) if is_told else ""


def _replaced(collection: Collection, wording: ReportWords) -> str:
    """Return which document may hold newer values than this one."""
    if not collection.newer:
        return ""
    return wording.newer_document.format(newer=collection.newer, place=collection.label)


def _unlike(name: str, collection: Collection, wording: ReportWords) -> str:
    return wording.row_unlike.format(name=name, place=collection.label)
