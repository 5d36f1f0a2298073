from collections.abc import Collection

from quaestor.contracts.event import (
    Event,
    PlanCreated,
    PlanEdited,
    PlanUpdated,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
)
from quaestor.research.contracts.plan import Plan, PlanDraft, Todo, TodoKind, TodoStatus
from quaestor.research.planning.replanning import insert_retry, insert_todos

TERMINAL_STATUSES = frozenset({TodoStatus.DONE, TodoStatus.FAILED, TodoStatus.BLOCKED})


def plan_from_draft(draft: PlanDraft, used: int = 0) -> Plan:
    """Give a plan in the order of a planner's draft; its ids go on after the number that was `used` last."""
    ids = {f"t{place}": f"t{used + place}" for place in range(1, len(draft.todos) + 1)}
    return Plan(
        todos=tuple(
            Todo(
                id=f"t{used + place}",
                task=todo.task,
                kind=todo.kind,
                dependencies=tuple(ids[other] for other in todo.dependencies),
                source_hint=todo.source_hint,
                agent=todo.agent,
            )
            for place, todo in enumerate(draft.todos, 1)
        )
    )


def fallback_plan(question: str, used: int = 0) -> Plan:
    """Give the plan that needs no planner: research and answer the question."""
    return Plan(todos=(Todo(id=f"t{used + 1}", task=question, kind=TodoKind.RESEARCH),))


def ready_todos(plan: Plan) -> tuple[Todo, ...]:
    """Give the pending todos whose dependencies are all done, in plan order."""
    done = {todo.id for todo in plan.todos if todo.status is TodoStatus.DONE}
    return tuple(
        todo for todo in plan.todos if todo.status is TodoStatus.PENDING and done.issuperset(todo.dependencies)
    )


def find_blocked(plan: Plan, reviewed: Collection[str]) -> tuple[tuple[Todo, tuple[str, ...]], ...]:
    """Give the pending todos that can never start, each with the todos it waits for in vain.

    A failed todo is final once it is reviewed: a retry, if there is one, has then taken its place.
    """
    lost = {
        todo.id
        for todo in plan.todos
        if todo.status is TodoStatus.BLOCKED or (todo.status is TodoStatus.FAILED and todo.id in reviewed)
    }
    return tuple(
        (todo, tuple(other for other in todo.dependencies if other in lost))
        for todo in plan.todos
        if todo.status is TodoStatus.PENDING and not lost.isdisjoint(todo.dependencies)
    )


def is_finished(plan: Plan) -> bool:
    """Say whether every todo is done, failed or blocked."""
    return all(todo.status in TERMINAL_STATUSES for todo in plan.todos)


def replace_todo(plan: Plan, todo_id: str, **changes: object) -> Plan:
    """Give the plan with some fields of one todo changed."""
    return Plan(todos=tuple(todo.model_copy(update=changes) if todo.id == todo_id else todo for todo in plan.todos))


def fold(plan: Plan, event: Event) -> Plan:
    """Give the plan after one more event."""
    match event.payload:
        case PlanCreated(plan=created):
            return created
        case TodoStarted() if event.todo_id:
            return replace_todo(plan, event.todo_id, status=TodoStatus.IN_PROGRESS)
        case TodoRecorded(entry=entry) as recorded:
            return replace_todo(
                plan,
                entry.todo_id,
                status=TodoStatus.DONE,
                result=entry.findings_summary,
                gaps=entry.gaps,
                loop_count=recorded.loop_count,
                tools_used=recorded.tools_used,
            )
        case TodoFailed() as failed if event.todo_id:
            return replace_todo(
                plan, event.todo_id, status=TodoStatus.FAILED, result=failed.reason, loop_count=failed.loop_count
            )
        case TodoBlocked() as stuck if event.todo_id:
            reason = f"waits for {', '.join(stuck.waits_for)}, which failed"
            return replace_todo(plan, event.todo_id, status=TodoStatus.BLOCKED, result=reason)
        case PlanUpdated(update=update, added=added):
            grown = insert_todos(plan, update.completed_todo_id, added)
            if update.status == "failed":
                return replace_todo(grown, update.completed_todo_id, status=TodoStatus.FAILED)
            return grown
        case PlanEdited(plan=edited):
            return edited
        case TodoRetried(todo=todo):
            return insert_retry(plan, todo)
        case _:
            return plan
