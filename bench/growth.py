"""What grows with a plan, and how soon an answer that arrived is in the log while the processor is busy.

    python bench/growth.py

The first figure is the CPU time of an event in a plan of 990 todos against one of 99. The others are the time
from an answer to its commit, the median of three runs: a server in another process says in each answer when it was
sent. The log is in memory where the system has a folder there, so that nobody's disk is measured, and a priority keeps
other programs out of the way (`chrt -f 10`, as root). The floor is a run in which nothing computes; beside it one that
computes all the time in its thread, as every tool of the program that computes does while an answer may arrive: its
p99 is to be 10 ms at most. The last is no promise: it shows what a tool of another package costs that
computes for 200 ms and does not declare it by `computes`, so that the event loop, and every answer, waits for it:
200 ms of CPU are a second where the processor is shared by five, so the share that the process had is printed too.
"""

import asyncio
import os
import signal
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import httpx2
from typing_extensions import override

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fakes.children import fork  # noqa: E402 -- the shipped fakes are not installed
from fakes.chores import Answers, Chore, Done, begin, journal_of, limits  # noqa: E402
from fakes.http_server import Answer, Connection, HttpServer, Request  # noqa: E402
from fakes.plans import CarriedOut  # noqa: E402
from quaestor.contracts.action import Action, Finish, ToolRun  # noqa: E402
from quaestor.contracts.base import Contract  # noqa: E402
from quaestor.contracts.command import Command, Settlement  # noqa: E402
from quaestor.contracts.event import Event, ToolResponded  # noqa: E402
from quaestor.contracts.session import Lease, LogStatus  # noqa: E402
from quaestor.contracts.tools import Tool  # noqa: E402
from quaestor.contracts.workflow import CommandOutcome, StateSpec  # noqa: E402
from quaestor.kernel.drive import drive  # noqa: E402
from quaestor.kernel.executor import Executor  # noqa: E402
from quaestor.runtime.system import SystemClock  # noqa: E402
from quaestor.storage.sqlite import SqliteStore, open_store  # noqa: E402

FEW, MANY = 99, 990
"""Todos; in a plan of 1,000, the most there may be, no review asks for more, so that fewer and dearer events remain."""
ANSWERS, BLOCKED_ANSWERS, BUSY_SECONDS = 300, 30, 0.2
EVENT_BOUND, P99_BOUND = 2.0, 10.0
ROUNDS = 3
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 -- for the folders that a bench makes there


class Busy(Tool[Chore, Done]):
    """Keeps the processor busy in Python, as a search in a large corpus does."""

    name = "busy"
    description = "Computes."
    repeatable = True
    pure = True
    computes = True

    @override
    async def run(self, given: Chore) -> Done:
        until = time.thread_time() + BUSY_SECONDS
        while time.thread_time() < until:
            sorted(str(number) for number in range(500))
        return Done(said=given.name)


class BusyLoop(Busy):
    """Does the same on the event loop."""

    computes = False


class Asking(Tool[Chore, Done]):
    """Asks a server, whose answer is the time at which it was sent."""

    name = "ask"
    description = "Asks."
    repeatable = True

    def __init__(self, client: httpx2.AsyncClient, url: str) -> None:
        self._client, self._url = client, url

    @override
    async def run(self, given: Chore) -> Done:
        return Done(said=(await self._client.get(self._url)).text)


class TimedServer(HttpServer[Request]):
    """Answers after a while with the time."""

    @override
    def understand(self, request: Request) -> Request:
        return request

    @override
    async def answer(self, request: Request, connection: Connection) -> bool:
        await asyncio.sleep(0.02)
        await connection.send(Answer(str(time.monotonic()).encode()))
        return True


class Progress(Contract):
    ended: frozenset[str] = frozenset()
    asked: int = 0
    computed: int = 0


class Both:
    """Wants one answer after the other, and beside them something that computes."""

    name: ClassVar[str] = "both"
    table: ClassVar[Mapping[str, StateSpec]] = {
        "WORKING": StateSpec(takes="nothing", tools=frozenset({"ask", "busy"}), leads_to=frozenset({"DONE"})),
        "DONE": StateSpec(takes="nothing"),
    }

    def __init__(self, answers: int, *, computes: bool) -> None:
        self._answers, self._computes = answers, computes

    def begin(self) -> Progress:
        return Progress()

    def apply(self, state: Progress, event: Event) -> Progress:
        match event.payload:
            case ToolResponded(tool="ask"):
                return state.revised(asked=state.asked + 1)
            case ToolResponded(tool="busy"):
                return state.revised(computed=state.computed + 1)
            case _:
                return state

    def next(self, state: Progress) -> Sequence[Action]:
        if state.asked >= self._answers:
            return [Finish(key="finish", state="DONE", outcome="done", statement="asked")]
        named = [("ask", state.asked), *([("busy", state.computed)] if self._computes else [])]
        return [
            ToolRun(key=f"{tool}/{number}", state="WORKING", tool=tool, given=Chore(name=str(number)))
            for tool, number in named
        ]

    def handle(self, state: Progress, order: Command) -> CommandOutcome:
        del state
        return CommandOutcome(refused=f"nothing is done about {order.kind}")


class TimedStore(SqliteStore):
    """Remembers how long every answer was on its way into the log, in milliseconds."""

    waited: list[float]

    @override
    async def append(
        self,
        lease: Lease,
        events: Sequence[Event],
        settled: Sequence[Settlement] = (),
        status: LogStatus | None = None,
    ) -> None:
        await super().append(lease, events, settled, status)
        now = time.monotonic()
        for event in events:
            match event.payload:
                case ToolResponded(tool="ask", result={"said": str(sent)}):
                    self.waited.append(1000 * (now - float(sent)))
                case _:
                    pass


@contextmanager
def elsewhere() -> Iterator[str]:
    """Serve in a process of its own; return the address."""
    ours, theirs = socket.socketpair()

    async def live() -> None:
        async with TimedServer() as server:
            theirs.sendall(server.url.encode())
            await asyncio.Event().wait()

    pid = fork(live)
    try:
        yield ours.recv(1000).decode()
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        ours.close()
        theirs.close()


async def waits(url: str, busy: Busy | None, answers: int) -> list[float]:
    """Return the milliseconds from each answer to its commit."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        clock = SystemClock()
        store = TimedStore(open_store(Path(folder) / "q.db")._database)  # noqa: SLF001 -- the same store, watched
        store.waited = []
        await begin(store, clock)
        async with httpx2.AsyncClient(trust_env=False) as client:
            tools = {"ask": Asking(client, url), "busy": busy or Busy()}
            journal = await journal_of(store, clock, Both(answers, computes=busy is not None))
            await drive(journal, Executor(Answers(""), tools, clock, 60, 60), limits(), asyncio.Event())
        await store.close()
        return store.waited


def event_cost(count: int) -> float:
    """Return the milliseconds of CPU an event, with the next actions, in the middle of a plan of so many todos."""
    carried = CarriedOut(count)
    carried.go_on(20)
    before, began = carried.seq, time.process_time()
    carried.go_on(60)
    return 1000 * (time.process_time() - began) / (carried.seq - before)


def delays(url: str, name: str, busy: Busy | None, answers: int, rounds: int) -> float:
    """Print how long answers waited for their commit; return the median of the rounds' p99, in milliseconds."""
    medians, lates, shares = list[float](), list[float](), list[float]()
    for _ in range(rounds):
        began, cpu = time.monotonic(), time.process_time()
        waited = sorted(asyncio.run(waits(url, busy, answers)))
        shares.append((time.process_time() - cpu) / (time.monotonic() - began))
        medians.append(statistics.median(waited))
        lates.append(waited[int(len(waited) * 0.99)])
    median, late = statistics.median(medians), statistics.median(lates)
    print(
        f"answer to commit, {name:<18} median {median:6.1f} ms, p99 {late:6.1f} ms ({min(lates):.1f} to "
        f"{max(lates):.1f}), of {rounds} times {answers}, with {statistics.median(shares):.0%} of a core"
    )
    return late


def main() -> int:
    """Print the figures; return 1 when one exceeds its bound."""
    few, many = event_cost(FEW), event_cost(MANY)
    print(f"an event in a plan of {FEW} todos   {few:6.2f} ms of CPU")
    print(f"an event in a plan of {MANY} todos  {many:6.2f} ms of CPU, {many / few:.2f} times (bound {EVENT_BOUND})")
    with elsewhere() as url:
        delays(url, "nothing computes", None, ANSWERS, ROUNDS)
        late = delays(url, "in its thread", Busy(), ANSWERS, ROUNDS)
        delays(url, "undeclared", BusyLoop(), BLOCKED_ANSWERS, 1)
    held = many <= EVENT_BOUND * few and late <= P99_BOUND
    print("every bound holds" if held else f"A BOUND DOES NOT HOLD: events {EVENT_BOUND} times, p99 {P99_BOUND} ms")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
