import asyncio
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import ClassVar

import pytest
from pydantic import BaseModel
from typing_extensions import override

from fakes.chores import (
    SESSION,
    SWEPT,
    Answers,
    Broom,
    Chore,
    Chores,
    ChoresState,
    Done,
    Once,
    Summing,
    begin,
    journal_of,
    lease_of,
    limits,
    performer,
)
from fakes.recording import RecordingStore
from fakes.time import ManualClock
from quaestor.contracts.action import Action, OutputPass, ToolPass, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.command import Settlement
from quaestor.contracts.cost import Budget
from quaestor.contracts.errors import LeaseLost, WorkflowError
from quaestor.contracts.event import (
    ActionCancelled,
    BudgetReached,
    ContractRejected,
    ErrorRecorded,
    Event,
    ModelRequested,
    Paused,
    Resumed,
    SessionFinished,
    StateEntered,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, PreparedCall, ToolsRequest
from quaestor.contracts.roles import PromptInput
from quaestor.contracts.session import Lease, LogStatus
from quaestor.contracts.workflow import StateSpec
from quaestor.kernel.drive import GATHERING_SECONDS, drive
from quaestor.storage.sqlite import SqliteStore, open_store

CHAIN = {"a": (), "b": ("a",), "c": ("b",)}
FAN = {f"c{number:02}": () for number in range(20)}


async def types(store: SqliteStore) -> list[str]:
    return [event.type for event in await store.events(SESSION)]


async def outcome(store: SqliteStore) -> SessionFinished:
    last = (await store.events(SESSION))[-1].payload
    assert isinstance(last, SessionFinished)
    return last


async def test_a_run_does_everything_once_and_finishes(store: SqliteStore, clock: ManualClock) -> None:
    broom = Broom()
    run = await drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event())
    assert run.status == "finished"
    assert broom.used == ["a", "b", "c"]
    assert (await outcome(store)).statement == "swept"


async def test_every_intent_is_stored_before_its_effect(store: SqliteStore, clock: ManualClock) -> None:
    class Watching(Broom):
        @override
        async def run(self, given: Chore) -> Done:
            stored = [event.payload for event in await store.events(SESSION)]
            assert any(isinstance(fact, ToolRequested) and fact.key == given.model_dump()["name"] for fact in stored)
            return await super().run(given)

    await drive(await journal_of(store, clock, Chores(CHAIN)), performer(Watching(), clock), limits(), asyncio.Event())
    assert not [event for event in await store.events(SESSION) if isinstance(event.payload, ErrorRecorded)]


async def test_what_is_pure_begins_before_its_intent_is_stored_and_nothing_else_does(clock: ManualClock) -> None:
    class Feather(Broom):
        pure = True

    class Asked(Answers):
        @override
        async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
            stored.extend(await types(store))
            return await super().answer(request, prepared)

    stored: list[str] = []
    store = open_store(":memory:")
    await begin(store, clock)
    performing = performer(Feather(), clock, Asked(SWEPT))
    await drive(await journal_of(store, clock, Chores(CHAIN)), performing, limits(), asyncio.Event())
    assert stored.count("tool_responded") == len(CHAIN)
    assert stored[-1] == "model_requested"
    appended = await appends(Feather(), clock)
    first = [batch[0] for batch in appended]
    assert first == ["state_entered", "model_responded", "state_entered"], "one commit for all that is pure"
    assert len(await appends(Broom(), clock)) == 2 * (len(CHAIN) + 1) + 1
    await store.close()


async def test_what_is_not_pure_waits_for_its_intent_also_beside_what_is(
    store: SqliteStore, clock: ManualClock
) -> None:
    class Feather(Broom):
        pure = True

    class Both(Chores):
        @override
        def next(self, state: ChoresState) -> Sequence[Action]:
            summed = OutputPass(key="sum", state="WORKING", role="summer", given=Summing())
            return [*super().next(state), *([] if state.summary else [summed])]

    class Asked(Answers):
        @override
        async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
            assert {"tool_requested", "model_requested"} <= set(await types(store))
            return await super().answer(request, prepared)

    model = Asked(SWEPT)
    performing = performer(Feather(), clock, model)
    await drive(await journal_of(store, clock, Both({"a": ()})), performing, limits(), asyncio.Event())
    assert len(model.requests) == 1
    assert not [event for event in await store.events(SESSION) if isinstance(event.payload, ErrorRecorded)]


async def test_what_is_pure_is_stored_after_some_time_or_some_events(clock: ManualClock) -> None:
    class Slow(Broom):
        pure = True

        @override
        async def run(self, given: Chore) -> Done:
            clock.advance(0.2)
            return await super().run(given)

    assert [batch.count("tool_responded") for batch in await appends(Slow(), clock)] == [2, 1, 0, 0], (
        "0.4 s are too long"
    )
    many = {f"c{number:03}": (f"c{number - 1:03}",) if number else () for number in range(300)}
    batches = await appends(Slow(), clock, many)
    assert max(len(batch) for batch in batches) <= 256 + 2


async def appends(
    broom: Broom, clock: ManualClock, chores: Mapping[str, Sequence[str]] = MappingProxyType(CHAIN)
) -> list[list[str]]:
    """Run chores with a broom; return the types of every transaction."""
    store = RecordingStore()
    await begin(store, clock)
    await drive(await journal_of(store, clock, Chores(chores)), performer(broom, clock), limits(), asyncio.Event())
    await store.close()
    return store.appended


async def test_an_outcome_is_stored_before_anything_follows_from_it(clock: ManualClock) -> None:
    store = RecordingStore()
    await begin(store, clock)
    await drive(await journal_of(store, clock, Chores(CHAIN)), performer(Broom(), clock), limits(), asyncio.Event())
    assert store.appended == [
        ["state_entered", "tool_requested"],
        ["tool_responded"],
        ["tool_requested"],
        ["tool_responded"],
        ["tool_requested"],
        ["tool_responded"],
        ["fact_recorded", "state_entered", "model_requested"],
        ["model_responded", "contract_accepted"],
        ["state_entered", "session_finished"],
    ]
    await store.close()


async def test_what_ends_close_together_is_stored_at_once(clock: ManualClock) -> None:
    ends = (0.05, 0.1, 0.15, 0.2)  # one pair each, as a busy machine may come between some
    pairs = {f"{name}{end}": end + late for end in ends for name, late in (("a", 0), ("b", 0.6 * GATHERING_SECONDS))}
    ended = [batch.count("tool_responded") for batch in await appends(Broom(pairs), clock, dict.fromkeys(pairs, ()))]
    assert ended.count(2) > 1
    assert sum(ended) == len(pairs)


async def test_an_answer_is_stored_while_something_else_computes(clock: ManualClock) -> None:
    answered = threading.Event()

    class Mill(Broom):
        pure = True
        computes = True

        @override
        async def run(self, given: Chore) -> Done:
            assert answered.wait(200), "the answer waited for the processor"
            return await super().run(given)

    class Both(Chores):
        @override
        def next(self, state: ChoresState) -> Sequence[Action]:
            summed = OutputPass(key="sum", state="WORKING", role="summer", given=Summing())
            return [*super().next(state), *([] if state.summary else [summed])]

    class Recording(SqliteStore):
        @override
        async def append(
            self,
            lease: Lease,
            events: Sequence[Event],
            settled: Sequence[Settlement] = (),
            status: LogStatus | None = None,
        ) -> None:
            await super().append(lease, events, settled, status)
            if any(event.type == "model_responded" for event in events):
                answered.set()

    store = Recording(open_store(":memory:")._database)
    await begin(store, clock)
    performing = performer(Mill(), clock, Answers(SWEPT))
    await drive(await journal_of(store, clock, Both({"a": ()})), performing, limits(), asyncio.Event())
    assert not [event for event in await store.events(SESSION) if isinstance(event.payload, ErrorRecorded)]
    assert not [fact for event in await store.events(SESSION) if getattr(fact := event.payload, "error", None)]
    await store.close()


@pytest.mark.parametrize("crowded", [False, True])
async def test_what_computes_alone_leaves_the_event_loop_to_other_sessions(
    store: SqliteStore, clock: ManualClock, *, crowded: bool
) -> None:
    threads: set[str] = set()

    class Mill(Broom):
        computes = True

        @override
        async def run(self, given: Chore) -> Done:
            threads.add(threading.current_thread().name.partition("_")[0])
            return await super().run(given)

    performing = replace(performer(Mill(), clock), crowded=lambda: crowded)
    await drive(await journal_of(store, clock, Chores(CHAIN)), performing, limits(), asyncio.Event())
    assert threads == {"computing" if crowded else "MainThread"}


async def test_no_more_fly_at_once_than_the_limit_allows(store: SqliteStore, clock: ManualClock) -> None:
    broom = Broom(dict.fromkeys(FAN, 0.005))
    await drive(
        await journal_of(store, clock, Chores(FAN)), performer(broom, clock), limits(in_flight=3), asyncio.Event()
    )
    assert broom.most_at_once == 3
    assert Counter(broom.used) == Counter(list(FAN))


async def test_nothing_waits_for_a_slow_sibling(store: SqliteStore, clock: ManualClock) -> None:
    broom = Broom({"slow": 0.15})
    chores = Chores({"slow": (), **CHAIN})
    await drive(await journal_of(store, clock, chores), performer(broom, clock), limits(), asyncio.Event())
    responded = [event.payload.key for event in await store.events(SESSION) if isinstance(event.payload, ToolResponded)]
    assert responded == ["a", "b", "c", "slow"]


async def test_what_is_no_longer_wanted_is_cancelled_and_on_record(store: SqliteStore, clock: ManualClock) -> None:
    broom = Broom({"slow": 30})
    chores = Chores({"slow": (), "a": ()}, drop_after={"slow": "a"})
    await drive(await journal_of(store, clock, chores), performer(broom, clock), limits(), asyncio.Event())
    cancelled = [event.payload for event in await store.events(SESSION) if isinstance(event.payload, ActionCancelled)]
    assert [fact.key for fact in cancelled] == ["slow"]
    assert broom.cancelled == ["slow"]


async def test_a_failing_and_a_hanging_tool_are_outcomes(store: SqliteStore, clock: ManualClock) -> None:
    broom = Broom({"hangs": 30}, broken=["broken"])
    chores = Chores({"hangs": (), "broken": (), "a": ()})
    await drive(await journal_of(store, clock, chores), performer(broom, clock, seconds=0.1), limits(), asyncio.Event())
    errors = {
        event.payload.key: event.payload.error
        for event in await store.events(SESSION)
        if isinstance(event.payload, ToolResponded)
    }
    assert errors == {"a": None, "broken": "broken is broken", "hangs": "no answer within 0.1 s"}


async def test_an_unforeseen_fault_is_recorded_and_the_run_goes_on(store: SqliteStore, clock: ManualClock) -> None:
    class Exploding(Broom):
        @override
        async def run(self, given: Chore) -> Done:
            raise RuntimeError(f"cannot sweep {given.model_dump()['name']}")

    await drive(
        await journal_of(store, clock, Chores({"a": ()})), performer(Exploding(), clock), limits(), asyncio.Event()
    )
    errors = [
        event.payload.message for event in await store.events(SESSION) if isinstance(event.payload, ErrorRecorded)
    ]
    assert errors == ["tool_run a: RuntimeError: cannot sweep a"]
    assert (await outcome(store)).outcome == "done"


async def test_a_broken_contract_is_answered_with_what_is_wrong(store: SqliteStore, clock: ManualClock) -> None:
    model = Answers("nonsense", '{"said": ""}', '{"said": "swept"}')
    await drive(
        await journal_of(store, clock, Chores({"a": ()})), performer(Broom(), clock, model), limits(), asyncio.Event()
    )
    assert [request.attempt for request in model.requests] == [1, 2, 3]
    assert [request.ordinal for request in model.requests] == [1, 2, 3]
    assert model.requests[1].objections == (
        "the reply holds no JSON object; answer with one JSON object and nothing else",
    )
    assert [request.rejected for request in model.requests] == [None, "nonsense", '{"said": ""}']
    assert model.requests[2].objections == ("say more",)
    assert (await outcome(store)).statement == "swept"


@pytest.mark.parametrize("text", ['{"said": "\\ud83d"}', '{"said": "\ud83d"', "\x00", "", "null", "[" * 100_000])
async def test_no_reply_breaks_a_run(store: SqliteStore, clock: ManualClock, text: str) -> None:
    model = Answers(text, SWEPT)
    await drive(
        await journal_of(store, clock, Chores({"a": ()})), performer(Broom(), clock, model), limits(), asyncio.Event()
    )
    assert (await outcome(store)).statement == "swept"


async def test_three_broken_replies_are_the_end_of_it(store: SqliteStore, clock: ManualClock) -> None:
    model = Answers("nonsense")
    await drive(
        await journal_of(store, clock, Chores({"a": ()})), performer(Broom(), clock, model), limits(), asyncio.Event()
    )
    rejected = [event.payload for event in await store.events(SESSION) if isinstance(event.payload, ContractRejected)]
    assert [fact.final for fact in rejected] == [False, False, True]
    assert (await outcome(store)).statement.startswith("gave up:")


@pytest.mark.parametrize("parallel", [1, 8])
async def test_the_budget_is_a_wall(store: SqliteStore, clock: ManualClock, parallel: int) -> None:
    broom = Broom(dict.fromkeys(FAN, 0.001))
    budget = Budget(tool_calls=10, reserve_share=0.2)
    await drive(
        await journal_of(store, clock, Chores(FAN)),
        performer(broom, clock),
        limits(in_flight=parallel, budget=budget),
        asyncio.Event(),
    )
    assert len(broom.used) == 8
    reached = [event.payload for event in await store.events(SESSION) if isinstance(event.payload, BudgetReached)]
    assert [fact.limit for fact in reached] == ["tool_calls: 10"]
    assert reached[0].spent.tool_calls == 8
    assert (await outcome(store)).outcome == "partial"


async def test_the_end_is_the_last_event_and_what_flew_was_cancelled_before(
    store: SqliteStore, clock: ManualClock
) -> None:
    class Tiring(Broom):
        @override
        async def run(self, given: Chore) -> Done:
            done = await super().run(given)
            clock.advance(100)
            return done

    broom = Tiring({"slow": 30, "slower": 30})
    chores = Chores({"slow": (), "a": (), "slower": ()})
    budget = Budget(seconds=50)
    run = await drive(
        await journal_of(store, clock, chores), performer(broom, clock), limits(budget=budget), asyncio.Event()
    )
    assert run.status == "finished"
    assert (await outcome(store)).outcome == "partial"
    assert (await types(store))[-5:] == [
        "budget_reached",
        "action_cancelled",
        "action_cancelled",
        "state_entered",
        "session_finished",
    ]
    assert sorted(broom.cancelled) == ["slow", "slower"]


async def test_wanting_again_what_the_budget_refused_is_a_defect(store: SqliteStore, clock: ManualClock) -> None:
    class Stubborn(Chores):
        @override
        def next(self, state: ChoresState) -> Sequence[Action]:
            return super().next(state.model_copy(update={"stopped": None}))

    journal = await journal_of(store, clock, Stubborn(CHAIN))
    with pytest.raises(WorkflowError, match="the budget refused it: tool_calls: 0"):
        await drive(journal, performer(Broom(), clock), limits(budget=Budget(tool_calls=0)), asyncio.Event())


async def test_an_interrupt_lets_what_flies_land_and_pauses(store: SqliteStore, clock: ManualClock) -> None:
    broom, stop = Broom({"a": 0.05}), asyncio.Event()
    asyncio.get_running_loop().call_later(0.01, stop.set)
    run = await drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), stop)
    assert run.status == "paused"
    assert broom.used == ["a"]
    assert (await types(store))[-2:] == ["tool_responded", "paused"]

    run = await drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event())
    assert run.status == "finished"
    assert broom.used == ["a", "b", "c"]


async def test_the_grace_of_an_interrupt_ends(store: SqliteStore, clock: ManualClock) -> None:
    broom, stop = Broom({"a": 30}), asyncio.Event()
    asyncio.get_running_loop().call_later(0.01, stop.set)
    await drive(
        await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(grace_seconds=0.05), stop
    )
    assert broom.cancelled == ["a"]
    assert isinstance((await store.events(SESSION))[-1].payload, Paused)


async def crash(store: SqliteStore, clock: ManualClock, broom: Broom) -> None:
    """Stop a run the hard way while its first chore is in flight, with nothing said."""
    task = asyncio.create_task(
        drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event())
    )
    await asyncio.wait_for(broom.begun.wait(), 300)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_after_a_crash_a_repeatable_effect_is_done_again(store: SqliteStore, clock: ManualClock) -> None:
    await crash(store, clock, Broom({"a": 30}))
    broom = Broom()
    await drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event())
    resumed = [event.payload for event in await store.events(SESSION) if isinstance(event.payload, Resumed)]
    assert resumed == [Resumed(after="crash", reopened=("a",))]
    assert broom.used == ["a", "b", "c"]


async def test_after_a_crash_a_side_effect_is_interrupted(store: SqliteStore, clock: ManualClock) -> None:
    await crash(store, clock, Once({"a": 30}))
    broom = Once()
    await drive(await journal_of(store, clock, Chores(CHAIN)), performer(broom, clock), limits(), asyncio.Event())
    interrupted = [event.payload for event in await store.events(SESSION) if isinstance(event.payload, ToolInterrupted)]
    assert [fact.key for fact in interrupted] == ["a"]
    assert broom.used == ["b", "c"]


async def test_a_state_that_the_table_has_no_more_ends_the_run_and_leaves_nothing_running(
    store: SqliteStore, clock: ManualClock
) -> None:
    class Renamed(Chores):
        table: ClassVar[Mapping[str, StateSpec]] = {"SWEEPING": Chores.table["WORKING"]}

    await crash(store, clock, Broom({"a": 30}))
    journal, before = await journal_of(store, clock, Renamed(CHAIN)), asyncio.all_tasks()
    with pytest.raises(WorkflowError, match="the state 'WORKING' is not in the state table"):
        await drive(journal, performer(Broom(), clock), limits(), asyncio.Event())
    assert asyncio.all_tasks() == before


async def test_a_finished_session_wants_nothing(store: SqliteStore, clock: ManualClock) -> None:
    for _ in range(2):
        broom = Broom()
        await drive(
            await journal_of(store, clock, Chores({"a": ()})), performer(broom, clock), limits(), asyncio.Event()
        )
    finished = [event for event in await store.events(SESSION) if isinstance(event.payload, SessionFinished)]
    assert len(finished) == 1
    assert broom.used == []


async def test_who_lost_the_lease_cannot_append(store: SqliteStore, clock: ManualClock) -> None:
    journal = await journal_of(store, clock, Chores(CHAIN))
    await lease_of(store, clock)
    before = await types(store)
    with pytest.raises(LeaseLost):
        await drive(journal, performer(Broom(), clock), limits(), asyncio.Event())
    assert await types(store) == before


async def test_states_are_entered_as_the_table_allows(store: SqliteStore, clock: ManualClock) -> None:
    chores = Chores(CHAIN)
    await drive(await journal_of(store, clock, chores), performer(Broom(), clock), limits(), asyncio.Event())
    entered = [event for event in await store.events(SESSION) if isinstance(event.payload, StateEntered)]
    assert [event.state for event in entered] == ["WORKING", "SUMMING", "DONE"]
    assert all(after.state in chores.table[before.state].leads_to for before, after in pairwise(entered))


@pytest.mark.parametrize(
    ("entered", "said"),
    [("DREAMING", "'DREAMING' is not in the state table"), ("SUMMING", "went from DONE to SUMMING")],
)
async def test_leaving_the_table_is_a_defect(store: SqliteStore, clock: ManualClock, entered: str, said: str) -> None:
    class Straying(Chores):
        @override
        def next(self, state: ChoresState) -> Sequence[Action]:
            del state
            return [ToolRun(key="x", state=entered, tool="broom", given=Contract())]

    journal = await journal_of(store, clock, Straying({}))
    journal.note("DONE", None, [])
    with pytest.raises(WorkflowError, match=said):
        await drive(journal, performer(Broom(), clock), limits(), asyncio.Event())


async def test_a_tool_that_the_state_does_not_declare_is_a_defect_and_never_runs(
    store: SqliteStore, clock: ManualClock
) -> None:
    class Straying(Chores):
        @override
        def next(self, state: ChoresState) -> Sequence[Action]:
            del state
            return [ToolRun(key="x", state="SUMMING", tool="broom", given=Contract())]

    broom = Broom()
    journal = await journal_of(store, clock, Straying({}))
    with pytest.raises(WorkflowError, match="x uses broom, which SUMMING does not declare"):
        await drive(journal, performer(broom, clock), limits(), asyncio.Event())
    assert broom.used == []


def asked(contract: str | None, tools: tuple[str, ...]) -> ModelRequested:
    return ModelRequested(key="k", role="r", model="m", contract=contract, tools=tools, ordinal=1, attempt=1, given={})


def test_a_model_call_has_a_contract_or_tools_and_never_both() -> None:
    assert asked("Done", ()).tools == ()
    assert asked(None, ("broom",)).contract is None
    with pytest.raises(ValueError, match="not both"):
        asked("Done", ("broom",))
    with pytest.raises(ValueError, match="not neither"):
        asked(None, ())


def test_no_type_of_action_or_request_can_carry_both_a_contract_and_tools() -> None:
    kinds: tuple[type[BaseModel], ...] = (OutputPass, ToolPass, OutputRequest, ToolsRequest)
    assert [kind.model_fields.get("tools") is not None for kind in kinds] == [False, True, False, True]
    shows = [kind.model_fields["given"].annotation is PromptInput for kind in kinds]
    assert shows == [False, True, False, True]
    assert not hasattr(PromptInput, "gives")
