"""What `show` and `ps` print of a long task."""

from collections.abc import Iterator

from quaestor.contracts.plugin import SessionSummary
from quaestor.longtask.contracts import Phase
from quaestor.longtask.state import TaskState
from quaestor.longtask.workflow import LongTaskState
from quaestor.views.lines import count_noun, first_lines


def summarize(state: LongTaskState) -> SessionSummary:
    """Return what is known of a task: its folder and limits, its rounds and answer, and phases and files below."""
    if state.rounds is None:
        return SessionSummary()
    task = state.rounds
    options, plan = task.options, task.plan
    phases = plan.phases if plan else ()
    unresolved = sum(not error.resolution for error in task.errors)
    untrusted = (("untrusted", f"words of others were read: {task.untrusted}"),) if task.untrusted else ()
    answer = (("answer", task.answer),) if task.answer else ()
    return SessionSummary(
        given=(("workspace", options.workspace), ("tools", ", ".join(options.available_tools) or "none")),
        limits=(f"{options.rounds} rounds", f"{options.seconds:g} seconds a program"),
        results=(
            ("rounds", f"{task.round:,}"),
            *untrusted,
            ("made", count_noun(len(task.artifacts), "file")),
            ("errors", f"{len(task.errors):,}, {unresolved:,} of them not resolved" if task.errors else "none"),
            *answer,
            ("plan", f"{count_noun(len(phases), 'phase')}, {_complete(phases):,} complete" if plan else "none"),
        ),
        below=(
            *(line for phase in phases for line in _phase_lines(phase)),
            *first_lines(list(_artifact_lines(task))),
        ),
    )


def progress(state: LongTaskState) -> str:
    """Return how many phases are complete, of how many."""
    plan = state.rounds.plan if state.rounds else None
    phases = plan.phases if plan else ()
    return f"{_complete(phases)}/{len(phases)} phases"


def _complete(phases: tuple[Phase, ...]) -> int:
    return sum(phase.status == "complete" for phase in phases)


def _phase_lines(phase: Phase) -> Iterator[str]:
    yield f"{phase.id:<8}  {phase.status.replace('_', ' '):<11}  {phase.title}"
    for item in phase.checklist:
        yield f"  [{'x' if item.done else ' '}] {item.text}"


def _artifact_lines(task: TaskState) -> Iterator[str]:
    made = sorted(task.artifacts.values(), key=lambda one: one.path)
    widest = max((len(one.path) for one in made), default=0)
    for one in made:
        yield f"{one.path:<{widest}}  version {one.version}  {one.size:>9,} bytes  {one.sha256[:12]}"
