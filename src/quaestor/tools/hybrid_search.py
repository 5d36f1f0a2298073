"""Passages by nearness of meaning: every text is embedded once, and what was made is kept."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.library import Library, Vector
from quaestor.contracts.ports import Embedder
from quaestor.contracts.source import ANY_DATE, DateRange, Hit
from quaestor.contracts.tools import SearchInput, SearchResults, Tool
from quaestor.tools.passage_search import MERGED_DEPTH, SearchPassages

T = TypeVar("T")

_BATCH_TEXTS = 64
"""Texts that are embedded and kept at a time."""


class SemanticSearch:
    """A search over the passages of every corpus by vectors of one model, shared by the sessions of a process.

    Vectors that a corpus lacks are made before it is searched, and stored batch by batch, so a restart resumes with
    the rest. No text is embedded twice, also not by two searches at the same time.
    """

    def __init__(self, library: Library, embedder: Embedder, seconds: float) -> None:
        self._library = library
        self._embedder = embedder
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._builds: dict[str, asyncio.Task[None]] = {}

    async def nearest(self, corpus: str, query: str, limit: int, dates: DateRange) -> Sequence[Hit]:
        """Return the passages of a corpus that are nearest to a query, best first.

        Raises ToolFailed when there are no vectors within the time limit, which does not end their making, and when
        they cannot be made; those of a corpus are then not tried again by this process. Raises SetupError for a key
        that is refused.
        """
        try:
            async with asyncio.timeout(self._seconds):
                making = self._made(corpus)
                await asyncio.wait([making])
                making.result()
                vector = await self._asked(query)
        except TimeoutError as error:
            raise ToolFailed(f"{self._embedder.name} needs more than {self._seconds:g} s; it continues") from error
        return await _in_thread(lambda: self._library.nearest(corpus, self._embedder.name, vector, limit, dates))

    async def close(self) -> None:
        """End what is being made, and close the connections of the model."""
        for making in self._builds.values():
            making.cancel()
        await asyncio.gather(*self._builds.values(), return_exceptions=True)
        await self._embedder.close()

    def _made(self, corpus: str) -> asyncio.Task[None]:
        """Return the task that makes the missing vectors of a corpus: a running or failed one, else a new one."""
        making = self._builds.get(corpus)
        if making is None or (making.done() and not making.cancelled() and making.exception() is None):
            making = self._builds[corpus] = asyncio.get_running_loop().create_task(self._build(corpus))
        return making

    async def _build(self, corpus: str) -> None:
        texts: Sequence[str] = ("",)
        while texts:
            async with self._turn:
                texts = await self._library.texts_without_vectors(corpus, self._embedder.name, _BATCH_TEXTS)
                await self._embed(texts)

    async def _asked(self, query: str) -> Vector:
        async with self._turn:
            if await self._library.vector(self._embedder.name, query) is None:
                await self._embed([query])
            # What is kept is rounded; with anything else the first search would rank otherwise than the next.
            return await self._library.vector(self._embedder.name, query) or ()

    async def _embed(self, texts: Sequence[str]) -> None:
        vectors = await self._embedder.embed(texts) if texts else ()
        try:
            await self._library.put_vectors(self._embedder.name, dict(zip(texts, vectors, strict=True)))
        except UsageError as error:
            raise ToolFailed(str(error)) from error


class HybridSearch(Tool[SearchInput, SearchResults]):
    """The search by words and the search by meaning as one; a `Tool`.

    Where there are no vectors it is the search by words alone, and the results say why.
    """

    name = SearchPassages.name
    description = SearchPassages.description
    repeatable = True
    spend = SearchPassages.spend

    def __init__(self, library: Library, corpus: str, nearness: SemanticSearch, dates: DateRange = ANY_DATE) -> None:
        self._search = SearchPassages(library, corpus, dates=dates)
        self._corpus = corpus
        self._nearness = nearness
        self._dates = dates

    @override
    async def run(self, given: SearchInput) -> SearchResults:
        """Return the best passages by words and by meaning; each is in the results once.

        Raises SetupError when the embedding model refuses the key.
        """
        try:
            near = await self._nearness.nearest(self._corpus, given.query, MERGED_DEPTH, self._dates)
        except ToolFailed as error:
            found = await _in_thread(lambda: self._search.run(given))
            return found.revised(notes=(f"searched without embeddings: {error}",))
        return await _in_thread(lambda: self._search.find(given, near))


async def _in_thread(search: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Carry a search out in a thread with a connection of its own, so that answers that arrive meanwhile do not wait.

    The embedding model is asked on the event loop, to which its connections belong.
    """
    return await asyncio.to_thread(lambda: asyncio.run(search()))
