"""A rolling upgrade: workers of an older and of this release side by side on one store in Postgres.

The older program is this one without a step of the schema that it does without, or that of the source tree which
OLDER_SOURCE names, as `git worktree add` makes one of an earlier commit.
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import psycopg
import pytest
import yaml

from fakes.children import check_kept, until
from fakes.papers import write_papers
from fakes.postgres import Postgres
from fakes.sittings import BELL, GUILD, LIGHTHOUSE
from quaestor.app import open_home
from quaestor.app.verification import verify_session
from quaestor.contracts.event import Event

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform == "win32", reason="Postgres is tested on systems with sockets of their own"),
]

LEFT_OUT = "0011_limits"
NEW = "from quaestor.faces.cli.main import main; main()"
OLD = f"""
from functools import partial
from quaestor.storage.postgres import store, migrations
steps = [step for step in migrations.MIGRATIONS if step[0] != '{LEFT_OUT}']
store.migrate = partial(migrations.migrate, migrations=steps)
{NEW}
"""
QUESTIONS = (LIGHTHOUSE, BELL, GUILD)
Release = Literal["old", "new"]


class Fleet:
    """Machines with homes of their own and one store, and the sessions that they carry."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        self._url = url
        self.home = folder / "desk"

    def command(self, release: Release, *words: str) -> subprocess.Popen[str]:
        """Start a program of a release on a machine of its own."""
        source = os.environ.get("OLDER_SOURCE") if release == "old" else None
        environment = {**os.environ, "QUAESTOR_HOME": str(self._folder / release)}
        code = OLD if release == "old" and not source else NEW
        if source:
            environment["PYTHONPATH"] = source
        program = (sys.executable, "-c", code, *words)
        return subprocess.Popen(program, env=environment, stderr=subprocess.PIPE, text=True)

    @contextmanager
    def worker(self, release: Release) -> Iterator[subprocess.Popen[str]]:
        """Run a worker for one session at a time."""
        with self.command(release, "worker", "--sessions", "1") as process:
            try:
                yield process
            finally:
                process.kill()

    def steps(self) -> Sequence[str]:
        """Return the steps that the schema has had."""
        with psycopg.connect(self._url) as connection:
            if connection.execute("SELECT to_regclass('migrations')").fetchone() == (None,):
                return ()
            return [name for (name,) in connection.execute("SELECT name FROM migrations ORDER BY name").fetchall()]

    async def begin(self) -> Sequence[str]:
        """Begin sessions, with the new program."""
        async with open_home(self.home) as q:
            corpus = await q.index([write_papers(self._folder)])
            return [await q.start(question, corpus) for question in QUESTIONS]

    async def holders(self) -> frozenset[int]:
        """Return the processes that carry sessions."""
        async with open_home(self.home) as q:
            return frozenset(lease.owner.pid for lease in await q.store.held_leases())

    async def logs(self, sessions: Sequence[str]) -> Mapping[str, Sequence[Event]]:
        async with open_home(self.home) as q:
            return {name: await q.events(name) for name in sessions}

    async def are_finished(self, sessions: Sequence[str]) -> bool:
        async with open_home(self.home) as q:
            return all([(await q.session(name)).outcome for name in sessions])

    async def faults(self, sessions: Sequence[str]) -> Sequence[str]:
        async with open_home(self.home) as q:
            return [fault for name in sessions for fault in (await verify_session(q, name)).faults]


@pytest.fixture
def fleet(postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fleet:
    url = postgres.schema(f"upgrade_{tmp_path.name}")
    script = tmp_path / "slow.yaml"
    slow = {"planner": [{"latency": 4}], "reader": [{"latency": 2, "times": 9}]}
    script.write_text(yaml.safe_dump(slow), encoding="utf-8")
    for name, value in {"STORE": url, "EFFORT": "low", "MODEL": f"script:{script}", "LEASE_SECONDS": "3"}.items():
        monkeypatch.setenv(f"QUAESTOR_{name}", value)
    return Fleet(tmp_path, url)


@pytest.mark.parametrize("dying", ["old", "new"])
def test_sessions_move_between_workers_of_two_releases_without_loss(fleet: Fleet, dying: Release) -> None:
    with fleet.worker("old") as old:
        until(fleet.steps)
        assert LEFT_OUT not in fleet.steps()
        with fleet.worker("new") as new:
            until(lambda: LEFT_OUT in fleet.steps())
            sessions = asyncio.run(fleet.begin())
            until(lambda: {old.pid, new.pid} <= asyncio.run(fleet.holders()))
            acknowledged = asyncio.run(fleet.logs(sessions))
            (old if dying == "old" else new).send_signal(signal.SIGKILL)
            until(lambda: asyncio.run(fleet.are_finished(sessions)))
    final = asyncio.run(fleet.logs(sessions))
    for name in sessions:
        check_kept(acknowledged[name], final[name], kills=1)
        assert getattr(final[name][-1].payload, "outcome", None) == "done"
    assert asyncio.run(fleet.faults(sessions)) == []


def test_an_older_program_that_starts_after_the_migration_is_refused(fleet: Fleet) -> None:
    asyncio.run(fleet.begin())
    with fleet.worker("old") as refused:
        _, said = refused.communicate(timeout=600)
    assert refused.returncode == 3
    [step] = re.findall(r"\(step (\w+)\), which is newer than this", said)
    assert step in fleet.steps()
    assert step == LEFT_OUT or ("OLDER_SOURCE" in os.environ and step > LEFT_OUT)
    assert "install quaestor>=" in said
