"""What a decision session knows: the fold of its events. Of a cycle that is over only its memory stays."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from quaestor.contracts.event import QuestionAsked
from quaestor.trading.contracts.decision import AgentMemory
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.portfolio import Portfolio
from quaestor.trading.cycle import Scanning, Stage, market_of


@dataclass(frozen=True, slots=True)
class NotStarted:
    """A session before its first event."""


@dataclass(frozen=True, slots=True)
class DecisionState:
    """A decision session; `equity` is its worth at the last scan, `stop_reason` why no more is traded."""

    session_id: str
    objective: str
    options: DecisionOptions
    portfolio: Portfolio
    equity: Decimal
    cycle: int = 1
    stage: Stage = field(default_factory=Scanning)
    executed_orders: int = 0
    memory: AgentMemory | None = None
    open_questions: tuple[QuestionAsked, ...] = ()
    stop_reason: str | None = None
    cancelled: bool = False
    finished: bool = False
    todo_id: str | None = None
    """The todo of another workflow that the cycle carries out; None in a session of decisions."""

    @property
    def order_key(self) -> str:
        """The key of this cycle's order, the same in every process and at every broker."""
        return f"{self.session_id}/{self.todo_id or self.cycle}/decision"

    def action_key(self, name: str) -> str:
        """Return the key of an action of this cycle."""
        return f"todo/{self.todo_id}/{name}" if self.todo_id else f"c{self.cycle}/{name}"


SessionState = NotStarted | DecisionState


def current_cycle_time(state: SessionState) -> datetime | None:
    """Return the time of this cycle, at which the clock of a backtest is set again after a restart."""
    market = None if isinstance(state, NotStarted) else market_of(state.stage)
    return market.at if market else None
