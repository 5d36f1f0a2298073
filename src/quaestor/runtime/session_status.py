"""The status of a session: what its log leads to, and whether a process runs it."""

from typing import TypeVar

from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.session import LogState, LogStatus, Session, SessionStatus
from quaestor.contracts.settings import RunOptions
from quaestor.kernel.run_state import RunState
from quaestor.views.text import count_noun

S = TypeVar("S")
OptionsT = TypeVar("OptionsT", bound=RunOptions)


def log_status(plugin: WorkflowPlugin[S, OptionsT], run: RunState, state: S) -> LogStatus:
    """Return where a session is, given both folds of its log."""
    progress = plugin.progress(state) if plugin.progress else count_noun(run.cycle, "cycle")
    due_at = run.due_at if (name := _log_state(run)) == "paused" else None
    return LogStatus(state=name, progress=progress, due_at=due_at, dollars=run.spent.dollars)


def _log_state(run: RunState) -> LogState:
    match run.status:
        case "paused":
            return "stopped" if run.pause == "interrupt" else "paused"
        case "finished":
            return "finished"
        case _:
            return "waiting" if run.questions else "running"


def session_status(session: Session, log: LogStatus, holder: str | None) -> SessionStatus:
    """Return the status of a session, given what its log leads to and the process that runs it, if one does."""
    if session.outcome:
        return SessionStatus(state="finished", outcome=session.outcome)
    if holder:
        return SessionStatus(state="running", holder=holder)
    match log.state:
        case "running":
            return SessionStatus(state="queued" if session.events == 1 else "interrupted")
        case "stopped":
            return SessionStatus(state="paused")
        case state:
            return SessionStatus(state=state)
