"""The acceptance points of the decision workflow, each seen in the event log."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import TypeVar

import pytest

from fakes.time import ManualClock
from fakes.trading import (
    ASSET,
    START,
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
from quaestor.contracts.cost import Budget
from quaestor.contracts.event import (
    SESSION_SCOPE,
    ContractRejected,
    Event,
    FactRecorded,
    ModelRequested,
    QuestionAsked,
    SessionFinished,
    StateEntered,
    ToolCall,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.model import OutputRequest
from quaestor.contracts.payload import EventPayload
from quaestor.contracts.tools import AnyTool
from quaestor.storage.sqlite import SqliteStore, open_store
from quaestor.trading.contracts.decision import AgentMemory, DecisionValidation, PortfolioDecision
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.market import CandleSeries, MarketSnapshot
from quaestor.trading.contracts.portfolio import ExecutionResult, MarketData
from quaestor.trading.contracts.role_inputs import (
    DecisionInput,
    QuantInput,
    QuantToolsInput,
    StrategyInput,
    StrategyToolsInput,
)
from quaestor.trading.fold import fold
from quaestor.trading.role_actions import STRATEGIST_TOOLS
from quaestor.trading.state import DecisionState, NotStarted, SessionState, Validating
from quaestor.trading.workflow import TABLE, DecisionWorkflow

P = TypeVar("P", bound=EventPayload)

SEVEN = ["SCANNING", "PLANNING", "ANALYZING", "DECIDING", "VALIDATING_DECISION", "EXECUTING", "MEMORIZING"]
RISING = candles([110, 120, 130])
ONCE = candles([110])
HOLD = decision(action="hold", quantity=0)


class Ran:
    """A session that was carried on: its log, its state and its model."""

    def __init__(self, events: Sequence[Event], state: DecisionState, desk: Desk) -> None:
        self.events = events
        self.state = state
        self.desk = desk

    def of(self, kind: type[P], cycle: int | None = None, state: str | None = None) -> list[P]:
        return [
            event.payload
            for event in self.events
            if isinstance(event.payload, kind) and cycle in {None, event.cycle} and state in {None, event.state}
        ]

    def fact(self, contract: str, cycle: int = 1) -> object:
        return next(
            e.payload.value
            for e in self.events
            if isinstance(e.payload, FactRecorded) and e.payload.contract == contract and e.cycle == cycle
        )

    def result(self, cycle: int = 1) -> ExecutionResult:
        return ExecutionResult.model_validate(self.fact("ExecutionResult", cycle))

    def validation(self, cycle: int = 1) -> DecisionValidation:
        return DecisionValidation.model_validate(self.fact("DecisionValidation", cycle))

    def entered(self, cycle: int = 1) -> list[str]:
        return [e.state for e in self.events if e.type == "state_entered" and e.cycle == cycle]


def managed(*decisions: str) -> Desk:
    return Desk({"PortfolioDecision": decisions})


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def store() -> AsyncIterator[SqliteStore]:
    store = open_store(":memory:")
    yield store
    await store.close()


async def run(
    store: SqliteStore,
    clock: ManualClock,
    said: DecisionOptions,
    desk: Desk | None = None,
    *more: AnyTool,
    recorded: CandleSeries = RISING,
    budget: Budget | None = None,
) -> Ran:
    desk = desk or Desk()
    if not await store.sessions():
        await begin(store, said, clock)
    state = await carried(store, clock, said, [recorded], desk, *more, budget=budget)
    return Ran(await decoded(store), state, desk)


async def test_a_good_cycle_visits_the_seven_states_once_and_in_order(store: SqliteStore, clock: ManualClock) -> None:
    ran = await run(store, clock, options(), managed(decision()))
    assert ran.entered(1) == SEVEN
    assert ran.entered(2) == SEVEN
    assert ran.entered(3) == [*SEVEN, "DONE"]
    assert {entered.scope for entered in ran.of(StateEntered)} == {SESSION_SCOPE}


async def test_events_alone_rebuild_the_decision_and_the_account(store: SqliteStore, clock: ManualClock) -> None:
    ran = await run(store, clock, options(), managed(decision(), HOLD))
    state: SessionState = NotStarted()
    decisions = []
    for event in ran.events:
        state = fold(state, event)
        match state:
            case DecisionState(stage=Validating(decision=decided)) if event.type == "contract_accepted":
                decisions.append((event.cycle, decided.action, decided.quantity))
            case _:
                pass
    assert isinstance(state, DecisionState)
    assert decisions == [(1, "buy", 1), (2, "hold", 0), (3, "hold", 0)]
    assert (state.portfolio.cash, dict(state.portfolio.holdings)) == (Decimal(890), {ASSET: Decimal(1)})
    assert state == ran.state


async def test_no_model_request_has_both_tools_and_a_contract(store: SqliteStore, clock: ManualClock) -> None:
    ran = await run(store, clock, options())
    asked = ran.of(ModelRequested)
    assert asked
    assert all((one.contract is None) == bool(one.tools) for one in asked)
    for request in ran.desk.requests:
        assert isinstance(request, OutputRequest) != hasattr(request, "tools")


async def test_planning_offers_exactly_two_tools_and_refuses_another(store: SqliteStore, clock: ManualClock) -> None:
    stray = ToolCall(ref="c1", tool="execute", given={})
    ran = await run(store, clock, options(), Desk(calls={"strategist": [[stray], []]}))
    offered = [asked.tools for asked in ran.of(ModelRequested, state="PLANNING") if asked.contract is None]
    assert set(offered) == {STRATEGIST_TOOLS}
    chosen = ran.of(ToolsChosen, 1)[0]
    assert chosen.calls == ()
    assert "no such tool" in chosen.refused[0]
    shown = [request.given for request in ran.desk.requests if isinstance(request.given, StrategyToolsInput)]
    assert shown[1].refused == chosen.refused
    assert not ran.of(ToolRequested, 1, "PLANNING")


async def test_planning_has_at_most_five_tool_passes(store: SqliteStore, clock: ManualClock) -> None:
    again = [[ToolCall(ref="c1", tool="get_portfolio_state", given={})] for _ in range(9)]
    ran = await run(store, clock, options(), Desk(calls={"strategist": again}), recorded=ONCE)
    passes = [r for r in ran.desk.requests if isinstance(r.given, StrategyToolsInput)]
    assert [r.given.passes_left for r in passes if isinstance(r.given, StrategyToolsInput)] == [4, 3, 2, 1, 0]
    plan = next(r.given for r in ran.desk.requests if isinstance(r.given, StrategyInput))
    assert len(plan.seen) == 5
    assert ran.entered(1) == [*SEVEN, "DONE"]


async def test_analyzing_has_at_most_fifteen_tool_runs_and_is_not_shown_the_portfolio(
    store: SqliteStore, clock: ManualClock
) -> None:
    call = ToolCall(ref="c", tool="run_indicator", given={"asset": ASSET, "timeframe": "1h", "indicator": "ema"})
    many = [[call] * 4 for _ in range(9)]
    ran = await run(store, clock, options(), Desk(calls={"quant": many}), recorded=ONCE)
    runs = [asked for asked in ran.of(ToolRequested, 1) if asked.tool == "run_indicator"]
    assert len(runs) == 15
    shown = [r.given for r in ran.desk.requests if isinstance(r.given, QuantToolsInput | QuantInput)]
    assert all("1000" not in given.model_dump_json() and "cash" not in given.model_dump_json() for given in shown)
    last = shown[-1]
    assert isinstance(last, QuantInput)
    assert f"{ASSET} 1h ema(20)" in {reading.name for reading in last.readings}


async def test_roles_that_are_rules_make_no_tool_passes(store: SqliteStore, clock: ManualClock) -> None:
    ran = await run(store, clock, options(model="offline"))
    assert {asked.tools for asked in ran.of(ModelRequested)} == {()}
    assert ran.result(2).status == "skipped"
    assert len([event for event in ran.events if event.cycle == 2]) == 24
    assert options(model="offline", models={"quant": "desk"}).max_analysis_steps == 15


async def test_a_number_that_no_tool_computed_is_refused(store: SqliteStore, clock: ManualClock) -> None:
    made_up = {
        "signal": "bullish",
        "confidence": 0.9,
        "reasoning": "I feel it.",
        "technical_indicators": {f"{ASSET} 1h rsi(14)": {"value": 12.5, "run": "c1/indicators"}},
    }
    ran = await run(store, clock, options(), Desk({"QuantReport": [json.dumps(made_up)]}))
    refused = ran.of(ContractRejected, 1)
    assert [one.final for one in refused] == [False, False, True]
    assert "no tool run 'c1/indicators' computed 12.5" in refused[0].objections[0]
    assert ran.entered(1) == ["SCANNING", "PLANNING", "ANALYZING", "MEMORIZING"]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ({"confidence": 1.2}, "confidence"),
        ({"action": "BUY "}, "action"),
        ({"action": "hold", "quantity": 1}, "hold_quantity"),
        ({"asset": "DOGE/USDT"}, "allowed_assets"),
        ({"quantity": 5}, "max_cash_pct"),
        ({"action": "sell"}, "holding"),
        ({"quantity": -1}, "quantity"),
    ],
)
async def test_a_bad_decision_is_refused_by_its_rule_and_never_reaches_the_broker(
    store: SqliteStore, clock: ManualClock, said: Mapping[str, object], rule: str
) -> None:
    broker = Counted(mandate())
    ran = await run(store, clock, options(), managed(decision(**said)), broker)
    assert rule in [one.rule_id for one in ran.validation().violations]
    assert not ran.validation().passed
    assert (ran.result().status, ran.result().order_id) == ("rejected", None)
    assert rule in ran.result().detail
    assert broker.orders == []
    assert ran.entered(1) == SEVEN
    assert ran.state.portfolio.cash == 1000


async def test_a_hold_executes_nothing(store: SqliteStore, clock: ManualClock) -> None:
    broker = Counted(mandate())
    ran = await run(store, clock, options(), managed(HOLD), broker)
    assert ran.validation().passed
    assert ran.result().status == "skipped"
    assert broker.orders == []


REPORT = {"signal": "bullish", "confidence": 0.8, "reasoning": "It rises."}


@pytest.mark.parametrize("reply", [json.dumps(json.dumps(REPORT)), json.dumps([REPORT])])
async def test_a_report_in_a_json_string_or_alone_in_a_list_is_read(
    store: SqliteStore, clock: ManualClock, reply: str
) -> None:
    ran = await run(store, clock, options(), Desk({"QuantReport": [reply]}), recorded=ONCE)
    assert ran.of(ContractRejected) == []
    assert ran.state.executed_orders == 1


async def test_a_quant_that_replies_in_prose_is_asked_again_and_then_nothing_is_traded(
    store: SqliteStore, clock: ManualClock
) -> None:
    broker = Counted(mandate())
    ran = await run(store, clock, options(), Desk({"QuantReport": ["It will go up."]}), broker, recorded=ONCE)
    refused = ran.of(ContractRejected)
    assert [one.attempt for one in refused] == [1, 2, 3]
    assert ran.entered(1) == ["SCANNING", "PLANNING", "ANALYZING", "MEMORIZING", "DONE"]
    assert broker.orders == []
    assert ran.state.memory
    assert "no usable QuantReport" in ran.state.memory.short_term_summary


async def test_a_plan_that_is_never_usable_leads_to_no_trade(store: SqliteStore, clock: ManualClock) -> None:
    strange = {"objective": "o", "assets": ["DOGE/USDT"], "quant_question": "q?", "timeframes": ["1h"]}
    ran = await run(store, clock, options(), Desk({"TradePlan": [json.dumps(strange)]}), recorded=ONCE)
    assert ran.entered(1) == ["SCANNING", "PLANNING", "MEMORIZING", "DONE"]
    refused = ran.of(ContractRejected)[0]
    assert "'DOGE/USDT' is no asset of this mandate; there is BTC/USDT" in refused.objections[0]


async def test_the_next_cycle_is_told_what_the_last_one_left_to_do(store: SqliteStore, clock: ManualClock) -> None:
    ran = await run(store, clock, options(), managed(decision(quantity=5)))
    second = next(r.given for r in ran.desk.requests if isinstance(r.given, StrategyInput) and r.given.cycle == 2)
    first = ran.fact("AgentMemory", 1)
    assert isinstance(first, AgentMemory)
    assert first.next_steps
    for step in first.next_steps:
        assert f"Next step: {step}" in second.memory
    assert "max_cash_pct" in " ".join(second.memory)
    shown = [r.given for r in ran.desk.requests if isinstance(r.given, DecisionInput)]
    assert shown[1].memory == second.memory


async def test_a_look_ahead_probe_gets_an_error_and_no_data(store: SqliteStore, clock: ManualClock) -> None:
    later = (START + timedelta(hours=2)).isoformat()
    probes = [
        ToolCall(ref="c1", tool="get_market_snapshot", given={"as_of": later}),
        ToolCall(ref="c2", tool="get_market_snapshot", given={}),
    ]
    ran = await run(store, clock, options(), Desk(calls={"strategist": [probes, []]}))
    probed, plain = ran.of(ToolResponded, 1, "PLANNING")
    assert probed.result is None
    assert "is later than the market's clock" in (probed.error or "")
    assert isinstance(plain.result, MarketSnapshot)
    assert "110" in plain.result.model_dump_json()
    assert "120" not in plain.result.model_dump_json()


async def test_every_close_is_looked_at_once_and_none_after_the_end(store: SqliteStore, clock: ManualClock) -> None:
    said = options(mandate(end=START + timedelta(hours=1)))
    ran = await run(store, clock, said)
    scans = [said.result for said in ran.of(ToolResponded) if isinstance(said.result, MarketData)]
    seen = [(scan.at, scan.prices[ASSET]) for scan in scans]
    assert seen == [(START, Decimal(110)), (START + timedelta(hours=1), Decimal(120))]
    assert ran.of(SessionFinished)[0].outcome == "done"


async def test_a_session_that_is_no_backtest_ends_with_its_cycle(store: SqliteStore, clock: ManualClock) -> None:
    ran = await run(store, clock, options(backtest=False))
    assert len(ran.of(SessionFinished)) == 1
    assert ran.state.cycle == 1


async def test_an_order_at_an_exchange_that_gives_no_answer_is_reconciled_not_sent_again(
    store: SqliteStore, clock: ManualClock
) -> None:
    given = mandate(broker="exchange", exchange="kraken")
    book = Book(silent=True)
    asked = Asked(book, failing=1)
    desk = managed(decision(), HOLD)
    ran = await run(store, clock, options(given), desk, Exchange(given, book), asked)
    assert book.placed == ["s/1/decision"]
    assert [order.key for order in asked.asked] == ["s/1/decision", "s/1/decision"]
    assert ran.state.portfolio.holdings == {ASSET: Decimal(1)}
    assert ran.state.portfolio.open_orders == ()


async def test_an_order_of_which_nobody_knows_stays_open_and_is_asked_for_in_the_next_cycle(
    store: SqliteStore, clock: ManualClock
) -> None:
    given = mandate(broker="exchange", exchange="kraken")
    book = Book(silent=True)
    asked = Asked(book, failing=4)
    desk = managed(decision())
    ran = await run(store, clock, options(given), desk, Exchange(given, book), asked)
    assert "open_order" in [one.rule_id for one in ran.validation(2).violations]
    memory = ran.fact("AgentMemory", 1)
    assert isinstance(memory, AgentMemory)
    assert memory.pending_orders == (f"buy 1.00000000 {ASSET} (s/1/decision)",)
    assert book.placed == ["s/1/decision", "s/3/decision"]
    assert ran.state.portfolio.holdings == {ASSET: Decimal(2)}


async def test_an_order_that_was_never_placed_fails_and_is_not_sent_again(
    store: SqliteStore, clock: ManualClock
) -> None:
    given = mandate(broker="exchange", exchange="kraken")
    book = Book(lost=True)
    asked = Asked(book)
    ran = await run(
        store,
        clock,
        options(given),
        managed(decision()),
        Exchange(given, book),
        asked,
        recorded=ONCE,
    )
    assert book.placed == []
    assert len(asked.asked) == 1
    assert ran.state.portfolio.cash == 1000
    assert ran.state.portfolio.open_orders == ()


async def test_a_live_order_waits_for_a_person(store: SqliteStore, clock: ManualClock) -> None:
    given = mandate(broker="exchange", exchange="kraken", live=True)
    book = Book()
    ran = await run(store, clock, options(given), managed(decision()), Exchange(given, book), Asked(book))
    asked = ran.of(QuestionAsked)[0]
    assert (asked.kind, asked.ref) == ("approval", "s/1/decision")
    assert book.placed == []
    assert ran.events[-1].payload == asked


async def test_the_budget_ends_the_session_without_a_trade_and_says_so(store: SqliteStore, clock: ManualClock) -> None:
    broker = Counted(mandate())
    ran = await run(
        store,
        clock,
        options(),
        managed(decision()),
        broker,
        budget=Budget(model_calls=3, reserve_share=0),
    )
    last = ran.of(SessionFinished)[0]
    assert last.outcome == "partial"
    assert "model_calls: 3" in last.statement
    assert broker.orders == []


async def test_a_decision_that_is_stored_has_loose_fields_but_a_schema_that_names_them(store: SqliteStore) -> None:
    del store
    schema = PortfolioDecision.model_json_schema()["properties"]
    assert schema["action"]["enum"] == ["buy", "sell", "hold"]
    assert (schema["confidence"]["minimum"], schema["confidence"]["maximum"]) == (0, 1)


def test_the_table_declares_every_state_that_the_picture_has() -> None:
    assert list(TABLE) == [*SEVEN, "DONE"]
    assert DecisionWorkflow.table["PLANNING"].tools == frozenset(STRATEGIST_TOOLS)
    assert DecisionWorkflow.table["DECIDING"].tools == frozenset()
    assert DecisionWorkflow.table["VALIDATING_DECISION"].role is None
    assert DecisionWorkflow.table["MEMORIZING"].tools == frozenset()


async def test_an_interrupted_order_at_an_exchange_is_never_run_again(store: SqliteStore, clock: ManualClock) -> None:
    del store
    given = mandate(broker="exchange", exchange="kraken")
    said, book = options(given), Book()
    desk = managed(decision())
    one = open_store(":memory:")
    whole = await run(one, clock, said, desk, Exchange(given, book), Asked(book), recorded=ONCE)
    await one.close()
    sent = next(e.seq for e in whole.events if e.payload.model_dump().get("tool") == "execute")
    for placed in (True, False):
        later, other = open_store(":memory:"), Book()
        other.results = dict(book.results) if placed else {}
        await copied(later, whole.events[:sent], clock)
        ran = await run(
            later,
            clock,
            said,
            managed(decision()),
            Exchange(given, other),
            Asked(other),
            recorded=ONCE,
        )
        await later.close()
        assert [one.tool for one in ran.of(ToolInterrupted)] == ["execute"]
        assert other.placed == []
        assert dict(ran.state.portfolio.holdings) == ({ASSET: Decimal(1)} if placed else {})
