"""How a person changes a plan: what has not begun, all edits together or none, with fresh ids, within the cap."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from quaestor.research.contracts.plan import (
    AddTodo,
    ChangeTodo,
    DropTodo,
    EditResult,
    MoveTodo,
    Plan,
    PlanEdit,
    Todo,
    TodoStatus,
)
from quaestor.research.planning.replanning import normalize_task

Todos = tuple[Todo, ...]

_STATUS_PHRASES = {
    TodoStatus.IN_PROGRESS: "is in progress",
    TodoStatus.DONE: "is done",
    TodoStatus.BLOCKED: "is blocked",
    TodoStatus.FAILED: "failed",
}
_FAILED_STATUSES = frozenset({TodoStatus.BLOCKED, TodoStatus.FAILED})


def last_todo_number(plan: Plan) -> int:
    """Return the highest number of the plan's t1, t2 ...; 0 without todos."""
    return max((int(todo.id[1:].partition(".")[0]) for todo in plan.todos), default=0)


def apply_edits(
    plan: Plan, edits: Sequence[PlanEdit], caps_todos: int, agents: Collection[str], used: int
) -> EditResult:
    """Apply edits in order, together or not at all.

    Only pending todos change, move or go; one that is blocked is as fixed as one that began or ended. What concerns
    several todos (dependencies, circles, twins, the cap) must hold when all edits are made, not between two of them.
    An edit that changes nothing is never refused. `caps_todos` is how many todos the plan may have, `agents` are the
    names that a todo may be delegated to. `used` is the highest number that any todo ever had: a plan forgets what
    was dropped from it, so the fold of the session keeps `Edited.used` and hands it in again.
    """
    todos, last, refused = plan.todos, max(used, last_todo_number(plan)), list[str]()
    for edit in edits:
        last += isinstance(edit, AddTodo)
        faults = _edit_errors(todos, edit, agents)
        refused += faults
        todos = todos if faults else _apply_edit(todos, edit, f"t{last}")
    refused = refused or list(_plan_errors(plan.todos, todos, edits, caps_todos))
    if refused:
        return EditResult(plan=plan, refused=tuple(dict.fromkeys(refused)), used=max(used, last_todo_number(plan)))
    return EditResult(plan=Plan(todos=todos), used=last)


def _apply_edit(todos: Todos, edit: PlanEdit, fresh_id: str) -> Todos:
    match edit:
        case AddTodo():
            new = Todo(
                id=fresh_id,
                task=edit.task.strip(),
                kind=edit.does,
                agent=edit.agent or None,
                dependencies=tuple(dict.fromkeys(edit.dependencies)),
            )
            return _insert_before(todos, new, edit.before)
        case ChangeTodo(todo_id=todo_id):
            return tuple(_change_todo(todo, edit) if todo.id == todo_id else todo for todo in todos)
        case MoveTodo(todo_id=todo_id, before=before):
            return (
                todos if before == todo_id else _insert_before(_without(todos, todo_id), _by_id(todos)[todo_id], before)
            )
        case DropTodo(todo_id=todo_id, force=force):
            rest = _without(todos, todo_id)
            return tuple(_drop_dependency(todo, todo_id) for todo in rest) if force else rest


def _change_todo(todo: Todo, edit: ChangeTodo) -> Todo:
    keeps_dependencies = edit.dependencies in {None, todo.dependencies}
    return todo.revised(
        task=_changed_task(todo, edit),
        kind=edit.does or todo.kind,
        agent=todo.agent if edit.agent is None else edit.agent or None,
        dependencies=todo.dependencies if keeps_dependencies else tuple(dict.fromkeys(edit.dependencies or ())),
    )


def _changed_task(todo: Todo, edit: ChangeTodo) -> str:
    return todo.task if edit.task in {None, todo.task} else (edit.task or "").strip()


def _drop_dependency(todo: Todo, dropped: str) -> Todo:
    return todo.revised(dependencies=tuple(other for other in todo.dependencies if other != dropped))


def _without(todos: Todos, todo_id: str) -> Todos:
    return tuple(todo for todo in todos if todo.id != todo_id)


def _insert_before(todos: Todos, todo: Todo, before: str | None) -> Todos:
    cut = next((place for place, other in enumerate(todos) if other.id == before), len(todos))
    return (*todos[:cut], todo, *todos[cut:])


def _by_id(todos: Todos) -> Mapping[str, Todo]:
    return {todo.id: todo for todo in todos}


def _edit_errors(todos: Todos, edit: PlanEdit, agents: Collection[str]) -> tuple[str, ...]:
    """Name what is wrong with one edit by itself."""
    known = _by_id(todos)
    own = None if isinstance(edit, AddTodo) else edit.todo_id
    if own is not None and own not in known:
        return (f"{own} is not in the plan, so it cannot be {_edit_participle(edit)}",)
    if isinstance(edit, AddTodo | MoveTodo) and edit.before is not None and edit.before not in known:
        return (f"{edit.before} is not in the plan, so nothing can be put before it",)
    if isinstance(edit, AddTodo):
        return tuple(_text_errors(f"the new {edit.task.strip()!r}", edit.task, edit.agent, agents))
    todo = known[edit.todo_id]
    is_blank = isinstance(edit, ChangeTodo) and not _changed_task(todo, edit)
    if not isinstance(edit, DropTodo) and not is_blank and _apply_edit(todos, edit, todo.id) == todos:
        return ()
    if todo.status is not TodoStatus.PENDING:
        return (
            f"{todo.id} {_STATUS_PHRASES[todo.status]} and cannot be {_edit_participle(edit)}; only pending todos can",
        )
    if isinstance(edit, ChangeTodo):
        agent = None if edit.agent == todo.agent else edit.agent
        return tuple(_text_errors(todo.id, _changed_task(todo, edit), agent, agents))
    if isinstance(edit, DropTodo):
        return tuple(
            f"{todo.id} cannot be dropped: {other.id} depends on it, {_STATUS_PHRASES[other.status]} and stays as it is"
            for other in todos
            if todo.id in other.dependencies and other.status is not TodoStatus.PENDING
        )
    return ()


def _edit_participle(edit: PlanEdit) -> str:
    match edit:
        case AddTodo():
            return "added"
        case ChangeTodo():
            return "changed"
        case MoveTodo():
            return "moved"
        case DropTodo():
            return "dropped"


def _text_errors(name: str, task: str, agent: str | None, agents: Collection[str]) -> Iterator[str]:
    if not task.strip():
        yield f"{name} has an empty task; say what is to be done, or drop it"
    if agent and agent not in agents:
        yield f"{name} cannot go to the agent {agent!r}; this run has {', '.join(sorted(agents)) or 'none'}"


def _plan_errors(before: Todos, after: Todos, edits: Sequence[PlanEdit], caps_todos: int) -> Iterator[str]:
    """Name what is wrong once all edits are made; what was wrong before is not held against them."""
    unforced = [edit.todo_id for edit in edits if isinstance(edit, DropTodo) and not edit.force]
    yield from _orphan_errors(after, unforced)
    yield from _dependency_errors(before, after, unforced)
    yield from _cycle_errors(before, after)
    yield from _duplicate_errors(before, after)
    if len(after) > max(caps_todos, len(before)):
        yield f"{len(after)} todos are too many: the session has room for {caps_todos}"


def _orphan_errors(after: Todos, dropped: Sequence[str]) -> Iterator[str]:
    for gone in dropped:
        waiting = [todo.id for todo in after if gone in todo.dependencies]
        if waiting:
            depend = "depends" if len(waiting) == 1 else "depend"
            yield (
                f"{gone} cannot be dropped: {', '.join(waiting)} {depend} on it; "
                f"take {gone} out of their dependencies, or drop it by force"
            )


def _dependency_errors(before: Todos, after: Todos, dropped: Collection[str]) -> Iterator[str]:
    old, known = _by_id(before), _by_id(after)
    for todo, new in _added_dependencies(before, after):
        for other in new:
            if other not in known and other not in dropped:
                yield f"{_todo_label(todo, old)} cannot depend on {other}, which is not in the plan"
            elif other in known and known[other].status in _FAILED_STATUSES:
                yield f"{_todo_label(todo, old)} cannot depend on {other}, which {_STATUS_PHRASES[known[other].status]}"


def _cycle_errors(before: Todos, after: Todos) -> Iterator[str]:
    edges = {todo.id: todo.dependencies for todo in after}
    told: set[frozenset[str]] = set()
    for todo, _ in _added_dependencies(before, after):
        circle = _find_cycle(edges, todo.id)
        if circle and frozenset(circle) not in told:
            told.add(frozenset(circle))
            yield f"a circle: {' -> '.join(circle)}"


def _added_dependencies(before: Todos, after: Todos) -> Iterator[tuple[Todo, tuple[str, ...]]]:
    """Return each todo that waits for something it did not wait for, with what that is."""
    known = _by_id(before)
    for todo in after:
        old = known[todo.id].dependencies if todo.id in known else ()
        new = tuple(other for other in todo.dependencies if other not in old)
        if new:
            yield todo, new


def _find_cycle(edges: Mapping[str, tuple[str, ...]], start: str) -> tuple[str, ...]:
    """Return a shortest way from a todo over what it waits for back to itself, both ends named; empty without one."""
    waiter: dict[str, str] = {}
    reached = [start]
    for own in reached:
        for other in edges.get(own, ()):
            if other == start:
                return (*_path_to(waiter, own), start)
            if other not in waiter:
                waiter[other] = own
                reached.append(other)
    return ()


def _path_to(waiter: Mapping[str, str], end: str) -> tuple[str, ...]:
    way = [end]
    while way[-1] in waiter:
        way.append(waiter[way[-1]])
    return tuple(reversed(way))


def _duplicate_errors(before: Todos, after: Todos) -> Iterator[str]:
    """Name every todo with new words whose task another one has; of two with new words, the later."""
    was = {todo.id: normalize_task(todo.task) for todo in before}
    reworded = [todo for todo in after if was.get(todo.id) != normalize_task(todo.task)]
    standing = {normalize_task(todo.task): todo.id for todo in after if was.get(todo.id) == normalize_task(todo.task)}
    for todo in reworded:
        first = standing.setdefault(normalize_task(todo.task), todo.id)
        if first != todo.id:
            yield f"{_todo_label(todo, was)} would do what {first} does: {todo.task!r} stands in the plan already"


def _todo_label(todo: Todo, before: Collection[str]) -> str:
    return todo.id if todo.id in before else f"the new {todo.id}"
