"""What a decision session knows: the fold of its events. Of a cycle that is over only its memory stays."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from pydantic import AwareDatetime, Field

from quaestor.contracts.asking import still_open
from quaestor.contracts.decision import (
    AgentMemory,
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    Reading,
    Standing,
    TradePlan,
)
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
)
from quaestor.contracts.mandate import DecisionOptions
from quaestor.contracts.noun import Noun
from quaestor.contracts.portfolio import ExecuteGiven, ExecutionResult, MarketData, Portfolio
from quaestor.workflows import decision_turns as turns
from quaestor.workflows.decision_turns import Turns

YES = frozenset({"yes", "y", "approve", "approved", "/approve"})
MOST_SETTLING = 3
"""How often a broker is asked in one cycle what became of an order."""


class Cycle(Noun):
    """The cycle that is going on."""

    at: AwareDatetime | None = Field(default=None, description="When it looks at the market; None: the scan says.")
    checked: frozenset[str] = Field(default=frozenset(), description="Runs that asked for open orders.")
    data: MarketData | None = None
    looked: Turns = Turns()
    plan: TradePlan | None = None
    standing: bool = Field(default=False, description="The standing indicators were computed, or cannot be.")
    readings: tuple[Reading, ...] = ()
    missing: tuple[str, ...] = ()
    studied: Turns = Turns()
    report: QuantReport | None = None
    decision: PortfolioDecision | None = None
    validation: DecisionValidation | None = None
    approval: Literal["unasked", "given", "refused"] = "unasked"
    sent: str | None = Field(default=None, description="The key of the order that is on its way, or was.")
    doubt: str | None = Field(default=None, description="Why nobody knows what became of the order.")
    settling: int = 0
    result: ExecutionResult | None = None
    failure: str | None = Field(default=None, description="Why there is no decision.")
    remembered: bool = False


class DecisionState(Noun):
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
    now: Cycle = Cycle()

    @property
    def order_key(self) -> str:
        """The key of this cycle's order, the same in every process and at every broker."""
        return f"{self.session}/{self.cycle}/decision"

    def key(self, name: str) -> str:
        """Give the key of an action of this cycle."""
        return f"c{self.cycle}/{name}"


def reached(state: DecisionState) -> datetime | None:
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
            return _with(
                state,
                session=event.session_id,
                objective=question,
                options=options,
                portfolio=Portfolio(cash=cash),
                equity=cash,
            )
        case Forked(options=said):
            return _with(state, session=event.session_id, options=DecisionOptions.model_validate(said))
        case CycleStarted():
            after = state.now.data.next if state.now.data else state.now.at
            return _with(state, cycle=event.cycle, now=Cycle(at=after), finished=False, stopped=None)
        case ContractAccepted(contract=contract, output=output):
            return _accepted(state, contract, output)
        case ContractRejected(final=True, contract=contract, objections=objections):
            return _now(state, failure=f"no usable {contract}: {'; '.join(objections)}")
        case FactRecorded(contract=contract, value=value):
            return _concluded(state, contract, value)
        case ToolRequested(tool="execute", given=given):
            order = ExecuteGiven.model_validate(given).order
            return _now(_with(state, portfolio=state.portfolio.sent(order)), sent=order.key)
        case ToolsChosen() | ToolResponded() | ToolInterrupted():
            return _tooled(state, event)
        case QuestionAsked() | Answered():
            return _told(state, event)
        case FinishRequested():
            return _with(state, stopped="a person ended it")
        case Cancelled():
            return _with(state, cancelled=True)
        case BudgetReached(limit=limit, refused_key=key):
            return _spent(state, f"the budget is reached ({limit})", key)
        case SessionFinished():
            return _with(state, finished=True, waiting=())
        case _:
            return state


def _accepted(state: DecisionState, contract: str, output: object) -> DecisionState:
    match contract:
        case "TradePlan":
            return _now(state, plan=TradePlan.model_validate(output))
        case "QuantReport":
            return _now(state, report=QuantReport.model_validate(output))
        case "PortfolioDecision":
            return _now(state, decision=PortfolioDecision.model_validate(output))
        case _:
            return state


def _concluded(state: DecisionState, contract: str, value: object) -> DecisionState:
    match contract:
        case "DecisionValidation":
            return _now(state, validation=DecisionValidation.model_validate(value))
        case "ExecutionResult":
            return _now(state, result=ExecutionResult.model_validate(value))
        case "AgentMemory":
            return _now(_with(state, memory=AgentMemory.model_validate(value)), remembered=True)
        case _:
            return state


def _tooled(state: DecisionState, event: Event) -> DecisionState:
    """Fold what tools gave, each for the state that asked it."""
    match event.payload:
        case ToolResponded(tool="scan", result=result, error=error):
            if error:
                return _now(state, failure=f"the market could not be scanned: {error}")
            data = MarketData.model_validate(result)
            return _now(_with(state, equity=data.equity), data=data)
        case ToolResponded(tool="run_indicators", key=key, result=result, error=error):
            return _stood(state, key, Standing(missing=(error,)) if error else Standing.model_validate(result))
        case ToolResponded(tool="execute", result=result, error=error) if error is None:
            return _settled(state, ExecutionResult.model_validate(result))
        case ToolResponded(tool="execute", error=str(error)):
            return _lost(state, error)
        case ToolInterrupted(tool="execute"):
            return _lost(state, "the order was interrupted on its way")
        case ToolResponded(tool="reconcile", key=key, result=result, error=error):
            return _reconciled(state, key, None if error else ExecutionResult.model_validate(result))
        case _:
            return _turned(state, event)


def _stood(state: DecisionState, key: str, standing: Standing) -> DecisionState:
    readings = tuple(Reading(name=name, value=value, run=key) for name, value in standing.readings.items())
    return _now(state, standing=True, readings=readings, missing=standing.missing)


def _turned(state: DecisionState, event: Event) -> DecisionState:
    if state.options is None:
        return state
    match event.state:
        case "PLANNING":
            most = state.options.most_turns
            return _now(state, looked=turns.apply(state.now.looked, event, most, most))
        case "ANALYZING":
            most = state.options.most_steps
            return _now(state, studied=turns.apply(state.now.studied, event, most, most))
        case _:
            return state


def _settled(state: DecisionState, result: ExecutionResult) -> DecisionState:
    """Take up what became of an order; that of an earlier cycle is no result of this one."""
    traded = state.orders + (result.fill is not None)
    state = _with(state, portfolio=state.portfolio.settled(result), orders=traded)
    return _now(state, result=result) if result.order_id == state.now.sent else state


def _lost(state: DecisionState, reason: str) -> DecisionState:
    """Take up that an order came to nothing at the paper broker, which knows; of any other it is in doubt."""
    if state.options and state.options.mandate.broker == "paper":
        return _settled(state, ExecutionResult(status="failed", order_id=state.now.sent, detail=reason))
    return _now(state, doubt=reason)


def _reconciled(state: DecisionState, key: str, result: ExecutionResult | None) -> DecisionState:
    state = _now(state, checked=state.now.checked | {key})
    if result:
        return _settled(state, result)
    if state.now.doubt is None:
        return state
    settling = state.now.settling + 1
    return _now(_unknown(state) if settling >= MOST_SETTLING else state, settling=settling)


def _unknown(state: DecisionState) -> DecisionState:
    """End the cycle without knowing what became of its order, which stays open until the broker says."""
    detail = f"nobody knows what became of the order: {state.now.doubt}"
    return _now(state, result=ExecutionResult(status="failed", order_id=state.now.sent, detail=detail))


def _told(state: DecisionState, event: Event) -> DecisionState:
    state = _with(state, waiting=still_open(state.waiting, event))
    match event.payload:
        case Answered(ref=ref, text=text) if ref == state.order_key:
            said = " ".join(text.casefold().split())
            return _now(state, approval="given" if said in YES else "refused")
        case _:
            return state


def _spent(state: DecisionState, reason: str, key: str) -> DecisionState:
    """Trade no more; when the budget forbids even to ask what became of an order, it stays open."""
    state = _with(state, stopped=state.stopped or reason)
    if state.now.sent is None or state.now.result or not key.startswith(state.key("")):
        return state
    lost = _lost(state, reason)
    return lost if lost.now.result else _unknown(lost)


def _now(state: DecisionState, **changes: object) -> DecisionState:
    return state.model_copy(update={"now": state.now.model_copy(update=changes)})


def _with(state: DecisionState, **changes: object) -> DecisionState:
    return state.model_copy(update=changes)
