"""The workers of a store at a terminal: who runs, what waits, and how a machine is emptied."""

import asyncio
import json
from datetime import datetime
from pathlib import Path

from faces.cli.conftest import Ended, Quaestor
from quaestor.app import open_home
from quaestor.contracts.workers import WorkerRecord
from quaestor.runtime.system import current_process


async def report(home: Path, places: int) -> str:
    """Report this process as a worker; return its name."""
    async with open_home(home) as q:
        owner, now = current_process(), q.clock.now()
        await q.workers.report_worker(WorkerRecord(owner=owner, places=places, since=now, seen_at=now))
        return str(owner)


async def drains(home: Path) -> list[bool]:
    async with open_home(home) as q:
        return [each.drains for each in await q.workers.workers()]


def test_a_machine_is_emptied_and_its_workers_are_listed(quaestor: Quaestor, home: Path) -> None:
    assert quaestor("drain").err == "0 workers drained\n"
    name = asyncio.run(report(home, 8))
    header, row = quaestor("workers").out.splitlines()
    assert header.split()[:3] == ["PROCESS", "STATE", "SESSIONS"]
    assert row.startswith(name)
    assert "running" in row
    assert "0/8" in row
    unknown = quaestor("drain", "--process", "process 1 on rome")
    assert (unknown.code, name in unknown.err) == (2, True)
    assert quaestor("drain", "--no-wait").out == f"{name}\n"
    assert asyncio.run(drains(home)) == [True]
    listed = json.loads(quaestor("workers", "--json").out)
    assert [(each["process"], each["state"]) for each in listed["carriers"]] == [(name, "draining")]
    assert listed["waiting"] == 0


def test_a_session_is_paused_until_a_time_of_this_machine(quaestor: Quaestor, finished: Ended, home: Path) -> None:
    session = quaestor("fork", finished.session, "--at", "9").out.strip()
    assert quaestor("pause", session, "--until", "2099-01-02T03:04").code == 0

    async def due() -> datetime | None:
        async with open_home(home) as q:
            status = (await q.session(session)).status
            assert status
            return status.due_at

    assert asyncio.run(due()) == datetime(2099, 1, 2, 3, 4).astimezone()


def test_the_priority_of_a_session_moves_it_in_the_queue(quaestor: Quaestor, docs: Path, home: Path) -> None:
    first = quaestor("research", "Who kept the lighthouse?", "--docs", docs, "--priority", "3")

    async def advance() -> float:
        async with open_home(home) as q:
            session = await q.session(first.session)
            assert session.queued_at
            return (session.created_at - session.queued_at).total_seconds()

    assert asyncio.run(advance()) == 1_800
    assert quaestor("research", "Who kept it?", "--docs", docs, "--priority", "11").code == 2
