"""What the worker is shown in a round: a part of the task whose size does not grow with the rounds."""

from collections.abc import Iterator

from quaestor.longtask.contracts import ChecklistItem, Phase, RoundInput, TaskPlan
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.tools.registry import describe_tools
from quaestor.longtask.workspace_files import TAIL_LINES, log_tail, render_findings, render_progress

_MAX_ERRORS = 3
_MAX_HINTS = 5
_MAX_TASK_CHARACTERS = 6_000
_MAX_HINT_CHARACTERS = 500
_MAX_ERROR_CHARACTERS = 300


def build_round_input(task: PlannedTask) -> RoundInput:
    """Return what the worker is shown in this round."""
    plan, options = task.plan, task.setup.options
    return RoundInput(
        task=_truncate(task.setup.task, _MAX_TASK_CHARACTERS),
        goal=_truncate(plan.goal, _MAX_TASK_CHARACTERS),
        phases=tuple(map(_format_phase, plan.phases)),
        current_phase=plan.current_phase,
        checklist=tuple(_format_checklist(plan)),
        tools=describe_tools(options),
        errors=tuple(_unresolved_errors(task))[-_MAX_ERRORS:],
        findings_tail=log_tail(render_findings(task.logs.findings[-TAIL_LINES:])),
        progress_tail=log_tail(render_progress(task.logs.progress[-TAIL_LINES:])),
        last_result=task.last_result,
        failed=task.last_call_failed,
        hints=tuple(_truncate(hint, _MAX_HINT_CHARACTERS) for hint in task.hints[-_MAX_HINTS:]),
        actions=task.actions,
        round=task.round,
        rounds_left=options.rounds - task.round,
    )


def _unresolved_errors(task: PlannedTask) -> Iterator[str]:
    for error in task.failures.errors:
        if not error.resolution:
            yield _truncate(error.error, _MAX_ERROR_CHARACTERS)


def _format_phase(phase: Phase) -> str:
    return f"{phase.id} ({phase.status}): {phase.title}"


def _format_checklist(plan: TaskPlan) -> Iterator[str]:
    current = plan.phase(plan.current_phase)
    for item in current.checklist if current else ():
        yield _format_item(item)


def _format_item(item: ChecklistItem) -> str:
    return f"{'done' if item.done else 'open'}: {item.text}"


def _truncate(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}[...]"
