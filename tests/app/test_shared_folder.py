"""Machines with homes of their own, one Postgres and one shared folder: any of them goes on with a task and uploads."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.test_tasks import STEPS, TEXT
from fakes.children import ended, fork, until
from fakes.pdf import pdf
from fakes.png import marked_rows
from fakes.postgres import Postgres
from fakes.sandboxes import ObedientSandbox, said
from fakes.site import Site, page
from fakes.sittings import LIGHTHOUSE
from fakes.workshops import Work, opened, playbook
from quaestor.app import open_home
from quaestor.app.erasure import erase
from quaestor.app.network.uploads import DocumentRoots, index_collection, list_uploads, store_upload
from quaestor.app.reports.sources import draw_source_page
from quaestor.app.workers.worker import SessionWorker
from quaestor.app.workers.worker_process import work
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.event import ToolInterrupted, ToolRequested
from quaestor.contracts.workspace import MANAGED_FILES
from quaestor.runtime.shared_folder import MARK_FILE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


@pytest.fixture
def shared(postgres: Postgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder that the machines of a store share."""
    monkeypatch.setenv("QUAESTOR_STORE", postgres.home())
    monkeypatch.setenv("QUAESTOR_LEASE_SECONDS", "1")
    monkeypatch.setenv("QUAESTOR_SHARED_FOLDER", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir(mode=0o700)
    (tmp_path / "shared" / MARK_FILE).touch()
    return tmp_path / "shared"


def unmount(folder: Path) -> None:
    """Put an empty folder in the place of one, as it is seen where a mount was."""
    folder.rename(folder.with_name("unmounted"))
    folder.mkdir(mode=0o700)


def mount(folder: Path) -> None:
    """Put a folder back that was unmounted."""
    shutil.rmtree(folder)
    folder.with_name("unmounted").rename(folder)


async def test_a_task_whose_machine_died_is_carried_to_its_end_by_another(shared: Path, tmp_path: Path) -> None:
    async with opened(tmp_path / "here", model=playbook(tmp_path, *STEPS)) as q:
        session_id = await q.start_task(TEXT)
    here = Work(tmp_path / "here", session_id, ObedientSandbox(hangs_at="wc -w a.txt"))
    there = Work(tmp_path / "there", session_id, ObedientSandbox(lambda *_: said("2 a.txt\n")))
    running = fork(here.run)
    while not any(fact.tool == "shell" for fact in await there.of(ToolRequested)):  # noqa: ASYNC110 -- of another process
        await asyncio.sleep(0.3)
    os.kill(running, signal.SIGKILL)
    assert ended(running) == -signal.SIGKILL
    result = await there.run()
    assert (result.outcome, result.statement) == ("done", "Two words.")
    assert [fact.tool for fact in await there.of(ToolInterrupted)] == ["shell"]
    [folder] = (shared / "workspaces").iterdir()
    assert (folder / "a.txt").read_text(encoding="utf-8") == "one two"
    assert {file.name for file in folder.iterdir()} == {*MANAGED_FILES, "a.txt"}
    assert not [path for home in ("here", "there") for path in (tmp_path / home).glob("workspaces/*")]
    async with opened(tmp_path / "elsewhere") as q:
        await erase(q, [session_id])
    assert not folder.exists()


@pytest.mark.usefixtures("shared")
async def test_what_was_uploaded_to_one_machine_is_read_by_another(tmp_path: Path) -> None:
    async def content() -> AsyncIterator[bytes]:
        yield b"The lighthouse of Aldmouth was built in 1849."

    async with opened(tmp_path / "here") as q:
        await store_upload(q, "coast", "lighthouse.md", content())
    async with opened(tmp_path / "there") as q:
        assert [(each.collection, each.files) for each in await list_uploads(q)] == [("coast", ("lighthouse.md",))]
        assert (await index_collection(q, "coast")).documents == 1
        [folder] = DocumentRoots().resolve(q, ["collection:coast"])
        corpus = (await q.index([folder])).corpus
    async with opened(tmp_path / "here") as q:
        [folder] = DocumentRoots().resolve(q, ["collection:coast"])
        assert (await q.index([folder])).corpus == corpus


async def test_an_upload_whose_machine_died_halfway_is_no_file_anywhere(shared: Path, tmp_path: Path) -> None:
    async def content(*, ends: bool) -> AsyncIterator[bytes]:
        yield b"The lighthouse of Aldmouth was built in 1849. " * 1_000
        if not ends:
            (tmp_path / "half").touch()
            await asyncio.sleep(3_600)

    async def upload() -> None:
        async with opened(tmp_path / "here") as q:
            await store_upload(q, "coast", "lighthouse.md", content(ends=False))

    uploading = fork(upload)
    until((tmp_path / "half").exists)
    os.kill(uploading, signal.SIGKILL)
    assert ended(uploading) == -signal.SIGKILL
    async with opened(tmp_path / "there") as q:
        assert [each.files for each in await list_uploads(q)] == [()]
        with pytest.raises(UsageError, match="nothing can be read"):
            await index_collection(q, "coast")
        await store_upload(q, "coast", "lighthouse.md", content(ends=True))
        indexed = await index_collection(q, "coast")
        assert (indexed.documents, indexed.skipped) == (1, ())
        [left] = [part for part in (shared / "uploads").rglob(".*") if part.is_file()]
        os.utime(left, (0, 0))
        await store_upload(q, "coast", "lighthouse.md", content(ends=True))
    assert not left.exists()


@pytest.mark.usefixtures("shared")
async def test_a_page_of_a_file_that_one_machine_fetched_is_drawn_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serves = {"/paper.pdf": page(pdf(["The Aldmouth lighthouse was built in 1831."]), "application/pdf")}
    async with Site(serves) as site:
        monkeypatch.setenv("QUAESTOR_FETCH_ALLOW", f"127.0.0.1:{site.port}")
        async with opened(tmp_path / "here", effort="low") as q:
            session_id = await q.start(LIGHTHOUSE, None, urls=[f"{site.url}/paper.pdf"])
            report = (await q.run(session_id)).report
    assert report
    async with opened(tmp_path / "there") as q:
        picture = await draw_source_page(q, report.sources[0].sha256, 1)
    assert picture
    assert marked_rows(picture)[2] > 0


async def test_a_folder_without_its_mark_is_refused_and_left_as_it_is(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unmount(shared)
    for where in (shared, shared / "below"):
        monkeypatch.setenv("QUAESTOR_SHARED_FOLDER", str(where))
        with pytest.raises(SetupError, match=rf"the shared folder {where} has no file .* touch {where / MARK_FILE}"):
            async with opened(tmp_path / "here"):
                pass
    assert os.listdir(shared) == []  # noqa: PTH208 -- names alone


async def test_a_worker_whose_shared_folder_goes_away_leaves_its_task_to_others(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAESTOR_LEASE_SECONDS", "600")  # it is given back, and on a slow machine not lost before
    counting = ObedientSandbox(hangs_at="wc -w a.txt")
    async with opened(tmp_path / "here", counting, model=playbook(tmp_path, *STEPS), grace_seconds=0) as q:
        session_id = await q.start_task(TEXT)
        there = Work(tmp_path / "there", session_id, ObedientSandbox(lambda *_: said("2 a.txt\n")))
        working = asyncio.create_task(work(q, 1, asyncio.Event()))
        await counting.hanging.wait()
        unmount(shared)
        with pytest.raises(SetupError, match="as where it is not mounted"):
            await working
        with pytest.raises(SetupError, match="as where it is not mounted"):
            await q.check_ready()
        with pytest.raises(SetupError, match="as where it is not mounted"):
            await list_uploads(q)
        left, worker = await q.events(session_id), SessionWorker(q, 1)
        worker.carry(session_id)
        while worker.carries(session_id):
            await worker.rested.wait()
            worker.rested.clear()
        assert await q.holder(session_id) is None
        assert await q.events(session_id) == left, "it was not begun here"
    mount(shared)
    result = await there.run()
    assert (result.outcome, result.statement) == ("done", "Two words.")
    assert sum(fact.tool == "shell" for fact in await there.of(ToolRequested)) == 1


@pytest.mark.parametrize("place", ["", ".", "shared"])
async def test_a_shared_folder_that_depends_on_the_current_one_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(UsageError, match=r"shared_folder = .* from the options: .*no absolute path"):
        async with open_home(tmp_path / "home", shared_folder=place):
            pass


async def test_a_workspace_that_holds_the_shared_folder_is_refused(shared: Path, tmp_path: Path) -> None:
    own = tmp_path.parent / f"{tmp_path.name}-home"
    with pytest.raises(UsageError, match=f"holds the shared folder {shared}"):
        async with opened(own, model=playbook(tmp_path, *STEPS), workspace=str(tmp_path)) as q:
            await q.start_task(TEXT)
