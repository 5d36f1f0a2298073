"""Several processes that begin the same work in one home at the same moment."""

import asyncio
import os
from pathlib import Path

import quaestor
from fakes.children import ended, fork, until
from fakes.papers import QUESTION, write_papers

PROCESSES = 10


def test_ten_processes_that_ask_the_same_question_at_once_make_one_session(tmp_path: Path) -> None:
    home, docs = tmp_path / "home", write_papers(tmp_path)

    async def index() -> None:
        async with quaestor.open(home) as q:
            await q.index([docs])

    async def begin() -> None:
        async with quaestor.open(home) as q:
            corpus = await q.index([docs])
            (tmp_path / f"ready-{os.getpid()}").touch()
            until((tmp_path / "go").exists)
            (tmp_path / f"began-{os.getpid()}").write_text(await q.start(QUESTION, corpus))

    asyncio.run(index())
    children = [fork(begin) for _ in range(PROCESSES)]
    until(lambda: len(list(tmp_path.glob("ready-*"))) == PROCESSES)
    (tmp_path / "go").touch()
    assert [ended(child) for child in children] == [0] * PROCESSES
    assert len({file.read_text() for file in tmp_path.glob("began-*")}) == 1
