from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from quaestor.cli.board import Board, advance, draw
from quaestor.contracts.budget import Budget, Spend
from quaestor.contracts.event import (
    Event,
    ModelRequested,
    ModelResponded,
    PlanCreated,
    Recognised,
    Resumed,
    SessionStarted,
    StateEntered,
    TodoFailed,
    TodoStarted,
    ToolRequested,
)
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import Plan, Todo

BUSY: tuple[tuple[str, Recognised], ...] = (
    ("EXECUTING", StateEntered(scope="session", previous="PLANNING")),
    ("EXECUTING", TodoStarted(todo_id="t150")),
    ("QUERYING", StateEntered(scope="t150", previous=None)),
    ("SEARCHING", StateEntered(scope="t150", previous="QUERYING")),
    ("SEARCHING", ToolRequested(key="s", todo_id="t150", tool="search", repeatable=True, given={})),
    ("QUERYING", StateEntered(scope="t150", previous="REFLECTING")),
    ("EXECUTING", TodoFailed(todo_id="t151", reason="no")),
)

SPEND = Spend(model_calls=1, tokens=12_345, dollars=Decimal("0.0625"))
PAID = (
    ModelRequested(
        key="k", todo_id=None, role="r", model="m", contract="C", ordinal=1, attempt=1, given={}, reserved=SPEND
    ),
    ModelResponded(key="k", todo_id=None, role="r", reply="{}", error=None, spend=SPEND, milliseconds=1),
)


def started(budget: Budget) -> tuple[str, SessionStarted]:
    options = ResearchOptions(budget=budget).model_dump(mode="json")
    return "CLARIFYING", SessionStarted(question="why?", workflow="research", task_key="k", options=options)


def board(todos: int, *facts: tuple[str, Recognised]) -> Board:
    task = "[red]What is 東京?\x1b[2J " * 9
    plan = Plan(todos=tuple(Todo(id=f"t{place}", task=task) for place in range(1, todos + 1)))
    shown = Board()
    for seq, (state, fact) in enumerate((("PLANNING", PlanCreated(plan=plan)), *facts), 1):
        at = datetime(2026, 1, 1, tzinfo=UTC)
        shown = advance(shown, Event(session_id="s", seq=seq, cycle=1, at=at, state=state, payload=fact))
    return shown


def picture(shown: Board, width: int, height: int) -> list[str]:
    console = Console(width=width, file=StringIO(), force_terminal=True, no_color=True)
    with console.capture() as capture:
        console.print(draw(shown, timedelta(seconds=75), height))
    return capture.get().splitlines()


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("todos", [1, 200])
@pytest.mark.parametrize("paid", [(), PAID])
def test_a_board_fits_its_terminal(width: int, todos: int, paid: Sequence[Recognised]) -> None:
    lines = picture(board(todos, *BUSY, *(("PLANNING", fact) for fact in paid)), width, height=20)
    plain = [line.replace("\x1b[2m", "").replace("\x1b[0m", "") for line in lines]
    assert len(plain) < 20
    assert all(cell_len(line) <= width for line in plain)
    assert not any("\x1b" in line for line in plain)


def test_what_happens_now_is_in_sight_among_200_todos() -> None:
    text = "\n".join(picture(board(200, *BUSY), width=80, height=20))
    assert "1:15  executing  0/200 todos  1 search" in text
    assert "t150" in text
    assert "querying" in text
    assert "loop 2" in text
    assert "t151  " in text
    assert "failed" in text
    assert "... and 183 more" in text


def test_what_is_spent_stands_below_the_head_with_its_limit() -> None:
    facts = [("PLANNING", fact) for fact in PAID]
    _, spent, *_ = picture(board(1, *facts), width=80, height=20)
    assert spent == "12,345 tokens, 0.0625 dollars"
    limits = Budget(tokens=200_000, dollars=Decimal("0.10"))
    _, spent, *_ = picture(board(1, started(limits), *facts), width=80, height=20)
    assert spent == "12,345 of 200,000 tokens, 0.0625 of 0.1 dollars"


def test_what_a_kill_lost_is_spent_on_the_board_too() -> None:
    asked, answered = PAID
    killed = Resumed(after="crash", reopened=("k",))
    _, spent, *_ = picture(board(1, *(("PLANNING", fact) for fact in (asked, killed, asked, answered))), 80, 20)
    assert spent == "24,690 tokens, 0.125 dollars"


def test_without_tokens_and_dollars_there_is_no_line_for_them() -> None:
    _, todo, *rest = picture(board(1, started(Budget(model_calls=9)), *BUSY), width=80, height=20)
    assert "t1 " in todo
    assert rest == []


def test_text_of_a_plan_is_no_markup() -> None:
    assert "[red]What" in "\n".join(picture(board(1), width=80, height=20))
