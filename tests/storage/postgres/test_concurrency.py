"""What SQLite's one write lock gives, Postgres gives by locks of its own, among processes on whatever machines."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from quaestor.contracts.command import Pause
from quaestor.contracts.errors import LeaseLost
from quaestor.storage.postgres import PostgresStore, open_store
from storage.samples import NOON, OWNER, RIVAL, begun, document, later, session, started, todo


@pytest.fixture
async def stores(url: str) -> AsyncIterator[Sequence[PostgresStore]]:
    opened = [open_store(url) for _ in range(4)]
    yield opened
    for store in opened:
        await store.close()


async def test_commands_that_are_sent_at_once_are_numbered_without_gaps(stores: Sequence[PostgresStore]) -> None:
    await begun(stores[0])
    sent = await asyncio.gather(*(stores[number % 4].send("s1", Pause(), NOON) for number in range(40)))
    assert sorted(entry.number for entry in sent) == list(range(1, 41))
    assert [entry.number for entry in await stores[1].commands("s1")] == list(range(1, 41))


async def test_no_append_of_the_old_lease_follows_the_new_one(stores: Sequence[PostgresStore]) -> None:
    first, second = stores[:2]
    lease = await begun(first)
    some_appended = asyncio.Event()

    async def append_until_fenced() -> int:
        for seq in range(2, 10_000):
            try:
                await first.append(lease, [todo(seq)])
            except LeaseLost:
                return seq - 1
            if seq == 20:
                some_appended.set()
        raise AssertionError("nothing fenced it")

    appending = asyncio.create_task(append_until_fenced())
    await some_appended.wait()
    assert await second.take_lease("s1", RIVAL, 1, later(60)) is not None
    seen = len(await second.events("s1"))
    assert await appending == seen
    assert len(await second.events("s1")) == seen
    assert await second.verify_chain("s1") == []


async def test_a_reader_misses_nothing_of_what_is_appended_meanwhile(stores: Sequence[PostgresStore]) -> None:
    lease = await begun(stores[0])

    async def append() -> None:
        for seq in range(2, 80, 3):
            await stores[0].append(lease, [todo(seq), todo(seq + 1), todo(seq + 2)])

    appending = asyncio.create_task(append())
    seen: list[int] = []
    while len(seen) < 79:
        seen += [event.seq for event in await stores[1].events("s1", len(seen))]
        assert len(seen) % 3 == 1, "a transaction was seen in part"
    assert seen == list(range(1, 80))
    await appending


async def test_of_many_that_begin_one_task_one_does(stores: Sequence[PostgresStore]) -> None:
    names = [f"s{number}" for number in range(12)]
    made = await asyncio.gather(
        *(
            stores[place % 4].create_session_after(None, session(name), [started(name)])
            for place, name in enumerate(names)
        )
    )
    assert sum(made) == 1
    assert len(await stores[0].sessions()) == 1


async def test_a_lease_that_many_take_at_once_is_one_owners(stores: Sequence[PostgresStore]) -> None:
    await begun(stores[0])
    taken = await asyncio.gather(
        *(store.take_lease("s1", OWNER, 1, later(60)) for store in (*stores, *stores, *stores))
    )
    assert sum(lease is not None for lease in taken) == 1


async def test_machines_that_index_at_once_keep_every_passage_apart(stores: Sequence[PostgresStore]) -> None:
    opened = await asyncio.gather(*(store.library.open_corpus([f"/{place % 2}"]) for place, store in enumerate(stores)))
    assert len(set(opened)) == 2
    await asyncio.gather(
        *(
            store.library.put(corpus, [document(f"/{place}/{number}", f"elk{place}x{number}", "a fox")], NOON)
            for place, (store, corpus) in enumerate(zip(stores, opened, strict=True))
            for number in range(5)
        )
    )
    for corpus in set(opened):
        state = await stores[0].library.corpus_state(corpus)
        assert (state.documents, state.passages) == (10, 20)
        assert (await stores[1].library.frequencies(corpus, ["fox"])).of == {"fox": 10}
    [hit] = await stores[2].library.search(opened[3], ["elk3x4"], 9)
    assert hit.passage.text == "elk3x4"
