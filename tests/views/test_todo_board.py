"""The todos of a session as its stream tells them."""

from datetime import UTC, datetime
from typing import Any

from quaestor.contracts.stream import InterimFinding, InterimFindings, PlanChange, PlannedTodo, StreamEvent, TodoChange
from quaestor.views.todo_board import TodoBoard, fold_board

HEAD: dict[str, Any] = {"seq": 1, "at": datetime(2026, 3, 1, tzinfo=UTC), "session_id": "s"}


def planned(todo_id: str, task: str = "Look.") -> PlannedTodo:
    return PlannedTodo(todo_id=todo_id, task=task, kind="research", agent=None, dependencies=())


def plan(change: str, *todos: PlannedTodo, after: str | None = None) -> PlanChange:
    return PlanChange(**HEAD, change=change, agent="planner", todos=todos, after=after)  # type: ignore[arg-type]


def turned(status: str, todo_id: str, reason: str | None = None) -> TodoChange:
    return TodoChange(**HEAD, status=status, todo_id=todo_id, task="", agent="reader", reason=reason)  # type: ignore[arg-type]


def folded(*events: StreamEvent) -> TodoBoard:
    board = TodoBoard()
    for second, event in enumerate(events):
        board = fold_board(board, event, float(second))
    return board


def test_a_todo_runs_from_its_start_to_its_end() -> None:
    board = folded(plan("created", planned("t1"), planned("t2")), turned("started", "t1"), turned("failed", "t1", "no"))
    one, two = board.todos.values()
    assert (one.status, one.started, one.ended, one.reason) == ("failed", 1.0, 2.0, "no")
    assert (two.status, two.started, two.ended) == ("pending", None, None)


def test_what_fails_in_review_keeps_the_time_at_which_it_was_done() -> None:
    board = folded(
        plan("created", planned("t1")), turned("started", "t1"), turned("done", "t1"), turned("failed", "t1")
    )
    assert (board.todos["t1"].status, board.todos["t1"].ended) == ("failed", 2.0)


def test_follow_ups_stand_behind_the_family_of_their_parent() -> None:
    first = plan("created", planned("t1"), planned("t2"))
    board = folded(first, plan("updated", planned("t1.1"), after="t1"), plan("updated", planned("t1.2"), after="t1"))
    assert list(board.todos) == ["t1", "t1.1", "t1.2", "t2"]


def test_an_edited_plan_keeps_what_ran() -> None:
    board = folded(
        plan("created", planned("t1"), planned("t2")), turned("started", "t1"), plan("edited", planned("t1", "Read."))
    )
    assert [(todo.id, todo.task, todo.status) for todo in board.todos.values()] == [("t1", "Read.", "in_progress")]


def test_findings_are_counted_and_the_last_are_kept() -> None:
    found = tuple(InterimFinding(id=f"t1/{number}", claim="It is.", quotes=()) for number in range(20))
    event = InterimFindings(**HEAD, todo_id="t1", task="", findings=found, agent="reader")
    board = folded(plan("created", planned("t1")), event)
    assert (board.found, board.todos["t1"].found, len(board.findings), board.findings[-1][1].id) == (
        20,
        20,
        12,
        "t1/19",
    )
