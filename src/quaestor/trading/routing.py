"""The routing of decision cycles: what a session needs next. Pure."""

from typing import assert_never

from quaestor.contracts.action import Action, Finish, Record, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.event import CycleStarted, FactRecorded, QuestionAsked
from quaestor.trading import risk, role_actions
from quaestor.trading.contracts.decision import DecisionValidation
from quaestor.trading.contracts.portfolio import (
    ExecuteInput,
    ExecutionResult,
    MarketData,
    MarketOrder,
    ReconcileInput,
    ScanInput,
)
from quaestor.trading.state import (
    Analyzing,
    Closed,
    Deciding,
    DecisionState,
    Executing,
    Failed,
    Memorizing,
    Planning,
    Scanning,
    Settling,
    Validating,
    market_of,
)
from quaestor.trading.summaries import describe_worth, summarize_cycle
from quaestor.views.text import count_noun


def next_action(state: DecisionState) -> Action | None:  # noqa: C901 -- one arm a stage
    """Return what the session needs now; None while a person is asked."""
    match state.stage:
        case Settling() as stage:
            return _settle_order(state, stage)
        case _ if state.cancelled:
            return Finish(key="finish", state="DONE", outcome="cancelled", statement="The session was cancelled.")
        case Scanning() as stage:
            return _scan_or_reconcile(state, stage)
        case Planning() as stage:
            return role_actions.strategist_action(state, stage)
        case Analyzing() as stage:
            return role_actions.quant_action(state, stage)
        case Deciding() as stage:
            return role_actions.portfolio_manager_action(state, stage)
        case Validating() as stage:
            return _validate(state, stage)
        case Executing() as stage:
            return _execute(state, stage)
        case Memorizing() as stage:
            return _record_fact(state, "memory", "MEMORIZING", summarize_cycle(state, stage))
        case Closed() as stage:
            return _next_cycle_or_finish(state, stage)
        case never:
            assert_never(never)


def _scan_or_reconcile(state: DecisionState, stage: Scanning) -> Action:
    """Ask first what became of orders that were left open, then scan the market."""
    for number, order in enumerate(state.portfolio.open_orders, 1):
        key = state.action_key(f"reconcile/{number}/{order.key}")
        if key not in stage.reconciled:
            return ToolRun(key=key, state="SCANNING", tool="reconcile", given=ReconcileInput(order=order))
    given = ScanInput(assets=state.options.mandate.assets, at=stage.at, portfolio=state.portfolio)
    return ToolRun(key=state.action_key("scan"), state="SCANNING", tool="scan", given=given)


def _validate(state: DecisionState, stage: Validating) -> Action:
    mandate = state.options.mandate
    limits = mandate.constraints.tightened_by(stage.plan.constraints)
    validation = risk.validate_decision(stage.decision, stage.market, mandate, limits)
    return _record_fact(state, "validation", "VALIDATING_DECISION", validation)


def _execute(state: DecisionState, stage: Executing) -> Action | None:
    """Send the order, once a person approved a live one, or record that there is none."""
    order = risk.build_order(stage.decision, state.order_key) if stage.validation.passed else None
    if order is None:
        return _record_fact(state, "result", "EXECUTING", _no_trade_result(stage.validation))
    if not state.options.orders:
        skipped = ExecutionResult(status="skipped", detail="orders are not allowed")
        return _record_fact(state, "result", "EXECUTING", skipped)
    if stage.approval == "given" and stage.stale:
        return _record_fact(state, "result", "EXECUTING", ExecutionResult(status="rejected", detail=stage.stale))
    if not state.options.mandate.live or stage.approval == "given":
        return _send_order(state, order, stage.market)
    if stage.approval == "refused":
        refused = ExecutionResult(status="rejected", detail="a person refused it")
        return _record_fact(state, "result", "EXECUTING", refused)
    return None if state.open_questions else _request_approval(state, order, stage.decision.reasoning)


def _no_trade_result(validation: DecisionValidation) -> ExecutionResult:
    if validation.passed:
        return ExecutionResult(status="skipped", detail="hold")
    rules = dict.fromkeys(one.rule_id for one in validation.violations if one.severity == "error")
    return ExecutionResult(status="rejected", detail=f"it breaks {', '.join(rules)}")


def _request_approval(state: DecisionState, order: MarketOrder, reasoning: str) -> Action:
    question = f"{order.side} {order.quantity:f} {order.asset} at the market's price, with real money? {reasoning}"
    fact = QuestionAsked(ref=order.key, kind="approval", questions=(question,), agent="portfolio_manager")
    return Record(key=state.action_key("ask"), state="EXECUTING", facts=(fact,))


def _settle_order(state: DecisionState, stage: Settling) -> Action:
    """Wait for the order that was sent; once its end is unknown, ask the broker by its key."""
    if stage.unknown_reason is None:
        return _send_order(state, stage.order, stage.market)
    key = state.action_key(f"settle/{stage.attempts + 1}")
    given = ReconcileInput(order=stage.order)
    return ToolRun(key=key, state="EXECUTING", tool="reconcile", given=given, uses_reserve=True)


def _send_order(state: DecisionState, order: MarketOrder, market: MarketData) -> Action:
    """Order by one key however often this is asked for, so that the kernel sends one order."""
    given = ExecuteInput(
        order=order,
        price=market.prices[order.asset],
        volume=market.volumes[order.asset],
        portfolio=market.portfolio,
    )
    return ToolRun(key=state.action_key("execute"), state="EXECUTING", tool="execute", given=given, uses_reserve=True)


def _record_fact(state: DecisionState, name: str, where: str, value: Contract) -> Action:
    key = state.action_key(name)
    fact = FactRecorded(key=key, contract=type(value).__name__, value=value)
    return Record(key=key, state=where, facts=(fact,))


def _next_cycle_or_finish(state: DecisionState, stage: Closed) -> Action:
    """Begin the next cycle of a backtest, or end."""
    market = market_of(stage)
    if market is None and not state.stop_reason:
        reason = stage.outcome.reason if isinstance(stage.outcome, Failed) else "the market could not be scanned"
        return Finish(key="finish", state="DONE", outcome="failed", statement=reason)
    if state.stop_reason is None and state.options.backtest and market and market.next:
        return Record(key=state.action_key("next"), state="SCANNING", facts=(CycleStarted(why="decision"),))
    if not state.options.backtest and state.stop_reason is None and (failure := _failure(stage)):
        return Finish(key="finish", state="DONE", outcome="failed", statement=f"The cycle failed: {failure}.")
    return Finish(
        key="finish",
        state="DONE",
        outcome="partial" if state.stop_reason else "done",
        statement=_closing_statement(state, market),
    )


def _failure(stage: Closed) -> str | None:
    """Return why a cycle came to no decision, or its order to no known end; None for one that ended well."""
    match stage.outcome:
        case Failed(reason=reason):
            return reason
        case ExecutionResult(status="failed", detail=detail):
            return detail
        case _:
            return None


def _closing_statement(state: DecisionState, market: MarketData | None) -> str:
    ended = f"Ended early: {state.stop_reason}. " if state.stop_reason else ""
    cycles, orders = count_noun(state.cycle, "cycle"), count_noun(state.executed_orders, "executed order")
    stale = risk.describe_stale_market(market, state.options.mandate, market.at) if market else None
    warned = f" Nothing could be ordered: {stale}." if stale else ""
    return f"{ended}{cycles}, {orders}; at the last scan everything was worth {describe_worth(state)}.{warned}"
