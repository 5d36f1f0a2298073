"""Copies that are kept complete, whatever becomes of target, follower and run."""

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from fakes.children import ended, fork
from fakes.ferretdb import FerretDB, ferretdb, serving
from fakes.papers import QUESTION, write_papers
from fakes.targets import Target
from quaestor.app import open_home
from quaestor.app.copies.followers import read_copy
from quaestor.contracts.errors import SetupError
from quaestor.contracts.follower import event_to_row
from quaestor.contracts.ports import Store
from quaestor.contracts.session import Lease
from quaestor.runtime.replication import (
    only_session,
    replicate_during,
    replicate_once,
    replicate_until,
)
from quaestor.runtime.replicator import PAGE_SIZE, Replicator
from quaestor.storage.chain import EventRow, rechain
from quaestor.storage.followers import open_follower
from quaestor.storage.sqlite import open_store
from storage.samples import begun, reply, todo

__all__ = ["ferretdb"]


class Log:
    """A log that grows as it is told."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._leases: dict[str, Lease] = {}

    async def grow(self, count: int, name: str = "s1") -> None:
        """Append so many events to a session; it is begun with its first one."""
        if name not in self._leases:
            self._leases[name] = await begun(self.store, name)
            count -= 1
        last = (await self.store.session(name)).events
        events = [reply(seq, f"reply {seq}", name) for seq in range(last + 1, last + count + 1)]
        if events:
            await self.store.append(self._leases[name], events)

    async def is_in(self, target: Target) -> None:
        """Check that a target has it all."""
        for session in await self.store.sessions():
            links = await self.store.links(session.id, 0, session.events)
            events = await self.store.events(session.id)
            rows = [event_to_row(event, link.hash) for event, link in zip(events, links, strict=True)]
            assert [row.revised(hash=None) for row in target.kept[session.id]] == [
                row.revised(hash=None) for row in rows
            ]
            hashes = [row.hash for row in target.kept[session.id]]
            assert all(found in {None, row.hash} for found, row in zip(hashes, rows, strict=True))


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    store = open_store(":memory:")
    yield Log(store)
    await store.close()


@pytest.fixture
def target() -> Target:
    return Target()


@pytest.fixture
def said() -> list[str]:
    return []


async def seen(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(300):
        while not what():  # noqa: ASYNC110 -- the target tells nobody
            await asyncio.sleep(0.01)


async def until(target: Target, count: int, name: str = "s1") -> None:
    await seen(lambda: len(target.kept.get(name, ())) >= count)


async def until_down(target: Target, times: int = 1) -> None:
    await seen(lambda: target.downs >= times)


async def test_what_there_is_is_copied_once(log: Log, target: Target) -> None:
    await log.grow(2 * PAGE_SIZE + 5)
    copying = Replicator(log.store, target)
    await replicate_once(copying, copying.lagging_sessions)
    await replicate_once(copying, copying.lagging_sessions)
    await log.is_in(target)
    assert copying.count == 2 * PAGE_SIZE + 5


async def test_another_follower_goes_on_where_the_copy_ends(log: Log, target: Target) -> None:
    await log.grow(30)
    target.kept["s1"] = [event_to_row(event) for event in await log.store.events("s1", limit=12)]
    copying = Replicator(log.store, target)
    await replicate_once(copying, only_session("s1"))
    await log.is_in(target)
    assert copying.count == 18


async def test_all_sessions_are_copied_and_one_alone_where_it_is_named(log: Log, target: Target) -> None:
    for name, length in (("s1", 3), ("s2", PAGE_SIZE + 1), ("s3", 1)):
        await log.grow(length, name)
    copying = Replicator(log.store, target)
    await replicate_once(copying, only_session("s2"))
    assert list(target.kept) == ["s2"]
    await replicate_once(copying, copying.lagging_sessions)
    await log.is_in(target)
    assert await copying.lagging_sessions() == []
    await log.grow(1, "s3")
    assert await copying.lagging_sessions() == ["s3"]


async def test_a_session_that_grows_is_followed_to_its_end(log: Log, target: Target, said: list[str]) -> None:
    await log.grow(2)
    stop = asyncio.Event()
    copying = Replicator(log.store, target)
    keeping = asyncio.create_task(replicate_until(copying, copying.lagging_sessions, stop, said.append, patient=False))
    await until(target, 2)
    await log.grow(3)
    await log.grow(4, "s2")
    await until(target, 5)
    await until(target, 4, "s2")
    await log.grow(2)
    stop.set()
    assert await keeping is True
    await log.is_in(target)
    assert said == []
    assert target.asked == ["s1", "s2"]


async def test_a_target_that_is_down_is_told_of_once_and_caught_up(log: Log, target: Target, said: list[str]) -> None:
    await log.grow(5)
    target.go_down()
    stop = asyncio.Event()
    copying = Replicator(log.store, target)
    keeping = asyncio.create_task(replicate_until(copying, only_session("s1"), stop, said.append, patient=False))
    await until_down(target, 2)
    await log.grow(5)
    target.fault = None
    await until(target, 10)
    stop.set()
    assert await keeping is True
    await log.is_in(target)
    assert said == [
        "memory:target does not answer; the copy catches up when it is back",
        "memory:target is back, and the copy is complete",
    ]


async def test_a_target_that_goes_down_in_the_middle_is_asked_how_far_it_came(log: Log, target: Target) -> None:
    await log.grow(20)
    target.room = 13
    copying = Replicator(log.store, target)
    with pytest.raises(SetupError, match="does not answer; nothing is lost"):
        await replicate_once(copying, only_session("s1"))
    assert len(target.kept["s1"]) == 13
    target.fault, target.room = None, None
    await replicate_once(copying, only_session("s1"))
    await log.is_in(target)


async def test_a_target_that_comes_back_empty_is_filled_again(log: Log, target: Target) -> None:
    for name in ("s1", "s2"):
        await log.grow(4, name)
    copying = Replicator(log.store, target)
    await replicate_once(copying, copying.lagging_sessions)
    target.go_down()
    await log.grow(1)
    with pytest.raises(SetupError):
        await replicate_once(copying, copying.lagging_sessions)
    target.fault, target.kept = None, {}
    await replicate_once(copying, copying.lagging_sessions)
    await log.is_in(target)


async def rewritten(log: Log, at: int) -> None:
    """Change an event and rebuild the chain and the head, as whoever can write the database does."""
    database = log.store._database  # type: ignore[attr-defined]
    rows = database.rows(
        "SELECT session_id, seq, cycle, at, state, type, version, body, blob, previous, hash, todo_id FROM events"
    )
    changed = [EventRow(*row) for row in rows]
    changed[at - 1] = changed[at - 1]._replace(todo_id="other")
    for row in rechain(changed, "s1"):
        database.run(
            "UPDATE events SET todo_id = ?, previous = ?, hash = ? WHERE seq = ?",
            (row.todo_id, row.previous, row.hash, row.seq),
        )
    database.run("UPDATE sessions SET head = ?", (row.hash,))


@pytest.mark.parametrize("at", [2, 7, 12])
async def test_nothing_is_added_to_the_copy_of_a_log_that_was_rewritten(log: Log, target: Target, at: int) -> None:
    await log.grow(12)
    known = Replicator(log.store, target)
    await replicate_once(known, only_session("s1"))
    before = list(target.kept["s1"])
    await rewritten(log, at)
    await log.grow(3)
    assert await log.store.verify_chain("s1") == []
    for copying in (known, Replicator(log.store, target)):
        with pytest.raises(SetupError, match="is not a copy of this log"):
            await replicate_once(copying, only_session("s1"))
    assert target.kept["s1"] == before


async def test_a_copy_of_an_older_release_is_compared_event_by_event(log: Log, target: Target) -> None:
    await log.grow(2 * PAGE_SIZE)
    events = await log.store.events("s1")
    target.kept["s1"] = [event_to_row(event) for event in events]
    target.kept["s1"][4] = event_to_row(reply(5, "another reply"))
    await log.grow(3)
    with pytest.raises(SetupError, match="is not a copy of this log"):
        await replicate_once(Replicator(log.store, target), only_session("s1"))
    target.kept["s1"][4] = event_to_row(events[4])
    await replicate_once(Replicator(log.store, target), only_session("s1"))
    await log.is_in(target)


@pytest.mark.parametrize("length", [3, 5, 9])
async def test_the_copy_of_another_log_is_left_as_it_is(log: Log, target: Target, length: int) -> None:
    await log.grow(5)
    target.kept["s1"] = [event_to_row(todo(seq)) for seq in range(1, length + 1)]
    before = list(target.kept["s1"])
    with pytest.raises(SetupError, match=rf"session s1 is not a copy of this log: its event {length} is another"):
        await replicate_once(Replicator(log.store, target), only_session("s1"))
    assert target.kept["s1"] == before


async def test_who_is_patient_waits_for_a_target_when_the_session_has_ended(
    log: Log, target: Target, said: list[str]
) -> None:
    await log.grow(5)
    target.go_down()
    stop = asyncio.Event()
    stop.set()
    copying = Replicator(log.store, target)
    keeping = asyncio.create_task(replicate_until(copying, only_session("s1"), stop, said.append, patient=True))
    await until_down(target)
    target.fault = None
    assert await keeping is True
    await log.is_in(target)


async def test_a_copy_beside_a_run_is_complete_at_its_end(log: Log, target: Target, said: list[str]) -> None:
    other = Target()
    target.slow = other.slow = 0.05
    await log.grow(1)
    async with replicate_during(log.store, "s1", [target, other], said.append, 5):
        await log.grow(5)
        await until(target, 6)
        await log.grow(7)
    for each in (target, other):
        await log.is_in(each)
        assert each.closed
    assert said == []


async def test_a_run_does_not_notice_a_target_that_is_down(log: Log, target: Target, said: list[str]) -> None:
    await log.grow(1)
    target.go_down()
    async with asyncio.timeout(300), replicate_during(log.store, "s1", [target], said.append, 3600):
        await until_down(target)
        await log.grow(5)
    assert target.closed
    assert said == [
        "memory:target does not answer; the copy catches up when it is back",
        "memory:target lacks the end of session s1; copy the session there again to complete it",
    ]


@pytest.mark.parametrize("fault", [SetupError("no right"), ZeroDivisionError("a defect")])
async def test_a_run_does_not_notice_a_follower_that_fails(
    log: Log, target: Target, said: list[str], fault: Exception
) -> None:
    await log.grow(1)
    target.fault = fault
    async with asyncio.timeout(300), replicate_during(log.store, "s1", [target], said.append, 3600):
        await until_down(target)
        await log.grow(5)
    [told] = said
    assert str(fault) in told
    assert "memory:target lacks the end of session s1" in told


async def test_a_run_waits_for_a_slow_target_as_long_as_it_may(log: Log, target: Target, said: list[str]) -> None:
    await log.grow(1)
    target.slow = 60
    async with asyncio.timeout(300), replicate_during(log.store, "s1", [target], said.append, 0.1):
        await log.grow(5)
    assert said == ["memory:target lacks the end of session s1; copy the session there again to complete it"]
    assert target.closed


async def test_a_run_that_is_broken_off_waits_for_no_copy(log: Log, target: Target, said: list[str]) -> None:
    await log.grow(1)
    target.slow = 60
    with pytest.raises(KeyError, match="broken"):
        async with asyncio.timeout(300), replicate_during(log.store, "s1", [target], said.append, 3600):
            raise KeyError("broken")
    assert target.closed


async def test_a_mongo_that_is_killed_during_a_run_and_comes_back_has_everything_once(tmp_path: Path) -> None:
    """The run is a research of four todos; the server is killed, and comes back when the run is over."""
    said: list[str] = []
    docs = write_papers(tmp_path)
    with serving(tmp_path / "db") as server:
        async with open_home(tmp_path / "home", effort="low") as quaestor:
            session = await quaestor.start(QUESTION, await quaestor.index([docs]))
            before = open_follower(server.url())
            async with replicate_during(quaestor.store, session, [before], said.append, 0):
                running = asyncio.create_task(quaestor.run(session))
                async for event in quaestor.follow(session):
                    if event.seq == 8:
                        break
                server.kill()
                assert (await running).outcome == "done"
            assert any("lacks the end of session" in each for each in said)
            server.start()
            after = open_follower(server.url())
            await replicate_once(Replicator(quaestor.store, after), only_session(session))
            assert (await after.position(session)).seq == (await quaestor.store.session(session)).events
            await after.close()
            events = await quaestor.events(session)
        assert await read_copy(server.url(), session) == events


async def test_a_follower_killed_at_any_moment_copies_nothing_twice(tmp_path: Path, ferretdb: FerretDB) -> None:
    home, url = tmp_path / "quaestor.db", ferretdb.url("killed")
    store = open_store(home)
    await Log(store).grow(250)

    async def work() -> None:
        own = open_store(home)
        await replicate_once(Replicator(own, open_follower(url)), only_session("s1"))

    chance = random.Random(7)
    for _ in range(4):
        pid = fork(work)
        await asyncio.sleep(chance.uniform(0.05, 0.4))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        ended(pid)
    follower = open_follower(url)
    await replicate_once(Replicator(store, follower), only_session("s1"))
    await follower.close()
    assert await read_copy(url, "s1") == await store.events("s1")
    await store.close()
