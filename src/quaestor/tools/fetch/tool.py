"""The fetch tool: from a URL to a stored source."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.ports import Clock, Document, Library
from quaestor.contracts.web import FetchInput, Page
from quaestor.tools.fetch.page_fetcher import FetchedContent, PageFetcher
from quaestor.tools.fetch.url import display_text
from quaestor.tools.reading import ParsedDocument, detect_media_type

ParseDocument = Callable[[bytes, str, str], Awaitable[ParsedDocument]]
"""Makes text of the bytes of a page, its content type and its URL.

Raises ToolFailed when it cannot, MissingExtra when it needs a package that is not installed.
"""


class FetchPage:
    """Fetches one page of the web and stores its text; a `Tool`."""

    name: ClassVar[str] = "fetch"
    description: ClassVar[str] = "Fetches a page of the web by its URL and gives its stored text and links."
    takes: ClassVar[type[Contract]] = FetchInput
    gives: ClassVar[type[Contract]] = Page
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, web: PageFetcher, parse: ParseDocument, library: Library, clock: Clock) -> None:
        self._web = web
        self._parse = parse
        self._library = library
        self._clock = clock

    async def run(self, given: Contract) -> Page:
        """Give the source that the page is now, and its links.

        Raises ToolFailed when the page may not be fetched, cannot be, or has no words that can be read.
        """
        if not isinstance(given, FetchInput):
            raise ToolFailed(f"fetch takes a FetchInput, not a {type(given).__name__}; give it a URL")
        fetched = await self._web.get(given.url)
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
