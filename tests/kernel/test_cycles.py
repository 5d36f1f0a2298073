"""A session that is finished may begin again: another cycle of the same log, of which nothing is forgotten."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.chores import SESSION, SWEPT, Answers, Broom, begin, facts, journal_of, limits, of, performer
from fakes.rounds import Rounds
from fakes.time import ManualClock
from quaestor.contracts.command import Cancel, Command, OpenCycle
from quaestor.contracts.cost import Budget, Spend
from quaestor.contracts.event import (
    BudgetReached,
    BudgetWarned,
    CycleStarted,
    Event,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    SessionFinished,
    StateEntered,
    ToolRequested,
)
from quaestor.kernel.drive import drive
from quaestor.kernel.journal import handle_inbox
from quaestor.kernel.run_state import RunState, fold
from quaestor.storage.sqlite import SqliteStore, open_store

CHAIN = {"a": (), "b": ("a",)}
ONWARD = CycleStarted(why="question", question="And then?")


async def carried(
    store: SqliteStore, clock: ManualClock, budget: Budget | None = None, model: Answers | None = None
) -> RunState:
    """Carry the session on, as a new process would."""
    journal = await journal_of(store, clock, Rounds(CHAIN))
    return await drive(journal, performer(Broom(), clock, model), limits(budget=budget), asyncio.Event())


async def told(store: SqliteStore, clock: ManualClock, order: Command) -> str | None:
    """Send a command to a session that no process runs; return why it is refused."""
    number = (await store.send(SESSION, order, clock.now())).number
    journal = await journal_of(store, clock, Rounds(CHAIN))
    await handle_inbox(journal, Budget())
    await journal.flush()
    settled = await store.settled(SESSION, number)
    assert settled is not None
    return settled.refused


async def asked_on(store: SqliteStore, clock: ManualClock) -> None:
    assert await told(store, clock, OpenCycle(why="question", question="And then?")) is None


async def test_another_cycle_does_the_same_again_under_the_same_keys(store: SqliteStore, clock: ManualClock) -> None:
    assert (await carried(store, clock)).status == "finished"
    before = await store.events(SESSION)
    await asked_on(store, clock)
    assert (await carried(store, clock)).status == "finished"
    events = await store.events(SESSION)
    assert events[: len(before)] == before
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.cycle for event in events] == [1] * len(before) + [2] * (len(events) - len(before))
    first, second = (
        [event.payload.key for event in part if isinstance(event.payload, ToolRequested | ModelRequested)]
        for part in (before, events[len(before) :])
    )
    assert first == second == ["a", "b", "sum"]
    assert (await store.session(SESSION)).outcome == "done"
    assert await store.verify_chain(SESSION) == []


async def test_a_cycle_that_begins_enters_no_state_and_its_first_state_has_none_before_it(
    store: SqliteStore, clock: ManualClock
) -> None:
    await carried(store, clock)
    end = (await store.events(SESSION))[-1]
    await asked_on(store, clock)
    begun = (await store.events(SESSION))[-1]
    assert (begun.payload, begun.cycle, begun.seq, begun.state) == (ONWARD, 2, end.seq + 1, "DONE")
    assert (await store.session(SESSION)).outcome is None
    await carried(store, clock)
    entered = [event.payload for event in (await store.events(SESSION))[begun.seq :]]
    assert entered[0] == StateEntered(scope="session", previous=None)


async def test_only_what_is_finished_begins_again(store: SqliteStore, clock: ManualClock) -> None:
    assert "nothing to do" in str(await told(store, clock, OpenCycle(why="refresh")))
    await carried(store, clock)
    await asked_on(store, clock)
    assert "nothing to do" in str(await told(store, clock, OpenCycle(why="refresh")))
    assert "nothing to do" in str(await told(store, clock, Cancel()))
    assert of(CycleStarted, await facts(store)) == [ONWARD]


async def test_what_was_spent_counts_on_and_a_limit_is_reached_once_a_cycle(
    store: SqliteStore, clock: ManualClock
) -> None:
    walled = Budget(tool_calls=3, reserve_share=0)
    assert (await carried(store, clock, walled)).outcome == "done"
    for number in (1, 2, 3):
        await asked_on(store, clock)
        assert (await carried(store, clock, walled)).outcome == "partial"
        assert len(of(BudgetReached, await facts(store))) == number
    spent = (await carried(store, clock, walled)).spent
    assert (spent.tool_calls, spent.model_calls) == (3, 1)
    assert [warned.limit for warned in of(BudgetWarned, await facts(store))] == ["tool_calls"]


async def test_no_time_passes_between_two_cycles(store: SqliteStore, clock: ManualClock) -> None:
    timed = Budget(seconds=50, reserve_share=0)
    await carried(store, clock, timed)
    clock.advance(1000)
    await asked_on(store, clock)
    clock.advance(1000)
    assert (await carried(store, clock, timed)).outcome == "done"
    assert of(BudgetReached, await facts(store)) == []


async def test_calls_of_a_role_are_counted_on_and_broken_replies_are_not(
    store: SqliteStore, clock: ManualClock
) -> None:
    broken = Answers("no JSON", SWEPT, "no JSON", SWEPT)
    await carried(store, clock, model=broken)
    await asked_on(store, clock)
    await carried(store, clock, model=broken)
    asked = of(ModelRequested, await facts(store))
    assert [(one.ordinal, one.attempt) for one in asked] == [(1, 1), (2, 2), (3, 1), (4, 2)]


def test_a_run_that_begins_again_keeps_what_it_used_and_forgets_where_it_was() -> None:
    spent = Spend(model_calls=4, tool_calls=2)
    ended = RunState(
        seq=9,
        status="finished",
        entered={"session": "DONE", "t1": "RECORDING"},
        ordinals={("reader", "t1"): 3},
        refused=frozenset({"a"}),
        warned=frozenset({"tokens"}),
        budget=Budget(tokens=9),
        spent=spent,
        elapsed=7.5,
        options={"model": "offline"},
        outcome="partial",
        statement="The end.",
    )
    event = Event(session_id="s", seq=10, cycle=2, at=ManualClock().now(), state="DONE", payload=ONWARD)
    run = fold(ended, event)
    assert (run.seq, run.cycle, run.status, run.outcome) == (10, 2, "running", None)
    assert (run.entered, run.refused, run.tries) == ({}, frozenset(), {})
    assert (run.ordinals, run.warned, run.budget) == (ended.ordinals, ended.warned, ended.budget)
    assert (run.spent, run.elapsed, run.at, run.options) == (spent, 7.5, None, ended.options)


@pytest.fixture(scope="module")
def log() -> Sequence[Event]:
    """Return the log of two cycles."""

    async def recorded() -> Sequence[Event]:
        store, clock = open_store(":memory:"), ManualClock()
        await begin(store, clock)
        await carried(store, clock)
        await asked_on(store, clock)
        await carried(store, clock)
        events = await store.events(SESSION)
        await store.close()
        return events

    return asyncio.run(recorded())


@given(st.integers(0, 100))
def test_the_cycle_of_a_run_is_that_of_its_last_event(log: Sequence[Event], count: int) -> None:
    events = log[: 1 + count % len(log)]
    run = RunState()
    for event in events:
        run = fold(run, event)
    assert (run.seq, run.cycle) == (events[-1].seq, events[-1].cycle)
    finished = isinstance(events[-1].payload, SessionFinished)
    assert (run.status == "finished") == finished
    answered: list[KnownPayload] = [one.payload for one in events if isinstance(one.payload, ModelResponded)]
    assert run.spent.model_calls == len(answered)
