"""A home in one file: written while a session runs, and put back into an empty home."""

import asyncio
import io
import os
import tarfile
from pathlib import Path

import pytest

import quaestor
from fakes.backups import backup_with
from fakes.papers import QUESTION, write_papers
from fakes.sandboxes import ObedientSandbox, said
from fakes.workshops import Work, opened, playbook
from quaestor.app import open_home
from quaestor.app.copies.backup import back_up, restore
from quaestor.app.copies.store_copy import copy_store
from quaestor.app.verification import verify_session
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.storage.originals import OriginalFiles

STEPS = (
    {"goal": "It is counted.", "plan": {"Count": ["Count"]}},
    {"say": "I write.", "write_file": {"path": "notes/a.txt", "content": "one two"}},
    {"say": "Done.", "phases": {"Phase 1": "complete"}, "done": "Counted."},
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "backup.tar"


async def test_a_backup_is_taken_while_a_session_runs_and_goes_on_elsewhere(tmp_path: Path, file: Path) -> None:
    docs = write_papers(tmp_path)
    slow = tmp_path / "slow.yaml"
    slow.write_text("planner:\n  - {latency: 3}\n", encoding="utf-8")
    async with quaestor.open(tmp_path / "home", effort="low", model=f"script:{slow}") as q:
        session_id = await q.start(QUESTION, await q.index([docs]))
        running = asyncio.create_task(q.run(session_id))
        async for event in q.follow(session_id):
            if event.seq == 5:
                break
        written = await back_up(q, file)
        assert not running.done()
        assert (written.sessions, written.faults) == (1, ())
        assert (await running).outcome == "done"
        report = await q.render_report(session_id, "md")
    assert _mode(file) == 0o600
    assert (await restore(tmp_path / "other", file)).faults == ()
    async with open_home(tmp_path / "other", effort="low") as q:
        copied = await q.session(session_id)
        assert copied.outcome is None
        assert copied.events >= 5
        assert await q.holder(session_id) is None
        assert (await q.run(session_id)).outcome == "done"
        assert (await verify_session(q, session_id)).faults == ()
        assert (await q.render_report(session_id, "md") or "").split("##")[:2] == (report or "").split("##")[:2]
    assert [path.name for path in _inside(tmp_path) if path.name.startswith(".")] == []


async def test_workspaces_are_in_it_and_links_are_not(tmp_path: Path, file: Path) -> None:
    async with opened(tmp_path / "home", model=playbook(tmp_path, *STEPS)) as q:
        work = Work(tmp_path / "home", await q.start_task("Count."), ObedientSandbox(lambda *_: said("")))
    await work.run()
    [place] = _inside(tmp_path / "home" / "workspaces")
    (place / "outside").symlink_to("/etc/passwd")
    os.mkfifo(place / "pipe")
    (place / "run.sh").write_text("true")
    (place / "run.sh").chmod(0o755)
    async with open_home(tmp_path / "home") as q:
        written = await back_up(q, file)
    assert set(written.left_out) == {str(place / "outside"), str(place / "pipe")}
    await restore(tmp_path / "other", file)
    copy = tmp_path / "other" / "workspaces" / place.name
    assert (copy / "notes" / "a.txt").read_text() == "one two"
    assert _mode(copy / "run.sh") == 0o700
    assert not (copy / "outside").is_symlink()


async def test_originals_of_fetched_files_are_in_it_and_in_a_copy_of_the_home(tmp_path: Path, file: Path) -> None:
    home, text = tmp_path / "home", "1" * 64
    async with open_home(home, effort="low") as q:
        session_id = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        OriginalFiles(home, session_id).keep(text, b"%PDF")
        await back_up(q, file)
    await restore(tmp_path / "restored", file)
    await copy_store(str(home), str(tmp_path / "copied"))
    for place in ("restored", "copied"):
        kept = OriginalFiles(tmp_path / place, session_id).path(text)
        assert (kept.read_bytes(), _mode(kept), _mode(kept.parent)) == (b"%PDF", 0o600, 0o700)


async def test_a_home_with_sessions_is_not_restored_into(tmp_path: Path, file: Path) -> None:
    async with quaestor.open(tmp_path / "home", effort="low") as q:
        session_id = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        await back_up(q, file)
        with pytest.raises(UsageError, match="has sessions"):
            await restore(tmp_path / "home", file)
        assert [each.id for each in await q.sessions()] == [session_id]


async def test_a_changed_backup_is_refused_and_nothing_restored(tmp_path: Path) -> None:
    file = await backup_with(tmp_path, lambda database: database.execute("UPDATE events SET state = 'DONE'"))
    assert "event 1 was changed" in (await restore(tmp_path / "other", file)).faults[0]
    async with open_home(tmp_path / "other") as q:
        assert await q.sessions() == []


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "/etc/x",
        "workspaces/../../x",
        "workspaces",
        "originals",
        "originals/../x",
        "x",
        "workspaces/../quaestor.db",
    ],
)
async def test_an_archive_with_anything_else_is_refused(tmp_path: Path, file: Path, name: str) -> None:
    with tarfile.open(file, "w") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = 4
        archive.addfile(entry, io.BytesIO(b"evil"))
    with pytest.raises(UsageError, match="no backup"):
        await restore(tmp_path / "home", file)
    assert [path.name for path in _inside(tmp_path)] == ["backup.tar", "home"]
    _damage(file)
    with pytest.raises(UsageError, match="cannot be read"):
        await restore(tmp_path / "home", file)


async def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    async with open_home(tmp_path / "home") as q:
        for place in (tmp_path / "none" / "b.tar", tmp_path):
            with pytest.raises(SetupError, match="cannot be written"):
                await back_up(q, place)


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def _damage(file: Path) -> None:
    file.write_text("no tar")
