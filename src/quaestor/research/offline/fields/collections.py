"""Things of one kind with their fields: the documents of a series by their headers, and the rows of a table."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from pathlib import PurePath

from quaestor.contracts.immutable import Immutable, replace
from quaestor.evidence.table_rows import Table
from quaestor.evidence.tables import DATA_SUFFIXES, find_tables
from quaestor.evidence.tokenization import normalize
from quaestor.research.offline.fields.cell_words import key_tokens, last_token, parse_number, tokens
from quaestor.research.offline.fields.editions import named_year
from quaestor.research.offline.fields.header_fields import (
    TITLE_KEYS,
    Fact,
    Header,
    find_headers,
    plain_number,
    split_people,
)
from quaestor.research.offline.fields.partial_tables import holds_part
from quaestor.research.offline.fields.reserve_words import DITTO
from quaestor.research.offline.fields.table_notes import TableNotes, find_notes
from quaestor.research.offline.fields.told_fields import tells_new_state
from quaestor.research.offline.fields.totals import RowKind, classify_rows
from quaestor.research.offline.words.markup import is_struck, strip_markup
from quaestor.research.reports.fixed_words import report_words

HEADER_CHARACTERS = 4_000
"""The characters at the top of a text in which a document states its fields."""
_DOCUMENT_NOUNS = frozenset(
    ["document", "file", "paper", "article", "page", "text", "report", "proposal", "standard", "note"]
)
_NAME_COLUMNS = frozenset({"name", "title"})
_EMPTY_VALUES = frozenset({"", "-", "\\-", "—", "\N{EN DASH}", "n/a", "none", "no", "?"})


class StoredText(Immutable):
    """A document as it is stored."""

    source: str
    title: str
    uri: str
    text: str

    @property
    def stem(self) -> str:
        """The name of its file without its ending."""
        return PurePath(self.uri).stem


class Cell(Immutable):
    """A field of a thing: its name, its value, and the characters of the source that state it."""

    key: str
    value: str
    start: int
    end: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stated, or what is stated is struck out."""
        return is_struck(self.value) or strip_markup(self.value).casefold() in _EMPTY_VALUES

    @property
    def parts(self) -> tuple[str, ...]:
        """The value, and what commas part it into, as people or versions."""
        return tuple(dict.fromkeys((strip_markup(self.value), *map(strip_markup, split_people(self.value)))))


class Thing(Immutable):
    """A document or the row of a table: what it is called, where it stands, and its fields."""

    name: str
    source: str
    cells: Mapping[str, Cell]
    row: int = 0
    """Of a table, counted from 1 below the names of the columns; 0: it is a document."""
    told_anew: frozenset[str] = frozenset()
    """The fields of which a document tells a new state below its header."""
    may_be_total: bool = False
    """Whether it is called a total of other rows, and its numbers do not show whether it is."""


class Collection(Immutable, dict=True):
    """All things of a kind that one place holds.

    `nouns` are the words by which a question may call one of them, `named` those that name the place itself,
    `naming` the fields that name a thing, and `unread` documents that belong to it by their names and state no fields.
    """

    label: str
    nouns: frozenset[str]
    named: frozenset[str]
    things: tuple[Thing, ...]
    naming: frozenset[str]
    numbered: bool = False
    unread: tuple[str, ...] = ()
    is_part_of_text: bool = False
    """Whether it is a table in a document that speaks of more than what the table lists."""
    totals: tuple[Thing, ...] = ()
    """The rows of a table that sum up others: cells of theirs may be asked for, and none is a thing of the kind."""

    is_part: bool = False
    """Whether a table says of itself that it holds a part of what it is about."""
    notes: TableNotes = TableNotes()
    """The prose beside a table."""
    stem: str = ""
    """The name of the file that holds a table."""
    newer: str = ""
    """The name of a document that may hold newer values."""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The names of all fields, in order of their first use."""
        return tuple(dict.fromkeys(key for thing in self.things for key in thing.cells))


def table_collections(stored: StoredText, language: str | None = None) -> Iterator[Collection]:
    """Return the tables of a document, each with its rows as things, with labels in a language; None: English."""
    wording = report_words(language)
    header = _own_header(stored)
    number = f"{header.number.key} {header.number.value}" if header and header.number else ""
    for table in find_tables(stored.text, PurePath(stored.uri).suffix):
        place = _naming_place(table)
        repeating = _repeating_columns(table)
        if table.columns and table.columns[place] in repeating:
            continue
        named = frozenset(
            tokens(f"{number} {plain_number(number)} {stored.title} {stored.stem} {table.caption} {table.beside}")
        )
        nouns = frozenset({*key_tokens(table.columns[place]), *last_token(table.caption or stored.stem)})
        document = _dated_title(stored)
        captioned = wording.captioned.format(caption=f"“{table.caption}”", document=document)
        is_data = PurePath(stored.uri).suffix.casefold() in DATA_SUFFIXES
        rows = tuple(zip(_rows(stored, table, place, repeating), classify_rows(table, place, nouns), strict=True))
        yield Collection(
            captioned if table.caption else wording.table.format(table=document),
            nouns - _DOCUMENT_NOUNS,
            named,
            tuple(replace(row, may_be_total=kind is RowKind.UNSURE) for row, kind in rows if kind is not RowKind.TOTAL),
            frozenset({table.columns[place]}),
            is_part_of_text=not is_data,
            totals=tuple(row for row, kind in rows if kind is RowKind.TOTAL),
            is_part=holds_part(stored.text, stored.title, table),
            notes=TableNotes() if is_data else find_notes(stored.text, table),
            stem=stored.stem,
        )


def _naming_place(table: Table) -> int:
    """Return the column whose cells name the rows: it is called so, else the first.

    Where that holds fractions, which measure something, it is the first of words that differ from row to row.
    """
    called = next((place for place, name in enumerate(table.columns) if normalize(name) in _NAME_COLUMNS), None)
    if called is not None or not _are_measures([row.cells[0] for row in table.rows]):
        return called or 0
    columns = [[row.cells[place] for row in table.rows] for place in range(len(table.columns))]
    return next((place for place, cells in enumerate(columns) if _are_names(cells)), 0)


def _are_measures(cells: Sequence[str]) -> bool:
    numbers = [number for cell in cells if (number := parse_number(cell)) is not None]
    return len(numbers) == len(cells) and any(number % 1 for number in numbers)


def _are_names(cells: Sequence[str]) -> bool:
    return len(set(map(normalize, cells))) == len(cells) and all(any(map(str.isalpha, cell)) for cell in cells)


def document_collections(texts: Iterable[StoredText], language: str | None = None) -> tuple[Collection, ...]:
    """Return the documents of each numbered series, and those without a number, by the fields of their headers.

    Their labels are in a language; None: English.
    """
    wording = report_words(language)
    series: dict[str, list[Thing]] = {}
    without: list[StoredText] = []
    for stored in texts:
        header = _own_header(stored)
        if PurePath(stored.uri).suffix.casefold() in DATA_SUFFIXES:
            continue
        if header is None:
            without.append(stored)
        else:
            series.setdefault(header.number.key if header.number else "", []).append(_document(stored, header))
    total = sum(map(len, series.values())) + len(without)
    found: list[Collection] = []
    for scheme, things in series.items():
        own = tokens(scheme)
        unread = [one.uri for one in without if not scheme or (own & tokens(one.stem) and re.search(r"\d", one.stem))]
        nouns = own | _DOCUMENT_NOUNS if len(series) == 1 else own or _DOCUMENT_NOUNS
        if not scheme and len(series) > 1:
            unread.extend(f"{other} documents" for other in series if other)
        in_series = wording.headers_of_series.format(number=len(things), series=scheme)
        label = in_series if scheme else wording.headers_of_some.format(number=len(things), all=total)
        alike = tuple(_with_keys_of_all(things))
        titles = frozenset(key for thing in alike for key in thing.cells if normalize(key) in TITLE_KEYS)
        found.append(Collection(label, nouns, own, alike, titles | {scheme}, bool(scheme), tuple(unread)))
    return tuple(found)


def _with_keys_of_all(things: Sequence[Thing]) -> Iterator[Thing]:
    """Yield documents with one name for a field that some call as one and some as several: Author, Authors.

    It is the name that most have, and of two in one document the first is that field.
    """
    known: dict[str, Counter[str]] = {}
    for key in (key for thing in things for key in thing.cells):
        known.setdefault(_singular(key), Counter())[key] += 1
    names = {singular: counts.most_common(1)[0][0] for singular, counts in known.items()}
    for thing in things:
        cells: dict[str, Cell] = {}
        for key, cell in thing.cells.items():
            cells.setdefault(names[_singular(key)], cell)
        anew = frozenset(names[_singular(key)] for key in thing.told_anew)
        yield replace(thing, cells=cells, told_anew=anew)


def _singular(key: str) -> str:
    return normalize(key).removesuffix("s")


def _dated_title(stored: StoredText) -> str:
    """Return the title of a document, with the year that its file alone names."""
    year = named_year(stored.stem)
    return stored.title if not year or year in stored.title else f"{stored.title} ({year})"


def _own_header(stored: StoredText) -> Header | None:
    """Return the header that states what a document is: with a number, a title, or at its very start."""
    top = stored.text[:HEADER_CHARACTERS]
    for header in find_headers(top):
        if header.number or header.title or top.lstrip("-\n ").startswith(header.fields[0].text):
            return header
    return None


def _document(stored: StoredText, header: Header) -> Thing:
    cells: dict[str, Cell] = {}
    place = 0
    for field in header.fields:
        start = stored.text.index(field.text, place)
        place = start + len(field.text)
        cells.setdefault(field.key, Cell(field.key, field.value, start, place))
    number = f"{header.number.key} {plain_number(header.number.value)}" if header.number else ""
    title = header.title.value if header.title else stored.title
    name = ": ".join(filter(None, (number, title)))
    anew = frozenset(key for key, cell in cells.items() if tells_new_state(stored.text, key, cell.value))
    return Thing(name, stored.source, cells, told_anew=anew)


def fact_of(document: Thing, cell: Cell) -> Fact:
    """Return what a field says of a document, as its header states it."""
    first = next(iter(document.cells.values()), cell)
    number = plain_number(first.value)
    subject = document.name.removeprefix(f"{first.key} {number}: ")
    is_numbered = subject != document.name
    return Fact(
        subject=subject,
        scheme=first.key if is_numbered else "",
        number=number if is_numbered else "",
        key=cell.key,
        value=cell.value,
    )


def _repeating_columns(table: Table) -> frozenset[str]:
    """Return the columns with a sign that a value above it holds again: of these nothing is read."""
    return frozenset(
        name
        for row in table.rows
        for name, value in zip(table.columns, row.cells, strict=True)
        if DITTO.fullmatch(strip_markup(value))
    )


def _rows(stored: StoredText, table: Table, place: int, left_out: AbstractSet[str]) -> Iterator[Thing]:
    for number, row in enumerate(table.rows, 1):
        cells = {
            name: Cell(name, value, row.start, row.end)
            for name, value in zip(table.columns, row.cells, strict=True)
            if name not in left_out
        }
        yield Thing(strip_markup(row.cells[place]), stored.source, cells, number)
