"""Laws of the decision workflow: its fold, its wants, and that no kill ever makes two orders of one decision."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from fakes.time import ManualClock
from fakes.trading import (
    ASSET,
    OTHER,
    Asked,
    Book,
    Counted,
    Desk,
    Exchange,
    begin,
    candles,
    carried,
    copied,
    decision,
    decoded,
    mandate,
    options,
)
from quaestor.contracts.event import Event, ToolRequested, ToolResponded
from quaestor.contracts.tools import AnyTool
from quaestor.storage.sqlite import open_store
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.portfolio import ExecuteInput, MarketData, Portfolio
from quaestor.trading.state import DecisionState, SessionState
from quaestor.trading.workflow import DecisionWorkflow

RISING = candles([110, 120])
DECISIONS = (decision(), decision(action="sell"))


Log = Sequence[Event]


def brief(given: Mandate | None = None) -> DecisionOptions:
    """Return the options of a backtest without tool passes, whose log is short."""
    return options(given, planning_turns=0, analysis_steps=0)


async def logged(said: DecisionOptions, *more: AnyTool, events: Log = ()) -> tuple[Log, DecisionState]:
    """Carry a session on to its end, from its start or from a log that broke off."""
    clock, store = ManualClock(), open_store(":memory:")
    if events:
        await copied(store, events, clock)
    else:
        await begin(store, said, clock)
    cycle = events[-1].cycle if events else 1
    decided = any((one.cycle, one.state, one.type) == (cycle, "DECIDING", "contract_accepted") for one in events)
    desk = Desk({"PortfolioDecision": DECISIONS[cycle - 1 + decided :] or DECISIONS[-1:]})
    state = await carried(store, clock, said, [RISING], desk, *more)
    log = await decoded(store)
    await store.close()
    return log, state


def folded(events: Sequence[Event], state: SessionState | None = None) -> SessionState:
    workflow = DecisionWorkflow()
    state = state or workflow.begin()
    for event in events:
        state = workflow.apply(state, event)
    return state


async def test_the_fold_is_the_same_however_the_log_is_split() -> None:
    events, state = await logged(options())
    for place in range(len(events)):
        assert folded(events[place:], folded(events[:place])) == state


async def test_what_is_wanted_is_one_thing_with_a_key_of_its_own_and_follows_from_the_state() -> None:
    events, _ = await logged(options())
    workflow = DecisionWorkflow()
    keys: list[str] = []
    state = workflow.begin()
    for event in events:
        wanted, again = workflow.next(state), workflow.next(state)
        assert wanted == again
        assert len(wanted) <= 1
        keys += [action.key for action in wanted if action.key not in keys[-1:]]
        state = workflow.apply(state, event)
    assert [key for key in keys if keys.count(key) > 1] == []
    assert workflow.next(state) == ()


async def test_the_state_does_not_grow_with_the_cycles() -> None:
    many = candles([110 + place % 7 for place in range(12)])
    clock, store, said = ManualClock(), open_store(":memory:"), brief()
    await begin(store, said, clock)
    await carried(store, clock, said, [many])
    sizes, state = [], DecisionWorkflow().begin()
    for event in await decoded(store):
        state = DecisionWorkflow().apply(state, event)
        if event.type == "cycle_started":
            sizes.append(len(repr(state)))
    await store.close()
    assert max(sizes) - min(sizes) < 120


async def test_a_kill_after_any_event_makes_one_order_of_a_decision_on_paper() -> None:
    said = brief()
    whole, state = await logged(said)
    assert state.portfolio.cash == Decimal(1010)
    for place in range(1, len(whole)):
        broker = Counted(said.mandate)
        events, after = await logged(said, broker, events=whole[:place])
        assert after.portfolio == state.portfolio, whole[place - 1]
        done = [event.payload for event in events if isinstance(event.payload, ToolResponded)]
        assert [one.key for one in done if one.tool == "execute"] == ["c1/execute", "c2/execute"]
        assert {given.order.key for given in broker.orders} <= {"s/1/decision", "s/2/decision"}


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_kill_after_any_event_makes_at_most_one_order_of_a_decision_at_an_exchange(arrived: bool) -> None:
    given = mandate(broker="exchange", exchange="kraken")
    said, book = brief(given), Book()
    whole, state = await logged(said, Exchange(given, book), Asked(book))
    for place in range(1, len(whole)):
        sent = [one.payload for one in whole[:place] if isinstance(one.payload, ToolRequested)]
        keys = [f"s/{one.key[1]}/decision" for one in sent if one.tool == "execute"]
        cut = whole[place - 1].type == "tool_requested" and sent[-1].tool == "execute"
        if not arrived and not cut:
            continue  # nothing was under way that could have arrived
        known = keys if arrived or not cut else keys[:-1]
        left = Book()
        left.results = {key: book.results[key] for key in known}
        _, after = await logged(said, Exchange(given, left), Asked(left), events=whole[:place])
        assert len({*left.placed, *keys}) == len(left.placed) + len(keys), whole[place - 1]
        assert after.portfolio.open_orders == ()
        if arrived or not cut:
            assert after.portfolio == state.portfolio, whole[place - 1]
        else:
            assert keys[-1] not in left.placed
            assert after.portfolio.held(ASSET) in {Decimal(0), Decimal(1)}


EDGES = st.sampled_from([5.0, 5.0000001, 5.4, 4.5, 2.5, 2.6, 1e-8, 1e-9, 0.0, -1.0])
"""Units about half of the cash at the price of 100, and about the least that can be traded."""
DECIDED = st.builds(
    lambda action, asset, quantity, confidence: decision(
        action=action, asset=asset, quantity=quantity, confidence=confidence
    ),
    action=st.sampled_from(["buy", "buy", "buy", "sell", "sell", "hold", "BUY ", "short"]),
    asset=st.sampled_from([ASSET, ASSET, ASSET, ASSET, OTHER, "DOGE/USDT"]),
    quantity=EDGES | EDGES | st.floats(0, 6) | st.floats(allow_nan=False, allow_infinity=False),
    confidence=st.sampled_from([0.9, 0.9, 0.5, 0.2, 1.0, 1.2, -0.1]),
)
PRICES = st.sampled_from([100.0, 100.0, 60.0, 150.0]) | st.floats(50, 200).map(lambda price: round(price, 2))


def faults(sent: ExecuteInput) -> list[str]:
    """Return what is wrong with an order by the words of the specification, in arithmetic of its own."""
    order, worth = sent.order, float(sent.order.quantity) * float(sent.price)
    held = float(sent.portfolio.holdings.get(order.asset, 0))
    wrong = {
        "asset": order.asset != ASSET,
        "side": order.side not in {"buy", "sell"},
        "quantity": not 0 < order.quantity < 10**15,
        "half of the cash": order.side == "buy" and worth > float(sent.portfolio.cash) / 2 * (1 + 1e-9),
        "not held": order.side == "sell" and float(order.quantity) > held * (1 + 1e-12),
    }
    return [name for name, is_so in wrong.items() if is_so]


def accounts(events: Log) -> list[Portfolio]:
    scanned = [event.payload for event in events if isinstance(event.payload, ToolResponded)]
    return [one.result.portfolio for one in scanned if isinstance(one.result, MarketData)]


@drawn(course=st.lists(st.tuples(DECIDED, PRICES), min_size=6, max_size=6), dear=st.booleans())
async def test_of_many_decisions_no_invalid_one_reaches_the_broker_and_nothing_falls_below_zero(
    course: list[tuple[str, float]], *, dear: bool
) -> None:
    costs = {"fee_pct": 1, "fee": 2, "slippage_pct": 1} if dear else {"fee_pct": 0, "slippage_pct": 0}
    said = brief(mandate(assets=(ASSET, OTHER), costs=costs, constraints={"allowed_assets": (ASSET,)}))
    clock, store, broker = ManualClock(), open_store(":memory:"), Counted(said.mandate)
    await begin(store, said, clock)
    prices = [price for _, price in course]
    desk = Desk({"PortfolioDecision": [reply for reply, _ in course]})
    state = await carried(store, clock, said, [candles(prices), candles(prices, OTHER)], desk, broker)
    events = await decoded(store)
    await store.close()
    assert state.cycle == len(course)
    assert [(given.order, faults(given)) for given in broker.orders if faults(given)] == []
    keys = [given.order.key for given in broker.orders]
    assert len(set(keys)) == len(keys)
    for account in (*accounts(events), state.portfolio):
        assert account.cash >= 0
        assert all(units >= 0 for units in account.holdings.values())
