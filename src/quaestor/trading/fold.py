"""The fold of the events of a decision session."""

from datetime import datetime

from quaestor.contracts.event import (
    Answered,
    BudgetReached,
    Cancelled,
    ContractAccepted,
    ContractRejected,
    CycleStarted,
    Event,
    FactRecorded,
    FinishRequested,
    Forked,
    QuestionAsked,
    Resumed,
    SessionFinished,
    SessionStarted,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.immutable import replace
from quaestor.evidence.normalization import fold_case_and_blanks
from quaestor.kernel.run_state import fold_questions
from quaestor.trading import tool_passes
from quaestor.trading.contracts.decision import (
    AgentMemory,
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    TradePlan,
)
from quaestor.trading.contracts.indicators import StrategyIndicators
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.portfolio import ExecuteInput, ExecutionResult, MarketData, MarketOrder, Portfolio
from quaestor.trading.contracts.role_inputs import ComputedValue
from quaestor.trading.risk import describe_stale_market, describe_stale_price
from quaestor.trading.state import (
    Analyzing,
    Closed,
    CycleOutcome,
    Deciding,
    DecisionState,
    Executing,
    Failed,
    Memorizing,
    NotStarted,
    Planning,
    RuleIndicators,
    Scanning,
    SessionState,
    Settling,
    Stage,
    Stopped,
    Validating,
    next_cycle_time,
)

APPROVAL_ANSWERS = frozenset({"yes", "y", "approve", "approved", "/approve"})
MAX_RECONCILE_ATTEMPTS = 3
"""How often a broker is asked in one cycle what became of an order."""


def fold(state: SessionState, event: Event) -> SessionState:
    """Return the session after one more event."""
    if isinstance(event.payload, SessionStarted):
        return _start(event.payload, event)
    return state if isinstance(state, NotStarted) else fold_started(state, event)


def _start(started: SessionStarted, event: Event) -> DecisionState:
    options = DecisionOptions.model_validate(started.options)
    cash = options.mandate.cash
    return DecisionState(event.session_id, started.question, options, Portfolio(cash=cash), equity=cash)


def fold_started(state: DecisionState, event: Event) -> DecisionState:  # noqa: C901 -- one arm an event
    """Return a session that has started, or the cycle of a todo, after one more event."""
    match event.payload:
        case Forked(options=options):
            return replace(state, session_id=event.session_id, options=DecisionOptions.model_validate(options))
        case CycleStarted():
            stage = Scanning(next_cycle_time(state.stage))
            return replace(state, cycle=event.cycle, stage=stage, finished=False, stop_reason=None)
        case ContractAccepted() as accepted:
            return replace(state, stage=_apply_output(state.stage, accepted))
        case ContractRejected(final=True, contract=contract, objections=objections):
            return _end_cycle(state, Failed(f"no usable {contract}: {'; '.join(objections)}"))
        case FactRecorded() as fact:
            return _apply_fact(state, fact)
        case ToolRequested(given=ExecuteInput(order=order)):
            return _send_order(state, order)
        case ToolsChosen() | ToolResponded() | ToolInterrupted():
            return _fold_tool(state, event)
        case QuestionAsked() | Answered():
            return _fold_question(state, event)
        case Resumed():
            return _end_if_stale(state, event.at)
        case FinishRequested():
            return _stop(state, "a person ended it")
        case Cancelled():
            return replace(state, cancelled=True)
        case BudgetReached(limit=limit, refused_key=key):
            return _stop_at_budget(state, f"the budget is reached ({limit})", key)
        case SessionFinished():
            return replace(state, finished=True, open_questions=())
        case _:
            return state


def _end_if_stale(state: DecisionState, at: datetime) -> DecisionState:
    """End a cycle that rested until the prices it looked at were stale; a backtest has a time of its own."""
    match state.stage:
        case Planning(market=market) | Analyzing(market=market) | Deciding(market=market) | Validating(market=market):
            pass
        case Executing(market=market):
            pass
        case _:
            return state
    stale = describe_stale_market(market, state.options.mandate, at)
    if state.options.backtest or stale is None:
        return state
    return _end_cycle(state, Failed(f"it was resumed too late: {stale}"))


def _apply_output(stage: Stage, accepted: ContractAccepted) -> Stage:
    match accepted.output, stage:
        case TradePlan() as plan, Planning(market=market):
            return Analyzing(market, plan)
        case QuantReport() as report, Analyzing(market=market, plan=plan):
            return Deciding(market, plan, report)
        case PortfolioDecision() as decision, Deciding(market=market, plan=plan, report=report):
            return Validating(market, plan, report, decision)
        case _:
            return stage


def _apply_fact(state: DecisionState, fact: FactRecorded) -> DecisionState:
    match fact.value, state.stage:
        case DecisionValidation() as validation, Validating(market=market, plan=plan, report=report, decision=decision):
            return replace(state, stage=Executing(market, plan, report, decision, validation))
        case ExecutionResult() as result, Executing():
            return _end_cycle(state, result)
        case AgentMemory() as memory, Memorizing(reached=reached, outcome=outcome):
            return replace(state, memory=memory, stage=Closed(reached, outcome))
        case _:
            return state


def _end_cycle(state: DecisionState, outcome: CycleOutcome) -> DecisionState:
    match state.stage:
        case Memorizing() | Closed():
            return state
        case active:
            return replace(state, stage=Memorizing(active, outcome))


def _fold_tool(state: DecisionState, event: Event) -> DecisionState:  # noqa: C901 -- one arm a tool
    """Apply what a tool gave, each in the stage that asked for it."""
    match event.payload, state.stage:
        case ToolResponded(tool="scan", error=str(error)), Scanning():
            return _end_cycle(state, Failed(f"the market could not be scanned: {error}"))
        case ToolResponded(result=MarketData() as market), Scanning():
            return replace(state, equity=market.equity, stage=Planning(market))
        case ToolResponded(tool="run_indicators", error=str(error)), Analyzing() as stage:
            return replace(state, stage=replace(stage, indicators=RuleIndicators((), (error,))))
        case ToolResponded(key=key, result=StrategyIndicators() as computed), Analyzing() as stage:
            return replace(state, stage=replace(stage, indicators=_rule_indicators(key, computed)))
        case ToolResponded(tool="execute", error=str(error)), Settling() as stage:
            return _lose_order(state, stage, error)
        case ToolInterrupted(tool="execute"), Settling() as stage:
            return _lose_order(state, stage, "the order was interrupted on its way")
        case ToolResponded(tool="execute" | "reconcile", result=ExecutionResult() as result) as responded, _:
            return _settle(_mark_reconciled(state, responded), result)
        case ToolResponded(tool="reconcile") as responded, _:
            return _count_attempt(_mark_reconciled(state, responded))
        case _, Planning() as stage:
            limit = state.options.max_planning_turns
            return replace(state, stage=replace(stage, passes=tool_passes.fold(stage.passes, event, limit, limit)))
        case _, Analyzing() as stage:
            limit = state.options.max_analysis_steps
            return replace(state, stage=replace(stage, passes=tool_passes.fold(stage.passes, event, limit, limit)))
        case _:
            return state


def _rule_indicators(key: str, computed: StrategyIndicators) -> RuleIndicators:
    readings = (ComputedValue(name=name, value=value, run=key) for name, value in computed.readings.items())
    return RuleIndicators(tuple(readings), computed.missing)


def _send_order(state: DecisionState, order: MarketOrder) -> DecisionState:
    # Open from the request on, not from the response: between the two nobody knows what the exchange did.
    state = replace(state, portfolio=state.portfolio.sent(order))
    match state.stage:
        case Executing(market=market, plan=plan, report=report, decision=decision):
            return replace(state, stage=Settling(market, plan, report, decision, order))
        case _:
            return state


def _settle(state: DecisionState, result: ExecutionResult) -> DecisionState:
    """Apply what became of an order; that of an earlier cycle is no outcome of this one."""
    executed = state.executed_orders + (result.fill is not None)
    state = replace(state, portfolio=state.portfolio.settled(result), executed_orders=executed)
    match state.stage:
        case Settling(order=order) if order.key == result.order_id:
            return _end_cycle(state, result)
        case _:
            return state


def _lose_order(state: DecisionState, stage: Settling, reason: str) -> DecisionState:
    """Settle an order that came to nothing at the paper broker, which knows; at any other its end is unknown."""
    if state.options.mandate.broker == "paper":
        return _settle(state, ExecutionResult(status="failed", order_id=stage.order.key, detail=reason))
    return replace(state, stage=replace(stage, unknown_reason=reason))


def _mark_reconciled(state: DecisionState, responded: ToolResponded) -> DecisionState:
    match state.stage:
        case Scanning() as stage:
            return replace(state, stage=replace(stage, reconciled=stage.reconciled | {responded.key}))
        case _:
            return state


def _count_attempt(state: DecisionState) -> DecisionState:
    match state.stage:
        case Settling(unknown_reason=str()) as stage:
            stage = replace(stage, attempts=stage.attempts + 1)
            state = replace(state, stage=stage)
            return _give_up_on_order(state, stage) if stage.attempts >= MAX_RECONCILE_ATTEMPTS else state
        case _:
            return state


def _give_up_on_order(state: DecisionState, stage: Settling) -> DecisionState:
    """End the cycle while it is unknown what became of its order, which stays open until the broker says."""
    detail = f"nobody knows what became of the order: {stage.unknown_reason}"
    return _end_cycle(state, ExecutionResult(status="failed", order_id=stage.order.key, detail=detail))


def _fold_question(state: DecisionState, event: Event) -> DecisionState:
    state = replace(state, open_questions=fold_questions(state.open_questions, event))
    match event.payload, state.stage:
        case Answered(ref=ref, text=text), Executing() as stage if ref == state.order_key:
            approved = fold_case_and_blanks(text) in APPROVAL_ANSWERS
            stale = describe_stale_price(stage.decision.asset, event.at, stage.market, state.options.mandate)
            return replace(state, stage=replace(stage, approval="given" if approved else "refused", stale=stale))
        case _:
            return state


def _stop(state: DecisionState, reason: str) -> DecisionState:
    """Trade no more; an order that was sent is settled first."""
    state = replace(state, stop_reason=state.stop_reason or reason)
    return state if isinstance(state.stage, Settling) else _end_cycle(state, Stopped(reason))


def _stop_at_budget(state: DecisionState, reason: str, refused_key: str) -> DecisionState:
    """Trade no more; when the budget forbids even to ask what became of an order, it stays open."""
    state = _stop(state, reason)
    match state.stage:
        # The refused call was the one that would have asked the broker, so no answer will come in this run.
        case Settling() as stage if refused_key.startswith(state.action_key("")):
            state = _lose_order(state, stage, reason)
            return _give_up_on_order(state, state.stage) if isinstance(state.stage, Settling) else state
        case _:
            return state
