"""The todos of a session by its public stream: what waits for what, when each ran, and what it found."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from quaestor.contracts.immutable import Immutable, field, replace
from quaestor.contracts.progress import ItemStatus
from quaestor.contracts.stream import (
    BudgetChange,
    ClarificationNeeded,
    Failure,
    FinalReport,
    Finished,
    InterimFinding,
    InterimFindings,
    PauseStarted,
    PlanChange,
    PlannedTodo,
    Status,
    StreamEvent,
    TodoChange,
    ToolRequest,
    ToolResponse,
)

_MAX_FINDINGS = 12
"""Findings that are kept to be shown, the last ones."""


class BoardTodo(Immutable):
    """A todo of the plan; times are seconds of running of the session."""

    id: str
    task: str
    kind: str
    agent: str | None
    dependencies: tuple[str, ...]
    status: ItemStatus = "pending"
    reason: str | None = None
    started: float | None = None
    ended: float | None = None
    found: int = 0


class TodoBoard(Immutable):
    """The todos in plan order, and the findings that came last, the newest at the end."""

    todos: Mapping[str, BoardTodo] = field(default_factory=dict)
    findings: tuple[tuple[str, InterimFinding], ...] = ()
    """Each with the id of its todo."""
    found: int = 0


def fold_board(board: TodoBoard, event: StreamEvent, seconds: float) -> TodoBoard:
    """Return the board after one more event of the stream, which came after so many seconds of running."""
    match event:
        case PlanChange(change="created" | "edited", todos=todos):
            return replace(board, todos={todo.todo_id: _planned(board, todo) for todo in todos})
        case PlanChange(todos=todos, after=after):
            return replace(board, todos=_inserted(board, todos, after))
        case TodoChange() as change:
            return _changed(board, change, seconds)
        case InterimFindings(todo_id=todo_id, findings=findings):
            last = (*board.findings, *((todo_id, each) for each in findings))[-_MAX_FINDINGS:]
            return replace(
                _with_todo(board, todo_id, found=len(findings)), findings=last, found=board.found + len(findings)
            )
        case (
            Status()
            | ClarificationNeeded()
            | FinalReport()
            | Failure()
            | ToolRequest()
            | ToolResponse()
            | BudgetChange()
            | PauseStarted()
            | Finished()
        ):
            return board
        case never:
            assert_never(never)


def _planned(board: TodoBoard, planned: PlannedTodo) -> BoardTodo:
    """Return a todo as the plan names it now, with what the board knows of its run."""
    known = board.todos.get(planned.todo_id)
    fresh = BoardTodo(planned.todo_id, planned.task, planned.kind, planned.agent, planned.dependencies)
    if known is None:
        return fresh
    return replace(known, task=fresh.task, kind=fresh.kind, agent=fresh.agent, dependencies=fresh.dependencies)


def _inserted(board: TodoBoard, added: Iterable[PlannedTodo], after: str | None) -> Mapping[str, BoardTodo]:
    """Return the todos with new ones behind the family of another."""
    todos, fresh = list(board.todos.values()), [_planned(board, todo) for todo in added]
    family = [place for place, todo in enumerate(todos, 1) if after and f"{todo.id}.".startswith(f"{after}.")]
    place = family[-1] if family else len(todos)
    return {todo.id: todo for todo in (*todos[:place], *fresh, *todos[place:])}


def _changed(board: TodoBoard, change: TodoChange, seconds: float) -> TodoBoard:
    todo = board.todos.get(change.todo_id)
    if todo is None:
        return board
    match change.status:
        case "started":
            began = seconds if todo.started is None else todo.started
            changed = replace(todo, status="in_progress", started=began, ended=None)
        case "done" | "failed" | "blocked":
            ended = todo.ended if todo.ended is not None or todo.started is None else seconds
            changed = replace(todo, status=change.status, ended=ended, reason=change.reason)
        case never:
            assert_never(never)
    return replace(board, todos={**board.todos, todo.id: changed})


def _with_todo(board: TodoBoard, todo_id: str, *, found: int) -> TodoBoard:
    todo = board.todos.get(todo_id)
    if todo is None:
        return board
    return replace(board, todos={**board.todos, todo_id: replace(todo, found=found)})
