"""The decision workflow: a mandate in, one validated decision a cycle out.

    SCANNING -> PLANNING -> ANALYZING -> DECIDING -> VALIDATING_DECISION -> EXECUTING -> MEMORIZING (-> the next cycle)

What fails on the way leads to MEMORIZING without a trade. The routing is in `routing`, the fold in `fold`. In a
backtest one cycle follows the other at the closes of the candles; any other session ends with its cycle, and a command
opens the next.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from quaestor.contracts.action import Action
from quaestor.contracts.command import Command
from quaestor.contracts.event import Event
from quaestor.contracts.workflow import CommandOutcome, StateSpec
from quaestor.trading import inbox, role_actions
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
from quaestor.trading.state import NotStarted, SessionState

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
        """Return what a person's command leads to."""
        return inbox.handle(state, order)
