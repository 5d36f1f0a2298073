"""Outcomes share a commit with what follows from them while that takes a moment, and only then."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from fakes.chores import Broom, Chore, Chores, ChoresState, Done, begin, facts, journal_of, limits, of, performer
from fakes.recording import RecordingStore
from fakes.time import ManualClock
from quaestor.contracts.action import Action
from quaestor.contracts.event import ToolResponded
from quaestor.kernel.drive import drive
from quaestor.kernel.grouping import QUICK_TURN, SLOW_TURN_COST, CommitGrouping
from quaestor.storage.sqlite import open_store

STEPS = 2 * SLOW_TURN_COST
CHAIN = {f"c{number}": (f"c{number - 1}",) if number else () for number in range(STEPS)}


async def appends(chores: Chores, clock: ManualClock) -> list[list[str]]:
    """Run chores one after the other; return the types of every transaction that has an outcome."""
    store = RecordingStore()
    await begin(store, clock)
    await drive(await journal_of(store, clock, chores), performer(Broom(), clock), limits(), asyncio.Event())
    await store.close()
    return [types for types in store.appended if "tool_responded" in types]


async def test_an_outcome_shares_the_commit_of_the_next_intent_after_a_series_of_quick_turns() -> None:
    appended = await appends(Chores(CHAIN), ManualClock(tick=0))
    assert appended[:SLOW_TURN_COST] == [["tool_responded"]] * SLOW_TURN_COST
    assert appended[SLOW_TURN_COST:-1] == [["tool_responded", "tool_requested"]] * (STEPS - SLOW_TURN_COST - 1)


async def test_an_outcome_waits_for_no_slow_routing() -> None:
    class Slow(Chores):
        @override
        def next(self, state: ChoresState) -> Sequence[Action]:
            clock.advance(2 * QUICK_TURN.total_seconds())
            return super().next(state)

    clock = ManualClock(tick=0)
    assert await appends(Slow(CHAIN), clock) == [["tool_responded"]] * STEPS


async def test_a_defect_of_the_routing_loses_no_outcome_that_waits() -> None:
    class Defective(Chores):
        @override
        def next(self, state: ChoresState) -> Sequence[Action]:
            if len(state.ended) == STEPS - 10:
                raise ZeroDivisionError
            return super().next(state)

    clock, store = ManualClock(tick=0), open_store(":memory:")
    await begin(store, clock)
    journal = await journal_of(store, clock, Defective(CHAIN))
    with pytest.raises(ZeroDivisionError):
        await drive(journal, performer(Broom(), clock), limits(), asyncio.Event())
    assert len(of(ToolResponded, await facts(store))) == STEPS - 10
    await store.close()


async def test_an_outcome_that_waits_is_stored_before_anything_is_cancelled() -> None:
    class Slow(Broom):
        @override
        async def run(self, given: Chore) -> Done:
            try:
                return await super().run(given)
            except asyncio.CancelledError:
                stored.extend(of(ToolResponded, await facts(store)))
                raise

    stored: list[ToolResponded] = []
    clock, store = ManualClock(tick=0), open_store(":memory:")
    await begin(store, clock)
    last = f"c{STEPS - 1}"
    chores = Chores({**CHAIN, "aside": ()}, drop_after={"aside": last})
    journal = await journal_of(store, clock, chores)
    await drive(journal, performer(Slow({"aside": 600}), clock), limits(), asyncio.Event())
    assert [outcome.key for outcome in stored][-1] == last
    await store.close()


@given(st.lists(st.booleans(), max_size=1_000))
def test_no_more_than_one_outcome_in_a_hundred_waits_for_a_slow_turn(slow: list[bool]) -> None:
    clock, grouping, late = ManualClock(tick=0), CommitGrouping(), 0
    for number, is_slow in enumerate(slow, start=1):
        late += is_slow and grouping.is_allowed
        grouping.begin_turn(clock.now())
        clock.advance(1 if is_slow else 0)
        grouping.end_turn(clock.now())
        assert late <= number / SLOW_TURN_COST


def test_neither_a_commit_nor_a_clock_that_is_turned_back_makes_a_turn_quick_or_slow() -> None:
    clock, grouping = ManualClock(tick=0), CommitGrouping()
    for _ in range(SLOW_TURN_COST):
        grouping.begin_turn(clock.now())
        clock.advance(1)
        grouping.leave_out(timedelta(seconds=1))
        grouping.end_turn(clock.now())
    assert grouping.is_allowed
    grouping.begin_turn(clock.now())
    clock.advance(-1)
    grouping.end_turn(clock.now())
    assert not grouping.is_allowed
