"""What a decision session knows: the fold of its events. Of a cycle that is over only its memory stays."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from pydantic import AwareDatetime, Field

from quaestor.contracts.base import Contract
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
    SessionFinished,
    SessionStarted,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
    Value,
)
from quaestor.kernel.run_state import fold_questions
from quaestor.trading import tool_passes as turns
from quaestor.trading.contracts.decision import (
    AgentMemory,
    ComputedValue,
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    StrategyIndicators,
    TradePlan,
)
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.portfolio import ExecuteInput, ExecutionResult, MarketData, Portfolio
from quaestor.trading.tool_passes import ToolPasses

APPROVAL_ANSWERS = frozenset({"yes", "y", "approve", "approved", "/approve"})
MAX_RECONCILE_ATTEMPTS = 3
"""How often a broker is asked in one cycle what became of an order."""


class CycleState(Contract):
    """The cycle that is going on."""

    at: AwareDatetime | None = Field(default=None, description="When it looks at the market; None: the scan says.")
    checked: frozenset[str] = Field(default=frozenset(), description="Runs that asked for open orders.")
    data: MarketData | None = None
    strategist_tools: ToolPasses = ToolPasses()
    plan: TradePlan | None = None
    standing: bool = Field(default=False, description="The standing indicators were computed, or cannot be.")
    readings: tuple[ComputedValue, ...] = ()
    missing: tuple[str, ...] = ()
    quant_tools: ToolPasses = ToolPasses()
    report: QuantReport | None = None
    decision: PortfolioDecision | None = None
    validation: DecisionValidation | None = None
    approval: Literal["unasked", "given", "refused"] = "unasked"
    sent: str | None = Field(default=None, description="The key of the order that is on its way, or was.")
    unknown_reason: str | None = Field(default=None, description="Why nobody knows what became of the order.")
    reconcile_attempts: int = 0
    result: ExecutionResult | None = None
    failure: str | None = Field(default=None, description="Why there is no decision.")
    memory_recorded: bool = False


class DecisionState(Contract):
    """Everything `Decision.next` looks at."""

    session: str = ""
    objective: str = ""
    options: DecisionOptions | None = None
    cycle: int = 1
    portfolio: Portfolio = Portfolio(cash=Decimal(0))
    equity: Decimal = Decimal(0)
    orders: int = Field(default=0, description="Orders that were executed.")
    memory: AgentMemory | None = None
    waiting: tuple[QuestionAsked, ...] = ()
    stopped: str | None = Field(default=None, description="Why no more is traded.")
    cancelled: bool = False
    finished: bool = False
    now: CycleState = CycleState()

    @property
    def order_key(self) -> str:
        """The key of this cycle's order, the same in every process and at every broker."""
        return f"{self.session}/{self.cycle}/decision"

    def key(self, name: str) -> str:
        """Give the key of an action of this cycle."""
        return f"c{self.cycle}/{name}"


def current_cycle_time(state: DecisionState) -> datetime | None:
    """Give the time of the cycle that is going on, which the clock of a backtest shows again after a restart."""
    return state.now.data.at if state.now.data else None


def begin() -> DecisionState:
    """Give the state before any event."""
    return DecisionState()


def fold(state: DecisionState, event: Event) -> DecisionState:  # noqa: C901 -- one arm an event
    """Give the state after one more event."""
    match event.payload:
        case SessionStarted(question=question, options=said):
            options = DecisionOptions.model_validate(said)
            cash = options.mandate.cash
            return _update(
                state,
                session=event.session_id,
                objective=question,
                options=options,
                portfolio=Portfolio(cash=cash),
                equity=cash,
            )
        case Forked(options=said):
            return _update(state, session=event.session_id, options=DecisionOptions.model_validate(said))
        case CycleStarted():
            after = state.now.data.next if state.now.data else state.now.at
            return _update(state, cycle=event.cycle, now=CycleState(at=after), finished=False, stopped=None)
        case ContractAccepted(output=output):
            return _fold_contract(state, output)
        case ContractRejected(final=True, contract=contract, objections=objections):
            return _update_cycle(state, failure=f"no usable {contract}: {'; '.join(objections)}")
        case FactRecorded(value=value):
            return _fold_fact(state, value)
        case ToolRequested(given=ExecuteInput(order=order)):
            return _update_cycle(_update(state, portfolio=state.portfolio.sent(order)), sent=order.key)
        case ToolsChosen() | ToolResponded() | ToolInterrupted():
            return _fold_tool(state, event)
        case QuestionAsked() | Answered():
            return _fold_question(state, event)
        case FinishRequested():
            return _update(state, stopped="a person ended it")
        case Cancelled():
            return _update(state, cancelled=True)
        case BudgetReached(limit=limit, refused_key=key):
            return _fold_budget_reached(state, f"the budget is reached ({limit})", key)
        case SessionFinished():
            return _update(state, finished=True, waiting=())
        case _:
            return state


def _fold_contract(state: DecisionState, output: Value) -> DecisionState:
    match output:
        case TradePlan() as plan:
            return _update_cycle(state, plan=plan)
        case QuantReport() as report:
            return _update_cycle(state, report=report)
        case PortfolioDecision() as decision:
            return _update_cycle(state, decision=decision)
        case _:
            return state


def _fold_fact(state: DecisionState, value: Value) -> DecisionState:
    match value:
        case DecisionValidation() as validation:
            return _update_cycle(state, validation=validation)
        case ExecutionResult() as result:
            return _update_cycle(state, result=result)
        case AgentMemory() as memory:
            return _update_cycle(_update(state, memory=memory), memory_recorded=True)
        case _:
            return state


def _fold_tool(state: DecisionState, event: Event) -> DecisionState:
    """Fold what tools gave, each for the state that asked it."""
    match event.payload:
        case ToolResponded(tool="scan", error=str(error)):
            return _update_cycle(state, failure=f"the market could not be scanned: {error}")
        case ToolResponded(result=MarketData() as data):
            return _update_cycle(_update(state, equity=data.equity), data=data)
        case ToolResponded(tool="run_indicators", key=key, error=str(error)):
            return _fold_indicators(state, key, StrategyIndicators(missing=(error,)))
        case ToolResponded(key=key, result=StrategyIndicators() as standing):
            return _fold_indicators(state, key, standing)
        case ToolResponded(tool="execute", result=ExecutionResult() as result):
            return _fold_execution(state, result)
        case ToolResponded(tool="execute", error=str(error)):
            return _fold_lost_order(state, error)
        case ToolInterrupted(tool="execute"):
            return _fold_lost_order(state, "the order was interrupted on its way")
        case ToolResponded(tool="reconcile", key=key, result=result):
            return _fold_reconciliation(state, key, result if isinstance(result, ExecutionResult) else None)
        case _:
            return _fold_tool_pass(state, event)


def _fold_indicators(state: DecisionState, key: str, standing: StrategyIndicators) -> DecisionState:
    readings = tuple(ComputedValue(name=name, value=value, run=key) for name, value in standing.readings.items())
    return _update_cycle(state, standing=True, readings=readings, missing=standing.missing)


def _fold_tool_pass(state: DecisionState, event: Event) -> DecisionState:
    if state.options is None:
        return state
    match event.state:
        case "PLANNING":
            most = state.options.max_planning_turns
            return _update_cycle(state, strategist_tools=turns.fold(state.now.strategist_tools, event, most, most))
        case "ANALYZING":
            most = state.options.max_analysis_steps
            return _update_cycle(state, quant_tools=turns.fold(state.now.quant_tools, event, most, most))
        case _:
            return state


def _fold_execution(state: DecisionState, result: ExecutionResult) -> DecisionState:
    """Take up what became of an order; that of an earlier cycle is no result of this one."""
    traded = state.orders + (result.fill is not None)
    state = _update(state, portfolio=state.portfolio.settled(result), orders=traded)
    return _update_cycle(state, result=result) if result.order_id == state.now.sent else state


def _fold_lost_order(state: DecisionState, reason: str) -> DecisionState:
    """Take up that an order came to nothing at the paper broker, which knows; of any other it is in doubt."""
    if state.options and state.options.mandate.broker == "paper":
        return _fold_execution(state, ExecutionResult(status="failed", order_id=state.now.sent, detail=reason))
    return _update_cycle(state, unknown_reason=reason)


def _fold_reconciliation(state: DecisionState, key: str, result: ExecutionResult | None) -> DecisionState:
    state = _update_cycle(state, checked=state.now.checked | {key})
    if result:
        return _fold_execution(state, result)
    if state.now.unknown_reason is None:
        return state
    settling = state.now.reconcile_attempts + 1
    return _update_cycle(
        _give_up_on_order(state) if settling >= MAX_RECONCILE_ATTEMPTS else state, reconcile_attempts=settling
    )


def _give_up_on_order(state: DecisionState) -> DecisionState:
    """End the cycle without knowing what became of its order, which stays open until the broker says."""
    detail = f"nobody knows what became of the order: {state.now.unknown_reason}"
    return _update_cycle(state, result=ExecutionResult(status="failed", order_id=state.now.sent, detail=detail))


def _fold_question(state: DecisionState, event: Event) -> DecisionState:
    state = _update(state, waiting=fold_questions(state.waiting, event))
    match event.payload:
        case Answered(ref=ref, text=text) if ref == state.order_key:
            said = " ".join(text.casefold().split())
            return _update_cycle(state, approval="given" if said in APPROVAL_ANSWERS else "refused")
        case _:
            return state


def _fold_budget_reached(state: DecisionState, reason: str, key: str) -> DecisionState:
    """Trade no more; when the budget forbids even to ask what became of an order, it stays open."""
    state = _update(state, stopped=state.stopped or reason)
    if state.now.sent is None or state.now.result or not key.startswith(state.key("")):
        return state
    lost = _fold_lost_order(state, reason)
    return lost if lost.now.result else _give_up_on_order(lost)


def _update_cycle(state: DecisionState, **changes: object) -> DecisionState:
    return state.model_copy(update={"now": state.now.model_copy(update=changes)})


def _update(state: DecisionState, **changes: object) -> DecisionState:
    return state.model_copy(update=changes)
