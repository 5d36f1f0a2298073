"""A text is stored once; its title, path and time belong to each session that saw it."""

from datetime import date
from hashlib import sha256

from pydantic import JsonValue

from quaestor.contracts.event import SessionStarted
from quaestor.contracts.library import Document, IndexedDocument, Library
from quaestor.contracts.ports import Store
from quaestor.contracts.source import Source
from storage.conformance.conftest import Backend
from storage.samples import NOON, OWNER, document, event, later, reply, session

MINE = document("/mine/secret-name.txt", "The same words", title="Mine")
YOURS = document("/yours/plain.txt", "The same words", title="Yours")
NAME = sha256(MINE.document.text.encode()).hexdigest()
PAGE = Document(uri="https://a.org/mine", title="Page", text="Words of a page.", published=date(2024, 5, 6))


def names(source: Source | None) -> tuple[str, str] | None:
    return (source.title, source.uri) if source else None


async def over(store: Store, name: str, *corpora: str) -> None:
    """Begin a session whose options name these corpora, however its workflow does."""
    options: dict[str, JsonValue] = {"anything": [{"corpus": corpus} for corpus in corpora]}
    payload = SessionStarted(question="Who?", workflow="research", task_key="key", options=options)
    await store.create_session(session(name), [event(1, payload, name)])


async def cites(store: Store, name: str, *hashes: str) -> None:
    lease = await store.take_lease(name, OWNER, 0, later(60))
    assert lease is not None
    await store.append(lease, [reply(2, f'{{"source": "{each}"}}', name) for each in hashes])
    await store.release_lease(lease)


async def corpus_of(library: Library, indexed: IndexedDocument, root: str) -> str:
    corpus = await library.open_corpus([root])
    await library.put(corpus, [indexed], NOON)
    return corpus


async def test_a_session_sees_a_text_as_its_own_corpora_name_it(backend: Backend) -> None:
    store, library = backend.store, backend.library
    mine, yours = await corpus_of(library, MINE, "/mine"), await corpus_of(library, YOURS, "/yours")
    await over(store, "s1", mine)
    await over(store, "s2", yours)
    assert names(await library.of_session("s1").source(NAME)) == ("Mine", "/mine/secret-name.txt")
    assert names(await library.of_session("s2").source(NAME)) == ("Yours", "/yours/plain.txt")
    await over(store, "s3")
    assert await library.of_session("s3").source(NAME) is None


async def test_a_page_is_named_by_the_session_that_read_it(backend: Backend) -> None:
    library = backend.library
    first = await library.of_session("s1").keep(PAGE, NOON)
    second = await library.of_session("s2").keep(PAGE.revised(uri="https://b.org/yours", title="Other"), later(9))
    assert first.sha256 == second.sha256
    assert (names(first), first.retrieved_at, first.published) == (("Page", PAGE.uri), NOON, PAGE.published)
    assert (names(second), second.retrieved_at) == (("Other", "https://b.org/yours"), later(9))
    assert await library.of_session("s1").keep(PAGE.revised(uri="https://c.org"), later(20)) == first
    assert await library.of_session("s3").source(first.sha256) is None
    assert await library.text(first.sha256) == PAGE.text


async def test_what_a_session_has_cited_keeps_its_names(backend: Backend) -> None:
    store, library = backend.store, backend.library
    corpus = await corpus_of(library, MINE, "/mine")
    await over(store, "s1", corpus)
    await cites(store, "s1", NAME)
    moved = document("/mine/moved.txt", "The same words", title="Moved")
    await library.put(corpus, [moved], later(5))
    await library.drop(corpus, [MINE.mark.uri])
    await over(store, "s2", corpus)
    assert names(await library.of_session("s1").source(NAME)) == ("Mine", MINE.mark.uri)
    assert names(await library.of_session("s2").source(NAME)) == ("Moved", "/mine/moved.txt")
    await library.drop(corpus, ["/mine/moved.txt"])
    assert names(await library.of_session("s1").source(NAME)) == ("Mine", MINE.mark.uri)


async def test_a_text_that_was_just_found_keeps_its_names_when_its_document_goes(backend: Backend) -> None:
    store, library = backend.store, backend.library
    corpus = await corpus_of(library, MINE, "/mine")
    await over(store, "s1", corpus)
    await library.put(corpus, [document(MINE.mark.uri, "Other words", title="Mine")], later(5))
    assert names(await library.of_session("s1").source(NAME)) == ("Mine", MINE.mark.uri)


async def test_a_copy_and_a_replay_see_what_their_origin_saw(backend: Backend) -> None:
    store, library = backend.store, backend.library
    await over(store, "s1", await corpus_of(library, MINE, "/mine"))
    page = await library.of_session("s1").keep(PAGE, NOON)
    await store.copy_session(session("s2"), "s1", 1, OWNER)
    await over(store, "s3")
    await library.of_session("s3").adopt("s1")
    for name in ("s2", "s3"):
        assert await library.of_session(name).source(page.sha256) == page
        assert names(await library.of_session(name).source(NAME)) == ("Mine", MINE.mark.uri)


async def test_the_sessions_that_saw_a_source_are_found_by_its_hash(backend: Backend) -> None:
    store, library = backend.store, backend.library
    mine = await corpus_of(library, MINE, "/mine")
    for name in ("s1", "s2", "s3"):
        await over(store, name, mine)
    for name in ("s1", "s2"):
        lease = await store.take_lease(name, OWNER, 0, later(60))
        assert lease is not None
        await store.append(lease, [reply(2, NAME, name)])
        await store.release_lease(lease)
    assert list(await library.sessions_of(NAME)) == ["s2", "s1"]
    lease = await store.take_lease("s2", OWNER, 1, later(60))
    assert lease is not None
    await store.erase(lease, NOON)
    assert list(await library.sessions_of(NAME)) == ["s1"]
    assert list(await library.sessions_of("0" * 64)) == []
