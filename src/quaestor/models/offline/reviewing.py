"""The reviewer: closes the todo, and adds one only for a name of the question that no todo looks for."""

from quaestor.contracts.plan import PlanUpdate, TodoStatus
from quaestor.contracts.roles import ReviewGiven
from quaestor.evidence.text import terms
from quaestor.models.offline.question import take_apart


def review(given: ReviewGiven) -> PlanUpdate:
    """Say how the todo ended, with a follow-up if the plan forgot a name of the question and there is room."""
    failed = given.status is TodoStatus.FAILED
    return PlanUpdate(
        completed_todo_id=given.todo_id,
        outcome=given.result or "; ".join(given.gaps) or given.task,
        status="failed" if failed else "done",
        new_todos=() if failed or not given.room else _forgotten(given)[:1],
    )


def _forgotten(given: ReviewGiven) -> tuple[str, ...]:
    """Phrase a todo for every name of the question that stands in no task."""
    planned = frozenset(terms("\n".join((given.task, given.result, *(line.task for line in given.plan)))))
    return tuple(
        f"{anchor}: {given.question.strip()}"
        for anchor in take_apart(given.question).anchors
        if not planned.intersection(terms(anchor))
    )
