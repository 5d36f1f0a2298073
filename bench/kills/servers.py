"""A server that streams a session: who follows it misses and repeats nothing, and the report is the same."""

import asyncio
import random
import shutil
import signal
import socket
import time
from pathlib import Path

import httpx2
import pytest
import yaml
from bench.kills.killing import Found, Witness

from app.test_chaos import normalized
from crash.conftest import Home
from faces.server.served import NO_TLS, Streamed
from faces.server.test_process import begin, follow, serving
from fakes.papers import write_papers
from quaestor.app import open_home
from quaestor.app.network.access import add_token
from quaestor.contracts.event import Event

LONGEST = 0.4
MOST = 5
SCRIPT = {role: [{"latency": 0.1, "times": 99}] for role in ("clarifier", "planner", "reader")}


class Servers:
    """A session in a home of its own for every trial, over the documents of one that nobody disturbed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        write_papers(folder)
        self._script = folder / "slow.yaml"
        self._script.write_text(yaml.safe_dump(SCRIPT), encoding="utf-8")
        self._home = folder / "home"
        self._report, _ = self._run(random.Random(0), 0)  # noqa: S311 -- no secret

    def __call__(self, folder: Path, chance: random.Random) -> Found:
        del folder  # a server reads documents beside its home alone
        report, found = self._run(chance, chance.randint(1, MOST))
        return found if report == self._report else found + Found(different=1)

    def _run(self, chance: random.Random, kills: int) -> tuple[str, Found]:
        """Carry a session out on a server that is killed so often; return its report and what was counted."""
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("QUAESTOR_EFFORT", "low")
            environment.setenv("QUAESTOR_MODEL", f"script:{self._script}")
            try:
                return _served(self._home, chance, kills)
            finally:
                shutil.rmtree(self._home, ignore_errors=True)


def _served(home: Path, chance: random.Random, kills: int) -> tuple[str, Found]:
    port = _free_port()
    headers = {"Authorization": f"Bearer {asyncio.run(_token(home))}"}
    address = f"http://127.0.0.1:{port}"
    with httpx2.Client(base_url=address, headers=headers, trust_env=False, verify=NO_TLS, timeout=200) as client:
        seen: list[Streamed] = []
        session_id, witness = "", Witness(())
        for _ in range(kills):
            with serving(home, port) as process:
                session_id = session_id or begin(client)
                follow(client, session_id, seen, enough=len(seen) + chance.randint(1, 12))
                time.sleep(chance.uniform(0, LONGEST))
                process.send_signal(signal.SIGKILL)
                process.wait()
            witness.look(Home(home, session_id).events())
            if seen[-1].event == "finished":
                break
        with serving(home, port):
            session_id = session_id or begin(client)
            follow(client, session_id, seen)
            whole: list[Streamed] = []
            follow(client, session_id, whole)
            faults = client.get(f"/api/v1/sessions/{session_id}/verify").json()["faults"]
    events, report = asyncio.run(_read(home, session_id))
    return report, witness.count(events, is_same=seen == whole and not faults)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number: int = listener.getsockname()[1]
        return number


async def _token(home: Path) -> str:
    async with open_home(home) as q:
        return (await add_token(q, "bench", "admin")).secret


async def _read(home: Path, session_id: str) -> tuple[list[Event], str]:
    async with open_home(home) as q:
        return list(await q.events(session_id)), normalized(await q.report(session_id))
