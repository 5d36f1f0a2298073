"""What the fields and tables of stored documents answer: lists and counts over a corpus, and cells of cited tables."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from pathlib import PurePath

from quaestor.contracts.immutable import replace
from quaestor.contracts.library import Library
from quaestor.contracts.source import ANY_DATE, DateRange, Quote, Source
from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.tables import DATA_SUFFIXES, find_tables
from quaestor.research.contracts.brief import CheckedAnswer, ShownRow
from quaestor.research.contracts.tools import LookedUp
from quaestor.research.offline.fields.calculation import Calculation, calculate, find_operation
from quaestor.research.offline.fields.cell_lookup import find_cell, tables_that_differ
from quaestor.research.offline.fields.collections import (
    HEADER_CHARACTERS,
    Cell,
    Collection,
    StoredText,
    Thing,
    document_collections,
    fact_of,
    table_collections,
)
from quaestor.research.offline.fields.doubtful_rows import doubt_cell, refuse_answer
from quaestor.research.offline.fields.editions import find_newer, named_year
from quaestor.research.offline.fields.enumeration import Asked, Enumeration, asks_for_things, enumerate_things
from quaestor.research.offline.fields.field_kinds import is_of_asked_kind
from quaestor.research.offline.fields.header_fields import parse_fact
from quaestor.research.offline.fields.number_meaning import unit_beside
from quaestor.research.offline.fields.row_changes import RowChange, find_changed
from quaestor.research.offline.fields.row_watch import RowWatch, watch_rows
from quaestor.research.offline.words.question import parse_question
from quaestor.research.reports.fixed_words import report_words
from quaestor.research.tools.field_disputes import find_field_disputes

MAX_DOCUMENTS = 5_000
"""Documents that are gone through for one question, 2 ms of CPU each; a larger corpus gets no list and no count."""
_BATCH = 50
"""Documents that are read before others have their turn."""


class FieldLookup:
    """Looks up what a question asks in the stored documents of a library, with labels in a language; None: English."""

    def __init__(self, library: Library, language: str | None = None) -> None:
        self._library = library
        self._language = language
        self._sources: dict[str, Source] = {}

    async def of_corpus(self, question: str, corpus: str, dates: DateRange) -> LookedUp | None:
        """Return the list or the count that a question asks for; None where it asks for none, or nothing fits.

        Nothing fits a text that tells many things before it asks, as no table accounts for all of its words.
        """
        asked, operation = asks_for_things(question), find_operation(question)
        if not (asked or operation) or not corpus or parse_query(question).tells:
            return None
        named = await self._library.texts_of(corpus)
        if len(named) > MAX_DOCUMENTS:
            reason = report_words(self._language).corpus_too_large.format(
                number=f"{len(named):,}", most=f"{MAX_DOCUMENTS:,}"
            )
            kind = CheckedAnswer(asked) if asked else CheckedAnswer.CALCULATION
            return LookedUp(kind=kind, label=corpus, refusal=reason)
        tops: list[StoredText] = []
        tables: list[Collection] = []
        async for one in self._read(named, dates):
            tops.append(replace(one, text=one.text[:HEADER_CHARACTERS]))  # not every text is held at a time
            tables.extend(table_collections(one, self._language))
        tables = self._with_newer(question, tables)
        if operation and (calculation := calculate(question, operation, tables, self._language)):
            return await self._unless_changed(await self._calculated(calculation), calculation.watched, named, dates)
        found = enumerate_things(question, (*document_collections(tops, self._language), *tables), self._language)
        if found and found.refusal and operation and found.asked is Asked.LIST:  # "what is the sum" asks for no list
            reason = report_words(self._language).no_column
            return LookedUp(kind=CheckedAnswer.CALCULATION, label=corpus, refusal=reason)
        if found is None or _is_empty(found):
            return None
        told = await self._unless_changed(await self._looked_up(found), found.watched, named, dates)
        return await self._unless_disputed(told, found, corpus, dates)

    async def of_sources(
        self, question: str, sources: Iterable[str], corpus: str = "", dates: DateRange = ANY_DATE
    ) -> LookedUp | None:
        """Return the cell that a question names, of the tables in these sources, if no document contradicts it.

        Nor may another table of the corpus hold another value under the same names: which one is meant nobody knows.
        """
        read = [one async for one in self._read(sources, ANY_DATE)]
        tables = [table for one in read for table in table_collections(one, self._language)]
        found = find_cell(question, self._with_newer(question, tables))
        if found is None or not is_of_asked_kind(parse_question(question), found[2].key, found[2].value):
            return None
        table, thing, cell = found
        words = report_words(self._language)
        if refusal := doubt_cell(table, thing, cell, words):
            return LookedUp(kind=CheckedAnswer.FIELD, label=table.label, refusal=refusal)
        told = LookedUp(
            kind=CheckedAnswer.FIELD,
            answer=cell.parts[0],
            label=words.cell_of.format(
                column=_told_column(table, thing, cell),
                thing=thing.name,
                place=table.label,
                row=words.row.format(row=thing.row),
            ),
            rows=await self._rows([(thing, cell)]),
            sources=(self._sources[thing.source],),
        )
        named = (await self._library.texts_of(corpus))[:MAX_DOCUMENTS] if corpus else [one.source for one in read]
        if places := tables_that_differ(question, cell, [each async for each in self._tables(named, dates)]):
            refusal = words.several_places.format(number=len(places), places="; ".join(places))
            return LookedUp(kind=CheckedAnswer.FIELD, label=table.label, refusal=refusal)
        return await self._unless_changed(told, (watch_rows(table, [thing], [cell.key]),), named, dates)

    async def _tables(self, sources: Iterable[str], dates: DateRange) -> AsyncIterator[Collection]:
        async for one in self._read(sources, dates):
            for table in table_collections(one, self._language):
                yield table

    async def _read(self, sources: Iterable[str], dates: DateRange) -> AsyncIterator[StoredText]:
        for place, sha256 in enumerate(dict.fromkeys(sources)):
            source, text = await self._library.source(sha256), await self._library.text(sha256)
            if source and text is not None and dates.holds(source.published):
                self._sources[sha256] = source
                yield StoredText(sha256, source.title, source.uri, text)
            if place % _BATCH == 0:
                await asyncio.sleep(0)

    async def _unless_changed(
        self, found: LookedUp, watched: Sequence[RowWatch], named: Iterable[str], dates: DateRange
    ) -> LookedUp:
        """Return what was found, or why it may not hold: a document, also one that is not shown, tells otherwise."""
        told: list[tuple[int, RowChange, str]] = []
        async for one in self._read(named if found.answer and watched else (), dates):
            told += ((place, change, one.title) for place, change in _find_changes(one, watched))
        if told:  # what calls a row of the answer by its name is quoted before what may speak of another
            _, change, title = min(told, key=lambda each: (each[0], each[1].rank))
            words = report_words(self._language)
            refusal = refuse_answer(title, change.name, found.label, change.said, words)
            return LookedUp(kind=found.kind, label=found.label, refusal=refusal)
        return found

    async def _unless_disputed(self, told: LookedUp, found: Enumeration, corpus: str, dates: DateRange) -> LookedUp:
        """Return what was found in headers, or why it may not hold: a document tells otherwise of one of them."""
        fields = [(fact_of(thing, cell), thing.source) for thing, cell in found.members if not thing.row]
        against = await find_field_disputes(self._library, fields, corpus, dates) if told.answer else ()
        if not against:
            return told
        fact, words = parse_fact(against[0].claim), report_words(self._language)
        name = fact.subject if fact else ""
        refusal = refuse_answer(against[0].title, name, told.label, against[0].said, words)
        return LookedUp(kind=told.kind, label=told.label, refusal=refusal)

    def _with_newer(self, question: str, tables: Sequence[Collection]) -> list[Collection]:
        """Return tables with the names of newer documents than theirs, or of newer tables beside them.

        Unless the question names the year of theirs.
        """
        stems = [PurePath(source.uri).stem for source in self._sources.values()]
        newer = {stem: find_newer(stem, stems) for stem in stems if named_year(stem) not in question}
        return [
            replace(table, newer=newer.get(table.stem, "") or _newer_beside(question, table, tables))
            for table in tables
        ]

    async def _calculated(self, found: Calculation) -> LookedUp:
        if found.refusal:
            return LookedUp(kind=CheckedAnswer.CALCULATION, label=found.label, refusal=found.refusal)
        return LookedUp(
            kind=CheckedAnswer.CALCULATION,
            answer=found.answer,
            label=found.label,
            rows=await self._rows(found.rows),
            counted=await self._rows(found.compared),
            sources=tuple(self._sources[key] for key in dict.fromkeys(one.source for one, _ in found.rows)),
        )

    async def _looked_up(self, found: Enumeration) -> LookedUp:
        kind = CheckedAnswer(found.asked)
        if found.refusal:
            return LookedUp(kind=kind, label=found.label, refusal=found.refusal)
        names = [thing.name for thing, _ in found.members]
        return LookedUp(
            kind=kind,
            answer="; ".join(names) if found.asked is Asked.LIST else str(len(names)),
            label=found.label,
            rows=await self._rows(found.members),
            sources=tuple(self._sources[sha256] for sha256 in dict.fromkeys(one.source for one, _ in found.members)),
        )

    async def _rows(self, members: Sequence[tuple[Thing, Cell]]) -> tuple[ShownRow, ...]:
        """Return the words of the cells, for which each of their sources is read once more."""
        named = dict.fromkeys(thing.source for thing, _ in members)
        texts = {sha256: await self._library.text(sha256) or "" for sha256 in named}
        return tuple(_row(thing, cell, texts[thing.source]) for thing, cell in members)


def _is_empty(found: Enumeration) -> bool:
    """Return whether a list has nothing in it, or an empty cell, which says nothing."""
    names = [thing.name.strip() for thing, _ in found.members]
    return found.asked is Asked.LIST and not found.refusal and not (names and all(names))


def _newer_beside(question: str, table: Collection, tables: Iterable[Collection]) -> str:
    """Return the name of a table of the same document that is the same list of a later year, or nothing."""
    names = {thing.name for thing in table.things}
    others = [
        other.label
        for other in tables
        if (other.stem, other.keys) == (table.stem, table.keys)
        and not names.isdisjoint(one.name for one in other.things)
    ]
    return find_newer(table.label, others) if named_year(table.label) not in question else ""


def _find_changes(stored: StoredText, watched: Sequence[RowWatch]) -> Iterator[tuple[int, RowChange]]:
    """Yield the places of what is watched, each with the row that a document contradicts, if it does.

    Its tables are looked for where it may do so. One that holds nothing but a table contradicts none.
    """
    if PurePath(stored.uri).suffix.casefold() in DATA_SUFFIXES:
        return
    for place, watch in enumerate(watched):
        is_own = watch.source == stored.source
        if find_changed(stored.text, watch, is_own=is_own) and (
            change := find_changed(_without_tables(stored), watch, is_own=is_own)
        ):
            yield place, change


def _without_tables(stored: StoredText) -> str:
    """Return the text of a document without the rows of its tables: what these say of their things was read."""
    text = stored.text
    rows = [row for table in find_tables(text, PurePath(stored.uri).suffix) for row in table.rows]
    for row in sorted(rows, key=lambda one: -one.start):
        text = f"{text[: row.start]}\n{text[row.end :]}"
    return text


def _told_column(table: Collection, thing: Thing, cell: Cell) -> str:
    """Return the name of the column of a cell, with the unit that another column gives the cell."""
    unit = unit_beside(thing, cell.key, table)
    return f"“{cell.key}” ({unit})" if unit else f"“{cell.key}”"


def _row(thing: Thing, cell: Cell, text: str) -> ShownRow:
    words = text[cell.start : cell.end]
    return ShownRow(name=thing.name, quote=Quote(source=thing.source, start=cell.start, end=cell.end, text=words))
