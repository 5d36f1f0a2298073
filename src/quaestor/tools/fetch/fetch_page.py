"""The tool that fetches one page of the web, and stores its text."""

import asyncio
from collections.abc import Awaitable, Callable

from typing_extensions import override

from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.library import Document, Library
from quaestor.contracts.ports import Clock
from quaestor.contracts.tools import Tool
from quaestor.contracts.web import FetchInput, Link, Page
from quaestor.tools.fetch.page_fetcher import FetchedContent, PageFetcher
from quaestor.tools.fetch.url import display_text
from quaestor.tools.reading.content_type import PDF, detect_media_type
from quaestor.tools.reading.protocol import ParsedDocument

ParseDocument = Callable[[bytes, str, str], Awaitable[ParsedDocument]]
"""Parses a document from its bytes, content type and URL.

Raises ToolFailed when it cannot, MissingExtra when it needs a package that is not installed.
"""


class FetchPage(Tool[FetchInput, Page]):
    """A `Tool` that fetches one page of the web and stores its text."""

    name = "fetch"
    description = "Fetches a page of the web by its URL and gives its stored text and links."
    repeatable = True

    def __init__(
        self,
        fetcher: PageFetcher,
        parse: ParseDocument,
        library: Library,
        clock: Clock,
        keep_original: Callable[[str, bytes], None] | None = None,
    ) -> None:
        self._keep_original = keep_original
        self._fetcher = fetcher
        self._parse = parse
        self._library = library
        self._clock = clock

    @override
    async def run(self, given: FetchInput) -> Page:
        """Fetch the page, store it, and return its source and links.

        Raises ToolFailed when the page may not be fetched, cannot be, or has no words that can be read.
        """
        fetched = await self._fetcher.get(given.url)
        parsed = await self._parse_content(fetched)
        if not parsed.text.strip():
            raise ToolFailed(f"{display_text(fetched.url)} holds no words; use another page")
        document = Document(
            uri=fetched.url,
            title=parsed.title or fetched.url,
            media_type=detect_media_type(fetched.content, fetched.url, fetched.content_type),
            text=parsed.text,
            published=parsed.published,
            pages=parsed.pages,
        )
        links = tuple(Link(url=link.url, text=link.text) for link in parsed.links)
        source = await self._library.keep(document, self._clock.now())
        if self._keep_original and source.media_type == PDF:
            await asyncio.to_thread(self._keep_original, source.sha256, fetched.content)
        return Page(source=source, links=links)

    async def _parse_content(self, fetched: FetchedContent) -> ParsedDocument:
        try:
            return await self._parse(fetched.content, fetched.content_type, fetched.url)
        except MissingExtra as missing:  # one page of a kind that cannot be read does not end a run
            raise ToolFailed(f"{display_text(fetched.url)} was fetched but not read: {missing}") from missing
