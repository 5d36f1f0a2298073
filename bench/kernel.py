"""What the reconciler costs an action, against bare loops that commit the same bytes to SQLite.

A floor replays the very rows that the kernel appended into one plain table with `synchronous=FULL`: no contracts, no
folds, no hashes. The bare loop makes every intent and every outcome durable by itself, two commits an action, which is
what a loop must do that begins no effect before its intent is safe. Both are quicker where a log is long, because the
disk is: SQLite writes the first thousand pages of its write-ahead log at the end of a growing file, and all others over
them. So growth is counted in CPU time. The grouped loop makes the transactions that the
kernel made, which puts an outcome and the next intent into one commit, and all that is ready at once. Kernel and loops
run alternately in one process; medians are printed, for the machine may be shared and noisy.
"""

import asyncio
import gc
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate, pairwise
from pathlib import Path
from typing import ClassVar

import apsw
from typing_extensions import override

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from fakes.offline import offline_model
from quaestor.contracts.action import Action, Finish, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.codec import CORE_CODEC, serialize_payload
from quaestor.contracts.command import Command, Settlement
from quaestor.contracts.event import Event, SessionStarted, ToolResponded
from quaestor.contracts.session import Lease, LogStatus, Session
from quaestor.contracts.tools import Tool
from quaestor.contracts.workflow import CommandOutcome, StateSpec
from quaestor.kernel.drive import drive
from quaestor.kernel.executor import Executor
from quaestor.kernel.flights import Limits
from quaestor.kernel.journal import Journal
from quaestor.kernel.lease import acquire_lease
from quaestor.runtime.system import SystemClock, current_process, is_alive
from quaestor.storage.sqlite import SqliteStore, open_store

TEXT = 600
PAIRS = 5


class Step(Contract):
    number: int


class Text(Contract):
    text: str


class Progress(Contract):
    ended: frozenset[int] = frozenset()
    count: int = 0


class Sequential:
    """Wants one trivial action after the other."""

    name: ClassVar[str] = "sequential"
    table: ClassVar[Mapping[str, StateSpec]] = {
        "WORKING": StateSpec(takes="a number", tools=frozenset({"print"}), leads_to=frozenset({"DONE"})),
        "DONE": StateSpec(takes="nothing"),
    }

    def __init__(self, steps: int) -> None:
        self._steps = steps

    def begin(self) -> Progress:
        return Progress()

    def apply(self, state: Progress, event: Event) -> Progress:
        if isinstance(event.payload, ToolResponded):
            return state.model_copy(update={"count": state.count + 1})
        return state

    def next(self, state: Progress) -> Sequence[Action]:
        if state.count < self._steps:
            return [_run(state.count)]
        return [Finish(key="finish", state="DONE", outcome="done", statement="")]

    def handle(self, state: Progress, order: Command) -> CommandOutcome:
        del state
        return CommandOutcome(refused=f"nobody is there who would say {order.kind}")


class AtOnce(Sequential):
    """Wants all its actions at once."""

    name: ClassVar[str] = "at_once"

    @override
    def apply(self, state: Progress, event: Event) -> Progress:
        if isinstance(event.payload, ToolResponded):
            return state.model_copy(update={"ended": state.ended | {int(event.payload.key.partition("/")[2])}})
        return state

    @override
    def next(self, state: Progress) -> Sequence[Action]:
        wanted = [_run(number) for number in range(self._steps) if number not in state.ended]
        return wanted or [Finish(key="finish", state="DONE", outcome="done", statement="")]


def _run(number: int) -> ToolRun:
    return ToolRun(key=f"step/{number}", state="WORKING", tool="print", given=Step(number=number))


class Print(Tool[Step, Text]):
    """A tool that gives a text that does not compress, at once."""

    name = "print"
    description = "Print a text."
    repeatable = True

    def __init__(self, size: int) -> None:
        self._texts = [random.Random(seed).randbytes(size // 2).hex() for seed in range(64)]  # noqa: S311 -- no secret

    @override
    async def run(self, given: Step) -> Text:
        return Text(text=self._texts[given.number % 64])


class Recording(SqliteStore):
    """Remembers how many events each transaction had, and no event, through which the garbage collector would go."""

    transactions: list[int]

    @override
    async def append(
        self,
        lease: Lease,
        events: Sequence[Event],
        settled: Sequence[Settlement] = (),
        status: LogStatus | None = None,
    ) -> None:
        self.transactions.append(len(events))
        await super().append(lease, events, settled, status)


Row = tuple[int, str, int, str]
"""The number of an event, its type, version and body."""


@dataclass(frozen=True)
class Measured:
    """One run: seconds, and what it appended."""

    seconds: float
    cpu: float
    transactions: list[list[Row]]
    database_bytes: int


async def kernel(workflow: Sequential, folder: Path, size: int) -> Measured:
    path = folder / "kernel.db"
    plain = open_store(path)
    store, clock = Recording(plain._database), SystemClock()  # noqa: SLF001 -- the recorder is the same store
    store.transactions = []
    started = SessionStarted(question="q", workflow=workflow.name, task_key="k", options={})
    first = Event(session_id="s", seq=1, cycle=1, at=clock.now(), state="WORKING", payload=started)
    await store.create_session(
        Session(id="s", task_key="k", workflow=workflow.name, question="q", created_at=clock.now()), [first]
    )
    lease = await acquire_lease(store, clock, "s", owner=current_process(), ttl=timedelta(hours=1), alive=is_alive)
    journal = Journal("s", workflow, store, clock, lease, codec=CORE_CODEC)
    await journal.load()
    performer = Executor(offline_model(), {"print": Print(size)}, clock, 10, 10)
    limits = Limits(in_flight={"output_pass": 1, "tool_pass": 1, "tool_run": 1000})
    gc.collect()
    began, cpu = time.perf_counter(), time.process_time()
    await drive(journal, performer, limits, asyncio.Event())
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    rows = [(event.seq, *serialize_payload(event.payload)) for event in await store.events("s", first.seq)]
    await store.close()
    ends = list(accumulate(store.transactions, initial=0))
    return Measured(seconds, cpu, [rows[begin:end] for begin, end in pairwise(ends)], path.stat().st_size)


def floor(transactions: list[list[Row]], folder: Path) -> float:
    connection = apsw.Connection(str(folder / f"floor{len(transactions)}.db"))
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, type TEXT, version INTEGER, body TEXT)").fetchall()
    gc.collect()
    began = time.perf_counter()
    for transaction in transactions:
        connection.execute("BEGIN IMMEDIATE").fetchall()
        connection.executemany("INSERT INTO rows VALUES (?, ?, ?, ?)", transaction)
        connection.execute("COMMIT").fetchall()
    seconds = time.perf_counter() - began
    connection.close()
    return seconds


@dataclass(frozen=True)
class Pair:
    """The kernel and both floors, run one after the other: seconds, and the commits of the kernel."""

    kernel: float
    cpu: float
    commits: int
    bare: float
    grouped: float


def pair(workflow: Sequential, size: int = TEXT) -> Pair:
    with tempfile.TemporaryDirectory() as folder:
        measured = asyncio.run(kernel(workflow, Path(folder), size))
        grouped = measured.transactions
        apart = [[row] for rows in grouped for row in rows]
        floors = floor(apart, Path(folder)), floor(grouped, Path(folder))
        return Pair(measured.seconds, measured.cpu, len(grouped), *floors)


def series(name: str, workflow: Sequential, actions: int) -> tuple[float, float, float]:
    """Print the figures of some pairs; return the CPU of an action in milliseconds, and the ratios to both loops."""
    pairs = [pair(workflow) for _ in range(PAIRS)]
    ratios = [one.kernel / one.bare for one in pairs]
    each, cpu, bare, grouped = (
        statistics.median(figures) / actions * 1e3
        for figures in zip(*((p.kernel, p.cpu, p.bare, p.grouped) for p in pairs), strict=True)
    )
    print(
        f"{name:>18}  {each:.3f} ms an action ({cpu:.3f} CPU, {pairs[0].commits} commits)  "
        f"bare loop {bare:.3f} ms, ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}), "
        f"bound 2  |  grouped loop {grouped:.3f} ms, ratio {each / grouped:.2f}"
    )
    return cpu, statistics.median(ratios), each / grouped


def main() -> int:
    print(f"Kernel: {PAIRS} rounds each, results of {TEXT} characters, SQLite {apsw.sqlite_lib_version()}, FULL")
    at_1000, *first = series("1,000 in sequence", Sequential(1_000), 1_000)
    at_10000, *second = series("10,000 in sequence", Sequential(10_000), 10_000)
    _, *third = series("200 at once", AtOnce(200), 200)
    growth = at_10000 / at_1000
    print(f"{'growth':>18}  an action costs {growth:.2f} times as much CPU at 10,000 as at 1,000, bound 1.10")
    with tempfile.TemporaryDirectory() as folder:
        large = asyncio.run(kernel(Sequential(1_000), Path(folder), size=2_000))
    payload = sum(len(body) for rows in large.transactions for *_, body in rows)
    overhead = large.database_bytes / payload
    print(
        f"{'1,000 of 2 KB':>18}  {large.database_bytes / 1e6:.1f} MB of database for {payload / 1e6:.1f} MB "
        f"of payload, {overhead:.2f} times, bound 2"
    )
    bare, grouped = (max(ratios) for ratios in zip(first, second, third, strict=True))
    held = bare <= 2 and growth <= 1.1 and overhead <= 2
    print("every bound holds against the bare loop" if held else "A BOUND DOES NOT HOLD")
    if grouped > 2:
        print(f"against a loop that groups its commits as the kernel does, 2 is exceeded: up to {grouped:.1f}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
