"""Machines with homes of their own, one Postgres and one shared folder: any of them goes on with a task and uploads."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.test_tasks import STEPS, TEXT
from fakes.children import ended, fork
from fakes.postgres import Postgres
from fakes.sandboxes import ObedientSandbox, said
from fakes.workshops import Work, opened, playbook
from quaestor.app import open_home
from quaestor.app.erasure import erase
from quaestor.app.uploads import DocumentRoots, index_collection, list_uploads, store_upload
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import ToolInterrupted, ToolRequested
from quaestor.contracts.workspace import MANAGED_FILES

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


@pytest.fixture
def shared(postgres: Postgres, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder that the machines of a store share."""
    monkeypatch.setenv("QUAESTOR_STORE", postgres.home())
    monkeypatch.setenv("QUAESTOR_LEASE_SECONDS", "1")
    monkeypatch.setenv("QUAESTOR_SHARED_FOLDER", str(tmp_path / "shared"))
    return tmp_path / "shared"


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
