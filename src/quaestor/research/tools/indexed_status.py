"""The status that an index of a folder gives a document, where that is another than the document states of itself.

An index links to the file in a row of a table with a column for the status, or below a heading that is one: a header is
often not kept up.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from functools import lru_cache, partial
from os.path import normpath
from pathlib import PurePath
from typing import NamedTuple

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Source
from quaestor.evidence.table_rows import Table
from quaestor.evidence.tables import find_tables
from quaestor.evidence.tokenization import content_terms, normalize
from quaestor.research.offline.words.language import stems_of
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.status_words import DRAFT, ENDED

_HITS = 10
"""Passages with the words of a file's name that are read."""
_INDEX_TERMS = tuple(sorted(stems_of("readme index overview list übersicht sommaire índice indice")))
"""Index terms of what an index is called, or its file."""
_INDEX_NAMES = frozenset(_INDEX_TERMS)
_STATES = tuple(
    sorted(stems_of("status state accepted active draft final implemented proposed rejected superseded withdrawn"))
)
"""Index terms of which the rows of an index hold many."""
_STATED = re.compile(
    rf"\b(?:{ENDED}|{DRAFT}|accepted|approved|adopted|ratified|implemented|final|angenommen|adoptée?s?|aprobad[oa]s?)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\((?P<link>[^()\s#]+)(?:#[^()\s]*)?\)")
_LISTED = re.compile(r"^[ \t]*(?:[-*+|\[]|\d+[.)] ).*", re.MULTILINE)
"""An item, a row, or a line that begins with a link: a sentence that names a document may be on anything."""
_COLUMNS = frozenset({"status", "state", "stage", "statut", "estado", "stato", "stand"})


class IndexedStatus(NamedTuple):
    """The name of the file of an index, and the status that it gives a document."""

    name: str
    status: str


async def indexed_status(
    library: Library, corpus: str, source: Source, status: str, dates: DateRange
) -> IndexedStatus | None:
    """Return what an index says of a source where that is not in its own status; else nothing."""
    path = PurePath(source.uri)
    async for hit in _hits(library, corpus, source, dates):
        other = PurePath(hit.uri)
        links = partial(_links_to, index=other, path=path)
        if hit.passage.source == source.sha256 or not links(hit.passage.text):
            continue
        text = await library.text(hit.passage.source) or ""
        listed = any(map(links, _LISTED.findall(hit.passage.text)))
        told = next(_statuses(_tables(text, other.suffix), links), "")
        told = told or (_of_section(hit.passage.heading) if listed else "")
        if told and normalize(told) not in normalize(status):
            return IndexedStatus(other.name, told)
    return None


async def _hits(library: Library, corpus: str, source: Source, dates: DateRange) -> AsyncIterator[Hit]:
    """Yield passages that may be of an index: with words of one and of the file, or its number and many statuses."""
    called = content_terms(PurePath(source.uri).stem.replace("_", " "))
    sought = (*called, *content_terms(source.title))
    for hit in await library.search(corpus, sought, _HITS, _INDEX_TERMS, dates, only_filters=True) if corpus else ():
        yield hit
    numbers = [term for term in called if term.isdigit()]
    for hit in await library.search(corpus, _STATES, _HITS, numbers, dates, only_filters=True) if numbers else ():
        if not _INDEX_NAMES.isdisjoint(content_terms(f"{PurePath(hit.uri).stem} {hit.title}")):
            yield hit


@lru_cache(maxsize=4)
def _tables(text: str, suffix: str) -> tuple[Table, ...]:
    """Return the tables of a text, remembered: every document of its folder looks for itself in an index."""
    return find_tables(text, suffix)


def _statuses(tables: tuple[Table, ...], links: Callable[[str], bool]) -> Iterator[str]:
    """Yield what the columns for a status say in the rows of a file; "Superseded by" another links to that one."""
    for table in tables:
        places = [place for place, column in enumerate(table.columns) if normalize(column) in _COLUMNS]
        for row in table.rows if places else ():
            if any(links(cell) for place, cell in enumerate(row.cells) if place not in places):
                yield strip_markup(row.cells[places[0]])


def _links_to(text: str, *, index: PurePath, path: PurePath) -> bool:
    """Return whether a text of an index links to a file: from where that is, or by its name and that of its folder.

    Many files in folders of their own are called alike.
    """
    links = (PurePath(found["link"]) for found in _LINK.finditer(text))
    return any(
        normpath(index.parent / link) == str(path) or (len(link.parts) > 1 and link.parts[-2:] == path.parts[-2:])
        for link in links
        if link.name == path.name
    )


def _of_section(heading: str) -> str:
    """Return the word for a status in the innermost heading, as in "Accepted proposals"."""
    found = _STATED.search(heading.rpartition(" > ")[2])
    return found[0] if found else ""
