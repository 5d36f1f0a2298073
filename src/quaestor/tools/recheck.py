import asyncio
from collections.abc import Collection
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Library, Tool
from quaestor.contracts.source import Source
from quaestor.contracts.tools import Rechecked, RecheckGiven
from quaestor.contracts.web import FetchGiven, Page


class Recheck:
    """Looks again at sources, pages of the web by fetching them; a `Tool`.

    Documents are compared with the corpus as it was last indexed, by the hash of their text and not by their path:
    one that was moved is the same.
    """

    name: ClassVar[str] = "recheck"
    description: ClassVar[str] = "Says which sources have changed since they were read."
    takes: ClassVar[type[Noun]] = RecheckGiven
    gives: ClassVar[type[Noun]] = Rechecked
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, library: Library, fetch: Tool | None) -> None:
        self._library = library
        self._fetch = fetch

    async def run(self, given: Noun) -> Rechecked:
        """Name the sources that changed, and those that cannot be looked at; a page that fails counts as unread.

        Pages are fetched at the same time, so that a slow one does not take the time of the others.
        """
        if not isinstance(given, RecheckGiven):
            raise ToolFailed(f"recheck takes a RecheckGiven, not a {type(given).__name__}; give it sources")
        held = await self._library.held(given.corpus, _hashes(given.sources)) if given.corpus else None
        looked = await asyncio.gather(*(self._looked(source, held) for source in given.sources))
        found = list(zip(given.sources, looked, strict=True))
        return Rechecked(
            changed=tuple(source.sha256 for source, stands in found if stands is False),
            unread=tuple(f"{source.uri}: {error}" for source, error in found if isinstance(error, ToolFailed)),
        )

    async def _looked(self, source: Source, held: Collection[str] | None) -> bool | ToolFailed:
        try:
            return await self._stands(source, held)
        except ToolFailed as error:
            return error

    async def _stands(self, source: Source, held: Collection[str] | None) -> bool:
        """Say whether a source is what it was. Raises ToolFailed when nobody can say."""
        if source.uri.startswith(("http://", "https://")):
            return await self._now(source) == source.sha256
        if "://" in source.uri:
            raise ToolFailed("it is what a server said, and a server is not asked again")
        if held is None:
            raise ToolFailed("it was in no folder of documents")
        return source.sha256 in held

    async def _now(self, source: Source) -> str:
        if self._fetch is None:
            raise ToolFailed("this session fetches no pages")
        page = await self._fetch.run(FetchGiven(url=source.uri))
        return page.source.sha256 if isinstance(page, Page) else source.sha256


def _hashes(sources: Collection[Source]) -> list[str]:
    return [source.sha256 for source in sources]
