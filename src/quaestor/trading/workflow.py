"""The decision workflow: a mandate in, one validated decision a cycle out.

    SCANNING -> PLANNING -> ANALYZING -> DECIDING -> VALIDATING_DECISION -> EXECUTING -> MEMORIZING (-> the next cycle)

What fails on the way leads to MEMORIZING without a trade. The routing is in `routing`, the fold in `fold`. In a
backtest one cycle follows the other at the closes of the candles; any other session ends with its cycle, and a command
opens the next.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, assert_never

from quaestor.contracts.action import Action
from quaestor.contracts.command import (
    AddBudget,
    Answer,
    Cancel,
    Command,
    FinishNow,
    Label,
    OpenCycle,
    Pause,
    RevokeApproval,
    WorkflowCommand,
)
from quaestor.contracts.event import Answered, Cancelled, CycleStarted, Event, FinishRequested
from quaestor.contracts.workflow import CommandOutcome, StateSpec, refuse
from quaestor.trading import role_actions
from quaestor.trading.contracts.decision import (
    AgentMemory,
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    TradePlan,
)
from quaestor.trading.contracts.portfolio import ExecutionResult, MarketData
from quaestor.trading.fold import fold
from quaestor.trading.routing import next_action
from quaestor.trading.state import DecisionState, NotStarted, SessionState, market_of

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

    def begin(self) -> SessionState:
        """Return the state before any event."""
        return NotStarted()

    def apply(self, state: SessionState, event: Event) -> SessionState:
        """Return the state after one more event."""
        return fold(state, event)

    def next(self, state: SessionState) -> Sequence[Action]:
        """Return the action that is needed now, if any."""
        if isinstance(state, NotStarted) or state.finished:
            return ()
        action = next_action(state)
        return (action,) if action else ()

    def handle(self, state: SessionState, order: Command) -> CommandOutcome:
        """Return the facts that a command leads to, or the reason why it is refused."""
        if isinstance(state, NotStarted):
            return refuse("the session has not started; run it first")
        match order:
            case OpenCycle(why=why):
                return _open_cycle(state, why)
            case Pause() | AddBudget() | Label() | RevokeApproval():
                return CommandOutcome()
            case WorkflowCommand():
                return refuse("a decision session has no plan of todos")
            case _ if state.finished:
                return refuse("the session is finished; begin another cycle")
            case Answer(text=text):
                if not state.open_questions:
                    return refuse("no question is open")
                return CommandOutcome(facts=(Answered(ref=state.open_questions[0].ref, text=text),))
            case FinishNow():
                return CommandOutcome(facts=(FinishRequested(),))
            case Cancel():
                return CommandOutcome(facts=(Cancelled(),))
            case never:
                assert_never(never)


def _open_cycle(state: DecisionState, why: str) -> CommandOutcome:
    if why != "decision":
        return refuse(f"a decision session has no cycle of the kind {why}; open one of the kind decision")
    if state.cancelled:
        return refuse("the session was cancelled; start another one")
    if not state.finished:
        return refuse("a cycle is going on; wait until it ends")
    market = market_of(state.stage)
    if state.options.backtest and market and market.next is None:
        return refuse("the backtest is at the end of its candles; start another one")
    return CommandOutcome(facts=(CycleStarted(why="decision"),))
