"""What `show` and `ps` print of a long task."""

from collections.abc import Iterator

from quaestor.contracts.plugin import SessionSummary
from quaestor.longtask.contracts import Phase
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.workflow import LongTaskState
from quaestor.views.text import count_noun, first_lines


def summarize(state: LongTaskState) -> SessionSummary:
    """Return what is known of a task: its folder and limits, its rounds and answer, and phases and files below."""
    if state.task is None:
        return SessionSummary()
    task = state.task
    options = task.setup.options
    planned = task if isinstance(task, PlannedTask) else None
    return SessionSummary(
        given=(("workspace", options.workspace), ("tools", ", ".join(options.available_tools) or "none")),
        limits=(f"{options.rounds} rounds", f"{options.seconds:g} seconds a program"),
        results=tuple(_task_results(planned)) if planned else _UNPLANNED_RESULTS,
        below=tuple(_task_lines(planned)) if planned else (),
    )


def progress(state: LongTaskState) -> str:
    """Return how many phases are complete, of how many."""
    phases = state.task.plan.phases if isinstance(state.task, PlannedTask) else ()
    return f"{_complete(phases)}/{len(phases)} phases"


def _complete(phases: tuple[Phase, ...]) -> int:
    return sum(phase.status == "complete" for phase in phases)


_UNPLANNED_RESULTS = (("rounds", "0"), ("made", "0 files"), ("errors", "none"), ("plan", "none"))


def _task_results(task: PlannedTask) -> Iterator[tuple[str, str]]:
    yield "rounds", f"{task.round:,}"
    if task.untrusted_source:
        yield "untrusted", f"words of others were read: {task.untrusted_source}"
    yield "made", count_noun(len(task.workspace.artifacts), "file")
    errors = task.failures.errors
    unresolved = sum(not error.resolution for error in errors)
    yield "errors", f"{len(errors):,}, {unresolved:,} of them not resolved" if errors else "none"
    if task.answer:
        yield "answer", task.answer
    complete = _complete(task.plan.phases)
    yield "plan", f"{count_noun(len(task.plan.phases), 'phase')}, {complete:,} complete"


def _task_lines(task: PlannedTask) -> Iterator[str]:
    for phase in task.plan.phases:
        yield from _phase_lines(phase)
    yield from first_lines(list(_artifact_lines(task)))


def _phase_lines(phase: Phase) -> Iterator[str]:
    yield f"{phase.id:<8}  {phase.status.replace('_', ' '):<11}  {phase.title}"
    for item in phase.checklist:
        yield f"  [{'x' if item.done else ' '}] {item.text}"


def _artifact_lines(task: PlannedTask) -> Iterator[str]:
    made = sorted(task.workspace.artifacts.values(), key=lambda one: one.path)
    widest = max((len(one.path) for one in made), default=0)
    for one in made:
        yield f"{one.path:<{widest}}  version {one.version}  {one.size:>9,} bytes  {one.sha256[:12]}"
