"""What the worker is shown of a task. However long it runs, it is no larger than its ceilings."""

from collections.abc import Iterator

from quaestor.contracts.task import ChecklistItem, Phase, RoundGiven, TaskPlan
from quaestor.views.workspace import TAIL_LINES, findings_text, progress_text, tail
from quaestor.workflows.parts.rounds_state import Rounds

_MOST_ERRORS = 3
_MOST_HINTS = 5
_LONGEST_TASK = 6_000
_LONGEST_HINT = 500
_LONGEST_ERROR = 300


def snapshot(rounds: Rounds) -> RoundGiven:
    """Give what the worker is shown in this round."""
    plan = rounds.plan
    return RoundGiven(
        task=_cut(rounds.task, _LONGEST_TASK),
        goal=_cut(plan.goal, _LONGEST_TASK) if plan else "",
        phases=tuple(map(_phase, plan.phases)) if plan else (),
        current_phase=plan.current_phase if plan else "",
        checklist=tuple(_checklist(plan)) if plan else (),
        tools=rounds.options.available,
        errors=tuple(_cut(one.error, _LONGEST_ERROR) for one in rounds.errors if not one.resolution)[-_MOST_ERRORS:],
        findings_tail=tail(findings_text(rounds.findings[-TAIL_LINES:])),
        progress_tail=tail(progress_text(rounds.progress[-TAIL_LINES:])),
        last_result=rounds.last_result,
        failed=rounds.failed,
        hints=tuple(_cut(hint, _LONGEST_HINT) for hint in rounds.hints[-_MOST_HINTS:]),
        actions=rounds.actions,
        round=rounds.round,
        rounds_left=rounds.options.rounds - rounds.round,
    )


def _phase(phase: Phase) -> str:
    return f"{phase.id} ({phase.status}): {phase.title}"


def _checklist(plan: TaskPlan) -> Iterator[str]:
    current = plan.phase(plan.current_phase)
    for item in current.checklist if current else ():
        yield _item(item)


def _item(item: ChecklistItem) -> str:
    return f"{'done' if item.done else 'open'}: {item.text}"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}[...]"
