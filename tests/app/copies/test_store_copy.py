"""A store is copied either way, word for word, and a copy that is cut off is taken up again."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from fakes.papers import write_papers
from fakes.postgres import Postgres
from fakes.sittings import BELL, GUILD, LIGHTHOUSE
from quaestor.app import DATABASE_FILE, open_home
from quaestor.app.copies.store_copy import copy_store
from quaestor.app.erasure import erase
from quaestor.app.network.access import add_token
from quaestor.contracts.command import Pause
from quaestor.contracts.errors import UsageError
from quaestor.contracts.session import Lease
from quaestor.faces.cli.program import run
from quaestor.storage.postgres import open_store as open_server
from quaestor.storage.sql.store import SqlStore
from quaestor.storage.sqlite import open_store
from storage.samples import NOON, begun, finished, reply, todo

SESSIONS = 100
TABLES = (
    *("sessions", "events", "blobs", "commands", "texts", "corpora", "documents", "passages", "replies", "vectors"),
    *("session_sources", "session_corpora", "session_workspaces", "tombstones", "tokens", "requests", "signatures"),
)


@pytest.fixture
async def home(tmp_path: Path) -> Path:
    """Return a home with something of everything in it."""
    docs, folder = write_papers(tmp_path), tmp_path / "home"
    async with open_home(folder, effort="low", cache=True) as q:
        for question in (LIGHTHOUSE, BELL):
            await q.research(question, docs=[docs])
        waiting = await q.start(GUILD, await q.index([docs]))
        await q.store.send(waiting, Pause(), NOON)
        gone = await q.start("Who was Constancy?", await q.index([docs / "fog.md"]))
        await erase(q, [gone])
        await add_token(q, "ci", "run", None, "local")
    return folder


def content(store: SqlStore) -> Sequence[object]:
    """Return every row of the tables that a copy has, sorted."""
    database = store._database
    found: list[object] = []
    for table in TABLES:
        columns = "id, tenant, head, events, status" if table == "sessions" else "*"
        found.append((table, sorted(database.rows(f"SELECT {columns} FROM {table}"), key=repr)))  # noqa: S608
    return found


async def everything(store: SqlStore) -> Sequence[object]:
    found = await asyncio.to_thread(content, store)
    hits: list[object] = []
    for terms in (["lighthous"], ["bell", "fog"], ["light", "due", "cost"]):
        hits += await store.library.search("corpus_1", terms, 9)
    assert hits
    await store.close()
    return [*found, *hits]


async def test_a_home_goes_into_postgres_and_back_word_for_word(home: Path, postgres: Postgres, tmp_path: Path) -> None:
    server, back = postgres.home(), str(tmp_path / "back")
    for origin, target in ((str(home), server), (server, back)):
        summary = await copy_store(origin, target)
        assert (summary.sessions, summary.faults) == (3, ())
    expected = await everything(open_store(home / DATABASE_FILE))
    assert await everything(open_server(server)) == expected
    assert await everything(open_store(tmp_path / "back" / DATABASE_FILE)) == expected
    async with open_home(tmp_path / "back") as q:
        assert await q.store.held_leases() == []
        [waiting] = [each.id for each in await q.sessions() if each.question == GUILD]
        assert (await q.run(waiting)).status == "paused"
        assert (await q.run(waiting)).outcome == "done"


class CutOff(Exception):
    pass


async def test_a_copy_that_was_cut_off_is_taken_up(postgres: Postgres, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    origin = open_store(tmp_path / "home" / DATABASE_FILE)
    for number in range(SESSIONS):
        lease = await begun(origin, f"s{number:03}")
        await origin.append(lease, [todo(2, lease.session_id), reply(3, f"{number} " * 600, lease.session_id)])
    server, seen = postgres.home(), []

    def cut(session_id: str) -> None:
        seen.append(session_id)
        if len(seen) == SESSIONS // 2:
            raise CutOff

    with pytest.raises(CutOff):
        await copy_store(str(tmp_path / "home"), server, cut)
    await origin.append(await _lease(origin, "s000"), [todo(4, "s000")])
    summary = await copy_store(str(tmp_path / "home"), server)
    assert (summary.sessions, summary.faults) == (SESSIONS, ())
    copied = open_server(server)
    for session in await origin.sessions():
        assert await copied.records(session.id, 0, 9) == await origin.records(session.id, 0, 9)
        assert await copied.head(session.id) == await origin.head(session.id)
    await copied.close()
    await origin.close()


async def _lease(store: SqlStore, session_id: str) -> Lease:
    lease = await store.lease(session_id)
    assert lease
    return lease


async def test_another_session_of_the_same_name_is_not_overwritten(postgres: Postgres, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    origin, server = open_store(tmp_path / "home" / DATABASE_FILE), postgres.home()
    target = open_server(server)
    await origin.append(await begun(origin), [todo(2)])
    await target.append(await begun(target), [finished(2)])
    before = await target.events("s1")
    with pytest.raises(UsageError, match=r"session 's1' is in postgresql://.* with other events than in"):
        await copy_store(str(tmp_path / "home"), server)
    assert await target.events("s1") == before
    await origin.close()
    await target.close()


async def test_what_the_origin_has_wrong_is_named(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with apsw.Connection(str(home / DATABASE_FILE)) as database:
        database.execute("UPDATE events SET body = replace(body, 'agent', 'agenT') WHERE seq = 5")
    assert await asyncio.to_thread(run, ["store", "copy", str(home), str(tmp_path / "other")]) == 1
    assert "event 5 was changed" in capsys.readouterr().out


def test_an_origin_that_is_no_home_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no home"):
        asyncio.run(copy_store(str(tmp_path / "nowhere"), str(tmp_path / "target")))
    assert list(tmp_path.iterdir()) == []
