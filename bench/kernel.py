"""What the reconciler costs an action, against a bare loop that commits the same bytes to SQLite as often.

The floor replays the very rows that the kernel appended, in as many transactions, into one plain table with
`synchronous=FULL`: no contracts, no folds, no hashes. Each pair runs alternately in one process, and the medians of
the pairs' ratios are printed with their bounds; the machine may be shared and noisy.
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
from pathlib import Path
from typing import ClassVar

import apsw
from typing_extensions import override

from quaestor.contracts.action import Action, Finish, ToolRun
from quaestor.contracts.budget import Spend
from quaestor.contracts.event import Event, SessionStarted, ToolResponded, write
from quaestor.contracts.noun import Noun
from quaestor.contracts.session import Lease, Session
from quaestor.contracts.workflow import StateRow
from quaestor.kernel.drive import Limits, drive
from quaestor.kernel.journal import Journal
from quaestor.kernel.lease import take
from quaestor.kernel.perform import Performer
from quaestor.machine import SystemClock, alive, this_process
from quaestor.models.offline import OfflineModel
from quaestor.storage.sqlite import SqliteStore, open_store

TEXT = 600
PAIRS = 5


class Step(Noun):
    number: int


class Text(Noun):
    text: str


class Progress(Noun):
    ended: frozenset[int] = frozenset()
    count: int = 0


class Sequential:
    """Wants one trivial action after the other."""

    name: ClassVar[str] = "sequential"
    table: ClassVar[Mapping[str, StateRow]] = {
        "WORKING": StateRow(takes="a number", leads_to=frozenset({"DONE"})),
        "DONE": StateRow(takes="nothing"),
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


class Print:
    """A tool that gives a text that does not compress, at once."""

    name: ClassVar[str] = "print"
    takes: ClassVar[type[Noun]] = Step
    gives: ClassVar[type[Noun]] = Text
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, size: int) -> None:
        self._texts = [random.Random(seed).randbytes(size // 2).hex() for seed in range(64)]  # noqa: S311 -- no secret

    async def run(self, given: Noun) -> Text:
        assert isinstance(given, Step)
        return Text(text=self._texts[given.number % 64])


class Recording(SqliteStore):
    """Remembers what was appended, row by row and transaction by transaction."""

    transactions: list[list[Event]]

    @override
    async def append(self, lease: Lease, events: Sequence[Event]) -> None:
        self.transactions.append(list(events))
        await super().append(lease, events)


@dataclass(frozen=True)
class Measured:
    """One run: seconds, and what it appended."""

    seconds: float
    cpu: float
    transactions: list[list[Event]]
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
    lease = await take(store, clock, "s", owner=this_process(), ttl=timedelta(hours=1), alive=alive)
    journal = Journal("s", workflow, store, clock, lease)
    await journal.load()
    performer = Performer(OfflineModel(), {"print": Print(size)}, clock, 10)
    limits = Limits(in_flight={"output_pass": 1, "tool_run": 1000})
    gc.collect()
    began, cpu = time.perf_counter(), time.process_time()
    await drive(journal, performer, limits, asyncio.Event())
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    await store.close()
    return Measured(seconds, cpu, store.transactions, path.stat().st_size)


def floor(transactions: list[list[Event]], folder: Path) -> float:
    rows = [[(event.seq, *write(event.payload)) for event in events] for events in transactions]
    connection = apsw.Connection(str(folder / "floor.db"))
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, type TEXT, version INTEGER, body TEXT)").fetchall()
    gc.collect()
    began = time.perf_counter()
    for transaction in rows:
        connection.execute("BEGIN IMMEDIATE").fetchall()
        connection.executemany("INSERT INTO rows VALUES (?, ?, ?, ?)", transaction)
        connection.execute("COMMIT").fetchall()
    seconds = time.perf_counter() - began
    connection.close()
    return seconds


def pair(workflow: Sequential, size: int = TEXT) -> tuple[Measured, float]:
    with tempfile.TemporaryDirectory() as folder:
        measured = asyncio.run(kernel(workflow, Path(folder), size))
        return measured, floor(measured.transactions, Path(folder))


def series(name: str, workflow: Sequential, actions: int, bound: float | None) -> tuple[float, float]:
    """Print the figures of some pairs; give the median seconds an action, and the median ratio."""
    pairs = [pair(workflow) for _ in range(PAIRS)]
    ratios = [measured.seconds / bare for measured, bare in pairs]
    each = statistics.median(measured.seconds for measured, _ in pairs) / actions
    bare = statistics.median(bare for _, bare in pairs) / actions
    cpu = statistics.median(measured.cpu for measured, _ in pairs) / actions
    ratio = statistics.median(ratios)
    commits = len(pairs[0][0].transactions)
    print(
        f"{name:>22}  {commits:>6} commits  {each * 1e3:.3f} ms ({cpu * 1e3:.3f} CPU) an action  "
        f"floor {bare * 1e3:.3f} ms  ratio {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        + (f"  bound {bound}" if bound else "")
    )
    return each, ratio


def main() -> int:
    print(f"Kernel: {PAIRS} pairs each, results of {TEXT} characters, SQLite {apsw.sqlite_lib_version()}, FULL")
    at_1000, first = series("1,000 in sequence", Sequential(1_000), 1_000, 2)
    at_10000, second = series("10,000 in sequence", Sequential(10_000), 10_000, 2)
    _, third = series("200 at once", AtOnce(200), 200, 2)
    growth = at_10000 / at_1000
    print(f"{'growth':>22}  an action costs {growth:.2f} times as much at 10,000 as at 1,000  bound 1.10")
    large, _ = pair(Sequential(1_000), size=2_000)
    payload = sum(len(write(event.payload)[2]) for events in large.transactions for event in events)
    overhead = large.database_bytes / payload
    print(
        f"{'1,000 of 2 KB':>22}  {large.database_bytes / 1e6:.1f} MB in the database for {payload / 1e6:.1f} MB "
        f"of payload: {overhead:.2f}  bound 2"
    )
    held = max(first, second, third) <= 2 and growth <= 1.1 and overhead <= 2
    print("every bound holds" if held else "A BOUND DOES NOT HOLD")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
