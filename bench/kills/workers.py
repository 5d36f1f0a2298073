"""Workers of one Postgres store: three of them carry eight sessions, and one after the other is killed."""

import asyncio
import random
import time
from pathlib import Path

import psycopg
import pytest
from bench.kills.killing import Found

from app.test_chaos import LEASE_SECONDS, Fleet, normalized, start_sessions
from fakes.children import repeated
from fakes.postgres import Postgres, _server
from quaestor.app import open_home
from quaestor.app.verification import verify_session
from quaestor.contracts.event import Resumed

WORKERS = 3
SESSIONS = 8
MOST = 25


class Workers:
    """A fleet of sessions of its own for every trial, in one store that is emptied."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        server = _server()
        if not isinstance(server, Postgres):
            raise SystemExit(server)
        self._server, self._folder = server, folder
        self._report = asyncio.run(_undisturbed(folder))

    def __call__(self, folder: Path, chance: random.Random) -> Found:
        del folder  # the documents are those of the session that nobody disturbed
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("QUAESTOR_STORE", self._server.home())
            environment.setenv("QUAESTOR_LEASE_SECONDS", str(LEASE_SECONDS))
            sessions = asyncio.run(start_sessions(self._folder, SESSIONS))
            fleet = Fleet(self._server, self._folder, sessions, self._report)
            try:
                return self._kill(fleet, chance)
            finally:
                fleet.end()

    def _kill(self, fleet: Fleet, chance: random.Random) -> Found:
        for _ in range(WORKERS):
            fleet.start()
        while fleet.kills < MOST and not fleet.is_done():
            time.sleep(chance.uniform(0, 0.6))
            fleet.kill(chance.choice(fleet.workers))
            fleet.start()
        kills = fleet.kills
        fleet.wait()
        fleet.end()
        with psycopg.connect(self._server.url(), autocommit=True) as connection:
            kept = set(connection.execute("SELECT session_id, seq, hash FROM home.events").fetchall())
        found = Found(kills=kills, lost=len(fleet.acknowledged - kept))
        return found + asyncio.run(_compare(fleet))


async def _compare(fleet: Fleet) -> Found:
    """Compare every session with the one that nobody disturbed."""
    found = Found()
    async with open_home(fleet.folder / "begun") as q:
        for name in fleet.sessions:
            log = await q.events(name)
            again = repeated(log, sum(isinstance(each.payload, Resumed) for each in log))
            faults = (await verify_session(q, name)).faults
            is_same = not faults and normalized(await q.report(name)) == fleet.undisturbed
            found += Found(repeated=len(again), different=0 if is_same else 1)
    return found


async def _undisturbed(folder: Path) -> str:
    [alone] = await start_sessions(folder, 1)
    async with open_home(folder / "begun") as q:
        await q.run(alone)
        return normalized(await q.report(alone))
