"""The progress of a run, and the description of its events: a plugin describes its own, the core all others."""

from typing import Any

from quaestor.contracts.cost import Budget
from quaestor.contracts.event import SESSION_SCOPE, CycleStarted, Event, Forked, SessionStarted, StateEntered
from quaestor.contracts.ports import Clock
from quaestor.contracts.progress import EventDescription, ProgressView, RunPosition, SessionProgress
from quaestor.contracts.settings import parse_common_options
from quaestor.kernel.run_state import RunState, fold
from quaestor.runtime.registry import get_plugin, workflow_names
from quaestor.views.event_description import Describe, describe_event
from quaestor.views.spend import limit_usage


class ProgressTracker:
    """The tracker of a session's progress, event by event, at the time of its clock."""

    def __init__(self, view: ProgressView[Any], describe: Describe, clock: Clock) -> None:
        self._view = view
        self._describe = describe
        self._clock = clock
        self._run = RunState()
        self._budget = Budget()
        self._state = ""
        self._problem: tuple[float, str] | None = None
        self._workflow = view.begin()

    def follow(self, event: Event) -> None:
        """Take one more event into account."""
        self._run = fold(self._run, event)
        self._workflow = self._view.fold(self._workflow, event, self._run.elapsed)
        match event.payload:
            case SessionStarted(options=options) | Forked(options=options):
                self._budget = parse_common_options(options).budget
            case StateEntered(scope=scope) if scope == SESSION_SCOPE:
                self._state = event.state
            case CycleStarted():
                self._problem = None
            case _:
                pass
        description = self._describe(event)
        if description.importance == "problem":
            self._problem = (self._run.elapsed, description.text)

    def progress(self) -> SessionProgress:
        """Return where the session is now."""
        run, seconds = self._run, self._run.elapsed_at(self._clock.now())
        budget = run.budget or self._budget
        position = RunPosition(
            seconds=seconds, limit=budget.seconds, working=run.status == "running" and run.waiting is None
        )
        return SessionProgress(
            seconds=seconds,
            state="paused" if run.status == "paused" else self._state.lower().replace("_", " ") or "starting",
            question=" ".join(run.waiting.questions) if run.waiting else None,
            problem=self._problem,
            spent=run.spent,
            limits=tuple(limit_usage(budget, run.spent, seconds)),
            workflow=self._view.progress(self._workflow, position),
        )


def build_narrator(workflow: str) -> Describe:
    """Return what describes the events of a workflow; of one that is not installed, the events of the core alone."""
    if workflow not in workflow_names():
        return describe_event
    plugin = get_plugin(workflow)

    def describe(event: Event) -> EventDescription:
        event = plugin.codec.decode(event)  # those of a copy of the log are as they are stored
        return plugin.describe(event) or describe_event(event)

    return describe
