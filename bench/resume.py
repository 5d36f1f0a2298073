"""What it takes to resume a long session, with its snapshot and without, and what an append costs in it.

    python bench/resume.py [EVENTS]

The log is a backtest's: the events of one real cycle, written again and again under the numbers of later ones. A run
that resumes loads the session, signs its head and pauses, as it is asked to stop at once. Each is a process of its own.
"""

import asyncio
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fakes.desks import folder as desk_folder  # noqa: E402 -- the shipped fakes are not installed
from quaestor.app import open_home  # noqa: E402
from quaestor.contracts.codec import serialize_payload  # noqa: E402
from quaestor.contracts.event import Event, UnknownPayload  # noqa: E402
from quaestor.kernel.lease import acquire_lease  # noqa: E402
from quaestor.runtime.system import current_process, is_alive  # noqa: E402
from quaestor.storage.sqlite import SqliteStore  # noqa: E402
from quaestor.trading import sessions  # noqa: E402
from quaestor.trading.mandate_file import read_mandate  # noqa: E402

EVENTS = 100_000
BATCH = 1_000
SECONDS, MEGABYTES, GROWTH = 10.0, 300.0, 1.5
"""The bounds of a run that resumes a million events, and of an append at their end against one at their beginning."""


def renumbered(cycle: Sequence[Event], first: Event, count: int) -> Iterator[Event]:
    """Yield the events of one cycle again and again, behind the first one, as those of later cycles."""
    stored = [(event, *serialize_payload(event.payload)) for event in cycle]
    own = f'"c{cycle[0].cycle}/'
    for number in range(count):
        event, kind, version, body = stored[number % len(stored)]
        now = first.cycle + number // len(stored)
        payload = UnknownPayload(type=kind, stored_version=version, body=body.replace(own, f'"c{now}/'))
        seq = first.seq + number
        yield event.revised(seq=seq, cycle=now, at=first.at + timedelta(seconds=number), payload=payload)


async def write(home: Path, count: int) -> str:
    """Write a session of so many events; print what a thousand of them cost at its beginning and its end."""
    mandate = read_mandate(desk_folder(home.parent / "desk", 4).mandate())
    async with open_home(home) as q:
        real = await sessions.start_or_resume(q, mandate, backtest=True)
        await q.run(real)
        log = await q.events(real)
        cycle = [event for event in log if event.cycle == 2]
        kept = log[: cycle[-1].seq]
        session = await q.fork(real, len(kept))
        assert isinstance(q.store, SqliteStore)
        owner = current_process()
        lease = await acquire_lease(q.store, q.clock, session, owner=owner, ttl=timedelta(hours=9), alive=is_alive)
        [forked] = await q.events(session, len(kept))
        first = forked.revised(seq=forked.seq + 1, cycle=3)
        written = renumbered([event.revised(session_id=session) for event in cycle], first, count)
        costs = []
        while batch := list(islice(written, BATCH)):
            began = time.process_time()
            await q.store.append(lease, batch)
            costs.append(1e6 * (time.process_time() - began) / len(batch))
        await q.store.release_lease(lease)
    tenth = max(1, len(costs) // 10)
    early, late = (sorted(part)[tenth // 2] for part in (costs[:tenth], costs[-tenth:]))
    print(
        f"an append  {early:.0f} us of CPU an event at the beginning, {late:.0f} at the end, {late / early:.2f} times"
    )
    return session


def resume(home: Path, session: str, figures: "multiprocessing.Queue[tuple[float, float, float]]") -> None:
    """Resume the session; put seconds, seconds of CPU and megabytes."""

    async def run() -> None:
        stop = asyncio.Event()
        stop.set()
        async with open_home(home) as q:
            await q.run(session, stop)

    began, cpu = time.perf_counter(), time.process_time()
    asyncio.run(run())
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures.put((time.perf_counter() - began, time.process_time() - cpu, used))


def main() -> int:
    """Print the figures; return 1 when the second run takes longer or more memory than the bounds allow."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        home = Path(folder) / "home"
        session = asyncio.run(write(home, count))
        for name in ("without a snapshot", "with its snapshot"):
            figures = spawn.Queue()
            process = spawn.Process(target=resume, args=(home, session, figures))
            process.start()
            seconds, cpu, megabytes = figures.get()
            process.join()
            print(f"{count:,} events resumed {name:<18} {seconds:6.1f} s, {cpu:6.1f} of CPU, {megabytes:4.0f} MB")
    return 0 if cpu <= SECONDS and megabytes <= MEGABYTES else 1


if __name__ == "__main__":
    sys.exit(main())
