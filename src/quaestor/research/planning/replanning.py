"""How a plan grows after a review: follow-ups and retries, with fresh ids, within caps, without duplicates."""

from collections.abc import Mapping

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.normalization import fold_case_and_blanks
from quaestor.research.contracts.plan import DraftTodo, Plan, PlanUpdate, Todo, TodoStatus, dependency_errors
from quaestor.research.planning.refusals import describe_full_plan, refuse_todo
from quaestor.views.text import count_noun


class GrowthLimits(Immutable):
    """Where growth ends."""

    todos: int
    depth: int
    retries: int


class GrowthResult(Immutable):
    """What is added after a todo, and what was refused, each with the reason."""

    added: tuple[Todo, ...]
    refused: tuple[str, ...]


def grow(plan: Plan, parent: Todo, update: PlanUpdate, caps: GrowthLimits, *, is_final: bool = False) -> GrowthResult:
    """Turn a review into new todos.

    Their ids continue the parent's family, so they do not depend on which todo ended first. A todo that failed is
    tried again as a new todo, after the follow-ups that the reviewer wants first; not where its failure `is_final`.
    """
    added: list[Todo] = []
    refused: list[str] = []
    for wanted in update.new_todos:
        draft = wanted if isinstance(wanted, DraftTodo) else DraftTodo(task=wanted)
        reason = _refusal_reason(plan, added, parent, draft, caps, failed=update.status == "failed")
        if reason:
            refused.append(refuse_todo(draft.task, reason))
        else:
            added.append(_create_follow_up(plan, added, parent, draft))
    if update.status == "failed" and all(todo.retries != parent.id for todo in plan.todos):
        if is_final:
            refused.append(f"{parent.id} is not tried again: it would fail in the same way")
        elif parent.retry_count >= caps.retries:
            refused.append(f"{parent.id} is not tried again: it failed {count_noun(parent.retry_count + 1, 'time')}")
        elif len(plan.todos) + len(added) >= caps.todos:
            refused.append(f"{parent.id} is not tried again: {describe_full_plan(caps.todos)}")
        else:
            added.append(_create_retry(plan, added, parent))
    return GrowthResult(tuple(added), tuple(refused))


def insert_todos(plan: Plan, parent_id: str, added: tuple[Todo, ...]) -> Plan:
    """Return the plan with new todos after their parent's family; dependents of a retried todo wait for the retry."""
    if not added:
        return plan
    places = [place for place, todo in enumerate(plan.todos) if _in_family(todo.id, parent_id)]
    cut = max(places, default=len(plan.todos) - 1) + 1
    instead = {todo.retries: todo.id for todo in added if todo.retries}
    waiting = tuple(
        todo.revised(dependencies=tuple(instead.get(other, other) for other in todo.dependencies))
        if todo.status is TodoStatus.PENDING and not instead.keys().isdisjoint(todo.dependencies)
        else todo
        for todo in plan.todos
    )
    return Plan(todos=(*waiting[:cut], *added, *waiting[cut:]))


def retry_on_request(plan: Plan, todo: Todo) -> Todo:
    """Return the retry of a failed todo that a person asked for, whatever the limits are."""
    return _create_retry(plan, [], todo)


def insert_retry(plan: Plan, todo: Todo) -> Plan:
    """Return the plan with a retry after the todo it takes the place of; what was blocked by that one waits again."""
    failed = todo.retries or ""
    plan = _depend_on_retries(plan)
    stuck = _todos_blocked_by(plan, failed)
    freed = tuple(
        other.revised(status=TodoStatus.PENDING, result=None) if other.id in stuck else other for other in plan.todos
    )
    return insert_todos(Plan(todos=freed), failed, (todo,))


def _depend_on_retries(plan: Plan) -> Plan:
    """Make blocked todos depend on the last retry of each todo; `insert` did so only for those pending then."""
    instead = {todo.retries: todo.id for todo in plan.todos if todo.retries}

    def last(todo_id: str) -> str:
        return last(instead[todo_id]) if todo_id in instead else todo_id

    return Plan(
        todos=tuple(
            todo.revised(dependencies=tuple(map(last, todo.dependencies)))
            if todo.status is TodoStatus.BLOCKED
            else todo
            for todo in plan.todos
        )
    )


def _todos_blocked_by(plan: Plan, failed: str) -> frozenset[str]:
    """Return the blocked todos that wait for this one alone, or for others that do."""
    lost = {todo.id for todo in plan.todos if todo.status is TodoStatus.FAILED} - {failed}
    stuck: set[str] = set()
    while True:
        more = {
            todo.id
            for todo in plan.todos
            if todo.status is TodoStatus.BLOCKED
            and lost.isdisjoint(todo.dependencies)
            and not {failed, *stuck}.isdisjoint(todo.dependencies)
        } - stuck
        if not more:
            return frozenset(stuck)
        stuck |= more


def _refusal_reason(
    plan: Plan, added: list[Todo], parent: Todo, draft: DraftTodo, caps: GrowthLimits, *, failed: bool
) -> str | None:
    standing = (*plan.todos, *added)
    if any(normalize_task(todo.task) == normalize_task(draft.task) for todo in standing):
        return "it stands in the plan already"
    if parent.depth + 1 > caps.depth:
        return f"the depth of {caps.depth} is reached"
    if len(standing) >= caps.todos:
        return describe_full_plan(caps.todos)
    edges = {todo.id: todo.dependencies for todo in standing}
    if failed and _depends_on(edges, draft.dependencies, parent.id):
        return f"it waits for {parent.id}, which failed"
    own = _fresh_id(plan, added, parent)
    return "; ".join(dependency_errors({**edges, own: draft.dependencies})) or None


def _depends_on(edges: Mapping[str, tuple[str, ...]], from_ids: tuple[str, ...], target: str) -> bool:
    seen: set[str] = set()
    ahead = list(from_ids)
    while ahead:
        own = ahead.pop()
        if own not in seen:
            seen.add(own)
            ahead += edges.get(own, ())
    return target in seen


def _create_follow_up(plan: Plan, added: list[Todo], parent: Todo, draft: DraftTodo) -> Todo:
    return Todo(
        id=_fresh_id(plan, added, parent),
        task=draft.task,
        kind=draft.kind,
        dependencies=draft.dependencies,
        depth=parent.depth + 1,
        source_hint=draft.source_hint,
        agent=draft.agent,
        queries=draft.queries,
    )


def _create_retry(plan: Plan, added: list[Todo], parent: Todo) -> Todo:
    return Todo(
        id=_fresh_id(plan, added, parent),
        task=parent.task,
        kind=parent.kind,
        agent=parent.agent,
        dependencies=(*parent.dependencies, *(todo.id for todo in added)),
        depth=parent.depth,
        retry_count=parent.retry_count + 1,
        retries=parent.id,
        source_hint=parent.source_hint,
    )


def _fresh_id(plan: Plan, added: list[Todo], parent: Todo) -> str:
    children = sum(_is_child(todo.id, parent.id) for todo in (*plan.todos, *added))
    return f"{parent.id}.{children + 1}"


def _is_child(todo_id: str, parent_id: str) -> bool:
    return todo_id.rpartition(".")[0] == parent_id


def _in_family(todo_id: str, parent_id: str) -> bool:
    return todo_id == parent_id or todo_id.startswith(f"{parent_id}.")


def normalize_task(task: str) -> str:
    """Return a task as it is compared: tasks that differ in case and blanks only are the same."""
    return fold_case_and_blanks(task)
