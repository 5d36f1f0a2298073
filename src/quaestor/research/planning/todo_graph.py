"""The plan as a graph: from a draft, its ready todos, and what a failure blocks."""

from collections.abc import Collection, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from quaestor.contracts.event import Event
from quaestor.research.contracts.plan import DraftTodo, Plan, PlanDraft, Todo, TodoKind, TodoStatus
from quaestor.research.events import (
    PlanCreated,
    PlanEdited,
    PlanUpdated,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
)
from quaestor.research.planning.replanning import insert_retry, insert_todos, normalize_task

OPEN_STATUSES = (TodoStatus.PENDING, TodoStatus.IN_PROGRESS)


def without_repeats(draft: PlanDraft) -> PlanDraft:
    """Return a draft without todos that ask the same of the same agent as an earlier one, which stands for them."""
    firsts: dict[tuple[str, str, str | None], DraftTodo] = {}
    for todo in draft.todos:
        firsts.setdefault(_work(todo), todo)
    ids = {work: f"t{place}" for place, work in enumerate(firsts, 1)}
    now = {f"t{place}": ids[_work(todo)] for place, todo in enumerate(draft.todos, 1)}
    kept = (
        todo.revised(dependencies=tuple(now.get(other, other) for other in todo.dependencies))
        for todo in firsts.values()
    )
    return draft.revised(todos=tuple(kept))


def _work(todo: DraftTodo) -> tuple[str, str, str | None]:
    return normalize_task(todo.task), todo.kind, todo.agent


def plan_from_draft(draft: PlanDraft, room: int, used: int = 0) -> Plan:
    """Return a plan of the first todos of a planner's draft; its ids go on after the number that was `used` last.

    What depends on a todo beyond the room, or on none at all, does not wait for it. Of todos that wait for each other
    the first one does not.
    """
    drafts = draft.todos[:room]
    ids = {f"t{place}": f"t{used + place}" for place in range(1, len(drafts) + 1)}
    waits = _without_circles({f"t{place}": todo.dependencies for place, todo in enumerate(drafts, 1)})
    return Plan(
        todos=tuple(
            Todo(
                id=f"t{used + place}",
                task=todo.task,
                kind=todo.kind,
                dependencies=tuple(ids[other] for other in waits[f"t{place}"]),
                source_hint=todo.source_hint,
                agent=todo.agent,
                queries=todo.queries,
            )
            for place, todo in enumerate(drafts, 1)
        )
    )


def _without_circles(edges: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """Return a graph without edges to unknown ids, and of each circle without those of its first id within it."""
    kept = {own: [other for other in dict.fromkeys(others) if other in edges] for own, others in edges.items()}
    places = {own: place for place, own in enumerate(edges)}
    while True:
        try:
            TopologicalSorter(kept).prepare()
        except CycleError as error:
            circle = error.args[1]
            first = min(circle, key=lambda own: places[own])
            kept[first] = [other for other in kept[first] if other not in circle]
        else:
            return kept


def fallback_plan(question: str, used: int = 0) -> Plan:
    """Return the plan that needs no planner: research and answer the question."""
    return Plan(todos=(Todo(id=f"t{used + 1}", task=question, kind=TodoKind.RESEARCH),))


def ready_todos(plan: Plan, reviewed: Collection[str]) -> tuple[Todo, ...]:
    """Return the pending todos whose dependencies are all done and reviewed, in plan order."""
    done = {todo.id for todo in plan.by_status[TodoStatus.DONE] if todo.id in reviewed}
    pending = plan.by_status[TodoStatus.PENDING]
    return tuple([todo for todo in pending if not todo.dependencies or done.issuperset(todo.dependencies)])


def find_blocked(plan: Plan, reviewed: Collection[str]) -> tuple[tuple[Todo, tuple[str, ...]], ...]:
    """Return the pending todos that can never start, each with the failed or blocked todos it depends on.

    A failed todo is final once it is reviewed: a retry, if there is one, has then taken its place.
    """
    lost = {todo.id for todo in plan.by_status[TodoStatus.BLOCKED]}
    lost |= {todo.id for todo in plan.by_status[TodoStatus.FAILED] if todo.id in reviewed}
    if not lost:
        return ()
    return tuple(
        (todo, tuple(other for other in todo.dependencies if other in lost))
        for todo in plan.by_status[TodoStatus.PENDING]
        if not lost.isdisjoint(todo.dependencies)
    )


def is_finished(plan: Plan) -> bool:
    """Return whether every todo is done, failed or blocked."""
    return not any(plan.by_status[status] for status in OPEN_STATUSES)


def fold(plan: Plan, event: Event) -> Plan:
    """Return the plan after one more event."""
    todo = plan.todo(event.todo_id) if event.todo_id else None
    match event.payload:
        case PlanCreated(plan=created):
            return created
        case TodoStarted() if todo:
            return plan.replaced(todo.revised(status=TodoStatus.IN_PROGRESS))
        case TodoRecorded(entry=entry) as recorded if todo:
            done = todo.revised(
                status=TodoStatus.DONE,
                result=entry.findings_summary,
                gaps=entry.gaps,
                loop_count=recorded.loop_count,
                tools_used=recorded.tools_used,
            )
            return plan.replaced(done)
        case TodoFailed(reason=reason, loop_count=loop_count) if todo:
            failed = todo.revised(status=TodoStatus.FAILED, result=reason, loop_count=loop_count)
            return plan.replaced(failed)
        case TodoBlocked(waits_for=waits_for) if todo:
            reason = f"waits for {', '.join(waits_for)}, which failed"
            return plan.replaced(todo.revised(status=TodoStatus.BLOCKED, result=reason))
        case PlanUpdated(update=update, added=added):
            grown = insert_todos(plan, update.completed_todo_id, added)
            reviewed = grown.todo(update.completed_todo_id)
            if reviewed and update.status == "failed" and reviewed.status is not TodoStatus.FAILED:
                reason = f"Its reviewer judged that it failed: {update.outcome}"
                return grown.replaced(reviewed.revised(status=TodoStatus.FAILED, result=reason))
            return grown
        case PlanEdited(plan=edited):
            return edited
        case TodoRetried(todo=retry):
            return insert_retry(plan, retry)
        case _:
            return plan
