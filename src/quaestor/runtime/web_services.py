"""Services that need the HTTP client: search engines, pages, embedding models. Imported at their first use."""

from collections.abc import Callable, Mapping

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.library import Document, Library
from quaestor.contracts.model import Provider
from quaestor.contracts.ports import Clock
from quaestor.contracts.settings import Settings
from quaestor.contracts.source import DateRange
from quaestor.contracts.tools import AnyTool
from quaestor.models.providers import parse_model_name, resolve_api_key, resolve_base_url, resolve_provider
from quaestor.storage.originals import OriginalFiles
from quaestor.tools.embedding_client import EmbeddingClient, embedding_service
from quaestor.tools.engines import SearchWeb, load_engines
from quaestor.tools.fetch.fetch_page import FetchPage
from quaestor.tools.fetch.guard import ALLOWLIST_VARIABLE, parse_allowlist
from quaestor.tools.fetch.page_fetcher import PageFetcher
from quaestor.tools.fetch.politeness import FetchPolicy
from quaestor.tools.hybrid_search import HybridSearch, SemanticSearch
from quaestor.tools.reading.content_type import detect_media_type
from quaestor.tools.reading.parse import parse, start_reader
from quaestor.tools.static_vectors import STATIC_MODEL, STATIC_PROVIDER, open_static_vectors

__all__ = [
    "SearchWeb",
    "fetch_tool",
    "load_engines",
    "open_embeddings",
    "read_document",
    "semantic_search_tool",
]


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


def open_embeddings(
    name: str, settings: Settings, environment: Mapping[str, str], library: Library, seconds: float
) -> SemanticSearch:
    """Return the search by an embedding model.

    Raises UsageError for an unknown model, SetupError for a missing key, MissingExtra for missing static vectors.
    """
    if name.partition(":")[0] == STATIC_PROVIDER:
        if name != STATIC_MODEL:
            raise UsageError(f"there are no static vectors {name}; write embeddings = {STATIC_MODEL!r}")
        return SemanticSearch(library, open_static_vectors(), seconds)
    provider, address = _embedding_provider(name, settings, environment)
    model = parse_model_name(name)
    service = embedding_service(model.provider, provider, address, settings.call_seconds)
    return SemanticSearch(library, EmbeddingClient(name, model.model, service, environment), seconds)


def semantic_search_tool(library: Library, corpus: str, semantic: SemanticSearch, dates: DateRange) -> AnyTool:
    """Return the tool `search` that finds passages by words and by meaning."""
    return HybridSearch(library, corpus, semantic, dates)


def _embedding_provider(name: str, settings: Settings, environment: Mapping[str, str]) -> tuple[Provider, str]:
    """Return who serves an embedding model, and its address."""
    where = parse_model_name(name).provider
    provider = resolve_provider(name, settings.providers)
    address = resolve_base_url(where, provider, environment)
    if provider.dialect != "chat" or address is None:
        raise UsageError(
            f"{where} cannot be asked for embeddings; name a model of another provider, as ollama:NAME, or write "
            f"dialect chat and the base_url of its API in the manner of OpenAI below [providers.{where}]"
        )
    if resolve_api_key(where, provider, environment) is None and provider.key_env and address == provider.base_url:
        raise SetupError(
            f"the embeddings {name} need a key: set {provider.key_env}, or name a model that needs none, as ollama:NAME"
        )
    return provider, address
