from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from quaestor.contracts.cost import Budget, LimitUsage, Spend
from quaestor.contracts.event import (
    Answered,
    BudgetRaised,
    CycleStarted,
    Event,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    Paused,
    QuestionAsked,
    Resumed,
    SessionStarted,
    StateEntered,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.ledger import Finding
from quaestor.contracts.progress import SessionProgress
from quaestor.contracts.source import Quote
from quaestor.faces.cli.dashboard import render
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.tools import Proof
from quaestor.research.events import PlanCreated, TodoFailed, TodoStarted
from quaestor.research.options import ResearchOptions
from quaestor.research.views.progress import ResearchProgressView
from quaestor.runtime.progress import ProgressTracker, build_narrator

START = datetime(2026, 1, 1, tzinfo=UTC)
Fact = tuple[str, KnownPayload] | Event


def event(state: str, payload: KnownPayload, todo_id: str | None = None) -> Event:
    return Event(session_id="s", seq=1, cycle=1, at=START, state=state, todo_id=todo_id, payload=payload)


BUSY: tuple[Fact, ...] = (
    ("EXECUTING", StateEntered(scope="session", previous="PLANNING")),
    event("EXECUTING", TodoStarted(), "t150"),
    ("QUERYING", StateEntered(scope="t150", previous=None)),
    ("SEARCHING", StateEntered(scope="t150", previous="QUERYING")),
    event("SEARCHING", ToolRequested(key="s", tool="search", repeatable=True, given={}), "t150"),
    ("QUERYING", StateEntered(scope="t150", previous="REFLECTING")),
    event("EXECUTING", TodoFailed(reason="no"), "t151"),
)
QUOTE = Quote(source="0" * 64, start=0, end=1, text="a")
SPEND = Spend(model_calls=1, tokens=12_345, dollars=Decimal("0.0625"))
PAID = (
    ModelRequested(key="k", role="r", model="m", contract="C", ordinal=1, attempt=1, given={}, reserved=SPEND),
    ModelResponded(key="k", role="r", reply="{}", error=None, spend=SPEND, milliseconds=1),
)


def started(budget: Budget) -> tuple[str, SessionStarted]:
    options = ResearchOptions(budget=budget).model_dump(mode="json")
    return "CLARIFYING", SessionStarted(question="why?", workflow="research", task_key="k", options=options)


class StoppedClock:
    """A clock that shows the time it is set to."""

    at = START

    def now(self) -> datetime:
        return self.at


def tracker() -> ProgressTracker:
    return ProgressTracker(ResearchProgressView(), build_narrator("research"), StoppedClock())


def board(todos: int, *facts: Fact) -> SessionProgress:
    return follow(todos, *facts).progress()


def follow(todos: int, *facts: Fact) -> ProgressTracker:
    task = "[red]What is 東京?\x1b[2J " * 9
    plan = Plan(todos=tuple(Todo(id=f"t{place}", task=task) for place in range(1, todos + 1)))
    shown = tracker()
    for fact in (("PLANNING", PlanCreated(plan=plan)), *facts):
        shown.follow(fact if isinstance(fact, Event) else event(*fact))
    return shown


def planned(*todos: Todo) -> SessionProgress:
    shown = tracker()
    shown.follow(event("PLANNING", PlanCreated(plan=Plan(todos=todos))))
    return shown.progress()


def found(todo_id: str, claim: str) -> Event:
    proof = Proof(findings=(Finding(id=f"{todo_id}/1", claim=claim, quotes=(QUOTE,)),))
    proven = ToolResponded(key="p", tool="prove", result=proof, error=None, spend=Spend(), milliseconds=1)
    return event("QUOTING", proven, todo_id)


def plain(lines: Sequence[str]) -> list[str]:
    """Return the lines without the marks of a style."""
    return [line.replace("\x1b[2m", "").replace("\x1b[0m", "").rstrip() for line in lines]


def picture(shown: SessionProgress, width: int, height: int, seconds: float = 75) -> list[str]:
    limits = [
        LimitUsage.model_validate({**dict(limit), "used": seconds}) if limit.name == "seconds" else limit
        for limit in shown.limits
    ]
    shown = SessionProgress.model_validate({**dict(shown), "seconds": seconds, "limits": limits})
    console = Console(width=width, file=StringIO(), force_terminal=True, no_color=True)
    with console.capture() as capture:
        console.print(render(shown, height))
    return capture.get().splitlines()


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("todos", [1, 200])
@pytest.mark.parametrize("height", [6, 10, 20])
@pytest.mark.parametrize("paid", [(), PAID])
def test_a_board_fits_its_terminal(width: int, height: int, todos: int, paid: Sequence[KnownPayload]) -> None:
    facts: list[Fact] = [event("PLANNING", fact) for fact in paid]
    facts += (found("t1", "What is 東京?\x1b[2J " * 9) for _ in range(9))
    limits = started(Budget(tokens=1, dollars=Decimal(1), model_calls=1, tool_calls=1, seconds=1))
    lines = plain(picture(board(todos, limits, *BUSY, *facts), width, height))
    assert len(lines) < height
    assert all(cell_len(line) <= width for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_what_happens_now_is_in_sight_among_200_todos() -> None:
    text = "\n".join(picture(board(200, *BUSY), width=80, height=20))
    assert "1:15  executing  0/200 todos  1 failed  1 search" in text
    assert "! 0:00  t151 failed: no" in text
    assert "t150" in text
    assert "querying" in text
    assert "loop 2" in text
    assert "t151  " in text
    assert "failed" in text
    assert "... and 184 more: 184 pending" in text


def test_what_is_spent_stands_below_the_head_with_its_limit() -> None:
    facts = [("PLANNING", fact) for fact in PAID]
    _, spent, *_ = picture(board(1, *facts), width=80, height=20)
    assert spent == "12,345 tokens, 0.0625 dollars"
    limits = Budget(tokens=200_000, dollars=Decimal("0.10"))
    _, tokens, dollars, *_ = plain(picture(board(1, started(limits), *facts), width=80, height=20))
    assert tokens == f"{'█' * 1}{'░' * 19}  12,345 of 200,000 tokens"
    assert dollars == f"{'█' * 12}{'░' * 8}  0.0625 of 0.1 dollars"


def test_a_limit_that_was_raised_is_the_one_that_is_shown() -> None:
    raised = BudgetRaised(budget=Budget(dollars=Decimal("0.25"), seconds=150))
    facts = (started(Budget(dollars=Decimal("0.10"))), ("EXECUTING", raised))
    _, dollars, seconds, *_ = plain(picture(board(1, *facts), width=80, height=20))
    assert dollars.endswith("  0 of 0.25 dollars")
    assert seconds == f"{'█' * 10}{'░' * 10}  1:15 of 2:30"


def test_a_limit_of_nothing_is_full() -> None:
    _, dollars, *_ = plain(picture(board(1, started(Budget(dollars=Decimal(0)))), width=80, height=20))
    assert dollars == f"{'█' * 20}  0 of 0 dollars"


def test_the_question_that_stands_open_is_in_sight() -> None:
    asked = QuestionAsked(ref="ask/1", kind="clarification", questions=("Which\none?",), agent="clarifier")
    facts: list[Fact] = [("CLARIFYING", asked)]
    assert "asks: Which one?" in picture(board(1, *facts), 80, 20)
    facts.append(("CLARIFYING", Answered(ref="ask/1", text="this one")))
    assert not any("asks" in line for line in picture(board(1, *facts), 80, 20))


def test_what_is_found_last_stands_below_the_tree() -> None:
    facts = [found("t1", f"Claim {number}") for number in range(1, 30)]
    *_, before, last = plain(picture(board(200, *facts), width=80, height=20))
    assert (before, last) == ("+ t1  Claim 28", "+ t1  Claim 29")
    few = plain(picture(board(1, *facts), width=80, height=20))
    assert few[2] == "+ t1  Claim 22"
    assert "29 found" in few[1]


def test_a_pending_todo_names_what_it_still_waits_for() -> None:
    todos = (Todo(id="t1", task="a"), Todo(id="t2", task="b"), Todo(id="t3", task="c", dependencies=("t1", "t2")))
    shown = planned(*todos)
    assert plain(picture(shown, width=80, height=20))[-1] == "└── t3  pending  after t1, t2  c"


def test_the_clock_counts_hours() -> None:
    seconds = timedelta(hours=26, minutes=3, seconds=5).total_seconds()
    assert plain(picture(board(1), 80, 20, seconds))[0].startswith("26:03:05  ")


def test_what_a_kill_lost_is_spent_on_the_board_too() -> None:
    asked, answered = PAID
    killed = Resumed(after="crash", reopened=("k",))
    _, spent, *_ = picture(board(1, *(("PLANNING", fact) for fact in (asked, killed, asked, answered))), 80, 20)
    assert spent == "24,690 tokens, 0.125 dollars"


def test_without_tokens_and_dollars_there_is_no_line_for_them() -> None:
    _, todo, *rest = picture(board(1, *BUSY[:-1]), width=80, height=20)
    assert "t1 " in todo
    assert rest == []


def test_a_todo_whose_parent_is_out_of_sight_stands_in_line_with_the_others() -> None:
    todos = [Todo(id="t1", task="a", status=TodoStatus.DONE), Todo(id="t1.1", task="b"), Todo(id="t2", task="c")]
    shown = planned(*todos)
    _, *tree = plain(picture(shown, width=80, height=5))
    assert tree[:2] == ["├── t1.1  pending  b", "├── t2    pending  c"]
    _, *tree = plain(picture(shown, width=80, height=20))
    assert tree == ["├── t1        done     a", "│   └── t1.1  pending  b", "└── t2        pending  c"]


def test_a_todo_that_waits_for_many_names_the_first() -> None:
    others = tuple(Todo(id=f"t{place}", task="a") for place in range(1, 6))
    last = Todo(id="t6", task="b", dependencies=tuple(todo.id for todo in others))
    shown = planned(*others, last)
    assert plain(picture(shown, width=80, height=20))[-1] == "└── t6  pending  after t1, t2, 3 more  b"


def working(ended: int, todos: int, *facts: Fact, budget: Budget = Budget()) -> list[str]:  # noqa: B008
    """Return what is said of the time that is left when the first todos ended, each after a minute, one by one."""
    plan = PlanCreated(plan=Plan(todos=tuple(Todo(id=f"t{place}", task="a") for place in range(1, todos + 1))))
    run: list[Fact] = [started(budget), ("PLANNING", plan), BUSY[0], ("EXECUTING", PAID[0])]
    for place in range(1, ended + 1):
        run.append(event("EXECUTING", TodoStarted(), f"t{place}"))
        run.append(event("EXECUTING", TodoFailed(reason="no"), f"t{place}"))
    clock = StoppedClock()
    shown = ProgressTracker(ResearchProgressView(), build_narrator("research"), clock)
    for fact in (*run, *facts):
        happened = fact if isinstance(fact, Event) else event(*fact)
        clock.at += timedelta(seconds=60 * isinstance(happened.payload, TodoFailed))
        shown.follow(happened.revised(at=clock.at))
    lines = plain(picture(shown.progress(), 120, 40))
    return [line for line in lines if " left " in line or "comes before" in line]


def test_how_long_it_takes_is_told_from_the_pace_of_the_todos_that_ended() -> None:
    assert working(4, 9) == ["about 3 to 9 min left if no todo is added: 4 of 9 took 4 min; the writing follows"]


def test_nothing_is_told_before_two_todos_ended_or_when_none_is_left() -> None:
    assert working(1, 9) == []
    assert working(9, 9) == []


def test_a_run_that_waits_for_a_person_has_no_estimate() -> None:
    asked = QuestionAsked(ref="ask/1", kind="escalation", questions=("What now?",), agent="t9")
    assert working(4, 9, ("EXECUTING", asked)) == []


def test_a_run_that_is_paused_or_writes_has_no_estimate() -> None:
    assert working(4, 9, ("EXECUTING", Paused(kind="interrupt", reason="asked to"))) == []
    assert working(4, 9, ("WRITING", StateEntered(scope="session", previous="EXECUTING"))) == []


def test_the_pace_of_an_earlier_cycle_does_not_count() -> None:
    again = [
        ("PLANNING", CycleStarted(why="question", question="and now?")),
        BUSY[0],
        event("EXECUTING", TodoStarted(), "t5"),
    ]
    assert working(4, 9, *again) == []


def test_a_time_limit_that_comes_first_is_told_instead() -> None:
    assert working(2, 20, budget=Budget(seconds=220)) == [
        "the time limit comes before the last todo, in 2 min: 2 of 20 took 2 min"
    ]


def test_what_went_wrong_last_is_in_sight() -> None:
    silent = ModelResponded(key="k", role="reader", reply=None, error="no answer", spend=Spend(), milliseconds=1)
    assert "! 0:00  t1: the reader got no reply: no answer" in picture(
        board(1, *BUSY, event("READING", silent, "t1")), 80, 20
    )
    fallback = PlanCreated(plan=Plan(todos=(Todo(id="t1", task="a"),)), fallback="too many")
    assert "! 0:00  plan: 1 todo (the planner failed: too many)" in picture(board(1, ("PLANNING", fallback)), 80, 20)


def test_text_of_a_plan_is_no_markup() -> None:
    assert "[red]What" in "\n".join(picture(board(1), width=80, height=20))
