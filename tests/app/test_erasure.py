"""What is left of a session that was erased: a tombstone, and what other sessions use."""

import asyncio
import itertools
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from fakes.children import die, ended, fork
from fakes.papers import PAPERS
from fakes.sandboxes import ObedientSandbox, said
from fakes.workshops import Work, opened, playbook
from quaestor.app import DATABASE_FILE, Quaestor, open_home
from quaestor.app.erasure import erase, find_idle
from quaestor.app.verification import verify_session
from quaestor.contracts.errors import LeaseUnavailable, UnknownSession
from quaestor.kernel.lease import acquire_lease
from quaestor.runtime.system import current_process
from quaestor.storage.originals import OriginalFiles

HIDDEN = "When was the Aldmouth lighthouse of Xanthippe built?"
PUBLIC = "When was the fog bell of Aldmouth cast?"
WORDS = ("Xanthippe", "xanthipp", "Quillon", "quillon", "ward-seven")
"""In the question, in the only document of the first session, and in its path."""


LOCKED = {"path": "locked/a.txt", "content": "one two"}


class Sessions(NamedTuple):
    secret: str
    public: str


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
async def q(home: Path) -> AsyncIterator[Quaestor]:
    async with open_home(home, effort="low") as q:
        yield q


async def filled(q: Quaestor, folder: Path) -> Sessions:
    """Carry out a session over a secret and a shared document, and one over the shared document alone."""
    secret, shared = folder / "ward-seven", folder / "shared"
    for place in (secret, shared):
        place.mkdir()
    (secret / "lamp.md").write_text(PAPERS["lighthouse.md"].replace("Henrike Vos", "Xanthippe Quillon"))
    (shared / "fog.md").write_text(PAPERS["fog.md"])
    (secret / "fog.md").write_text(PAPERS["fog.md"])
    found = []
    for question, docs in ((HIDDEN, secret), (PUBLIC, shared)):
        session_id = await q.start(question, await q.index([docs]))
        assert (await q.run(session_id)).outcome == "done"
        found.append(session_id)
    return Sessions(*found)


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def found_in(home: Path, needles: Sequence[bytes]) -> list[bytes]:
    """Search all files of a home as they are on the disk."""
    contents = [file.read_bytes() for file in home.rglob("*") if file.is_file()]
    return [needle for needle in needles if any(needle in content for content in contents)]


def traces(home: Path, session_id: str) -> list[bytes]:
    """Return the words of the first session, and pieces of what only it has stored, packed as it is on the disk."""
    with closing(apsw.Connection(str(home / DATABASE_FILE), flags=apsw.SQLITE_OPEN_READONLY)) as database:
        rows = database.execute(
            "SELECT data FROM blobs WHERE size > 200 AND sha256 IN ("
            "SELECT blob FROM events WHERE session_id = ?1 "
            "UNION SELECT source FROM session_sources WHERE session_id = ?1) "
            "AND sha256 NOT IN (SELECT blob FROM events WHERE session_id <> ?1 AND blob IS NOT NULL "
            "UNION SELECT source FROM session_sources WHERE session_id <> ?1 "
            "UNION SELECT source FROM documents WHERE uri LIKE '%/shared/%')",
            (session_id,),
        ).fetchall()
    packed = [data for (data,) in rows if isinstance(data, bytes)]
    assert packed
    return [*(word.encode() for word in WORDS), *(data[len(data) // 2 :][:24] for data in packed)]


async def test_of_an_erased_session_no_word_is_left_in_the_home(q: Quaestor, home: Path, tmp_path: Path) -> None:
    sessions = await filled(q, tmp_path)
    (home / "logs").mkdir()
    (home / "logs" / f"{sessions.secret}.log").write_text("Xanthippe")
    OriginalFiles(home, sessions.secret).keep("0" * 64, b"Xanthippe")
    OriginalFiles(home, sessions.public).keep("0" * 64, b"Aldmouth")
    still_open = OriginalFiles(home, sessions.secret).path("0" * 64).open("rb")
    head = (await q.store.session(sessions.secret)).events
    needles = traces(home, sessions.secret)
    assert set(found_in(home, needles)) == set(needles)
    await erase(q, [sessions.secret])
    assert found_in(home, needles) == []
    assert _inside(home / "originals") == [home / "originals" / sessions.public]
    with still_open:
        assert still_open.read() == bytes(9), "its blocks hold nothing of it either"
    with pytest.raises(UnknownSession, match="was erased on"):
        await q.events(sessions.secret)
    grave = (await verify_session(q, sessions.secret)).erased
    assert grave is not None
    assert grave.events == head
    assert [each.id for each in await q.sessions()] == [sessions.public]


async def test_the_workspace_of_a_task_goes_with_the_last_session_that_worked_in_it(tmp_path: Path) -> None:
    steps = ({"goal": "It is there.", "plan": {"Write": ["Write"]}}, {"say": "I write.", "write_file": LOCKED})
    async with opened(tmp_path / "home", model=playbook(tmp_path, *steps)) as q:
        work = Work(tmp_path / "home", await q.start_task("Write."), ObedientSandbox(lambda *_: said("")))
    await work.run()
    [folder] = _inside(tmp_path / "home" / "workspaces")
    (folder / "locked").chmod(0o500)
    (folder / "link").symlink_to(tmp_path)
    async with open_home(tmp_path / "home") as q:
        forked = await q.fork(work.session_id, 2)
        await erase(q, [work.session_id])
        assert _inside(tmp_path / "home" / "workspaces") == [folder]
        await erase(q, [forked])
    assert _inside(tmp_path / "home" / "workspaces") == []
    assert tmp_path in _inside(tmp_path.parent)


async def test_what_another_session_uses_stays(q: Quaestor, tmp_path: Path) -> None:
    sessions = await filled(q, tmp_path)
    report = await q.render_report(sessions.public, "md")
    cited = (await q.report(sessions.public)).sources  # type: ignore[union-attr]
    await erase(q, [sessions.secret])
    assert (await verify_session(q, sessions.public)).faults == ()
    assert await q.render_report(sessions.public, "md") == report
    assert await q.library.text(cited[0].sha256)
    again = await q.start(PUBLIC, await q.index([tmp_path / "shared"]))
    assert (await q.run(again)).outcome == "done"


async def test_the_corpus_of_two_sessions_stays_until_both_are_erased(q: Quaestor, home: Path, tmp_path: Path) -> None:
    sessions = await filled(q, tmp_path)
    other = await q.start("Who was Xanthippe Quillon of Aldmouth?", await q.index([tmp_path / "ward-seven"]))
    needles = [b"ward-seven"]
    await erase(q, [sessions.secret])
    assert found_in(home, needles) == needles
    assert (await q.run(other)).status == "finished"
    await erase(q, [other])
    assert found_in(home, needles) == []


async def test_the_terms_of_a_document_that_left_a_shared_corpus_go_with_its_last_session(
    q: Quaestor, home: Path, tmp_path: Path
) -> None:
    sessions = await filled(q, tmp_path)
    other = await q.start("Who paid for the bell?", await q.index([tmp_path / "ward-seven"]))
    (tmp_path / "ward-seven" / "lamp.md").unlink()
    await q.run(other)
    await q.index([tmp_path / "ward-seven"])
    await erase(q, [sessions.secret, other])
    assert found_in(home, [b"Quillon", b"quillon"]) == []


async def test_a_forked_session_keeps_what_it_has_of_its_origin(q: Quaestor, tmp_path: Path) -> None:
    sessions = await filled(q, tmp_path)
    forked = await q.fork(sessions.secret, (await q.session(sessions.secret)).events - 1)
    await erase(q, [sessions.secret])
    assert (await verify_session(q, forked)).faults == ()


async def test_a_session_that_a_process_holds_is_refused_and_none_is_erased(q: Quaestor, tmp_path: Path) -> None:
    sessions = await filled(q, tmp_path)
    lease = await acquire_lease(
        q.store, q.clock, sessions.public, owner=current_process(), ttl=timedelta(60), alive=lambda _: True
    )
    with pytest.raises(LeaseUnavailable):
        await erase(q, sessions)
    assert len(await q.sessions()) == 2
    assert await find_idle(q, timedelta(0)) == [await q.session(sessions.secret)]
    await q.store.release_lease(lease)
    await erase(q, sessions)
    assert await q.sessions() == []


async def test_sessions_are_found_by_the_time_of_their_last_event(q: Quaestor, tmp_path: Path) -> None:
    sessions = await filled(q, tmp_path)
    assert await find_idle(q, timedelta(hours=1)) == []
    assert [each.id for each in await find_idle(q, timedelta(0))] == list(sessions)


def test_an_erasure_that_is_killed_is_not_begun_or_ends_at_the_next_opening(home: Path, tmp_path: Path) -> None:
    async def fill() -> Sessions:
        async with open_home(home, effort="low") as q:
            return await filled(q, tmp_path)

    async def erase_and_die(copy: Path, commit: int) -> None:
        def count_commits(connection: apsw.Connection) -> None:
            connection.set_commit_hook(lambda: bool(next(commits) == commit and die()))

        commits = itertools.count()
        async with open_home(copy) as q:
            apsw.connection_hooks.append(count_commits)
            count_commits(q.store._database._connection)  # type: ignore[attr-defined]
            await erase(q, [sessions.secret])

    async def left(copy: Path) -> list[str]:
        async with open_home(copy) as q:
            assert (await verify_session(q, sessions.public)).faults == ()
            return [each.id for each in await q.sessions()]

    sessions = asyncio.run(fill())
    needles = traces(home, sessions.secret)
    ends: list[bool] = []
    for commit in range(60):
        copy = Path(shutil.copytree(home, tmp_path / f"home-{commit}"))
        if ended(fork(partial(erase_and_die, copy, commit))) == 0:
            break
        ends.append(sessions.secret in asyncio.run(left(copy)))
        assert found_in(copy, needles) == (needles if ends[-1] else [])
    assert ends[0]
    assert ends.count(False) > 5


@pytest.mark.parametrize("body", ["[" * 50_000, "{x"])
async def test_an_event_beyond_reading_is_erased_and_the_home_opens(home: Path, tmp_path: Path, body: str) -> None:
    async with open_home(home, effort="low") as q:
        secret = (await filled(q, tmp_path)).secret
    with closing(apsw.Connection(str(home / DATABASE_FILE))) as database:
        database.execute("UPDATE events SET body = ?, blob = NULL WHERE seq = 7 AND session_id = ?", (body, secret))
    async with open_home(home) as q:
        await erase(q, [secret])
    async with open_home(home) as q:
        assert secret not in {session.id for session in await q.sessions()}
    with closing(apsw.Connection(str(home / DATABASE_FILE))) as database:
        assert not database.execute("SELECT 1 FROM events WHERE session_id = ?", (secret,)).fetchall()
