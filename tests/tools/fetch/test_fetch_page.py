from collections.abc import AsyncIterator
from datetime import UTC, date, datetime

import pytest

from fakes.pdf import pdf
from fakes.site import Names, Network, Serve, Site, leading_to, page
from fakes.time import ManualClock
from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.library import Library
from quaestor.contracts.web import FetchInput, Link
from quaestor.storage.sqlite import open_store
from quaestor.tools.fetch.fetch_page import FetchPage, ParseDocument
from quaestor.tools.fetch.guard import Allowlist
from quaestor.tools.fetch.page_fetcher import PageFetcher
from quaestor.tools.fetch.politeness import FetchPolicy
from quaestor.tools.reading.parse import parse
from quaestor.tools.reading.protocol import PageLink, ParsedDocument

LINK = Link(url="http://example.org/next", text="Next")


@pytest.fixture
async def library() -> AsyncIterator[Library]:
    store = open_store(":memory:")
    yield store.library
    await store.close()


async def words(content: bytes, media_type: str, uri: str) -> ParsedDocument:
    text = f"{content.decode()} as {media_type} from {uri}"
    return ParsedDocument(
        title="A page",
        text=text,
        published=date(2025, 5, 1),
        pages=(0, 2),
        links=(PageLink(url=LINK.url, text=LINK.text),),
    )


async def nameless(content: bytes, _: str, __: str) -> ParsedDocument:
    return ParsedDocument(text=content.decode())


async def lacking(*_: object) -> ParsedDocument:
    raise MissingExtra("PDF files need an extra", "docs")


def fetch(site: Site, library: Library, parse: ParseDocument = words) -> FetchPage:
    return FetchPage(PageFetcher(Allowlist(), FetchPolicy(), Names(), Network(site)), parse, library, ManualClock())


async def test_a_page_becomes_a_stored_source(library: Library) -> None:
    serves: dict[str, Serve] = {"/": leading_to("/home"), "/home": page("Words", "text/html; charset=utf-8")}
    async with Site(serves) as site:
        found = await fetch(site, library).run(FetchInput(url="http://example.org"))
    text = "Words as text/html; charset=utf-8 from http://example.org/home"
    assert await library.text(found.source.sha256) == text
    assert await library.source(found.source.sha256) == found.source
    assert (found.source.title, found.source.uri) == ("A page", "http://example.org/home")
    assert (found.source.media_type, found.source.characters) == ("text/html", len(text))
    assert (found.source.published, found.source.pages) == (date(2025, 5, 1), (0, 2))
    assert found.source.retrieved_at.replace(microsecond=0) == datetime(2026, 1, 1, tzinfo=UTC)
    assert found.links == (LINK,)


async def test_a_page_without_a_title_is_called_by_its_url(library: Library) -> None:
    async with Site({"/a": page("Words")}) as site:
        found = await fetch(site, library, nameless).run(FetchInput(url="http://example.org/a"))
    assert found.source.title == "http://example.org/a"


async def test_a_text_is_read_by_the_reader_of_documents(library: Library) -> None:
    async with Site(
        {"/notes": page("# Fog bells\n\nCast in 1844.".encode("utf-16"), "text/markdown; charset=utf-16")}
    ) as site:
        found = await fetch(site, library, parse).run(FetchInput(url="http://example.org/notes"))
    assert (found.source.title, found.source.media_type) == ("Fog bells", "text/markdown")
    assert await library.text(found.source.sha256) == "# Fog bells\n\nCast in 1844."


@pytest.mark.parametrize("body", ["", " \n"])
async def test_a_page_without_words_is_no_source(library: Library, body: str) -> None:
    async with Site({"/": page(body)}) as site:
        with pytest.raises(ToolFailed, match=r"http://example\.org/ holds no words; use another page"):
            await fetch(site, library, nameless).run(FetchInput(url="http://example.org"))


async def test_a_page_that_needs_a_missing_package_does_not_end_a_run(library: Library) -> None:
    async with Site({"/": page("%PDF-", "application/pdf")}) as site:
        with pytest.raises(ToolFailed, match=r"was fetched but not read: PDF files need an extra: pip install"):
            await fetch(site, library, lacking).run(FetchInput(url="http://example.org"))


async def test_a_page_that_cannot_be_fetched_is_named(library: Library) -> None:
    async with Site({}) as site:
        with pytest.raises(ToolFailed, match=r"^http://example\.org/a was not fetched: its server answered 404; use"):
            await fetch(site, library).run(FetchInput(url="http://example.org/a"))


async def test_a_pdf_file_is_kept_as_it_came_and_nothing_else_is(library: Library) -> None:
    kept: dict[str, bytes] = {}
    paper = pdf(["Cast in 1844."])
    async with Site({"/a": page(paper, "application/pdf"), "/b": page("Words of a text.", "text/plain")}) as site:
        fetcher = PageFetcher(Allowlist(), FetchPolicy(), Names(), Network(site))
        tool = FetchPage(fetcher, parse, library, ManualClock(), kept.__setitem__)
        found = await tool.run(FetchInput(url="http://example.org/a"))
        await tool.run(FetchInput(url="http://example.org/b"))
    assert kept == {found.source.sha256: paper}
