"""A replay takes the course of the session it replays, whatever is faster now."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from typing_extensions import override

from fakes.chores import SESSION, SWEPT, Answers, Broom, Chore, Chores, Done, begin, facts, journal_of, limits, of
from fakes.rounds import Rounds
from fakes.time import ManualClock
from quaestor.contracts.command import AddBudget, Answer, Command, FinishNow, OpenCycle, Settlement
from quaestor.contracts.cost import Budget, Spend
from quaestor.contracts.event import (
    ActionCancelled,
    Answered,
    BudgetReached,
    ContractAccepted,
    CycleStarted,
    Event,
    FinishRequested,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    Paused,
    Resumed,
    SessionFinished,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall
from quaestor.kernel.drive import drive
from quaestor.kernel.executor import Executor
from quaestor.kernel.flights import Limits
from quaestor.kernel.journal import handle_inbox
from quaestor.kernel.replay_schedule import ReplaySchedule
from quaestor.kernel.run_state import RunState
from quaestor.storage.sqlite import SqliteStore, open_store

CLOCK = ManualClock()
FREE = Spend()


def log(*payloads: KnownPayload) -> Sequence[Event]:
    return [
        Event(session_id=SESSION, seq=seq, cycle=1, at=CLOCK.now(), state="WORKING", payload=payload)
        for seq, payload in enumerate(payloads, 1)
    ]


def asked(key: str) -> ToolRequested:
    return ToolRequested(key=key, tool="broom", repeatable=True, given={}, reserved=FREE)


def ended(key: str) -> ToolResponded:
    return ToolResponded(key=key, tool="broom", result={}, error=None, spend=FREE, milliseconds=1)


def said(key: str) -> Sequence[KnownPayload]:
    answered = ModelResponded(key=key, role="r", reply="{}", error=None, spend=FREE, milliseconds=1)
    return answered, ContractAccepted(key=key, role="r", contract="Done", output={}, repaired=False)


def stopped(limit: str) -> BudgetReached:
    return BudgetReached(limit=limit, spent=FREE, refused_key=limit)


def order(rerun: ReplaySchedule, *flying: str) -> list[list[str]]:
    """Return who is called turn by turn, when nobody else sets out."""
    turns: list[list[str]] = []
    while left := [key for key in flying if not any(key in turn for turn in turns)]:
        turns.append(list(rerun.call(left)))
    return turns


def test_actions_end_in_the_order_in_which_they_ended() -> None:
    rerun = ReplaySchedule(
        log(asked("a"), asked("b"), asked("c"), ended("c"), asked("d"), ended("a"), asked("e"), ended("b"))
    )
    assert order(rerun, "a", "b", "c") == [["c"], ["a"], ["b"]]


def test_what_ended_in_one_turn_ends_in_one_turn_and_in_its_order() -> None:
    rerun = ReplaySchedule(log(asked("a"), asked("b"), asked("c"), ended("c"), *said("a"), asked("d"), ended("b")))
    assert order(rerun, "a", "b", "c") == [["c", "a"], ["b"]]


def test_an_action_that_was_tried_again_ends_as_often() -> None:
    rerun = ReplaySchedule(log(asked("a"), asked("b"), ended("a"), asked("a"), ended("b"), asked("c"), ended("a")))
    assert [rerun.call(["a", "b"]), rerun.call(["a", "b"]), rerun.call(["a"])] == [["a"], ["b"], ["a"]]


def test_what_never_ended_comes_last_and_one_by_one() -> None:
    rerun = ReplaySchedule(log(asked("a"), asked("lost"), ended("a")))
    assert order(rerun, "lost", "unknown", "a") == [["a"], ["lost"], ["unknown"]]
    assert ReplaySchedule([]).call([]) == []


def test_whoever_flies_is_called_though_others_ended_before() -> None:
    rerun = ReplaySchedule(
        log(asked("a"), asked("b"), asked("c"), ended("a"), asked("d"), ended("b"), asked("e"), ended("c"))
    )
    assert order(rerun, "b", "c") == [["b"], ["c"]]
    assert order(rerun, "a") == [["a"]]


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True))
def test_somebody_who_flies_is_always_called(ends: list[str], flying: list[str]) -> None:
    rerun = ReplaySchedule(log(*(fact for key in ends for fact in (ended(key), asked(key)))))
    called = [key for turn in order(rerun, *flying) for key in turn]
    assert sorted(called) == sorted(flying)


def test_what_was_interrupted_came_to_its_end_then() -> None:
    interrupted = ToolInterrupted(key="a", tool="broom")
    resumed = Resumed(after="crash", reopened=("a", "b"))
    rerun = ReplaySchedule(
        log(asked("a"), asked("b"), resumed, interrupted, asked("b"), ended("b"), stopped("tokens: 9"))
    )
    assert rerun.refusal("a", 0) is None
    assert order(rerun, "b", "a") == [["a"], ["b"]]


def test_without_a_limit_nothing_is_refused() -> None:
    rerun = ReplaySchedule(log(asked("a"), asked("lost"), ended("a")))
    assert [rerun.refusal(key, 0) for key in ("a", "lost", "unknown")] == [None] * 3


def test_what_had_not_ended_when_a_limit_was_reached_is_refused_until_it_is_reached_again() -> None:
    rerun = ReplaySchedule(
        log(asked("a"), asked("b"), asked("lost"), ended("a"), stopped("seconds: 9"), ended("b"), stopped("tokens: 5"))
    )
    keys = ("a", "b", "lost", "unknown")
    assert [rerun.refusal(key, 0) for key in keys] == [None, *["seconds: 9"] * 3]
    assert [rerun.refusal(key, 1) for key in keys] == [None, None, *["tokens: 5"] * 2]
    assert [rerun.refusal(key, 2) for key in keys] == [None] * 4


@pytest.fixture
async def stores() -> AsyncIterator[tuple[SqliteStore, SqliteStore]]:
    first, second = open_store(":memory:"), open_store(":memory:")
    yield first, second
    await first.close()
    await second.close()


async def carried(
    store: SqliteStore,
    chores: Chores,
    broom: Broom,
    *,
    limited: Limits | None = None,
    rerun: ReplaySchedule | None = None,
) -> Sequence[KnownPayload]:
    """Run a new session to its end; return what its log says then."""
    clock = broom.clock if isinstance(broom, Tiring) else ManualClock()
    await begin(store, clock)
    performer = Executor(Answers(SWEPT), {"broom": broom}, clock, 5, 5, rerun=rerun)
    async with asyncio.timeout(300):
        await drive(await journal_of(store, clock, chores), performer, limited or limits(), asyncio.Event())
    return await facts(store)


class Tiring(Broom):
    """A tool for one chore of which all the time passes."""

    def __init__(self, chore: str, seconds: Mapping[str, float]) -> None:
        super().__init__(seconds)
        self.clock = ManualClock()
        self._chore = chore

    @override
    async def run(self, given: Chore) -> Done:
        done = await super().run(given)
        if given.model_dump()["name"] == self._chore:
            self.clock.advance(100)
        return done


def course(said: Sequence[KnownPayload]) -> list[JsonValue]:
    return [fact.model_dump(mode="json", exclude={"milliseconds"}) for fact in said]


class Waiting(Broom):
    """A tool for chores each of which waits until another one is begun."""

    def __init__(self, waits: Mapping[str, str]) -> None:
        super().__init__()
        self._waits = waits
        self._begun: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    @override
    async def run(self, given: Chore) -> Done:
        name = str(given.model_dump()["name"])
        self._begun[name].set()
        if name in self._waits:
            await self._begun[self._waits[name]].wait()
        return await super().run(given)


CHORES = {"a": (), "b": (), "c": (), "after a": ("a",), "after b": ("b",), "after c": ("c",)}
ORDERS = list(permutations("abc"))


def ending(order: Sequence[str]) -> Waiting:
    """Return what ends the first three chores in this order, each in a turn of its own."""
    return Waiting({later: f"after {sooner}" for sooner, later in pairwise(order)})


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("now", [{}, {"a": 0.01, "after c": 0.02}])
async def test_a_session_takes_its_course_again_whatever_is_faster_now(
    stores: tuple[SqliteStore, SqliteStore], order: Sequence[str], now: Mapping[str, float]
) -> None:
    first, second = stores
    ran = await carried(first, Chores(CHORES), ending(order))
    again = await carried(second, Chores(CHORES), Broom(now), rerun=ReplaySchedule(await first.events(SESSION)))
    assert course(again) == course(ran)


async def test_outcomes_between_which_nothing_happened_keep_their_order(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    first, second = stores
    chores = Chores({"a": (), "b": (), "c": (), "last": ("a", "b", "c")})
    ran = await carried(first, chores, Broom({"a": 0.04, "b": 0.02}))
    again = await carried(second, chores, Broom(), rerun=ReplaySchedule(await first.events(SESSION)))
    assert course(again) == course(ran)


@pytest.mark.parametrize("order", ORDERS)
async def test_in_a_replay_nothing_is_done_before_its_turn(
    stores: tuple[SqliteStore, SqliteStore], order: Sequence[str]
) -> None:
    first, second = stores
    await carried(first, Chores(CHORES), ending(order))
    broom = Broom()
    await carried(second, Chores(CHORES), broom, rerun=ReplaySchedule(await first.events(SESSION)))
    assert [chore for chore in broom.used if chore in order] == list(order)


@pytest.mark.parametrize("in_flight", [1, 2])
@pytest.mark.parametrize("chores", [CHORES, {**CHORES, "new": (), "newer": ("new",)}])
async def test_a_replay_that_may_do_less_at_once_or_has_more_to_do_comes_to_its_end(
    stores: tuple[SqliteStore, SqliteStore], in_flight: int, chores: Mapping[str, Sequence[str]]
) -> None:
    first, second = stores
    await carried(first, Chores(CHORES), ending("cba"))
    broom, rerun = Broom(), ReplaySchedule(await first.events(SESSION))
    again = await carried(second, Chores(chores), broom, limited=limits(in_flight), rerun=rerun)
    assert sorted(broom.used) == sorted(chores)
    assert of(SessionFinished, again)[0].outcome == "done"


async def test_what_a_session_never_came_to_is_refused_in_a_replay_with_the_limit_that_stopped_it(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    first, second = stores
    walled = limits(budget=Budget(tool_calls=3, reserve_share=0))
    ran = await carried(first, Chores(CHORES), Broom(), limited=walled)
    broom, rerun = Broom(), ReplaySchedule(await first.events(SESSION))
    again = await carried(second, Chores({"new": (), **CHORES}), broom, rerun=rerun)
    assert of(BudgetReached, again)[0].limit == of(BudgetReached, ran)[0].limit == "tool_calls: 3"
    assert "new" not in broom.used
    assert of(SessionFinished, again) == of(SessionFinished, ran)


HANGS = {"a": (), "slow": (), "b": ("a",), "c": ("b",)}
TIMED = limits(budget=Budget(seconds=50, reserve_share=0))


async def test_a_session_that_the_clock_stopped_is_stopped_there_again_by_no_clock(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    first, second = stores
    ran = await carried(first, Chores(HANGS), Tiring("b", {"slow": 30}), limited=TIMED)
    assert [fact.key for fact in of(ActionCancelled, ran)] == ["slow"]
    broom = Broom()
    again = await carried(
        second, Chores(HANGS), broom, limited=TIMED, rerun=ReplaySchedule(await first.events(SESSION))
    )
    assert broom.used == ["a", "b"]
    assert of(SessionFinished, again) == of(SessionFinished, ran)
    assert of(SessionFinished, again)[0].statement == "seconds: 50"


async def test_a_clock_that_stopped_nothing_stops_no_replay(stores: tuple[SqliteStore, SqliteStore]) -> None:
    first, second = stores
    ran = await carried(first, Chores(CHORES), Broom(), limited=TIMED)
    late, rerun = Tiring("a", {}), ReplaySchedule(await first.events(SESSION))
    assert course(await carried(second, Chores(CHORES), late, limited=TIMED, rerun=rerun)) == course(ran)


async def test_an_interrupted_replay_does_not_wait_for_those_whose_turn_has_not_come_and_goes_on(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    first, second = stores
    await carried(first, Chores(CHORES), ending("abc"))
    recorded = await first.events(SESSION)
    stop = asyncio.Event()

    class Last(Broom):
        @override
        async def run(self, given: Chore) -> Done:
            stop.set()
            return await super().run(given)

    clock = ManualClock()
    await begin(second, clock)

    async def driven(broom: Broom) -> RunState:
        performer = Executor(Answers(SWEPT), {"broom": broom}, clock, 5, 5, rerun=ReplaySchedule(recorded))
        journal = await journal_of(second, clock, Chores(CHORES))
        async with asyncio.timeout(300):
            return await drive(journal, performer, limits(grace_seconds=3600), stop)

    before = Last()
    assert (await driven(before)).status == "paused"
    assert isinstance((await facts(second))[-1], Paused)
    stop.clear()
    after = Broom()
    assert (await driven(after)).status == "finished"
    assert sorted([*before.used, *after.used]) == sorted(CHORES)
    assert len(of(ModelRequested, await facts(second))) == 1


TALKED = {"a": (), "b": ("a",), "c": ("b", "go on"), "d": ("go on",)}
ONWARD = OpenCycle(why="question", question="And then?")


async def talked(
    store: SqliteStore, *sittings: Sequence[Command], chores: Mapping[str, Sequence[str]] = TALKED
) -> Sequence[KnownPayload]:
    """Carry a session on as often as people tell it something, who do so while it rests."""
    clock = ManualClock()
    await begin(store, clock)
    for orders in (*sittings, ()):
        performer = Executor(Answers(SWEPT), {"broom": Broom()}, clock, 5, 5)
        async with asyncio.timeout(300):
            await drive(await journal_of(store, clock, Rounds(chores)), performer, limits(), asyncio.Event())
        for said in orders:
            await tell(store, clock, said, chores)
    return await facts(store)


async def tell(store: SqliteStore, clock: ManualClock, said: Command, chores: Mapping[str, Sequence[str]]) -> None:
    sent = await store.send(SESSION, said, clock.now())
    journal = await journal_of(store, clock, Rounds(chores))
    await handle_inbox(journal, Budget(tool_calls=3))
    await journal.flush()
    assert await store.settled(SESSION, sent.number) == Settlement(number=sent.number)


async def replayed(
    first: SqliteStore, second: SqliteStore, chores: Mapping[str, Sequence[str]] = TALKED, broom: Broom | None = None
) -> Sequence[KnownPayload]:
    """Run a new session to its end as a replay of the first; return what its log says then."""
    rerun = ReplaySchedule(await first.events(SESSION))
    return await carried(second, Rounds(chores), broom or Broom(), rerun=rerun)


@pytest.mark.parametrize(
    "sittings",
    [
        [[Answer(text="go on")]],
        [[Answer(text="c"), Answer(text="go on")]],
        [[FinishNow()]],
        [[Answer(text="go on")], [ONWARD], [Answer(text="go on")]],
        [[FinishNow()], [ONWARD, Answer(text="go on")], [ONWARD], [FinishNow()]],
    ],
    ids=["one word", "two words", "the end", "another cycle", "three cycles"],
)
async def test_what_people_told_while_it_rested_is_told_again(
    stores: tuple[SqliteStore, SqliteStore], sittings: Sequence[Sequence[Command]]
) -> None:
    first, second = stores
    ran = await talked(first, *sittings)
    assert course(await replayed(first, second)) == course(ran)
    assert [event.cycle for event in await second.events(SESSION)] == [
        event.cycle for event in await first.events(SESSION)
    ]


async def test_who_was_left_waiting_for_a_word_waits_in_a_replay_too(stores: tuple[SqliteStore, SqliteStore]) -> None:
    first, second = stores
    ran = await talked(first)
    assert of(SessionFinished, ran) == []
    assert course(await replayed(first, second)) == course(ran)


class Talking(Broom):
    """A tool at whose first use for a chore a person says a word, which is heard before the chore is done."""

    def __init__(self, store: SqliteStore, clock: ManualClock, words: Mapping[str, Command]) -> None:
        super().__init__()
        self._store = store
        self._clock = clock
        self._words = words

    @override
    async def run(self, given: Chore) -> Done:
        said = self._words.get(str(given.model_dump()["name"]))
        if said:
            sent = await self._store.send(SESSION, said, self._clock.now())
            async with asyncio.timeout(300):
                while not await self._store.settled(SESSION, sent.number):  # noqa: ASYNC110 -- the store tells nobody
                    await asyncio.sleep(0.01)
        return await super().run(given)


@pytest.mark.parametrize(
    ("words", "used"),
    [
        ({"a": Answer(text="c")}, ["a", "b"]),
        ({"a": Answer(text="b")}, ["a", "c"]),
        ({"b": Answer(text="c")}, ["a", "b"]),
        ({"a": Answer(text="b"), "c": Answer(text="x")}, ["a", "c"]),
        ({"b": FinishNow()}, ["a"]),
    ],
)
async def test_a_word_in_the_middle_of_the_work_is_told_again_after_the_same_outcome(
    stores: tuple[SqliteStore, SqliteStore], words: Mapping[str, Command], used: Sequence[str]
) -> None:
    first, second = stores
    chores = {"a": (), "b": ("a",), "c": ("b",)}
    clock = ManualClock()
    await begin(first, clock)
    performer = Executor(Answers(SWEPT), {"broom": Talking(first, clock, words)}, clock, 5, 5)
    await drive(await journal_of(first, clock, Rounds(chores)), performer, limits(), asyncio.Event())
    ran = await facts(first)
    broom = Broom()
    again = await replayed(first, second, chores, broom)
    assert course(again) == course(ran)
    assert broom.used == used


async def test_a_limit_that_was_raised_stops_a_replay_where_it_stopped_then_and_not_again(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    first, second = stores
    walled, clock = limits(budget=Budget(tool_calls=3, reserve_share=0)), ManualClock()
    chores = dict.fromkeys("abcd", ())
    await begin(first, clock)
    sittings: Sequence[Sequence[Command]] = ([ONWARD, AddBudget(tool_calls=9)], ())
    for orders in sittings:
        performer = Executor(Answers(SWEPT), {"broom": Broom()}, clock, 5, 5)
        await drive(await journal_of(first, clock, Rounds(chores)), performer, walled, asyncio.Event())
        for said in orders:
            await tell(first, clock, said, chores)
    ran = await facts(first)
    assert [one.outcome for one in of(SessionFinished, ran)] == ["partial", "done"]
    rerun = ReplaySchedule(await first.events(SESSION))
    again = await carried(second, Rounds(chores), Broom(), limited=walled, rerun=rerun)
    assert course(again) == course(ran)


@pytest.mark.parametrize("cycle", [1, 2])
async def test_a_replay_that_is_interrupted_and_goes_on_is_told_nothing_twice(
    stores: tuple[SqliteStore, SqliteStore], cycle: int
) -> None:
    first, second = stores
    ran = await talked(first, [Answer(text="go on")], [ONWARD], [Answer(text="go on")], [ONWARD], [FinishNow()])
    recorded = await first.events(SESSION)

    class Stops(Answers):
        @override
        async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
            if len(self.requests) == cycle - 1:
                stop.set()
            return await super().answer(request, prepared)

    stop, clock = asyncio.Event(), ManualClock()
    await begin(second, clock)
    status: list[str] = []
    for model in (Stops(SWEPT), Answers(SWEPT)):
        performer = Executor(model, {"broom": Broom()}, clock, 5, 5, rerun=ReplaySchedule(recorded))
        journal = await journal_of(second, clock, Rounds(TALKED))
        async with asyncio.timeout(300):
            status.append((await drive(journal, performer, limits(), stop)).status)
        stop.clear()
    assert status == ["paused", "finished"]
    again = await facts(second)
    for kind in (Answered, FinishRequested, CycleStarted, SessionFinished):
        assert of(kind, again) == of(kind, ran)
