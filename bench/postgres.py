"""A store in Postgres beside one in SQLite: what an append costs, and a copy of thousands of sessions both ways.

python bench/postgres.py [SESSIONS]. The server is one of the tests, but what it commits is on the disk.
"""

import asyncio
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.postgres import DURABLE_SETTINGS, Postgres, _server
from quaestor.app.copies.store_copy import copy_store
from quaestor.storage.postgres import open_store as open_server
from quaestor.storage.sql.store import SqlStore
from quaestor.storage.sqlite import open_store
from storage.samples import begun, reply, todo

APPENDS = 1_000


async def measure(name: str, opened: Callable[[], SqlStore], body: str) -> None:
    """Append single events to one session; print milliseconds and CPU an append."""
    store = opened()
    lease = await begun(store, f"bench{len(body)}")
    seconds, cpu = [], time.process_time()
    for seq in range(2, APPENDS + 2):
        began = time.perf_counter()
        await store.append(lease, [reply(seq, body, lease.session_id) if body else todo(seq, lease.session_id)])
        seconds.append(time.perf_counter() - began)
    cpu = time.process_time() - cpu
    cuts = quantiles(seconds, n=100)
    print(
        f"{name:10} {len(body):6} characters: p50 {cuts[49] * 1e3:.2f} ms, p95 {cuts[94] * 1e3:.2f} ms, "
        f"CPU {cpu / APPENDS * 1e3:.3f} ms an append"
    )
    await store.close()


async def copy_both_ways(server: Postgres, folder: Path, sessions: int) -> None:
    origin = open_store(folder / "quaestor.db")
    for number in range(sessions):
        lease = await begun(origin, f"s{number:06}", 1e9)
        await origin.append(lease, [todo(2, lease.session_id), reply(3, f"{number} " * 600, lease.session_id)])
    await origin.close()
    url = server.schema("copied")
    for source, target in ((str(folder), url), (url, str(folder / "back"))):
        began, cpu = time.perf_counter(), time.process_time()
        summary = await copy_store(source, target)
        print(
            f"copy to {'Postgres' if target == url else 'SQLite'}: {summary.sessions} sessions, {len(summary.faults)} "
            f"faults, {time.perf_counter() - began:.0f} s, {time.process_time() - cpu:.0f} s of CPU"
        )
    first, last = open_store(folder / "quaestor.db"), open_store(folder / "back" / "quaestor.db")
    for session in await first.sessions():
        assert await first.records(session.id, 0, 99) == await last.records(session.id, 0, 99)
    print("the logs of the copy of the copy are those of the origin, word for word")
    await first.close()
    await last.close()


async def main() -> None:
    server = _server(DURABLE_SETTINGS)
    if isinstance(server, str):
        raise SystemExit(server)
    with TemporaryDirectory() as folder:
        for body in ("", "x" * 4_000):
            await measure("SQLite", lambda: open_store(Path(folder) / f"{len(body)}.db"), body)  # noqa: B023
            await measure("Postgres", lambda: open_server(server.schema("appends")), body)
        await copy_both_ways(server, Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory of this process {peak / 1024:.0f} MB")


if __name__ == "__main__":
    asyncio.run(main())
