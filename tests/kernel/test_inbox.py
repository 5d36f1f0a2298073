"""What people tell a session is obeyed by whoever holds it, at its next step."""

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from typing_extensions import override

from fakes.children import die, ended, fork
from fakes.chores import (
    SESSION,
    Broom,
    Chore,
    Chores,
    Done,
    Once,
    begin,
    facts,
    journal_of,
    lease_of,
    limits,
    of,
    performer,
)
from fakes.recording import RecordingStore
from fakes.time import ManualClock
from quaestor.contracts.command import AddBudget, Answer, Command, FinishNow, InboxEntry, Pause, Settlement
from quaestor.contracts.cost import Budget
from quaestor.contracts.event import (
    Answered,
    BudgetRaised,
    BudgetReached,
    BudgetWarned,
    Event,
    FinishRequested,
    KnownPayload,
    Paused,
    Resumed,
    SessionFinished,
    ToolInterrupted,
    ToolResponded,
)
from quaestor.contracts.session import Lease, LogStatus
from quaestor.kernel.drive import drive
from quaestor.kernel.journal import handle_inbox
from quaestor.kernel.run_state import RunState
from quaestor.research.contracts.commands import RetryTodo
from quaestor.storage.sqlite import SqliteStore, open_store

CHAIN = {"a": (), "b": ("a",), "c": ("b",)}
SLOW: Mapping[str, Sequence[str]] = {"slow": ()}


async def send(store: SqliteStore, clock: ManualClock, order: Command) -> int:
    return (await store.send(SESSION, order, clock.now())).number


async def settled(store: SqliteStore, number: int) -> Settlement:
    """Wait until a command is settled, as its sender does."""
    async with asyncio.timeout(300):
        while True:
            if end := await store.settled(SESSION, number):
                return end
            await asyncio.sleep(0.01)


@asynccontextmanager
async def driven(
    store: SqliteStore,
    clock: ManualClock,
    chores: Chores,
    broom: Broom,
    *,
    budget: Budget | None = None,
    grace_seconds: float = 0.2,
) -> AsyncIterator[asyncio.Task[RunState]]:
    """Carry the session on while the body speaks to it, from the moment when its first chore is in flight."""
    limited = limits(budget=budget, grace_seconds=grace_seconds)
    journal = await journal_of(store, clock, chores)
    run = asyncio.create_task(drive(journal, performer(broom, clock, seconds=60), limited, asyncio.Event()))
    try:
        await asyncio.wait_for(broom.begun.wait(), 300)
        yield run
    finally:
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)


async def test_an_order_is_obeyed_while_effects_are_in_flight_and_none_of_them_ends(
    store: SqliteStore, clock: ManualClock
) -> None:
    broom = Broom({"slow": 30})
    async with driven(store, clock, Chores(SLOW), broom) as run:
        number = await send(store, clock, Answer(text="brushes are in the shed"))
        assert (await settled(store, number)).refused is None
        assert not run.done()
    assert broom.cancelled == ["slow"]
    assert [fact.text for fact in of(Answered, await facts(store))] == ["brushes are in the shed"]


async def test_an_order_that_ends_the_work_stops_what_is_in_flight(store: SqliteStore, clock: ManualClock) -> None:
    broom = Broom({"slow": 30})
    async with driven(store, clock, Chores(SLOW), broom) as run:
        number = await send(store, clock, FinishNow())
        assert (await asyncio.wait_for(run, 300)).status == "finished"
    assert broom.cancelled == ["slow"]
    assert (await settled(store, number)).refused is None
    assert isinstance((await facts(store))[-1], SessionFinished)


async def test_what_is_refused_carries_the_reason_and_changes_nothing(store: SqliteStore, clock: ManualClock) -> None:
    journal = await journal_of(store, clock, Chores(CHAIN))
    before = await facts(store)
    number = await send(store, clock, RetryTodo(todo_id="a"))
    assert await handle_inbox(journal, Budget()) is None
    await journal.flush()
    assert (await settled(store, number)).refused == "retry is nothing to do about 3 chores"
    assert await facts(store) == before
    assert await journal.inbox() == []


async def test_a_later_order_sees_what_an_earlier_one_did(store: SqliteStore, clock: ManualClock) -> None:
    journal = await journal_of(store, clock, Chores(CHAIN))
    numbers = [await send(store, clock, Answer(text=text)) for text in ("first", "second")]
    await handle_inbox(journal, Budget())
    await journal.flush()
    assert [bool((await settled(store, number)).refused) for number in numbers] == [False, True]
    assert [fact.text for fact in of(Answered, await facts(store))] == ["first"]


async def test_nothing_is_obeyed_twice_before_it_is_durable(store: SqliteStore, clock: ManualClock) -> None:
    journal = await journal_of(store, clock, Chores(CHAIN))
    await send(store, clock, AddBudget(tool_calls=1))
    for _ in range(3):
        await handle_inbox(journal, Budget(tool_calls=1))
    await journal.flush()
    assert of(BudgetRaised, await facts(store)) == [BudgetRaised(budget=Budget(tool_calls=2))]


async def test_what_follows_and_the_settlement_are_one_transaction(clock: ManualClock) -> None:
    store = RecordingStore()
    await begin(store, clock)
    await send(store, clock, RetryTodo(todo_id="x"))
    await send(store, clock, Answer(text="go"))
    await drive(await journal_of(store, clock, Chores({"a": ()})), performer(Broom(), clock), limits(), asyncio.Event())
    assert (store.appended[0], store.settlements[0]) == (["state_entered", "answered", "tool_requested"], [1, 2])
    assert not any(store.settlements[1:])
    await store.close()


class Listening(SqliteStore):
    """A store that notes when a command was read from the inbox."""

    def __init__(self) -> None:
        super().__init__(open_store(":memory:")._database)
        self.heard = asyncio.Event()

    @override
    async def commands(self, session_id: str) -> Sequence[InboxEntry]:
        found = await super().commands(session_id)
        if found:
            self.heard.set()
        return found


class LandingLate(Broom):
    """A tool whose runs end once an event has come."""

    def __init__(self, come: asyncio.Event) -> None:
        super().__init__()
        self._come = come

    @override
    async def run(self, given: Chore) -> Done:
        done = await super().run(given)
        await self._come.wait()
        await asyncio.sleep(0.05)  # in which a run that does not wait for it pauses
        return done


async def test_a_pause_lets_what_flies_land_and_resuming_repeats_nothing(clock: ManualClock) -> None:
    store = Listening()
    await begin(store, clock)
    broom = LandingLate(store.heard)
    async with driven(store, clock, Chores(CHAIN), broom, grace_seconds=300) as run:
        number = await send(store, clock, Pause())
        assert (await asyncio.wait_for(run, 300)).status == "paused"
    assert (await settled(store, number)).refused is None
    landed, paused = (await facts(store))[-2:]
    assert isinstance(landed, ToolResponded)
    assert isinstance(paused, Paused)
    assert (landed.key, paused.kind) == ("a", "person")

    run_on = await drive(
        await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event()
    )
    assert run_on.status == "finished"
    assert broom.used == ["a", "b", "c"]
    assert of(Resumed, await facts(store)) == [Resumed(after="pause")]
    await store.close()


async def test_what_does_not_land_in_time_is_done_again_if_that_is_harmless(
    store: SqliteStore, clock: ManualClock
) -> None:
    chores = Chores({"slow": (), "a": ("slow",)})
    for broom in (Broom({"slow": 30}), Once({"slow": 30})):  # the first may run again, the second must not
        async with driven(store, clock, chores, broom, grace_seconds=0.05) as run:
            await send(store, clock, Pause())
            await asyncio.wait_for(run, 300)
        assert broom.cancelled == ["slow"]
    broom = Once()
    await drive(await journal_of(store, clock, chores), performer(broom, clock), limits(), asyncio.Event())
    assert broom.used == ["a"]
    assert [fact.key for fact in of(ToolInterrupted, await facts(store))] == ["slow"]


async def test_a_pause_until_a_time_says_when_it_ends_and_begins_nothing_before(
    store: SqliteStore, clock: ManualClock
) -> None:
    until, broom = clock.now() + timedelta(hours=3), Broom()
    await send(store, clock, Pause(until=until))
    run = await drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event())
    assert (run.status, run.due_at, broom.used) == ("paused", until, [])
    assert run.statement == f"paused until {until:%Y-%m-%d %H:%M} UTC"
    run = await drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event())
    assert (run.status, run.due_at) == ("finished", None)


async def test_a_pause_that_waits_in_the_inbox_begins_nothing(store: SqliteStore, clock: ManualClock) -> None:
    broom = Broom()
    await send(store, clock, Pause())
    run = await drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event())
    assert (run.status, broom.used) == ("paused", [])


@pytest.mark.parametrize(
    ("budget", "more", "reason"),
    [
        (Budget(), AddBudget(dollars=Decimal(1)), "the session has no limit of dollars"),
        (Budget(tokens=5), AddBudget(tokens=5, seconds=1.5, model_calls=2), "no limit of model_calls, seconds"),
        (Budget(tokens=5), AddBudget(), "nothing is added; say how many"),
    ],
)
async def test_a_limit_that_is_not_set_is_not_raised(
    store: SqliteStore, clock: ManualClock, budget: Budget, more: AddBudget, reason: str
) -> None:
    journal = await journal_of(store, clock, Chores(CHAIN))
    number = await send(store, clock, more)
    await handle_inbox(journal, budget)
    await journal.flush()
    assert reason in str((await settled(store, number)).refused)
    assert of(BudgetRaised, await facts(store)) == []


async def test_a_raised_budget_holds_at_once_and_after_a_restart(store: SqliteStore, clock: ManualClock) -> None:
    budget = Budget(tool_calls=1, reserve_share=0)
    broom = Broom({"a": 0.1})
    async with driven(store, clock, Chores(CHAIN), broom, budget=budget) as run:
        await send(store, clock, AddBudget(tool_calls=1))
        await asyncio.wait_for(run, 300)
    assert broom.used == ["a", "b"]
    log = await facts(store)
    assert [fact.limit for fact in of(BudgetReached, log)] == ["tool_calls: 2"]
    assert [(fact.limit, fact.allowed) for fact in of(BudgetWarned, log)] == [("tool_calls", "2.0")]
    assert (await journal_of(store, clock, Chores(CHAIN))).run.budget == budget.model_copy(update={"tool_calls": 2})


async def test_a_limit_that_was_raised_is_warned_of_anew(store: SqliteStore, clock: ManualClock) -> None:
    chores = Chores({"slow": (), **dict.fromkeys("abcde", ())})
    async with driven(store, clock, chores, Broom({"slow": 30}), budget=Budget(tool_calls=6, reserve_share=0)) as run:
        while not of(BudgetWarned, await facts(store)):  # noqa: ASYNC110 -- the store tells nobody
            await asyncio.sleep(0.01)
        await settled(store, await send(store, clock, AddBudget(tool_calls=1)))
        assert not run.done()
    await drive(
        await journal_of(store, clock, chores),
        performer(Broom(), clock),
        limits(budget=Budget(tool_calls=6, reserve_share=0)),
        asyncio.Event(),
    )
    warned = [(fact.limit, fact.allowed) for fact in of(BudgetWarned, await facts(store))]
    assert warned == [("tool_calls", "6.0"), ("tool_calls", "7.0")]


@pytest.mark.parametrize("order", [Pause(), AddBudget(tool_calls=1), Answer(text="late")])
async def test_after_the_end_nothing_is_noted_any_more(store: SqliteStore, clock: ManualClock, order: Command) -> None:
    async with driven(store, clock, Chores(SLOW), Broom({"slow": 30})) as run:
        await send(store, clock, FinishNow())
        await run
    number = await send(store, clock, order)
    journal = await journal_of(store, clock, Chores(SLOW))
    assert await handle_inbox(journal, Budget(tool_calls=9)) is None
    await journal.flush()
    assert (await settled(store, number)).refused
    assert isinstance((await facts(store))[-1], SessionFinished)


async def test_while_nothing_is_in_flight_and_while_nobody_carries_on_no_time_is_spent(
    store: SqliteStore, clock: ManualClock
) -> None:
    async def told(*payloads: KnownPayload) -> RunState:
        journal = await journal_of(store, clock, Chores(SLOW))
        journal.note("WORKING", None, payloads)
        await journal.flush()
        clock.advance(3600)
        return (await journal_of(store, clock, Chores(SLOW))).run

    run = await told(Answered(ref="told", text="at last"))
    assert run.elapsed_at(clock.now()) == 0
    broom = Broom({"slow": 30})
    async with driven(store, clock, Chores(SLOW), broom):
        pass  # it ends as by a crash: nothing is said
    clock.advance(3600)
    run = await told(FinishRequested())
    assert run.elapsed < 1
    await drive(await journal_of(store, clock, Chores(SLOW)), performer(broom, clock), limits(), asyncio.Event())
    assert (await journal_of(store, clock, Chores(SLOW))).run.elapsed < 1


def test_a_command_whose_holder_was_killed_is_obeyed_by_the_next(tmp_path: Path) -> None:
    """The holder dies after it obeyed and before the settlement is durable."""
    file = tmp_path / "chores.db"

    class Doomed(SqliteStore):
        @override
        async def append(
            self,
            lease: Lease,
            events: Sequence[Event],
            settled: Sequence[Settlement] = (),
            status: LogStatus | None = None,
        ) -> None:
            if settled:
                die()
            await super().append(lease, events, settled, status)

    async def prepare() -> None:
        store, clock = open_store(file), ManualClock()
        await begin(store, clock)
        await send(store, clock, Answer(text="once"))
        await store.close()

    async def doomed() -> None:
        store, clock = Doomed(open_store(file)._database), ManualClock()
        await drive(await journal_of(store, clock, Chores(CHAIN)), performer(Broom(), clock), limits(), asyncio.Event())

    async def go_on() -> Sequence[KnownPayload]:
        store, clock = open_store(file), ManualClock()
        assert await store.settled(SESSION, 1) is None
        await lease_of(store, clock)
        await drive(await journal_of(store, clock, Chores(CHAIN)), performer(Broom(), clock), limits(), asyncio.Event())
        assert (await settled(store, 1)).refused is None
        log = await facts(store)
        await store.close()
        return log

    asyncio.run(prepare())
    assert ended(fork(doomed)) == -signal.SIGKILL
    log = asyncio.run(go_on())
    assert [fact.text for fact in of(Answered, log)] == ["once"]
    assert isinstance(log[-1], SessionFinished)


async def test_an_order_is_obeyed_at_the_next_commit_of_a_run_in_which_everything_is_pure(
    store: SqliteStore, clock: ManualClock
) -> None:
    class Feather(Broom):
        pure = True
        runs = 0

        @override
        async def run(self, given: Chore) -> Done:
            self.runs += 1
            if self.runs == 10:
                await send(store, clock, FinishNow())
            return await super().run(given)

    many = {f"c{number:03}": (f"c{number - 1:03}",) if number else () for number in range(400)}
    broom = Feather()
    run = await drive(await journal_of(store, clock, Chores(many)), performer(broom, clock), limits(), asyncio.Event())
    assert run.status == "finished"
    assert of(FinishRequested, await facts(store)) == [FinishRequested()]
    assert 10 <= broom.runs < 10 + 256
