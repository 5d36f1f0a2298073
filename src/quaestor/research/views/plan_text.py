"""A plan as plain text, for a terminal of any width."""

from collections import Counter
from collections.abc import Mapping

from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.views.escaping import one_line

_STATUS_WIDTH = max(len(status) for status in TodoStatus)


def plan_lines(plan: Plan, doing: Mapping[str, str]) -> tuple[str, ...]:
    """Return one line for each todo, follow-ups and retries below their parent; `doing` is a state by todo id.

    A line is the id, the status, the task, what the todo waits for and what it does now.
    """
    widest = max((len(_indented_id(todo)) for todo in plan.todos), default=0)
    return tuple(_todo_line(todo, widest, doing.get(todo.id)) for todo in plan.todos)


def plan_summary(plan: Plan) -> str:
    """Return the count of todos by status, on one line."""
    counted = Counter(todo.status for todo in plan.todos)
    standing = ", ".join(f"{counted[status]} {_status_text(status)}" for status in TodoStatus if counted[status])
    total = f"{len(plan.todos)} {'todo' if len(plan.todos) == 1 else 'todos'}"
    return f"{total}: {standing}" if standing else total


def _todo_line(todo: Todo, widest: int, state: str | None) -> str:
    extras = (
        f"after {', '.join(todo.dependencies)}" if todo.dependencies else "",
        f"does {todo.retries} again" if todo.retries else "",
        state or "",
    )
    said = "; ".join(extra for extra in extras if extra)
    head = f"{_indented_id(todo):<{widest}}  {_status_text(todo.status):<{_STATUS_WIDTH}}  {one_line(todo.task)}"
    return f"{head} ({said})" if said else head


def _indented_id(todo: Todo) -> str:
    return f"{'  ' * todo.id.count('.')}{todo.id}"


def _status_text(status: TodoStatus) -> str:
    return status.value.replace("_", " ")
