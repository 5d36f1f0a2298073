from collections.abc import Collection

from quaestor.contracts.plan import Plan, PlanDraft, Todo, TodoKind, TodoStatus

ENDED = frozenset({TodoStatus.DONE, TodoStatus.FAILED, TodoStatus.BLOCKED})


def from_draft(draft: PlanDraft, used: int = 0) -> Plan:
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


def fallback(question: str, used: int = 0) -> Plan:
    """Give the plan that needs no planner: research and answer the question."""
    return Plan(todos=(Todo(id=f"t{used + 1}", task=question, kind=TodoKind.RESEARCH),))


def ready(plan: Plan) -> tuple[Todo, ...]:
    """Give the pending todos whose dependencies are all done, in plan order."""
    done = {todo.id for todo in plan.todos if todo.status is TodoStatus.DONE}
    return tuple(
        todo for todo in plan.todos if todo.status is TodoStatus.PENDING and done.issuperset(todo.dependencies)
    )


def blocked(plan: Plan, reviewed: Collection[str]) -> tuple[tuple[Todo, tuple[str, ...]], ...]:
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


def ended(plan: Plan) -> bool:
    """Say whether every todo is done, failed or blocked."""
    return all(todo.status in ENDED for todo in plan.todos)


def replaced(plan: Plan, todo_id: str, **changes: object) -> Plan:
    """Give the plan with some fields of one todo changed."""
    return Plan(todos=tuple(todo.model_copy(update=changes) if todo.id == todo_id else todo for todo in plan.todos))
