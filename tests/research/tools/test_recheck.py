import asyncio
from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from typing_extensions import override

from fakes.papers import PAPERS, write_papers
from fakes.site import Names, Network, Site, page
from fakes.time import ManualClock
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import UsageError
from quaestor.contracts.library import Document, Library
from quaestor.contracts.source import Source
from quaestor.contracts.tools import Tool
from quaestor.contracts.web import FetchInput, Page
from quaestor.research.contracts.tools import RecheckInput, RecheckResult
from quaestor.research.tools.verification import RecheckSources
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import index_corpus
from quaestor.tools.fetch.fetch_page import FetchPage
from quaestor.tools.fetch.guard import Allowlist
from quaestor.tools.fetch.page_fetcher import PageFetcher
from quaestor.tools.fetch.politeness import FetchPolicy
from quaestor.tools.reading.parse import parse

CLOCK = ManualClock()


class Shelf:
    """A folder of documents, indexed anew whenever it is looked at again."""

    def __init__(self, library: Library, docs: Path) -> None:
        self.library = library
        self.docs = docs

    async def sources(self, *names: str) -> tuple[Source, ...]:
        found = [await self.library.source(sha256(PAPERS[name].encode()).hexdigest()) for name in names]
        return tuple(source for source in found if source)

    async def again(self, sources: Sequence[Source]) -> RecheckResult:
        corpus = await index_corpus(self.library, CLOCK, [self.docs], lambda _: None)
        return await RecheckSources(self.library, None).run(RecheckInput(sources=tuple(sources), corpus=corpus.corpus))


@pytest.fixture
async def library() -> AsyncIterator[Library]:
    store = open_store(":memory:")
    yield store.library
    await store.close()


@pytest.fixture
async def shelf(library: Library, tmp_path: Path) -> Shelf:
    docs = write_papers(tmp_path)
    await index_corpus(library, CLOCK, [docs], lambda _: None)
    return Shelf(library, docs)


async def test_documents_that_are_what_they_were_stand(shelf: Shelf) -> None:
    sources = await shelf.sources("fog.md", "guild.rst")
    assert len(sources) == 2
    assert await shelf.again(sources) == RecheckResult()


async def test_a_document_that_was_rewritten_and_one_that_is_gone_have_changed(shelf: Shelf) -> None:
    fog, guild, keepers = await shelf.sources("fog.md", "guild.rst", "keepers.txt")
    (shelf.docs / "fog.md").write_text("The fog bell of Aldmouth was cast in 1845.\n")
    (shelf.docs / "keepers.txt").unlink()
    assert await shelf.again([keepers, guild, fog]) == RecheckResult(changed=(keepers.sha256, fog.sha256))


async def test_a_document_that_was_moved_or_copied_is_the_same(shelf: Shelf) -> None:
    sources = await shelf.sources("fog.md", "guild.rst")
    (shelf.docs / "old").mkdir()
    (shelf.docs / "fog.md").rename(shelf.docs / "old" / "bell.md")
    (shelf.docs / "copy.rst").write_bytes((shelf.docs / "guild.rst").read_bytes())
    assert await shelf.again(sources) == RecheckResult()
    (shelf.docs / "guild.rst").unlink()
    assert await shelf.again(sources) == RecheckResult()


async def test_a_document_without_a_corpus_cannot_be_looked_at(shelf: Shelf) -> None:
    [fog] = await shelf.sources("fog.md")
    found = await RecheckSources(shelf.library, None).run(RecheckInput(sources=(fog,)))
    assert found == RecheckResult(unread=(f"{fog.uri}: it was in no folder of documents",))


async def test_what_a_server_said_has_not_changed_because_no_folder_holds_it(shelf: Shelf) -> None:
    said = Document(uri="mcp://notes/read?q=1", title="notes.read", text="The bell cost 310 crowns.")
    source = await shelf.library.keep(said, CLOCK.now())
    found = await shelf.again([source])
    assert found.changed == ()
    assert found.unread == ("mcp://notes/read?q=1: it is what a server said, and a server is not asked again",)


async def test_a_corpus_that_is_not_there_is_an_error(shelf: Shelf) -> None:
    given = RecheckInput(sources=await shelf.sources("fog.md"), corpus="corpus_99")
    with pytest.raises(UsageError, match="corpus_99"):
        await RecheckSources(shelf.library, None).run(given)


async def test_nothing_to_look_at_has_not_changed(library: Library) -> None:
    assert await RecheckSources(library, None).run(RecheckInput(sources=())) == RecheckResult()


def fetching(site: Site, library: Library) -> FetchPage:
    policy = FetchPolicy(pause_seconds=0, max_retries=0, timeout_seconds=200)
    return FetchPage(PageFetcher(Allowlist(), policy, Names(), Network(site)), parse, library, CLOCK)


def text(words: str) -> str:
    return f"<html><body><article><p>{words} It stands on the northern mole of Aldmouth.</p></article></body></html>"


async def test_pages_are_fetched_anew_and_what_cannot_be_reached_is_named(library: Library) -> None:
    urls = [f"http://example{place}.org/{name}" for place, name in enumerate(("same", "other", "gone", "down"))]
    async with Site({f"/{name}": page(text(f"{name} was built in 1831.")) for name in ("same", "other")}) as site:
        site.serves |= {f"/{name}": page(text(f"{name} was lit in 1866.")) for name in ("gone", "down")}
        fetch = fetching(site, library)
        sources = [(await fetch.run(FetchInput(url=url))).source for url in urls]
        site.serves["/other"] = page(text("It was built in 1832."))
        del site.serves["/gone"]
        site.serves["/down"] = page("busy", status=503)
        found = await RecheckSources(library, fetch).run(RecheckInput(sources=tuple(sources)))
    same, other, gone, down = sources
    assert found.changed == (other.sha256,)
    assert [line.partition(": ")[0] for line in found.unread] == [gone.uri, down.uri]
    assert "404" in found.unread[0]
    assert "503" in found.unread[1]
    assert same.uri == urls[0]


async def test_a_page_of_a_session_that_fetches_none_cannot_be_looked_at(library: Library) -> None:
    source = await library.keep(Document(uri="https://a.org/", title="A", text="Words."), CLOCK.now())
    found = await RecheckSources(library, None).run(RecheckInput(sources=(source,)))
    assert found == RecheckResult(unread=("https://a.org/: this session fetches no pages",))


class Together(Tool[FetchInput, Page]):
    """A fetch tool whose every page comes once all pages are asked for."""

    name = "fetch"
    description = "Waits for the others."
    repeatable = True
    spend = Spend()

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {source.uri: source for source in sources}
        self._all = asyncio.Barrier(len(sources))

    @override
    async def run(self, given: FetchInput) -> Page:
        await self._all.wait()
        return Page(source=self._sources[given.url])


async def test_no_page_waits_for_another(library: Library) -> None:
    documents = [Document(uri=f"https://a{number}.org/", title="A", text=f"Words {number}.") for number in range(5)]
    sources = [await library.keep(document, CLOCK.now()) for document in documents]
    async with asyncio.timeout(300):
        found = await RecheckSources(library, Together(sources)).run(RecheckInput(sources=tuple(sources)))
    assert found == RecheckResult()
