"""The decision workflow: a mandate in, one validated decision a cycle out.

    SCANNING -> PLANNING -> ANALYZING -> DECIDING -> VALIDATING_DECISION -> EXECUTING -> MEMORIZING (-> the next cycle)

What fails on the way leads to MEMORIZING without a trade. `Decision.next` reads top to bottom like the picture. It only
looks; what has happened is folded in `decision_state`. In a backtest one cycle follows the other at the closes of the
candles; any other session ends with its cycle, and is told to begin the next.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from quaestor.contracts.action import Action, Finish, Record, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.command import Command
from quaestor.contracts.event import CycleStarted, Event, FactRecorded, QuestionAsked
from quaestor.contracts.workflow import CommandOutcome, StateSpec
from quaestor.trading import inbox, risk, role_actions
from quaestor.trading.contracts.decision import (
    AgentMemory,
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    TradePlan,
)
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.portfolio import (
    ExecuteInput,
    ExecutionResult,
    MarketData,
    MarketOrder,
    ReconcileInput,
    ScanInput,
)
from quaestor.trading.cycle_memory import summarize_cycle
from quaestor.trading.state import DecisionState, begin, fold

TABLE: Mapping[str, StateSpec] = {
    "SCANNING": StateSpec(
        takes="the time of the cycle, the portfolio",
        gives=MarketData,
        tools=frozenset({"scan", "reconcile"}),
        leads_to=frozenset({"PLANNING", "MEMORIZING", "DONE"}),
    ),
    "PLANNING": StateSpec(
        takes="market data, memory",
        gives=TradePlan,
        role="strategist",
        tools=frozenset(role_actions.STRATEGIST_TOOLS),
        leads_to=frozenset({"ANALYZING", "MEMORIZING", "DONE"}),
    ),
    "ANALYZING": StateSpec(
        takes="the plan's question, not the portfolio",
        gives=QuantReport,
        role="quant",
        tools=frozenset({"run_indicators", "run_indicator", "python"}),
        leads_to=frozenset({"DECIDING", "MEMORIZING", "DONE"}),
    ),
    "DECIDING": StateSpec(
        takes="market data, the plan, the report",
        gives=PortfolioDecision,
        role="portfolio_manager",
        leads_to=frozenset({"VALIDATING_DECISION", "MEMORIZING", "DONE"}),
    ),
    "VALIDATING_DECISION": StateSpec(
        takes="the decision, the limits",
        gives=DecisionValidation,
        leads_to=frozenset({"EXECUTING", "MEMORIZING", "DONE"}),
    ),
    "EXECUTING": StateSpec(
        takes="a decision that passed",
        gives=ExecutionResult,
        tools=frozenset({"execute", "reconcile"}),
        leads_to=frozenset({"MEMORIZING", "DONE"}),
    ),
    "MEMORIZING": StateSpec(takes="everything the cycle knows", gives=AgentMemory, leads_to=frozenset({"DONE"})),
    "DONE": StateSpec(takes="how the cycle, or the backtest, ended"),
}


class DecisionWorkflow:
    """The state table and the routing of decision cycles; a `Workflow`."""

    name: ClassVar[str] = "decision"
    table: ClassVar[Mapping[str, StateSpec]] = TABLE

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
        wanted = _next_action(state, options)
        return () if wanted is None else (wanted,)

    def handle(self, state: DecisionState, order: Command) -> CommandOutcome:
        """Say what a person's order leads to."""
        return inbox.handle(state, order)


def _next_action(state: DecisionState, options: DecisionOptions) -> Action | None:
    now = state.now
    if now.sent and now.data and now.result is None:
        return _resolve_sent_order(state, now.sent, now.data)
    if state.cancelled:
        return Finish(key="finish", state="DONE", outcome="cancelled", statement="The session was cancelled.")
    if now.memory_recorded:
        return _next_cycle_or_finish(state, options)
    if state.stopped or now.failure or now.result:
        return _record_fact(state, "memory", "MEMORIZING", summarize_cycle(state, options.mandate.currency))
    if now.data is None:
        return _scan_or_reconcile(state, options)
    return _next_decision_step(state, options, now.data)


def _next_decision_step(state: DecisionState, options: DecisionOptions, data: MarketData) -> Action | None:
    now = state.now
    if now.plan is None:
        return role_actions.strategist_action(state, options, data)
    if now.report is None:
        return role_actions.quant_action(state, options, now.plan, data)
    limits = options.mandate.constraints.tightened_by(now.plan.constraints)
    if now.decision is None:
        return role_actions.portfolio_manager_action(
            state, options.mandate, limits, role_actions.DecisionContext(data, now.plan, now.report)
        )
    if now.validation is None:
        found = risk.validate_decision(now.decision, data, options.mandate, limits)
        return _record_fact(state, "validation", "VALIDATING_DECISION", found)
    order = risk.build_order(now.decision, state.order_key) if now.validation.passed else None
    if order is None:
        return _record_fact(state, "result", "EXECUTING", _no_trade_result(now.validation))
    if options.mandate.live and now.approval != "given":
        return _request_approval(state, order, now.decision.reasoning)
    return _execute_order(state, order, data)


def _scan_or_reconcile(state: DecisionState, options: DecisionOptions) -> Action:
    """Ask first what became of orders that were left open, then what the market says."""
    for place, order in enumerate(state.portfolio.open_orders):
        key = state.key(f"reconcile/{place + 1}/{order.key}")
        if key not in state.now.checked:
            return ToolRun(key=key, state="SCANNING", tool="reconcile", given=ReconcileInput(order=order))
    given = ScanInput(assets=options.mandate.assets, at=state.now.at, portfolio=state.portfolio)
    return ToolRun(key=state.key("scan"), state="SCANNING", tool="scan", given=given)


def _no_trade_result(validation: DecisionValidation) -> ExecutionResult:
    if validation.passed:
        return ExecutionResult(status="skipped", detail="hold")
    rules = dict.fromkeys(one.rule_id for one in validation.violations if one.severity == "error")
    return ExecutionResult(status="rejected", detail=f"it breaks {', '.join(rules)}")


def _request_approval(state: DecisionState, order: MarketOrder, reasoning: str) -> Action | None:
    """Ask a person about a live order, and wait."""
    if state.now.approval == "refused":
        refused = ExecutionResult(status="rejected", detail="a person refused it")
        return _record_fact(state, "result", "EXECUTING", refused)
    if state.waiting:
        return None
    question = f"{order.side} {order.quantity:f} {order.asset} at the market's price, with real money? {reasoning}"
    asked = QuestionAsked(ref=order.key, kind="approval", questions=(question,), agent="portfolio_manager")
    return Record(key=state.key("ask"), state="EXECUTING", facts=(asked,))


def _resolve_sent_order(state: DecisionState, key: str, data: MarketData) -> Action:
    """Wait for the order that was sent; once nobody knows what became of it, ask the broker by its key."""
    order = next(order for order in state.portfolio.open_orders if order.key == key)
    if state.now.unknown_reason is None:
        return _execute_order(state, order, data)
    place = state.key(f"settle/{state.now.reconcile_attempts + 1}")
    given = ReconcileInput(order=order)
    return ToolRun(key=place, state="EXECUTING", tool="reconcile", given=given, writing=True)


def _execute_order(state: DecisionState, order: MarketOrder, data: MarketData) -> Action:
    given = ExecuteInput(
        order=order,
        price=data.prices[order.asset],
        volume=data.volumes[order.asset],
        portfolio=data.portfolio,
    )
    return ToolRun(key=state.key("execute"), state="EXECUTING", tool="execute", given=given, writing=True)


def _record_fact(state: DecisionState, name: str, where: str, value: Contract) -> Action:
    key = state.key(name)
    fact = FactRecorded(key=key, contract=type(value).__name__, value=value)
    return Record(key=key, state=where, facts=(fact,))


def _next_cycle_or_finish(state: DecisionState, options: DecisionOptions) -> Action:
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
        statement=_closing_statement(state, options.mandate.currency),
    )


def _closing_statement(state: DecisionState, currency: str) -> str:
    ended = f"Ended early: {state.stopped}. " if state.stopped else ""
    cycles, orders = _pluralize(state.cycle, "cycle"), _pluralize(state.orders, "executed order")
    return f"{ended}{cycles}, {orders}; at the last scan everything was worth {state.equity:f} {currency}."


def _pluralize(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
