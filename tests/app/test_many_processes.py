"""Many processes at once in one home: all end well, and what they share is done once."""

import asyncio
import os
from functools import partial
from pathlib import Path

import apsw
import pytest

import quaestor
from fakes.children import ended, fork
from fakes.papers import write_papers
from quaestor.app import DATABASE_FILE

TOPICS = ("lighthouse", "fog bell", "leading lights", "harbour guild", "light dues")


def together(home: Path, docs: Path, count: int) -> list[int]:
    """Let so many processes research a question each at the same time; return their exit codes."""

    def question(number: int) -> str:
        return f"What is known of the {TOPICS[number % len(TOPICS)]}, in {1800 + number}?"

    async def research(number: int) -> None:
        async with quaestor.open(home, effort="low", questions=False) as q:
            session = await q.start(question(number), await q.index([docs]))
            assert (await q.run(session)).status == "finished"

    return [ended(pid) for pid in [fork(partial(research, number)) for number in range(count)]]


@pytest.mark.parametrize("count", [5, pytest.param(50, marks=pytest.mark.soak)], ids=["five", "fifty"])
@pytest.mark.parametrize("fresh", [True, False], ids=["fresh", "indexed"])
def test_all_end_well_and_the_corpus_is_indexed_once(tmp_path: Path, count: int, *, fresh: bool) -> None:
    home, docs = tmp_path / "home", write_papers(tmp_path)
    if not fresh:
        assert together(home, docs, 1) == [0]
    assert together(home, docs, count) == [0] * count
    database = apsw.Connection(str(home / DATABASE_FILE), flags=apsw.SQLITE_OPEN_READONLY)
    assert database.execute("SELECT generation FROM corpora").fetchall() == [(1,)], (
        "indexed by one batch of one process"
    )
    sessions = database.execute("SELECT count(*) FROM sessions WHERE outcome IS NOT NULL").fetchall()
    assert sessions == [(count if fresh else count + 1,)]
    database.close()


@pytest.mark.parametrize("seconds", [0.5, pytest.param(12, marks=pytest.mark.soak)])
def test_a_lock_that_another_program_holds_for_seconds_ends_no_run(tmp_path: Path, seconds: float) -> None:
    home, docs = tmp_path / "home", write_papers(tmp_path)
    assert together(home, docs, 1) == [0]
    ours, theirs = os.pipe()

    async def lock() -> None:
        database = apsw.Connection(str(home / DATABASE_FILE))
        database.execute("BEGIN IMMEDIATE")
        os.write(theirs, b"locked")
        await asyncio.sleep(seconds)
        database.execute("ROLLBACK")

    pid = fork(lock)
    os.read(ours, 6)
    assert together(home, docs, 2) == [0, 0]
    assert ended(pid) == 0
    os.close(ours)
    os.close(theirs)
