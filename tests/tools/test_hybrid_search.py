"""The search by words and by meaning: what it finds, and that no text is embedded twice."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from datetime import date
from pathlib import Path

import pytest
from typing_extensions import override

from fakes.embedding import FailingAfter, HashingEmbedder
from fakes.time import ManualClock
from quaestor.contracts.errors import SetupError, ToolFailed
from quaestor.contracts.library import Library, Vector
from quaestor.contracts.source import ANY_DATE, DateRange, Hit
from quaestor.contracts.tools import SearchInput, SearchResults
from quaestor.storage.sql.library import SqlLibrary
from quaestor.storage.sqlite import SqliteStore, open_store
from quaestor.storage.sqlite.terms import Fts5TermIndex
from quaestor.tools.corpus import index_corpus
from quaestor.tools.hybrid_search import HybridSearch, SemanticSearch
from quaestor.tools.passage_search import SearchPassages

TEXTS = {
    "bell": "The fog bell of Aldmouth was cast in bronze.",
    "motor": "A motorcar stood before the town hall.",
    "tower": "The lighthouse tower was raised by masons.",
    "wheels": "Cars were rare along that coast.",
}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = open_store(tmp_path / "home" / "quaestor.db")
    yield opened
    await opened.close()


async def shelved(library: Library, folder: Path, texts: dict[str, str]) -> str:
    docs = folder / "docs"
    docs.mkdir(exist_ok=True)
    for name, text in texts.items():
        (docs / f"{name}.txt").write_text(text, encoding="utf-8")
    return (await index_corpus(library, ManualClock(), [docs], lambda _: None)).corpus


def searching(
    library: Library, corpus: str, embedder: HashingEmbedder, seconds: float = 5, dates: DateRange = ANY_DATE
) -> tuple[HybridSearch, SemanticSearch]:
    nearness = SemanticSearch(library, embedder, seconds)
    return HybridSearch(library, corpus, nearness, dates), nearness


async def asked(library: Library, corpus: str, embedder: HashingEmbedder, query: str, limit: int = 6) -> SearchResults:
    search, nearness = searching(library, corpus, embedder)
    try:
        return await search.run(SearchInput(query=query, limit=limit))
    finally:
        await nearness.close()


def names(results: SearchResults) -> list[str]:
    return [Path(hit.uri).stem for hit in results.hits]


async def test_a_passage_is_found_that_shares_no_word_with_the_query(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    plain = await SearchPassages(store.library, corpus).run(SearchInput(query="automobile"))
    assert plain.hits == ()
    results = await asked(store.library, corpus, HashingEmbedder(), "automobile")
    assert set(names(results)[:2]) == {"motor", "wheels"}
    assert results.notes == ()


async def test_what_both_searches_find_comes_first(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    assert names(await asked(store.library, corpus, HashingEmbedder(), "motorcar"))[:2] == ["motor", "wheels"]


async def test_a_smaller_limit_gives_the_first_of_the_same_passages(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = HashingEmbedder()
    most = (await asked(store.library, corpus, embedder, "the town automobile", 50)).hits
    for limit in range(1, len(most) + 1):
        assert (await asked(store.library, corpus, embedder, "the town automobile", limit)).hits == most[:limit]


async def test_nothing_is_embedded_twice_also_after_a_restart(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = HashingEmbedder()
    first = await asked(store.library, corpus, embedder, "automobile")
    assert len(embedder.embedded) == len(TEXTS) + 1
    again = open_store(tmp_path / "home" / "quaestor.db")
    assert await asked(again.library, corpus, embedder, "automobile") == first
    await again.close()
    assert len(embedder.embedded) == len(set(embedder.embedded)) == len(TEXTS) + 1


async def test_what_a_failure_left_over_is_made_by_the_next_process(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, {f"n{number}": f"word{number} stands" for number in range(100)})
    failing = FailingAfter(1)
    assert (await asked(store.library, corpus, failing, "word7")).notes
    assert len(failing.embedded) == 64
    embedder = HashingEmbedder()
    assert (await asked(store.library, corpus, embedder, "word7")).notes == ()
    assert len(embedder.embedded) == 36 + 1
    assert not set(embedder.embedded) & set(failing.embedded)


async def test_only_what_changed_is_embedded_anew(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = HashingEmbedder()
    search, nearness = searching(store.library, corpus, embedder)
    await search.run(SearchInput(query="automobile"))
    await shelved(store.library, tmp_path, {"bell": "The bell was melted down for cannon in the war."})
    del embedder.embedded[:]
    results = await search.run(SearchInput(query="automobile"))
    await nearness.close()
    assert [text.partition("\n")[0] for text in embedder.embedded] == ["bell.txt"]
    assert "motor" in names(results)


class Misled(HashingEmbedder):
    """Finds everything that is called a decoy nearest to every query."""

    @override
    def vector(self, text: str) -> Vector:
        return super().vector("decoy" if "decoy" in text or "?" in text else text)


async def test_near_passages_push_out_nothing_that_a_name_leads_to(store: SqliteStore, tmp_path: Path) -> None:
    chain = {
        "bell": "The fog bell of Aldmouth was cast at Luneford Foundry.",
        "foundry": "Luneford Foundry was set up by Ida Brand.",
    }
    decoys = {f"decoy{number}": f"A decoy lay in the fog on shore number {number}." for number in range(60)}
    corpus = await shelved(store.library, tmp_path, {**chain, **decoys})
    query = "Who set up the works that cast the fog bell of Aldmouth?"
    assert names(await asked(store.library, corpus, Misled(), query))[:2] == ["bell", "foundry"]


class Slow(HashingEmbedder):
    """Gives way before it answers, or waits until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    @override
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        await self.go.wait()
        await asyncio.sleep(0)
        return await super().embed(texts)


async def test_searches_at_the_same_time_embed_everything_once(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = Slow()
    search, nearness = searching(store.library, corpus, embedder)
    runs = [asyncio.create_task(search.run(SearchInput(query="automobile"))) for _ in range(8)]
    await asyncio.sleep(0)
    embedder.go.set()
    results = await asyncio.gather(*runs)
    await nearness.close()
    assert sorted(embedder.embedded) == sorted(set(embedder.embedded))
    assert len({result.model_dump_json() for result in results}) == 1


async def test_a_search_does_not_wait_for_ever_and_the_making_goes_on(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = Slow()
    search, nearness = searching(store.library, corpus, embedder, seconds=0.05)
    early = await search.run(SearchInput(query="motorcar"))
    assert names(early) == ["motor"]
    assert early.notes == ("searched without embeddings: fake:hash needs more than 0.05 s; it continues",)
    embedder.go.set()
    late = await search.run(SearchInput(query="motorcar"))
    await nearness.close()
    assert late.notes == ()
    assert names(late)[:2] == ["motor", "wheels"]


async def test_closing_ends_the_making(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = Slow()
    search, nearness = searching(store.library, corpus, embedder, seconds=0.02)
    await search.run(SearchInput(query="motorcar"))
    await nearness.close()
    embedder.go.set()
    await asyncio.sleep(0.01)
    assert (embedder.embedded, embedder.closed) == ([], True)


async def test_without_vectors_it_is_the_search_by_words_and_says_so(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = HashingEmbedder()
    embedder.failure = ToolFailed("fake:hash answered 500")
    plain = await SearchPassages(store.library, corpus).run(SearchInput(query="bell town", limit=1))
    results = await asked(store.library, corpus, embedder, "bell town", 1)
    assert results.hits == plain.hits
    assert results.notes == ("searched without embeddings: fake:hash answered 500",)


async def test_the_making_of_vectors_is_not_tried_again_by_every_search(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = HashingEmbedder()
    embedder.failure = ToolFailed("fake:hash answered 500")
    search, nearness = searching(store.library, corpus, embedder)
    await search.run(SearchInput(query="bell"))
    embedder.failure = None
    assert (await search.run(SearchInput(query="tower"))).notes
    await nearness.close()
    assert embedder.embedded == []


async def test_a_refused_key_is_no_reason_to_go_on_without(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    embedder = HashingEmbedder()
    embedder.failure = SetupError("look at the key")
    with pytest.raises(SetupError, match="look at the key"):
        await asked(store.library, corpus, embedder, "bell")


async def test_another_model_behind_the_same_name_is_noticed(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(store.library, tmp_path, TEXTS)
    await store.library.put_vectors("fake:hash", {"of another time": [1.0, 0.0]})
    [note] = (await asked(store.library, corpus, HashingEmbedder(), "automobile")).notes
    assert "2 and 256 numbers" in note


async def test_what_is_dated_too_late_is_not_near_either(store: SqliteStore, tmp_path: Path) -> None:
    corpus = await shelved(
        store.library, tmp_path, {"old": "---\ndate: 1999-01-01\n---\nA motorcar.", "undated": "Cars here."}
    )
    search, nearness = searching(store.library, corpus, HashingEmbedder(), dates=DateRange(last=date(1990, 1, 1)))
    plain = await SearchPassages(store.library, corpus, dates=DateRange(last=date(1990, 1, 1))).run(
        SearchInput(query="motorcar cars here")
    )
    results = await search.run(SearchInput(query="motorcar cars here"))
    await nearness.close()
    assert names(results) == names(plain)


async def test_both_searches_leave_the_event_loop_to_answers_that_arrive(store: SqliteStore, tmp_path: Path) -> None:
    class Watched(SqlLibrary):
        """Remembers the threads in which it is searched."""

        @override
        async def search(
            self,
            corpus: str,
            terms: Sequence[str],
            limit: int,
            among: Sequence[str] = (),
            dates: DateRange = ANY_DATE,
            *,
            only_filters: bool = False,
        ) -> Sequence[Hit]:
            searched.append(threading.get_ident())
            return await super().search(corpus, terms, limit, among, dates, only_filters=only_filters)

        @override
        async def nearest(
            self, corpus: str, model: str, vector: Vector, limit: int, dates: DateRange = ANY_DATE
        ) -> Sequence[Hit]:
            compared.append(threading.get_ident())
            return await super().nearest(corpus, model, vector, limit, dates)

    searched: list[int] = []
    compared: list[int] = []
    library = Watched(store._database, Fts5TermIndex)
    corpus = await shelved(library, tmp_path, TEXTS)
    assert (await asked(library, corpus, HashingEmbedder(), "fog bell")).hits
    assert searched
    assert compared
    assert threading.get_ident() not in {*searched, *compared}
