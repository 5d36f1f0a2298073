"""What a store in Postgres loses to a full disk and to a killed erasure, nothing, and what it shows of changed tables.

Whoever changes them is a superuser who switches the triggers off that keep events.
"""

import asyncio
import sys
from pathlib import Path
from shutil import copytree

import psycopg
import pytest

from app.test_postgres import kill_at
from fakes.children import ended, fork
from fakes.papers import QUESTION, write_papers
from fakes.postgres import Postgres
from quaestor.app import Quaestor, open_home
from quaestor.app.erasure import erase
from quaestor.app.verification import verify_session
from quaestor.contracts.errors import StoreFull
from quaestor.storage.chain import EventRow, rechain

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")
_ROWS = (
    "SELECT session_id, seq, cycle, at, state, type, version, body, blob, previous, hash, todo_id FROM events "
    "WHERE session_id = %s ORDER BY seq"
)
_FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.seq > 40) EXECUTE FUNCTION full_disk();
"""
"""The server refuses an append as it does where there is no room, in the middle of a run."""
_ROOM = "DROP TRIGGER full_disk ON events; DROP FUNCTION full_disk"


@pytest.fixture
def url(postgres: Postgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    place = postgres.home()
    monkeypatch.setenv("QUAESTOR_STORE", place)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return place


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_papers(tmp_path)


def change(url: str, *statements: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("SET session_replication_role = replica")
        for statement in statements:
            connection.execute(statement.encode())


async def finished(q: Quaestor, docs: Path) -> str:
    session_id = await q.start(QUESTION, await q.index([docs]))
    assert (await q.run(session_id)).outcome == "done"
    return session_id


async def test_a_full_disk_of_the_server_stops_the_run_and_loses_nothing(url: str, docs: Path, tmp_path: Path) -> None:
    async with open_home(tmp_path / "here", effort="low") as q:
        session_id = await q.start(QUESTION, await q.index([docs]))
        change(url, _FULL)
        try:
            with pytest.raises(StoreFull, match="what was acknowledged is safe"):
                await q.run(session_id)
        finally:
            change(url, _ROOM)
        kept = await q.events(session_id)
        assert 1 < len(kept) <= 40
    async with open_home(tmp_path / "there") as q:
        assert (await q.run(session_id)).outcome == "done"
        assert (await q.events(session_id))[: len(kept)] == kept
        assert (await verify_session(q, session_id)).faults == ()


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        ("UPDATE events SET state = 'DONE' WHERE seq = 3", "event 3 was changed"),
        ("DELETE FROM events WHERE seq = 3", "event 3 is missing"),
        (
            "UPDATE blobs SET data = '\\x00' WHERE sha256 = (SELECT blob FROM events WHERE blob IS NOT NULL LIMIT 1)",
            "blob",
        ),
        ("UPDATE blobs SET data = '\\x00' WHERE sha256 IN (SELECT sha256 FROM texts)", "source"),
    ],
)
async def test_a_changed_row_is_named(url: str, docs: Path, tmp_path: Path, damage: str, named: str) -> None:
    async with open_home(tmp_path / "home", effort="low") as q:
        session_id = await finished(q, docs)
        change(url, damage)
        faults = (await verify_session(q, session_id)).faults
    assert any(named in fault for fault in faults), faults


async def test_a_rewritten_log_whose_chain_holds_contradicts_its_signed_head(
    url: str, docs: Path, tmp_path: Path
) -> None:
    async with open_home(tmp_path / "home", effort="low") as q:
        session_id = await finished(q, docs)
        with psycopg.connect(url) as connection:
            rows = [EventRow(*row) for row in connection.execute(_ROWS, (session_id,)).fetchall()]
            rows[1] = rows[1]._replace(at="2020-01-01T00:00:00.000000Z")
            connection.execute("SET session_replication_role = replica")
            for row in rechain(rows, session_id):
                connection.execute(
                    "UPDATE events SET at = %s, previous = %s, hash = %s WHERE session_id = %s AND seq = %s",
                    (row.at, row.previous, row.hash, session_id, row.seq),
                )
            connection.execute("UPDATE sessions SET head = %s", (row.hash,))
        assert await q.store.verify_chain(session_id) == [], "the chain is whole again"
        assert "was signed as" in (await verify_session(q, session_id)).faults[0]
        change(url, "DELETE FROM signatures")
        assert "has no such signature" in (await verify_session(q, session_id)).faults[0]


@pytest.mark.usefixtures("url")
async def test_what_another_machine_signed_is_verified_by_its_key_or_by_one_that_they_share(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_home(tmp_path / "here", effort="low") as q:
        session_id = await finished(q, docs)
        key = q.signer.public_key()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    async with open_home(tmp_path / "there") as q:
        assert f"signed by the key {key}" in (await verify_session(q, session_id)).faults[0]
        assert (await verify_session(q, session_id, key)).signature == "valid"
    await asyncio.to_thread(copytree, tmp_path / "config", tmp_path / "another")
    async with open_home(tmp_path / "there") as q:
        assert (await verify_session(q, session_id)).signature == "valid"


@pytest.mark.usefixtures("url")
def test_an_erasure_that_is_killed_is_not_begun_or_ends_at_the_next_opening_on_another_machine(
    docs: Path, tmp_path: Path
) -> None:
    async def fill() -> str:
        async with open_home(tmp_path / "here", effort="low") as q:
            return await finished(q, docs)

    async def erase_and_die(session_id: str, commit: int) -> None:
        async with open_home(tmp_path / "here") as q:
            kill_at(q.store, commit)
            await erase(q, [session_id])

    async def is_left(session_id: str) -> bool:
        async with open_home(tmp_path / "there") as q:
            assert await q.store.remains() == []
            return session_id in [each.id for each in await q.sessions()]

    ends: list[bool] = []
    session_id = asyncio.run(fill())
    for commit in range(1, 60):
        if ended(fork(lambda: erase_and_die(session_id, commit))) == 0:  # noqa: B023 -- it ends here
            break
        ends.append(asyncio.run(is_left(session_id)))
        if not ends[-1]:
            session_id = asyncio.run(fill())
    assert ends[0]
    assert ends.count(False) > 1
    assert not asyncio.run(is_left(session_id))


@pytest.mark.usefixtures("url")
def test_a_fork_that_is_killed_leaves_a_whole_copy_or_nothing(docs: Path, tmp_path: Path) -> None:
    async def fill() -> tuple[str, int]:
        async with open_home(tmp_path / "here", effort="low") as q:
            session_id = await finished(q, docs)
            return session_id, len(await q.events(session_id))

    async def fork_and_die(commit: int) -> None:
        async with open_home(tmp_path / "here") as q:
            kill_at(q.store, commit)
            await q.fork(session_id, events - 1)

    async def copies() -> int:
        async with open_home(tmp_path / "there") as q:
            found = {each.id: each.events for each in await q.sessions()}
            assert found.pop(session_id) == events
            assert set(found.values()) <= {events - 1, events}, "the last one says that it is a fork"
            assert [await q.store.verify_chain(each) for each in found] == [[]] * len(found)
            assert await q.store.incomplete_copies() == []
            return len(found)

    session_id, events = asyncio.run(fill())
    made: list[int] = []
    for commit in range(1, 60):
        if ended(fork(lambda: fork_and_die(commit))) == 0:  # noqa: B023 -- it ends here
            break
        made.append(asyncio.run(copies()))
    assert made[0] == 0
    assert asyncio.run(copies()) == made[-1] + 1
