"""The progress of a run, and the description of its events: a plugin describes its own, the core all others."""

from datetime import datetime
from typing import Any

from quaestor.contracts.cost import Budget
from quaestor.contracts.event import SESSION_SCOPE, CycleStarted, Event, Forked, SessionStarted, StateEntered
from quaestor.contracts.immutable import Immutable, field
from quaestor.contracts.ports import Clock
from quaestor.contracts.progress import EventDescription, ProgressView, RunPosition, SessionProgress
from quaestor.contracts.settings import parse_common_options
from quaestor.kernel.run_state import RunState, fold
from quaestor.runtime.registry import get_plugin, workflow_names
from quaestor.views.event_description import Describe, describe_event
from quaestor.views.spend import limit_usage


class ProgressState(Immutable):
    """The progress of a session after an event, with that of its workflow."""

    workflow: Any
    """The state of a `ProgressView`."""
    run: RunState = field(default_factory=RunState)
    budget: Budget = field(default_factory=Budget)
    state: str = ""
    problem: tuple[float, str] | None = None


def begin_progress(view: ProgressView[Any]) -> ProgressState:
    """Return the progress before any event."""
    return ProgressState(view.begin())


def fold_progress(
    known: ProgressState, event: Event, view: ProgressView[Any], described: EventDescription, run: RunState
) -> ProgressState:
    """Return the progress after one more event, with its description and the run after it."""
    budget, state, problem = known.budget, known.state, known.problem
    match event.payload:
        case SessionStarted(options=options) | Forked(options=options):
            budget = parse_common_options(options).budget
        case StateEntered(scope=scope) if scope == SESSION_SCOPE:
            state = event.state
        case CycleStarted():
            problem = None
        case _:
            pass
    if described.importance == "problem":
        problem = (run.elapsed, described.text)
    return ProgressState(view.fold(known.workflow, event, run.elapsed), run, budget, state, problem)


def describe_progress(known: ProgressState, view: ProgressView[Any], now: datetime) -> SessionProgress:
    """Return where a session is at a moment."""
    run, seconds = known.run, known.run.elapsed_at(now)
    budget = run.budget or known.budget
    position = RunPosition(
        seconds=seconds, limit=budget.seconds, working=run.status == "running" and run.waiting is None
    )
    return SessionProgress(
        seconds=seconds,
        state="paused" if run.status == "paused" else known.state.lower().replace("_", " ") or "starting",
        question=" ".join(run.waiting.questions) if run.waiting else None,
        problem=known.problem,
        spent=run.spent,
        limits=tuple(limit_usage(budget, run.spent, seconds)),
        workflow=view.progress(known.workflow, position),
    )


class ProgressTracker:
    """The tracker of a session's progress, event by event, at the time of its clock."""

    def __init__(
        self, view: ProgressView[Any], describe: Describe, clock: Clock, known: ProgressState | None = None
    ) -> None:
        self._view = view
        self._describe = describe
        self._clock = clock
        self._known = known or begin_progress(view)

    def follow(self, event: Event) -> None:
        """Take one more event into account."""
        run = fold(self._known.run, event)
        self._known = fold_progress(self._known, event, self._view, self._describe(event), run)

    def progress(self) -> SessionProgress:
        """Return where the session is now."""
        return describe_progress(self._known, self._view, self._clock.now())


def build_narrator(workflow: str) -> Describe:
    """Return what describes the events of a workflow; of one that is not installed, the events of the core alone."""
    if workflow not in workflow_names():
        return describe_event
    plugin = get_plugin(workflow)

    def describe(event: Event) -> EventDescription:
        event = plugin.codec.decode(event)  # those of a copy of the log are as they are stored
        return plugin.describe(event) or describe_event(event)

    return describe
