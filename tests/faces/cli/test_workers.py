"""The workers of a store at a terminal: who runs, what waits, and how a machine is emptied."""

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path

from faces.cli.conftest import Quaestor
from quaestor.app import open_home
from quaestor.contracts.session import Session
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


def test_a_session_has_a_priority_and_is_paused_until_a_time_of_this_machine(
    quaestor: Quaestor, docs: Path, home: Path
) -> None:
    asked = quaestor("research", "Who kept the lighthouse?", "--docs", docs, "--priority", "3")
    forked = quaestor("fork", asked.session, "--at", "9").out.strip()
    assert quaestor("pause", forked, "--until", "2099-01-02T03:04").code == 0

    async def read(session_id: str) -> Session:
        async with open_home(home) as q:
            return await q.session(session_id)

    for name in (asked.session, forked):
        session = asyncio.run(read(name))
        assert session.queued_at
        assert session.created_at - session.queued_at == timedelta(minutes=30)
    paused = asyncio.run(read(forked)).status
    assert paused
    assert paused.due_at == datetime(2099, 1, 2, 3, 4).astimezone()
    assert quaestor("research", "Who kept it?", "--docs", docs, "--priority", "11").code == 2
