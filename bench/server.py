"""What a server costs, and what many or hostile clients do to it, seen from another process.

    python bench/server.py [EVENTS]

EVENTS is the length of the log that is followed, a million unless named. Memory is resident memory of the server's
process, the processor that of this machine; both are given as counts and ratios where the machine decides.
"""

import asyncio
import contextlib
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx2

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fakes.papers import write_papers  # noqa: E402 -- the shipped fakes are not installed
from quaestor.app import open_home  # noqa: E402
from quaestor.app.access import add_token  # noqa: E402
from quaestor.contracts.event import ErrorRecorded, Event  # noqa: E402
from quaestor.contracts.session import LogStatus  # noqa: E402
from quaestor.runtime.reader_snapshots import ReaderSnapshots  # noqa: E402
from quaestor.runtime.registry import get_plugin  # noqa: E402
from quaestor.runtime.system import current_process  # noqa: E402

FOLLOWERS, CONNECTIONS, SLOW, SESSIONS, LISTED = 500, 10_000, 1_000, 100, 200
BATCH = 5_000
FIRST_EVENT_BOUND, FOLLOWER_BOUND = 0.2, 0.3
QUESTION = "When was the Aldmouth lighthouse built, and by whom, in the words of {number}?"


@dataclass(frozen=True)
class Target:
    """A running server."""

    pid: int
    port: int
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def client(self) -> httpx2.AsyncClient:
        limits = httpx2.Limits(max_connections=None)
        url = f"http://127.0.0.1:{self.port}"
        return httpx2.AsyncClient(base_url=url, headers=self.headers, trust_env=False, timeout=60, limits=limits)

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1000

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def request(self, path: str) -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode()


async def add_admin(home: Path) -> str:
    """Return a token of a home."""
    async with open_home(home) as q:
        return (await add_token(q, "bench", "admin")).secret


async def prepare(home: Path, docs: Path, events: int) -> tuple[str, str]:
    """Return a token, and a session in a home whose log has so many events; beside it are some more sessions."""
    async with open_home(home, effort="low", questions=False) as q:
        corpus = await q.index([docs])
        session_id = await q.start(QUESTION.format(number=0), corpus)
        at = q.clock.now()
        lease = await q.store.take_lease(session_id, current_process(), 0, at + timedelta(hours=1))
        assert lease
        for first in range(2, events + 1, BATCH):
            await q.store.append(
                lease,
                [
                    Event(
                        session_id=session_id,
                        seq=seq,
                        cycle=1,
                        at=at,
                        state="EXECUTING",
                        payload=ErrorRecorded(message=f"nothing {seq}"),
                    )
                    for seq in range(first, min(first + BATCH, events + 1))
                ],
                status=LogStatus(state="running", progress="0/1"),
            )
        await q.store.release_lease(lease)
        kept = ReaderSnapshots(session_id, get_plugin("research"), q.store, q.snapshots, q.reader_folds)
        await kept.keep(events)  # as its run does
        await q.summarize(session_id)
        for number in range(1, LISTED + 1):
            await q.start(QUESTION.format(number=f"other {number}"), corpus)
    return await add_admin(home), session_id


@contextmanager
def serving(home: Path, token: str, *options: str) -> Iterator[Target]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
    command = [sys.executable, "-m", "quaestor.faces.cli.main", "serve", "--home", str(home), "--port", str(port)]
    environment = {**os.environ, "QUAESTOR_EFFORT": "low", "QUAESTOR_QUESTIONS": "false"}
    with subprocess.Popen(
        [*command, "--rate", "1000000", *options], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout
        process.stdout.readline()
        try:
            yield Target(process.pid, port, token)
        finally:
            process.kill()


async def healthy(target: Target) -> float:
    """Return after how many seconds the server says that it lives."""
    began = time.perf_counter()
    async with target.client() as client:
        assert (await client.get("/healthz")).status_code == 200
    return time.perf_counter() - began


async def idle(target: Target) -> None:
    await healthy(target)
    before, seconds = target.cpu_seconds(), 10
    await asyncio.sleep(seconds)
    share = (target.cpu_seconds() - before) / seconds
    print(f"idle                 {target.megabytes():6.0f} MB, {share:.2%} of a core")


async def listed(target: Target) -> None:
    async with target.client() as client:
        await client.get("/api/v1/sessions")
        began = time.perf_counter()
        answer = await client.get("/api/v1/sessions", params={"limit": LISTED})
        seconds = time.perf_counter() - began
        assert len(answer.json()["sessions"]) == LISTED
        print(f"{LISTED} sessions a page  {len(answer.content) / 1000:6.0f} kB in {1000 * seconds:.0f} ms")


@contextlib.asynccontextmanager
async def opened(target: Target, path: str) -> AsyncIterator[tuple[asyncio.StreamReader, float]]:
    """Open a stream; return its reader, and the seconds until its first event."""
    began = time.perf_counter()
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
    connection.connect(("127.0.0.1", target.port))
    reader, writer = await asyncio.open_connection(sock=connection, limit=1 << 12)
    try:
        writer.write(target.request(path))
        await reader.readuntil(b"id: ")
        yield reader, time.perf_counter() - began
    finally:
        writer.close()


async def pages_of(target: Target, session_id: str, events: int) -> float:
    """Print the seconds until the first byte of each page of the long session, cold; return the longest."""
    longest = 0.0
    paths = (
        *("", "/live", "/plan", "/report", "/work", "/inside", f"/inside?after={events - 50}", "/inside?type=paused"),
        "/inside/spend",
    )
    of_programs = (f"/api/v1/sessions/{session_id}", f"/v1/responses/resp_{session_id}_0")
    for path in (*(f"/sessions/{session_id}{each}" for each in paths), *of_programs):
        cpu = target.cpu_seconds()
        seconds = await first_byte(target, path)
        longest = max(longest, seconds)
        spent = 1000 * (target.cpu_seconds() - cpu)
        print(f"first byte           {1000 * seconds:6.0f} ms, {spent:3.0f} ms of CPU {path.replace(session_id, 'ID')}")
    return longest


async def first_byte(target: Target, path: str) -> float:
    """Return the seconds until the first byte of the body of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
    began = time.perf_counter()
    writer.write(target.request(path))
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.split(b" ", 2)[1] in {b"200", b"404"}, head
    await reader.read(1)
    seconds = time.perf_counter() - began
    writer.close()
    return seconds


async def first_events(target: Target, session_id: str, events: int) -> float:
    """Print the seconds until the first event behind some places of a log, where nobody was before."""
    path, longest = f"/api/v1/sessions/{session_id}/events", 0.0
    for name, after in (("begin", 0), ("middle", events // 2 - 10), ("end", events - 10)):
        async with opened(target, f"{path}?after={after}") as (_, seconds):
            longest = max(longest, seconds)
            print(f"first event, {name:<7} {1000 * seconds:6.0f} ms in a log of {events:,}")
    return longest


async def followers(target: Target, session_id: str) -> float:
    """Let many readers follow one session, who read only the first of it; return the megabytes of each."""
    before, path = target.megabytes(), f"/api/v1/sessions/{session_id}/events"
    async with contextlib.AsyncExitStack() as stack:
        took = [(await stack.enter_async_context(opened(target, path)))[1] for _ in range(FOLLOWERS)]
        await asyncio.sleep(5)
        after, alive = target.megabytes(), await healthy(target)
    late = sorted(took)[int(0.99 * len(took))]
    print(
        f"{FOLLOWERS} slow followers   {after:6.0f} MB, before {before:.0f}; first event p99 {1000 * late:.0f} ms; "
        f"/healthz in {1000 * alive:.0f} ms"
    )
    return (after - before) / FOLLOWERS


async def crowd(target: Target, session_id: str) -> bool:
    """Open more streams than there may be; return whether some are served, the others politely refused.

    A client so busy that it connects and sends nothing for 20 seconds gets 408 instead of 503.
    """
    answers: Counter[str] = Counter()
    release, everybody = asyncio.Event(), asyncio.Event()

    async def one() -> None:
        writer: asyncio.StreamWriter | None = None
        try:
            reader, opened = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", target.port), 120)
            writer = opened
            opened.write(target.request(f"/api/v1/sessions/{session_id}/events?after=0"))
            head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 120)).decode().casefold()
            status = head.split(" ")[1]
            if status != "200" and "retry-after: " not in head:
                status = f"{status} without a time to come back"
        except (OSError, TimeoutError, IndexError, asyncio.IncompleteReadError) as error:
            status = type(error).__name__
        answers[status] += 1
        if answers.total() == CONNECTIONS:
            everybody.set()
        if status == "200":
            await release.wait()
        if writer:
            writer.close()

    tasks = [asyncio.create_task(one()) for _ in range(CONNECTIONS)]
    await everybody.wait()
    alive, memory = await healthy(target), target.megabytes()
    release.set()
    await asyncio.gather(*tasks)
    told = ", ".join(f"{count} {status}" for status, count in answers.most_common())
    print(f"{CONNECTIONS:,} streams       {told}; {memory:.0f} MB; /healthz in {1000 * alive:.0f} ms")
    return answers["200"] >= FOLLOWERS and answers.keys() <= {"200", "408", "503"}


async def slow_heads(target: Target) -> None:
    """Hoard connections, each of which sends a byte a second of a head that never ends."""
    began, alive, closed = time.perf_counter(), 0.0, 0

    async def one(number: int) -> None:
        nonlocal closed
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
            whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" if number % 2 else b""
            writer.write(whole + b"GET / HTTP/1.1\r\nHost: ")
            while time.perf_counter() - began < 35:
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(1)
                if reader.at_eof():
                    break
            else:
                return
        closed += 1

    tasks = [asyncio.create_task(one(number)) for number in range(SLOW)]
    while time.perf_counter() - began < 30:
        await asyncio.sleep(3)
        try:
            alive = max(alive, await healthy(target))
        except (AssertionError, httpx2.HTTPError):
            alive = float("inf")
    await asyncio.gather(*tasks)
    print(f"{SLOW:,} slow heads     {closed} closed within 30 s; /healthz in {1000 * alive:.0f} ms at the worst")


async def at_once(target: Target) -> None:
    """Run many sessions at once, as many as the server carries at a time."""
    cpu, before = target.cpu_seconds(), target.megabytes()
    async with target.client() as client:
        bodies = [
            {"text": QUESTION.format(number=f"run {number}"), "docs": ["papers"], "settings": {"questions": False}}
            for number in range(SESSIONS)
        ]
        begun = await asyncio.gather(*(client.post("/api/v1/sessions", json=body) for body in bodies))
        assert all(answer.status_code == 201 for answer in begun), begun[0].text
        most = before
        while True:
            most = max(most, target.megabytes())
            page = await client.get("/api/v1/sessions", params={"status": "finished", "limit": LISTED})
            if len(page.json()["sessions"]) >= SESSIONS:
                break
            await asyncio.sleep(0.5)
    spent = (target.cpu_seconds() - cpu) / SESSIONS
    print(f"{SESSIONS} sessions at once  {most:6.0f} MB at most, before {before:.0f}; {spent:.2f} s of CPU each")


async def measure(target: Target, session_id: str, events: int) -> Sequence[str]:
    """Print the figures; return the bounds that were missed."""
    missed = []
    await idle(target)
    await listed(target)
    before = target.megabytes()
    if await pages_of(target, session_id, events) > FIRST_EVENT_BOUND:
        missed.append("first byte of a page")
    print(f"memory by these      {before:6.0f} MB before, {target.megabytes():.0f} MB after")
    if await first_events(target, session_id, events) > FIRST_EVENT_BOUND:
        missed.append("first event")
    if await followers(target, session_id) > FOLLOWER_BOUND:
        missed.append("memory of followers")
    if not await crowd(target, session_id):
        missed.append("polite refusals")
    await slow_heads(target)
    return missed


def main() -> int:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory() as folder:
        home, docs = Path(folder) / "home", write_papers(Path(folder))
        token, session_id = asyncio.run(prepare(home, docs, events))
        with serving(home, token, "--no-worker") as target:
            missed = asyncio.run(measure(target, session_id, events))
    with tempfile.TemporaryDirectory() as folder:
        home, _ = Path(folder) / "home", write_papers(Path(folder))
        token = asyncio.run(add_admin(home))
        with serving(home, token, "--docs-root", folder) as target:
            asyncio.run(at_once(target))
    print(f"missed: {', '.join(missed)}" if missed else "every bound holds")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
