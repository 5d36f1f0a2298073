"""One decision cycle as a todo of another workflow: its decision, the rationale and the result are the evidence.

    SCANNING_MARKET -> PLANNING_TRADE -> ANALYZING_MARKET -> DECIDING_TRADE -> VALIDATING_DECISION -> EXECUTING_TRADE
        -> MEMORIZING_TRADE

The cycle begins with the cash of its mandate. What it claims is what it decided, and its record has the words.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field, JsonValue, ValidationError

from quaestor.contracts.action import Action, Finish
from quaestor.contracts.base import Contract
from quaestor.contracts.context import SetupContext
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import (
    BudgetReached,
    Cancelled,
    Event,
    FinishRequested,
    Forked,
    QuestionAsked,
    ToolResponded,
)
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import TodoWorkflow, invalid_options
from quaestor.contracts.todo import TODO_END, OutputClaim, TodoOptions, TodoOutcome, TodoOutput, TodoRequest
from quaestor.contracts.workflow import StateSpec
from quaestor.trading import routing
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.portfolio import ExecutionResult, Portfolio
from quaestor.trading.fold import fold_started
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.setup import load_mandate_candles
from quaestor.trading.state import Closed, DecisionState, Executing, Failed, Settling, Stopped
from quaestor.trading.summaries import describe_trade
from quaestor.trading.workflow import TABLE

_STATE_NAMES: Mapping[str, str] = {
    "SCANNING": "SCANNING_MARKET",
    "PLANNING": "PLANNING_TRADE",
    "ANALYZING": "ANALYZING_MARKET",
    "DECIDING": "DECIDING_TRADE",
    "VALIDATING_DECISION": "VALIDATING_DECISION",
    "EXECUTING": "EXECUTING_TRADE",
    "MEMORIZING": "MEMORIZING_TRADE",
}
"""The states of a cycle by the names that they have in a todo, where other states have the first ones."""
_MAX_RATIONALE = 1_900


class DecisionTodoOptions(Contract):
    """What the cycles of a session's todos run with."""

    mandate: Mandate
    orders: bool = Field(default=False, description="A decision that keeps the limits becomes an order.")
    planning_turns: int | None = Field(default=None, ge=0, le=5)
    analysis_steps: int | None = Field(default=None, ge=0, le=15)


class DecisionRun(Immutable):
    """A decision cycle that carries out a todo; a `TodoRun`."""

    state: DecisionState
    tools_used: tuple[str, ...] = ()

    @property
    def open_question(self) -> QuestionAsked | None:
        """The question whether a live order may be sent, which a person has not answered yet."""
        return self.state.open_questions[0] if self.state.open_questions else None

    @property
    def untrusted_source(self) -> str | None:
        """None: candles are numbers."""
        return None

    @property
    def outcome(self) -> TodoOutcome | None:
        """What was decided and what came of it; None while the cycle goes on."""
        match self.state.stage:
            case Closed(outcome=Failed(reason=reason)):
                return TodoOutcome(outcome="failed", statement=reason)
            case Closed(outcome=Stopped(reason=reason)):
                return TodoOutcome(outcome="partial", statement=f"Nothing was decided, because {reason}.")
            case Closed(reached=(Executing() | Settling()) as reached, outcome=ExecutionResult() as result):
                return _describe_decision(self.state, reached, result, self.tools_used)
            case _:
                return None

    def apply(self, event: Event) -> "DecisionRun":
        """Return the run after one more event: its own, and what ends the session."""
        match event.payload:
            case Forked():
                return replace(self, state=replace(self.state, session_id=event.session_id))
            case FinishRequested() | Cancelled() | BudgetReached():
                return replace(self, state=fold_started(self.state, event))
            case ToolResponded(tool=tool, error=None) if event.todo_id == self.state.todo_id:
                tools = self.tools_used if tool in self.tools_used else (*self.tools_used, tool)
                return replace(self, state=fold_started(self.state, event), tools_used=tools)
            case _ if event.todo_id == self.state.todo_id:
                return replace(self, state=fold_started(self.state, event))
            case _:
                return self

    def next(self) -> Sequence[Action]:
        """Return the action that is needed now, if any."""
        action = None if isinstance(self.state.stage, Closed) else routing.next_action(self.state)
        if action is None or isinstance(action, Finish):
            return ()
        return [action.revised(state=_STATE_NAMES[action.state], todo_id=self.state.todo_id)]

    def mark_untrusted(self, source: str) -> "DecisionRun":
        """Return the run as it is: it runs no program, and its roles are not shown what others read."""
        del source
        return self

    def refuse_answer(self, text: str) -> str | None:
        """Return None: any text answers, and only a yes approves an order."""
        del text
        return None


def start(request: TodoRequest) -> DecisionRun:
    """Return the cycle of a todo before its first event; the task is what the strategist is asked for."""
    options = decision_options(request.options)
    cash = options.mandate.cash
    return DecisionRun(
        DecisionState(
            request.session_id,
            f"{options.mandate.objective}\n{request.task}",
            options,
            Portfolio(cash=cash),
            equity=cash,
            todo_id=request.todo_id,
        )
    )


def decision_options(options: TodoOptions) -> DecisionOptions:
    """Return the options of the cycles that carry out the todos of a session."""
    own = DecisionTodoOptions.model_validate(options.own)
    return DecisionOptions.model_validate({**dict(options.run), **dict(own), "python": "python" in options.tools})


def configure(context: SetupContext, options: TodoOptions) -> JsonValue:
    """Return the options of decisions with their mandate, which may be the path of its file.

    Raises UsageError for a mandate or candles that cannot be used, and for what only a session of decisions can do.
    """
    del context
    own = options.own
    if not isinstance(own, dict) or "mandate" not in own:
        raise UsageError('todos of kind decision need a mandate; set todos.decision = {mandate = "mandate.toml"}')
    named = own["mandate"]
    mandate = read_mandate(Path(named)) if isinstance(named, str) else named
    try:
        chosen = DecisionTodoOptions.model_validate({**own, "mandate": mandate})
    except ValidationError as error:
        raise invalid_options("todos of kind decision", error) from error
    if options.sources.as_of:
        raise UsageError(f"a decision looks at the market of today, so nothing can be as of {options.sources.as_of}")
    if chosen.orders and chosen.mandate.live and not options.run.questions:
        raise UsageError("live orders wait for a person's yes, and this session asks nobody; allow questions")
    load_mandate_candles(chosen.mandate)
    resolved: JsonValue = chosen.model_dump(mode="json")
    return resolved


def _describe_decision(
    state: DecisionState, reached: Executing | Settling, result: ExecutionResult, tools_used: tuple[str, ...]
) -> TodoOutcome:
    """Return the outcome of a cycle that came to a decision."""
    decision, at = reached.decision, f"{reached.market.at:%Y-%m-%d %H:%M} UTC"
    action = decision.action if decision.action == "hold" else describe_trade(decision)
    rationale = " ".join(decision.reasoning.split())[:_MAX_RATIONALE]
    lines = (
        f"The decision of {at} is: {action}, with confidence {decision.confidence:g}.",
        f"The rationale of the decision is: {rationale}",
        f"The result of the decision is: {result.status}, {result.detail}.",
    )
    record = TodoOutput(key=state.action_key("memory"), title=f"Decision of {state.todo_id}", text="\n\n".join(lines))
    refused = result.status in {"rejected", "failed"}
    return TodoOutcome(
        outcome="done",
        statement=state.memory.short_term_summary if state.memory else lines[0],
        outputs=(record,),
        claims=tuple(OutputClaim(claim=line, output=record.key, quote=line) for line in lines),
        gaps=(f"The decision was not carried out: {result.detail}.",) if refused else (),
        tools_used=tools_used,
    )


def _todo_states() -> Mapping[str, StateSpec]:
    """Return the rows of a cycle as a todo has them: it ends once its memory is recorded."""
    rows: dict[str, StateSpec] = {}
    for name, state in _STATE_NAMES.items():
        leads_to = frozenset(_STATE_NAMES[other] for other in TABLE[name].leads_to if other in _STATE_NAMES)
        rows[state] = TABLE[name].revised(per_todo=True, leads_to=leads_to or frozenset({TODO_END}))
    return rows


DECISION_TODO = TodoWorkflow(
    description="decides once what is bought or sold under a mandate, from the market as it is now",
    states=_todo_states(),
    start=start,
    tools=deferred("quaestor.trading.session_tools:todo_tools"),
    configure=configure,
)
