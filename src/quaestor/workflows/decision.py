"""The decision workflow: a mandate in, one validated decision a cycle out.

    SCANNING -> PLANNING -> ANALYZING -> DECIDING -> VALIDATING_DECISION -> EXECUTING -> MEMORIZING (-> the next cycle)

What fails on the way leads to MEMORIZING without a trade. `Decision.next` reads top to bottom like the picture. It only
looks; what has happened is folded in `decision_state`. In a backtest one cycle follows the other at the closes of the
candles; any other session ends with its cycle, and is told to begin the next.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from quaestor.contracts.action import Action, Finish, Record, ToolRun
from quaestor.contracts.command import Order
from quaestor.contracts.decision import (
    AgentMemory,
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    TradePlan,
)
from quaestor.contracts.event import CycleStarted, Event, FactRecorded, QuestionAsked
from quaestor.contracts.mandate import DecisionOptions
from quaestor.contracts.noun import Noun
from quaestor.contracts.portfolio import (
    ExecuteGiven,
    ExecutionResult,
    MarketData,
    MarketOrder,
    ReconcileGiven,
    ScanGiven,
)
from quaestor.contracts.workflow import Obeyed, StateRow
from quaestor.plan import risk
from quaestor.workflows import decision_orders, decision_roles
from quaestor.workflows.decision_memory import remembered
from quaestor.workflows.decision_state import DecisionState, begin, fold

TABLE: Mapping[str, StateRow] = {
    "SCANNING": StateRow(
        takes="the time of the cycle, the portfolio",
        gives=MarketData,
        tools=frozenset({"scan", "reconcile"}),
        leads_to=frozenset({"PLANNING", "MEMORIZING", "DONE"}),
    ),
    "PLANNING": StateRow(
        takes="market data, memory",
        gives=TradePlan,
        role="strategist",
        tools=frozenset(decision_roles.LOOKING),
        leads_to=frozenset({"ANALYZING", "MEMORIZING", "DONE"}),
    ),
    "ANALYZING": StateRow(
        takes="the plan's question, not the portfolio",
        gives=QuantReport,
        role="quant",
        tools=frozenset({"run_indicators", "run_indicator", "python"}),
        leads_to=frozenset({"DECIDING", "MEMORIZING", "DONE"}),
    ),
    "DECIDING": StateRow(
        takes="market data, the plan, the report",
        gives=PortfolioDecision,
        role="portfolio_manager",
        leads_to=frozenset({"VALIDATING_DECISION", "MEMORIZING", "DONE"}),
    ),
    "VALIDATING_DECISION": StateRow(
        takes="the decision, the limits",
        gives=DecisionValidation,
        leads_to=frozenset({"EXECUTING", "MEMORIZING", "DONE"}),
    ),
    "EXECUTING": StateRow(
        takes="a decision that passed",
        gives=ExecutionResult,
        tools=frozenset({"execute", "reconcile"}),
        leads_to=frozenset({"MEMORIZING", "DONE"}),
    ),
    "MEMORIZING": StateRow(takes="everything the cycle knows", gives=AgentMemory, leads_to=frozenset({"DONE"})),
    "DONE": StateRow(takes="how the cycle, or the backtest, ended"),
}


class Decision:
    """The state table and the routing of decision cycles; a `Workflow`."""

    name: ClassVar[str] = "decision"
    table: ClassVar[Mapping[str, StateRow]] = TABLE

    def begin(self) -> DecisionState:
        """Give the state before any event."""
        return begin()

    def apply(self, state: DecisionState, event: Event) -> DecisionState:
        """Give the state after one more event."""
        return fold(state, event)

    def next(self, state: DecisionState) -> Sequence[Action]:
        """Say what is wanted now; one thing at a time."""
        options = state.options
        if options is None or state.finished:
            return ()
        wanted = _next(state, options)
        return () if wanted is None else (wanted,)

    def obey(self, state: DecisionState, order: Order) -> Obeyed:
        """Say what a person's order leads to."""
        return decision_orders.obey(state, order)


def _next(state: DecisionState, options: DecisionOptions) -> Action | None:
    now = state.now
    if now.sent and now.data and now.result is None:
        return _settle(state, now.sent, now.data)
    if state.cancelled:
        return Finish(key="finish", state="DONE", outcome="cancelled", statement="The session was cancelled.")
    if now.remembered:
        return _go_on(state, options)
    if state.stopped or now.failure or now.result:
        return _conclude(state, "memory", "MEMORIZING", remembered(state, options.mandate.currency))
    if now.data is None:
        return _scan(state, options)
    return _decide(state, options, now.data)


def _decide(state: DecisionState, options: DecisionOptions, data: MarketData) -> Action | None:
    now = state.now
    if now.plan is None:
        return decision_roles.plan(state, options, data)
    if now.report is None:
        return decision_roles.analyze(state, options, now.plan, data)
    limits = options.mandate.constraints.tightened(now.plan.constraints)
    if now.decision is None:
        return decision_roles.choose(state, options.mandate, limits, decision_roles.Basis(data, now.plan, now.report))
    if now.validation is None:
        found = risk.validated(now.decision, data, options.mandate, limits)
        return _conclude(state, "validation", "VALIDATING_DECISION", found)
    order = risk.ordered(now.decision, state.order_key) if now.validation.passed else None
    if order is None:
        return _conclude(state, "result", "EXECUTING", _untraded(now.validation))
    if options.mandate.live and now.approval != "given":
        return _approve(state, order, now.decision.reasoning)
    return _send(state, order, data)


def _scan(state: DecisionState, options: DecisionOptions) -> Action:
    """Ask first what became of orders that were left open, then what the market says."""
    for place, order in enumerate(state.portfolio.open_orders):
        key = state.key(f"reconcile/{place + 1}/{order.key}")
        if key not in state.now.checked:
            return ToolRun(key=key, state="SCANNING", tool="reconcile", given=ReconcileGiven(order=order))
    given = ScanGiven(assets=options.mandate.assets, at=state.now.at, portfolio=state.portfolio)
    return ToolRun(key=state.key("scan"), state="SCANNING", tool="scan", given=given)


def _untraded(validation: DecisionValidation) -> ExecutionResult:
    if validation.passed:
        return ExecutionResult(status="skipped", detail="hold")
    rules = dict.fromkeys(one.rule_id for one in validation.violations if one.severity == "error")
    return ExecutionResult(status="rejected", detail=f"it breaks {', '.join(rules)}")


def _approve(state: DecisionState, order: MarketOrder, reasoning: str) -> Action | None:
    """Ask a person about a live order, and wait."""
    if state.now.approval == "refused":
        refused = ExecutionResult(status="rejected", detail="a person refused it")
        return _conclude(state, "result", "EXECUTING", refused)
    if state.waiting:
        return None
    question = f"{order.side} {order.quantity:f} {order.asset} at the market's price, with real money? {reasoning}"
    asked = QuestionAsked(ref=order.key, kind="approval", questions=(question,), agent="portfolio_manager")
    return Record(key=state.key("ask"), state="EXECUTING", facts=(asked,))


def _settle(state: DecisionState, key: str, data: MarketData) -> Action:
    """Wait for the order that was sent; once nobody knows what became of it, ask the broker by its key."""
    order = next(order for order in state.portfolio.open_orders if order.key == key)
    if state.now.doubt is None:
        return _send(state, order, data)
    place = state.key(f"settle/{state.now.settling + 1}")
    given = ReconcileGiven(order=order)
    return ToolRun(key=place, state="EXECUTING", tool="reconcile", given=given, writing=True)


def _send(state: DecisionState, order: MarketOrder, data: MarketData) -> Action:
    given = ExecuteGiven(
        order=order,
        price=data.prices[order.asset],
        volume=data.volumes[order.asset],
        portfolio=data.portfolio,
    )
    return ToolRun(key=state.key("execute"), state="EXECUTING", tool="execute", given=given, writing=True)


def _conclude(state: DecisionState, name: str, where: str, value: Noun) -> Action:
    key = state.key(name)
    fact = FactRecorded(key=key, contract=type(value).__name__, value=value.model_dump(mode="json"))
    return Record(key=key, state=where, facts=(fact,))


def _go_on(state: DecisionState, options: DecisionOptions) -> Action:
    """Begin the next cycle of a backtest, or end."""
    data = state.now.data
    if data is None and not state.stopped:
        said = state.now.failure or "the market could not be scanned"
        return Finish(key="finish", state="DONE", outcome="failed", statement=said)
    if state.stopped is None and options.backtest and data and data.next:
        return Record(key=state.key("next"), state="SCANNING", facts=(CycleStarted(why="decision"),))
    return Finish(
        key="finish",
        state="DONE",
        outcome="partial" if state.stopped else "done",
        statement=_statement(state, options.mandate.currency),
    )


def _statement(state: DecisionState, currency: str) -> str:
    ended = f"Ended early: {state.stopped}. " if state.stopped else ""
    cycles, orders = _count(state.cycle, "cycle"), _count(state.orders, "executed order")
    return f"{ended}{cycles}, {orders}; at the last scan everything was worth {state.equity:f} {currency}."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
