"""Homes that are served: one with long logs and many sessions, and one that is empty."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from quaestor.app import Quaestor, open_home
from quaestor.app.network.access import add_token
from quaestor.contracts.event import ErrorRecorded, Event
from quaestor.contracts.session import LogStatus, SessionQuery
from quaestor.runtime.reader_snapshots import ReaderSnapshots
from quaestor.runtime.registry import get_plugin
from quaestor.runtime.system import current_process

LISTED = 200
"""Sessions beside the long ones."""
QUESTION = "When was the Aldmouth lighthouse built, and by whom, in the words of {number}?"
MANDATE = Path(__file__).parents[2] / "examples" / "trend.toml"
"""Decided about in 300 cycles."""
_BATCH = 5_000


class Home(NamedTuple):
    """What is in a home: a session with a plan and a long log, and one of decisions."""

    token: str
    research: str
    decisions: str


async def add_admin(home: Path) -> str:
    """Return a token of a home."""
    async with open_home(home) as q:
        return (await add_token(q, "bench", "admin")).secret


async def prepare(home: Path, docs: Path, events: int) -> Home:
    """Fill a home; the log of its research session has so many events."""
    async with open_home(home, effort="low", questions=False, review_plan=True) as q:
        corpus = await q.index([docs])
        research = await q.start(QUESTION.format(number=0), corpus)
        await q.run(research)  # until its plan is to be confirmed
        await _lengthen(q, research, events)
        await q.summarize(research)
        for number in range(1, LISTED + 1):
            await q.start(QUESTION.format(number=f"other {number}"), corpus)
    backtest = (Path(sys.executable).with_name("quaestor"), "backtest", "--mandate", MANDATE, "--home", home)
    await asyncio.to_thread(subprocess.run, backtest, check=True, capture_output=True)
    async with open_home(home) as q:
        [decisions] = await q.select_sessions(SessionQuery(workflow="decision"))
    return Home(await add_admin(home), research, decisions.id)


async def _lengthen(q: Quaestor, session_id: str, events: int) -> None:
    """Append events that change nothing, until there are so many; keep what a run keeps for readers."""
    at, written = q.clock.now(), (await q.session(session_id)).events
    known = await q.store.lease(session_id)
    lease = await q.store.take_lease(
        session_id, current_process(), known.epoch if known else 0, at + timedelta(hours=1)
    )
    assert lease
    for first in range(written + 1, events + 1, _BATCH):
        numbers = range(first, min(first + _BATCH, events + 1))
        payloads: Sequence[Event] = [
            Event(
                session_id=session_id,
                seq=seq,
                cycle=1,
                at=at,
                state="REVIEWING_PLAN",
                payload=ErrorRecorded(message=f"nothing {seq}"),
            )
            for seq in numbers
        ]
        await q.store.append(lease, payloads, status=LogStatus(state="waiting", progress="0/1"))
    await q.store.release_lease(lease)
    kept = ReaderSnapshots(session_id, get_plugin("research"), q.store, q.snapshots, q.reader_folds)
    await kept.keep(events)
