"""Services that need the HTTP client: search engines and pages. Imported at their first use."""

from collections.abc import Callable, Mapping

from quaestor.contracts.library import Document, Library
from quaestor.contracts.ports import Clock
from quaestor.contracts.settings import Settings
from quaestor.contracts.tools import AnyTool
from quaestor.storage.originals import OriginalFiles
from quaestor.tools.engines import SearchWeb, load_engines
from quaestor.tools.fetch.fetch_page import FetchPage
from quaestor.tools.fetch.guard import ALLOWLIST_VARIABLE, parse_allowlist
from quaestor.tools.fetch.page_fetcher import PageFetcher
from quaestor.tools.fetch.politeness import FetchPolicy
from quaestor.tools.reading.content_type import detect_media_type
from quaestor.tools.reading.parse import parse, start_reader

__all__ = ["SearchWeb", "fetch_tool", "load_engines", "read_document"]


def fetch_tool(
    settings: Settings,
    environment: Mapping[str, str],
    library: Library,
    clock: Clock,
    originals: OriginalFiles | None = None,
    *,
    allows_host: Callable[[str], bool],
) -> AnyTool:
    """Return the tool `fetch`, which keeps to the settings on robots.txt and pauses; its reader starts meanwhile.

    PDF files are kept among the originals of the session.
    """
    start_reader()
    policy = FetchPolicy(
        obey_robots=settings.robots,
        pause_seconds=settings.pause_seconds,
        contact=settings.contact or "",
        allows_host=allows_host,
    )
    fetcher = PageFetcher(parse_allowlist(environment.get(ALLOWLIST_VARIABLE, "")), policy)
    return FetchPage(fetcher, parse, library, clock, originals.keep if originals else None)


async def read_document(content: bytes, media_type: str, uri: str) -> Document:
    """Return the text of a document, which is read in another process unless it is plain text.

    Raises ToolFailed when it cannot be read, MissingExtra when that takes a package which is not installed.
    """
    parsed = await parse(content, media_type, uri)
    return Document(
        uri=uri,
        title=parsed.title or uri,
        media_type=detect_media_type(content, uri, media_type),
        text=parsed.text,
        published=parsed.published,
        pages=parsed.pages,
    )
