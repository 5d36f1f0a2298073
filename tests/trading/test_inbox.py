"""What a person can tell a decision session, and what becomes of it."""

from collections.abc import AsyncIterator

import pytest

from fakes.time import ManualClock
from fakes.trading import (
    START,
    Asked,
    Book,
    Desk,
    Exchange,
    begin,
    candles,
    carried,
    copied,
    decision,
    decoded,
    folded,
    mandate,
    options,
    started_state,
)
from quaestor.contracts.command import AddBudget, Answer, Cancel, Command, FinishNow, OpenCycle, Pause
from quaestor.contracts.event import Event, Forked, KnownPayload, Resumed, SessionFinished
from quaestor.research.contracts.commands import EditPlan, RetryTodo, ReviewPlan
from quaestor.research.contracts.plan import DropTodo
from quaestor.storage.sqlite import SqliteStore, open_store
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.portfolio import ExecutionResult
from quaestor.trading.state import Closed, DecisionState, Failed, Memorizing, Scanning, market_of
from quaestor.trading.workflow import DecisionWorkflow

RISING = candles([110, 120])
LIVE = mandate(broker="exchange", exchange="kraken", live=True)
WORKFLOW = DecisionWorkflow()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def store() -> AsyncIterator[SqliteStore]:
    store = open_store(":memory:")
    yield store
    await store.close()


async def waiting(store: SqliteStore, clock: ManualClock, book: Book) -> DecisionState:
    """Run a live session until it asks for an approval."""
    said = options(LIVE, backtest=False)
    await begin(store, said, clock)
    return await live(store, clock, said, book)


async def live(store: SqliteStore, clock: ManualClock, said: DecisionOptions, book: Book) -> DecisionState:
    desk = Desk({"PortfolioDecision": [decision()]})
    return await carried(store, clock, said, [RISING], desk, Exchange(LIVE, book), Asked(book))


async def told(store: SqliteStore, clock: ManualClock, state: DecisionState, order: Command) -> SqliteStore:
    """Return a store with the same log and what an order adds to it, as the next process finds it."""
    events = list(await decoded(store))
    facts = WORKFLOW.handle(state, order).facts
    assert facts
    events += [after(events[-1], clock, fact, place) for place, fact in enumerate(facts, 1)]
    other = open_store(":memory:")
    await copied(other, events, clock)
    return other


def after(last: Event, clock: ManualClock, fact: KnownPayload, place: int = 1) -> Event:
    cycle = last.cycle + (fact.type == "cycle_started")
    return Event(session_id="s", seq=last.seq + place, cycle=cycle, at=clock.now(), state=last.state, payload=fact)


@pytest.mark.parametrize(("said", "placed"), [("Yes", ["s/1/decision"]), ("no", []), ("later", [])])
async def test_a_live_order_is_sent_only_when_a_person_approves_it(
    store: SqliteStore, clock: ManualClock, said: str, placed: list[str]
) -> None:
    book = Book()
    state = await waiting(store, clock, book)
    assert book.placed == []
    answered = await told(store, clock, state, Answer(text=said))
    ended = await live(answered, clock, options(LIVE, backtest=False), book)
    await answered.close()
    assert book.placed == placed
    assert ended.finished
    assert isinstance(ended.stage, Closed)
    assert isinstance(ended.stage.outcome, ExecutionResult)
    assert ended.stage.outcome.status == ("executed" if placed else "rejected")


@pytest.mark.parametrize(("hours", "placed"), [(1.9, ["s/1/decision"]), (3.1, [])])
async def test_an_approval_that_comes_when_the_price_is_stale_sends_nothing(
    store: SqliteStore, clock: ManualClock, hours: float, placed: list[str]
) -> None:
    book = Book()
    state = await waiting(store, clock, book)
    clock.advance((START - clock.now()).total_seconds() + hours * 3600)
    answered = await told(store, clock, state, Answer(text="yes"))
    ended = await live(answered, clock, options(LIVE, backtest=False), book)
    await answered.close()
    assert book.placed == placed
    assert isinstance(ended.stage, Closed)
    assert isinstance(ended.stage.outcome, ExecutionResult)
    assert ("stale" in ended.stage.outcome.detail) == (not placed)


@pytest.mark.parametrize(("hours", "ends"), [(1.9, False), (3.1, True)])
async def test_a_cycle_that_is_resumed_when_its_prices_are_stale_ends_without_a_trade(
    store: SqliteStore, clock: ManualClock, hours: float, ends: bool
) -> None:
    book = Book()
    state = await waiting(store, clock, book)
    clock.advance((START - clock.now()).total_seconds() + hours * 3600)
    events = list(await decoded(store))
    resumed = folded([*events, after(events[-1], clock, Resumed(after="crash"))])
    assert isinstance(resumed.stage, Memorizing) == ends
    if isinstance(resumed.stage, Memorizing):
        assert isinstance(resumed.stage.outcome, Failed)
        assert "resumed too late: the price of BTC/USDT is stale" in resumed.stage.outcome.reason
    assert state.portfolio == resumed.portfolio


async def test_an_order_to_finish_trades_no_more_and_the_session_can_go_on_later(
    store: SqliteStore, clock: ManualClock
) -> None:
    book = Book()
    state = await waiting(store, clock, book)
    stopped = await told(store, clock, state, FinishNow())
    ended = await live(stopped, clock, options(LIVE, backtest=False), book)
    assert ended.finished
    assert ended.memory
    assert "no trade: a person ended it" in ended.memory.short_term_summary
    last = (await decoded(stopped))[-1].payload
    assert isinstance(last, SessionFinished)
    assert last.outcome == "partial"
    opened = await told(stopped, clock, ended, OpenCycle(why="decision"))
    again = await live(opened, clock, options(LIVE, backtest=False), book)
    assert (again.cycle, again.order_key) == (2, "s/2/decision")
    assert [one.ref for one in again.open_questions] == ["s/2/decision"]
    await stopped.close()
    await opened.close()


async def test_a_cancelled_session_ends_at_once_and_for_good(store: SqliteStore, clock: ManualClock) -> None:
    book = Book()
    state = await waiting(store, clock, book)
    cancelled = await told(store, clock, state, Cancel())
    ended = await live(cancelled, clock, options(LIVE, backtest=False), book)
    await cancelled.close()
    assert (ended.finished, book.placed) == (True, [])
    assert WORKFLOW.handle(ended, OpenCycle(why="decision")).refused == "the session was cancelled; start another one"


async def test_a_backtest_that_was_ended_goes_on_at_the_next_candle_and_not_beyond_the_last(
    store: SqliteStore, clock: ManualClock
) -> None:
    said = options(planning_turns=0, analysis_steps=0)
    await begin(store, said, clock)
    state = await carried(store, clock, said, [RISING])
    assert state.cycle == 2
    refused = WORKFLOW.handle(state, OpenCycle(why="decision")).refused
    assert refused == "the backtest is at the end of its candles; start another one"
    first = [event for event in await decoded(store) if event.cycle == 1]
    stopped = after(first[-1], clock, SessionFinished(outcome="partial", statement="ended"))
    halfway = folded([*first, stopped])
    opened = WORKFLOW.handle(halfway, OpenCycle(why="decision")).facts[0]
    going = folded([*first, stopped, after(stopped, clock, opened)])
    market = market_of(halfway.stage)
    assert market
    assert going.stage == Scanning(market.next)


async def test_a_fork_orders_under_its_own_name(store: SqliteStore, clock: ManualClock) -> None:
    said = options(planning_turns=0, analysis_steps=0)
    await begin(store, said, clock)
    state = await carried(store, clock, said, [RISING])
    forked = Forked(origin="s", at=9, options=said.model_dump(mode="json"))
    event = Event(session_id="f", seq=99, cycle=2, at=clock.now(), state="DONE", payload=forked)
    assert started_state(WORKFLOW.apply(state, event)).order_key == "f/2/decision"


async def test_what_makes_no_sense_here_is_refused_with_the_reason(store: SqliteStore, clock: ManualClock) -> None:
    said = options(backtest=False)
    await begin(store, said, clock)
    fresh = folded(await decoded(store))
    assert WORKFLOW.handle(WORKFLOW.begin(), Pause()).refused == "the session has not started; run it first"
    ended = await carried(store, clock, said, [RISING])
    no_plan = "a decision session has no plan of todos"
    edit = EditPlan(edits=(DropTodo(todo_id="t1"),))
    for order in (edit, ReviewPlan(review="confirmed"), RetryTodo(todo_id="t1")):
        assert WORKFLOW.handle(fresh, order).refused == no_plan
    assert WORKFLOW.handle(fresh, Answer(text="yes")).refused == "no question is open"
    assert WORKFLOW.handle(fresh, OpenCycle(why="decision")).refused == "a cycle is going on; wait until it ends"
    assert "no cycle of the kind refresh" in (WORKFLOW.handle(ended, OpenCycle(why="refresh")).refused or "")
    assert WORKFLOW.handle(ended, FinishNow()).refused == "the session is finished; begin another cycle"
    assert not WORKFLOW.handle(ended, Pause()).refused
    assert not WORKFLOW.handle(ended, AddBudget(tokens=1)).facts
