"""What follows from a plan and its reviews, derived once for each of them and not at every event."""

from collections import deque
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from quaestor.contracts.immutable import Immutable
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.planning.todo_graph import OPEN_STATUSES, find_blocked, is_finished, ready_todos

P = ParamSpec("P")
R = TypeVar("R")
_REMEMBERED = 16
"""Results kept of each function: enough for the sessions that run in one process at once."""


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Return a pure function that returns its last results again for the very same arguments, compared by identity.

    States are immutable and share what did not change, so that identity is enough, and costs nothing to compare.
    """
    known: deque[tuple[tuple[object, ...], R]] = deque(maxlen=_REMEMBERED)

    def remember(*args: P.args, **kwargs: P.kwargs) -> R:
        given = (*args, *kwargs.values())
        for before, result in known:
            if len(before) == len(given) and all(map(_is, before, given)):
                return result
        result = function(*args, **kwargs)
        known.appendleft((given, result))
        return result

    return remember


def _is(one: object, other: object) -> bool:
    return one is other


class Frontier(Immutable):
    """Where a plan can go on, given which of its todos are reviewed."""

    busy: int
    """Todos in progress."""
    ready: tuple[Todo, ...]
    blocked: tuple[tuple[Todo, tuple[str, ...]], ...]
    """Todos that can never start, with what they wait for."""
    failed: tuple[Todo, ...]
    """Todos that failed, are reviewed, and are not tried again."""
    settled: tuple[Todo, ...]
    """The todos up to the first one that may still change."""
    is_finished: bool


@remembered
def frontier(plan: Plan, reviewed: frozenset[str]) -> Frontier:
    """Return where a plan can go on."""
    by_status = plan.by_status
    unsettled = [by_status[status][:1] for status in OPEN_STATUSES]
    unsettled += [
        [todo for todo in by_status[status] if todo.id not in reviewed][:1]
        for status in (TodoStatus.DONE, TodoStatus.FAILED)
    ]
    open_places = [plan.places[todo.id] for first in unsettled for todo in first]
    final = [todo for todo in by_status[TodoStatus.FAILED] if todo.id in reviewed]
    retried = {todo.retries for todo in plan.todos} if final else frozenset()
    return Frontier(
        busy=len(by_status[TodoStatus.IN_PROGRESS]),
        ready=ready_todos(plan, reviewed),
        blocked=find_blocked(plan, reviewed),
        failed=tuple(todo for todo in final if todo.id not in retried),
        settled=plan.todos[: min(open_places, default=len(plan.todos))],
        is_finished=is_finished(plan),
    )
