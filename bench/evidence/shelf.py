"""The product's own path: files in a folder, an index in a home of its own, the search tool over it."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory

from quaestor.contracts.library import CorpusState
from quaestor.contracts.source import Hit
from quaestor.contracts.tools import SearchInput
from quaestor.runtime.system import SystemClock
from quaestor.storage.sqlite import open_store
from quaestor.storage.sqlite.file_store import SqliteStore
from quaestor.tools.corpus import index_corpus
from quaestor.tools.passage_search import SearchFeatures, SearchPassages

MOST_HITS = 50
CHOICES: ContextVar[SearchFeatures] = ContextVar("choices", default=SearchFeatures())  # noqa: B039 -- it is frozen
"""What the search does; an ablation leaves something out."""


class Shelf:
    """Documents that were indexed in so many seconds of CPU time, and the tool that searches them."""

    def __init__(self, store: SqliteStore, state: CorpusState, seconds: float) -> None:
        self.seconds = seconds
        self.library = store.library
        self.state = state
        self.search = SearchPassages(store.library, state.corpus, CHOICES.get())

    async def hits(self, query: str, limit: int = MOST_HITS) -> tuple[Hit, ...]:
        """Return the passages that one run of the tool finds."""
        return (await self.search.run(SearchInput(query=query, limit=limit))).hits

    async def ranking(self, query: str, limit: int = MOST_HITS) -> list[str]:
        """Return the names of documents in order of their first passage."""
        return list(dict.fromkeys(Path(hit.uri).stem for hit in await self.hits(query, limit)))


@asynccontextmanager
async def shelved(documents: Mapping[str, str], suffix: str = ".txt") -> AsyncIterator[Shelf]:
    """Write each document, by the name of its file, and index them all; everything is gone at the end."""

    def write(folder: Path) -> None:
        for name, text in documents.items():
            (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")

    async with shelved_by(write) as shelf:
        yield shelf


@asynccontextmanager
async def shelved_by(write: Callable[[Path], None]) -> AsyncIterator[Shelf]:
    """Index the files that `write` puts into a new folder; everything is gone at the end."""
    with TemporaryDirectory() as room:
        files = Path(room, "documents")
        _fill(files, write)
        store = open_store(Path(room, "home", "quaestor.db"))
        try:
            start = time.process_time()
            state = await index_corpus(store.library, SystemClock(), [files], lambda _: None)
            yield Shelf(store, state, time.process_time() - start)
        finally:
            await store.close()


def _fill(folder: Path, write: Callable[[Path], None]) -> None:
    folder.mkdir()
    write(folder)
