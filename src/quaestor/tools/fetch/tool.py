"""The fetch tool: from a URL to a stored source."""

from collections.abc import Awaitable, Callable

from typing_extensions import override

from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.ports import Clock, Document, Library
from quaestor.contracts.tools import Tool
from quaestor.contracts.web import FetchInput, Page
from quaestor.tools.fetch.page_fetcher import FetchedContent, PageFetcher
from quaestor.tools.fetch.url import display_text
from quaestor.tools.reading import ParsedDocument, detect_media_type

ParseDocument = Callable[[bytes, str, str], Awaitable[ParsedDocument]]
"""Parses a document from its bytes, content type and URL.

Raises ToolFailed when it cannot, MissingExtra when it needs a package that is not installed.
"""


class FetchPage(Tool[FetchInput, Page]):
    """Fetches one page of the web and stores its text; a `Tool`."""

    name = "fetch"
    description = "Fetches a page of the web by its URL and gives its stored text and links."
    repeatable = True

    def __init__(self, fetcher: PageFetcher, parse: ParseDocument, library: Library, clock: Clock) -> None:
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
        return Page(source=await self._library.keep(document, self._clock.now()), links=parsed.links)

    async def _parse_content(self, fetched: FetchedContent) -> ParsedDocument:
        try:
            return await self._parse(fetched.content, fetched.content_type, fetched.url)
        except MissingExtra as missing:  # one page of a kind that cannot be read does not end a run
            raise ToolFailed(f"{display_text(fetched.url)} was fetched but not read: {missing}") from missing
