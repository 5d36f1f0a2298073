"""A plan as a text that a person edits, and what the person changed in it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from quaestor.contracts.errors import UsageError
from quaestor.contracts.immutable import Immutable
from quaestor.research.contracts.plan import (
    MAX_TASK_CHARACTERS,
    AddTodo,
    ChangeTodo,
    DropTodo,
    MoveTodo,
    Plan,
    PlanEdit,
    Todo,
    TodoKind,
    TodoStatus,
)
from quaestor.research.planning.todo_line import (
    TODO_ID_PATTERN,
    TodoLine,
    TodoLineError,
    format_line,
    line_from_todo,
    parse_line,
)
from quaestor.views.sequence_diff import unmoved_items

_FIXED_LINE = re.compile(rf"#\s*(?P<id>{TODO_ID_PATTERN})\s+(?:in progress|done|blocked|failed)(?!\S)")


def render_plan(plan: Plan, fresh: int, kinds: Collection[str] = tuple(TodoKind)) -> str:
    """Write a plan for a person to edit, one todo a line; todos that are not pending any more are comments.

    `fresh` is the number of the next new todo: one more than the highest that any todo ever had. `kinds` are those
    that a todo may have.
    """
    lines = (
        "# The plan, one todo a line: id [kind] task  (after ids; agent name)",
        f"# Kinds: {', '.join(kinds)}.",
        "# The lines are in the order of the plan. To drop a todo, delete its line.",
        f"# A line without an id is a new todo; the first becomes t{fresh}, the next t{fresh + 1}.",
        "# A task that could be read otherwise stands in quotes, as a JSON string.",
        "# What began or ended, or is blocked, stays as it is: a line that begins with #.",
        "",
        *(_render_todo(todo) for todo in plan.todos),
    )
    return "\n".join(lines) + "\n"


def parse_edits(text: str, plan: Plan, kinds: Collection[str] = tuple(TodoKind)) -> tuple[PlanEdit, ...]:
    """Return the edits that lead from the plan that a text was written from to the plan of the edited text.

    They are drops, changes, moves and additions in this order; whether the plan allows them is checked when they are
    applied. A todo that is not pending stays in its place; its comment may be taken away, but not moved past another.
    Raises `UsageError`, which names every line that cannot be read and what is wrong with it.
    """
    rows = _parse_rows(text, plan, kinds)
    kept = [row.own for row in rows if row.own]
    said = {row.own: row.line for row in rows if row.own and row.line}
    gone = [todo for todo in plan.todos if todo.status is TodoStatus.PENDING and todo.id not in said]
    pinned = {todo.id for todo in plan.todos if todo.status is not TodoStatus.PENDING}
    before = [todo.id for todo in plan.todos if todo.id in said or todo.id in pinned]
    return (
        *(DropTodo(todo_id=todo.id) for todo in gone),
        *(change for todo in plan.todos if todo.id in said and (change := _change_edit(todo, said[todo.id]))),
        *_move_edits(before, kept, pinned),
        *_add_edits(rows),
    )


class _Row(Immutable):
    """A line that counts: `own` is the todo of the plan that it is about; without `line` that todo stays as it is."""

    number: int
    own: str | None
    line: TodoLine | None


def _render_todo(todo: Todo) -> str:
    said = format_line(line_from_todo(todo))
    if todo.status is TodoStatus.PENDING:
        return said
    return f"# {todo.id} {todo.status.value.replace('_', ' ')}{said.removeprefix(todo.id)}"


def _parse_rows(text: str, plan: Plan, kinds: Collection[str]) -> list[_Row]:
    known = {todo.id: todo for todo in plan.todos}
    rows: list[_Row] = []
    faults: list[tuple[int, str]] = []
    for number, content in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        try:
            row = _parse_row(number, content.strip(), known, kinds)
        except TodoLineError as fault:
            faults.append((number, str(fault)))
        else:
            rows += [row] if row else []
    faults += _order_errors(rows, list(known))
    if faults:
        told = "\n".join(f"line {number}: {fault}" for number, fault in sorted(faults))
        raise UsageError(f"The plan cannot be read, so nothing in it is changed:\n{told}")
    return rows


def _parse_row(number: int, content: str, known: Mapping[str, Todo], kinds: Collection[str]) -> _Row | None:
    fixed = _FIXED_LINE.match(content)
    if fixed and fixed["id"] in known and known[fixed["id"]].status is not TodoStatus.PENDING:
        return _Row(number, fixed["id"], None)
    if not content or content.startswith("#"):
        return None
    line = parse_line(content)
    todo = known.get(line.todo_id) if line.todo_id else None
    if line.kind is not None and line.kind not in kinds:
        raise TodoLineError(
            f"{line.kind!r} is no kind ({', '.join(kinds)}); a task that begins with a bracket stands in quotes"
        )
    if line.todo_id and todo is None:
        raise TodoLineError(
            f"there is no todo {line.todo_id}; a new todo has no id, and a task that begins like one stands in quotes"
        )
    if todo and todo.status is not TodoStatus.PENDING:
        raise TodoLineError(
            f"{todo.id} is {todo.status.value.replace('_', ' ')} and stays as it is; begin its line with #"
        )
    if len(line.task) > MAX_TASK_CHARACTERS and (todo is None or line.task != todo.task):
        raise TodoLineError(f"its task has {len(line.task):,} characters; {MAX_TASK_CHARACTERS:,} are the most")
    return _Row(number, line.todo_id, line)


def _order_errors(rows: Sequence[_Row], order: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Name the lines that are about a todo of an earlier line, or that moved what stays in its place."""
    places = {own: place for place, own in enumerate(order)}
    lines: dict[str, int] = {}
    last: str | None = None
    for row in rows:
        if row.own is None:
            continue
        first = lines.setdefault(row.own, row.number)
        if first != row.number:
            yield row.number, f"{row.own} stands on line {first} already; a new todo has no id"
        elif row.line is None and last and places[row.own] < places[last]:
            yield row.number, f"{row.own} has its place before {last}; only lines without # can be moved"
        elif row.line is None:
            last = row.own


def _change_edit(todo: Todo, line: TodoLine) -> ChangeTodo | None:
    changes = ChangeTodo(
        todo_id=todo.id,
        task=line.task if line.task != todo.task else None,
        does=line.kind if line.kind not in {None, todo.kind} else None,
        agent=(line.agent or "") if (line.agent or None) != (todo.agent or None) else None,
        dependencies=line.after if line.after != todo.dependencies else None,
    )
    return changes if changes != ChangeTodo(todo_id=todo.id) else None


def _move_edits(before: Sequence[str], wanted: Sequence[str], pinned: Collection[str]) -> Iterator[MoveTodo]:
    """Return the fewest moves to the wanted order, from its end on, so that each target is already in place."""
    resting = unmoved_items(before, wanted, pinned)
    following: str | None = None
    for own in reversed(wanted):
        if own not in resting:
            yield MoveTodo(todo_id=own, before=following)
        following = own


def _add_edits(rows: Sequence[_Row]) -> Iterator[AddTodo]:
    for place, row in enumerate(rows):
        if row.line and row.own is None:
            yield AddTodo(
                task=row.line.task,
                does=row.line.kind or TodoKind.RESEARCH,
                agent=row.line.agent,
                dependencies=row.line.after,
                before=next((other.own for other in rows[place + 1 :] if other.own), None),
            )
