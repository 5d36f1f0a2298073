"""The journal of a session in the process that holds its lease: events recorded, folded, appended; commands handled."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

from quaestor.contracts.action import Action, Effect, OutputPass, ToolPass, ToolRun
from quaestor.contracts.base import sanitize_text
from quaestor.contracts.codec import Codec
from quaestor.contracts.command import (
    AddBudget,
    InboxEntry,
    Label,
    Pause,
    RevokeApproval,
    Settlement,
    UnreadableCommand,
)
from quaestor.contracts.cost import Budget
from quaestor.contracts.errors import WorkflowError
from quaestor.contracts.event import (
    SESSION_SCOPE,
    ApprovalRevoked,
    BudgetRaised,
    CycleStarted,
    ErrorRecorded,
    Event,
    KnownPayload,
    Labelled,
    Paused,
    StateEntered,
)
from quaestor.contracts.ports import Clock, Store
from quaestor.contracts.session import Lease, LogStatus
from quaestor.contracts.workflow import StateSpec, Workflow
from quaestor.kernel.grouping import CommitGrouping
from quaestor.kernel.lease import LeaseRenewal
from quaestor.kernel.run_state import RunState, fold

S = TypeVar("S")

_MAX_BUFFERED_EVENTS = 256
_MAX_REASON = 300
_MAX_BUFFER_AGE = timedelta(seconds=0.25)
_PAGE_SIZE = 1_000
"""Events read at a time."""


class Journal(Generic[S]):
    """One session as the process that holds its lease sees it: the log, and the two folds of it in step.

    `note` folds facts and keeps them ready; `flush` makes everything noted durable in one transaction. Nothing
    outside may be touched between the two, so a crash loses only what nobody has seen. `appended` is called with both
    folds after each of these transactions.
    """

    def __init__(
        self,
        session_id: str,
        workflow: Workflow[S],
        store: Store,
        clock: Clock,
        lease: Lease,
        *,
        codec: Codec,
        renewal: LeaseRenewal | None = None,
        status: Callable[[RunState, S], LogStatus] | None = None,
        appended: Callable[[RunState, S], None] | None = None,
    ) -> None:
        self.session_id = session_id
        self.lease = lease
        self.run = RunState()
        self.state = workflow.begin()
        self._workflow = workflow
        self._codec = codec
        self.renewal = renewal
        self._status = status
        self._appended = appended
        self._store = store
        self._clock = clock
        self._buffered_events: list[Event] = []
        self._settled: list[Settlement] = []
        self._heard = False
        self._grouping = CommitGrouping()
        self._owes_commit = False

    def restore(self, run: RunState, state: S) -> None:
        """Begin with what the first events of the log were folded to before; `load` folds the others."""
        self.run, self.state = run, state

    async def load(self) -> None:
        """Fold the stored log."""
        while events := await self._store.events(self.session_id, self.run.seq, _PAGE_SIZE):
            for event in events:
                self._fold(self._codec.decode(event))

    @property
    def current_state(self) -> str:
        """The state the session as a whole is in; before the first one, the first of the table."""
        return self.run.entered.get(SESSION_SCOPE) or next(iter(self._workflow.table))

    @property
    def is_suspended(self) -> bool:
        """Whether no effect may be in flight, because the lease may end and cannot be renewed."""
        return self.renewal is not None and self.renewal.stopped

    def now(self) -> datetime:
        """Return the time by the clock that dates the events."""
        return self._clock.now()

    def next(self) -> Sequence[Action]:
        """Return the actions that the workflow needs now."""
        return self._workflow.next(self.state)

    def note(self, state: str, todo_id: str | None, facts: Iterable[KnownPayload]) -> None:
        """Fold facts that belong to one state, entering it first if its scope is not there yet.

        A new cycle has entered no state; whatever the one before ended in, it may begin in any. Raises WorkflowError
        for a transition that the state table does not declare.
        """
        facts = tuple(facts)
        begins = any(isinstance(fact, CycleStarted) for fact in facts)
        # The clock and the numbers are read here and nowhere in a workflow, so that folding the log again gives the
        # same.
        entered = () if begins else enter_state(self._workflow.table, self.run.entered, state, todo_id)
        for fact in (*entered, *facts):
            in_session = isinstance(fact, StateEntered) and fact.scope == SESSION_SCOPE
            event = Event(
                session_id=self.session_id,
                seq=self.run.seq + 1,
                cycle=self.run.cycle + isinstance(fact, CycleStarted),
                at=self._clock.now(),
                state=state,
                todo_id=None if in_session else todo_id,
                payload=self._codec.normalize(fact),
            )
            self._fold(event)  # first, so that what cannot be folded never gets into the log
            self._buffered_events.append(event)

    def record_intent(self, action: Effect, intent: KnownPayload) -> None:
        """Fold the intent of an effect. Raises WorkflowError for a tool that the effect's state does not declare."""
        self.note(action.state, action.todo_id, [intent])
        stray = _tools_used(action) - self._workflow.table[action.state].tools
        if stray:
            raise WorkflowError(f"{action.key} uses {', '.join(sorted(stray))}, which {action.state} does not declare")

    async def inbox(self) -> Sequence[InboxEntry]:
        """Return the commands that nobody has settled yet; none between two flushes, where none could be settled."""
        if self._heard:
            return ()
        self._heard = True
        # Handled, but its settlement is in no commit yet: without this a command would be obeyed twice.
        done = {settled.number for settled in self._settled}
        waiting = [each for each in await self._store.commands(self.session_id) if each.number not in done]
        return [each.revised(order=self._codec.decode_command(each.order)) for each in waiting]

    def handle(self, command: InboxEntry) -> None:
        """Fold what a command leads to; its sender sees the outcome after the next flush."""
        obeyed = self._workflow.handle(self.state, command.order)
        if not obeyed.refused:
            self.note(self.current_state, obeyed.todo_id, obeyed.facts)
        self.settle(command, obeyed.refused)

    def set_aside(self, command: InboxEntry, reason: str) -> None:
        """Refuse a command that cannot be read, and record that; it stops nothing that comes after it."""
        refusal = f"command {command.number} of the inbox cannot be read: {sanitize_text(reason)[:_MAX_REASON]}"
        self.note(self.current_state, None, [ErrorRecorded(message=f"{refusal}; it was set aside")])
        self.settle(command, f"{refusal}; send it again, with the release that carries the session on")

    def settle(self, command: InboxEntry, refused: str | None = None) -> None:
        """Record the settlement of a command."""
        self._settled.append(Settlement(number=command.number, refused=refused))

    def begin_turn(self) -> None:
        """Begin the turn that outcomes lead to."""
        self._grouping.begin_turn(self.now())

    async def secure_outcomes(self) -> None:
        """Make outcomes that must not be lost durable: now, or with the intents of this turn if these come soon."""
        if self._grouping.is_allowed:
            self._owes_commit = True
            return
        before = self.now()
        await self.flush()
        self._grouping.leave_out(self.now() - before)

    def end_turn(self) -> None:
        """End the turn: everything that follows from the outcomes is recorded."""
        self._grouping.end_turn(self.now())

    async def flush_outcomes(self) -> None:
        """Append what is recorded if an outcome among it must not wait any longer."""
        if self._owes_commit:
            await self.flush()

    @property
    def needs_flush(self) -> bool:
        """Return whether the recorded events must be made durable, or are so many, or so old, that they should be."""
        noted = self._buffered_events
        is_full = len(noted) >= _MAX_BUFFERED_EVENTS
        return self._owes_commit or is_full or (bool(noted) and noted[-1].at - noted[0].at >= _MAX_BUFFER_AGE)

    async def flush(self) -> None:
        """Append the recorded events, the status they lead to, and the settlements of commands, in one transaction."""
        self._owes_commit = False
        if self._buffered_events or self._settled:
            status = self._status(self.run, self.state) if self._status else None
            await self._store.append(self.lease, self._buffered_events, self._settled, status)
            # Emptied behind the commit alone: after an append that failed the same events, with the same numbers, are
            # in the next one. Had the first been stored after all, its numbers would refuse the second.
            self._buffered_events, self._settled = [], []
            if self._appended:
                self._appended(self.run, self.state)
        self._heard = False

    def _fold(self, event: Event) -> None:
        self.run = fold(self.run, event)
        self.state = self._workflow.apply(self.state, event)


def _tools_used(action: Effect) -> frozenset[str]:
    match action:
        case OutputPass():
            return frozenset()
        case ToolPass(tools=tools):
            return frozenset(tools)
        case ToolRun(tool=tool):
            return frozenset({tool})


def enter_state(
    table: Mapping[str, StateSpec], entered: Mapping[str, str], state: str, todo_id: str | None
) -> tuple[StateEntered, ...]:
    """Return the event that enters a state, or nothing when its scope is in that state already."""
    row = table.get(state)
    if row is None:
        raise WorkflowError(f"the state {state!r} is not in the state table; declare it there")
    scope = todo_id if row.per_todo and todo_id else SESSION_SCOPE
    previous = entered.get(scope)
    if previous == state:
        return ()
    left = table.get(previous) if previous else None  # a state of an earlier release may lead anywhere
    if left is not None and state not in left.leads_to:
        allowed = ", ".join(sorted(left.leads_to)) or "nothing"
        raise WorkflowError(f"{scope} went from {previous} to {state}; the state table allows only {allowed}")
    return (StateEntered(scope=scope, previous=previous),)


_PAUSE_REASON = "paused; resume to go on"
_FINISHED_REFUSAL = "the session is finished; it begins nothing more that could be paused, paid for or approved"


async def handle_inbox(journal: Journal[S], budget: Budget) -> Paused | None:
    """Handle every command in the inbox; return a requested pause. `budget` is the one that may be raised."""
    pause: Paused | None = None
    for command in await journal.inbox():
        match command.order:
            case Pause() | AddBudget() | Label() | RevokeApproval() if journal.run.status == "finished":
                journal.settle(command, _FINISHED_REFUSAL)
            case Pause(until=until):
                reason = _PAUSE_REASON if until is None else f"paused until {until.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
                pause = Paused(kind="person", reason=reason, until=until)
                journal.settle(command)
            case AddBudget() as more:
                raised = _raise_budget(journal.run.budget or budget, more)
                if isinstance(raised, str):
                    journal.settle(command, raised)
                else:
                    journal.note(journal.current_state, None, [BudgetRaised(budget=raised)])
                    journal.settle(command)
            case Label(labels=labels):
                journal.note(journal.current_state, None, [Labelled(labels=labels)])
                journal.settle(command)
            case RevokeApproval(standing=standing):
                journal.note(journal.current_state, None, [ApprovalRevoked(standing=standing)])
                journal.settle(command)
            case UnreadableCommand(reason=reason):
                journal.set_aside(command, reason)
            case _:
                journal.handle(command)
    return pause


def _raise_budget(budget: Budget, more: AddBudget) -> Budget | str:
    """Return the raised budget, or why it cannot be raised."""
    names = ("dollars", "tokens", "model_calls", "tool_calls", "seconds")
    added = {name: getattr(more, name) for name in names if getattr(more, name)}
    if not added:
        return "nothing is added; say how many dollars, tokens, calls or seconds"
    unlimited = [name for name in added if getattr(budget, name) is None]
    if unlimited:
        return f"the session has no limit of {', '.join(unlimited)}, so none can be raised"
    return budget.revised(**{name: getattr(budget, name) + amount for name, amount in added.items()})
