from datetime import UTC, datetime

import pytest

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    BudgetReached,
    BudgetWarned,
    ContractRejected,
    ErrorRecorded,
    Event,
    FactRecorded,
    KnownPayload,
    ModelResponded,
    Paused,
    PlanCreated,
    PlanUpdated,
    ReportVerified,
    Resumed,
    StateEntered,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoStarted,
    ToolInterrupted,
)
from quaestor.contracts.ledger import LedgerEntry, MemoryLine
from quaestor.faces.cli.event_lines import describe_event
from quaestor.research.contracts.plan import Plan, PlanUpdate, Todo

ENTRY = LedgerEntry(todo_id="t1", attempt=0, description="a", findings_summary="")
UPDATE = PlanUpdate(completed_todo_id="t1", outcome="", status="done")
SILENCE = ModelResponded(
    key="k", role="reader", reply=None, error="no answer\nwithin 3 s", spend=Spend(), milliseconds=3000
)
FOLLOW_UP = Todo(id="t1.1", task="look\nhere", depth=1)


def lines(payload: KnownPayload, todo_id: str | None) -> tuple[str, ...]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    event = Event(session_id="s", seq=1, cycle=1, at=at, state="UPDATING_PLAN", todo_id=todo_id, payload=payload)
    return describe_event(event)


@pytest.mark.parametrize(
    ("todo_id", "payload", "said"),
    [
        (None, StateEntered(scope="session", previous=None), ("updating plan",)),
        (None, StateEntered(scope="t1", previous=None), ()),
        (
            None,
            FactRecorded(key="k", contract="Judged", value={"round": 2, "answer": "I look."}),
            ("round 2: I look.",),
        ),
        (
            "t3",
            FactRecorded(key="todo/t3/round/2/judged", contract="Judged", value={"round": 2, "answer": "I look."}),
            ("t3 round 2: I look.",),
        ),
        (None, PlanCreated(plan=Plan(todos=(FOLLOW_UP,))), ("plan: 1 todo", "  t1.1  look here")),
        (
            None,
            PlanUpdated(update=UPDATE, added=(FOLLOW_UP,), refused=("'b' is not added: too deep",)),
            ("t1 led to 1 todo", "  t1.1  look here", "'b' is not added: too deep"),
        ),
        ("t1", TodoStarted(), ("t1 started",)),
        (
            None,
            TodoRecorded(entry=ENTRY, memory=MemoryLine(todo_ids=("t1",), text=""), loop_count=1),
            ("t1 recorded: nothing found",),
        ),
        ("t1", TodoFailed(reason="no\nluck"), ("t1 failed: no luck",)),
        ("t3", TodoBlocked(waits_for=("t1", "t2")), ("t3 blocked: it waits for t1, t2",)),
        ("t1", SILENCE, ("t1: the reader got no reply: no answer within 3 s",)),
        (None, SILENCE, ("session: the reader got no reply: no answer within 3 s",)),
        (None, SILENCE.model_copy(update={"reply": "{}", "error": None}), ()),
        (
            None,
            ContractRejected(key="k", role="reader", contract="Reading", attempt=1, objections=("no",), final=False),
            (),
        ),
        (
            None,
            BudgetWarned(limit="dollars", allowed="0.080", used="0.0655"),
            ("81 % of the dollars that gathering may use are spent: 0.0655 of 0.08",),
        ),
        (
            None,
            BudgetWarned(limit="model_calls", allowed="0", used="0"),
            ("the model calls that gathering may use are spent: 0 of 0",),
        ),
        (None, BudgetReached(limit="tokens: 5", spent=Spend(), refused_key=""), ("budget reached: tokens: 5",)),
        (
            None,
            ReportVerified(verdicts=(), supported=1, unsupported=2),
            ("verified: 1 claim supported, 2 unsupported",),
        ),
        (None, Resumed(after="crash"), ("goes on after a crash",)),
        (None, Paused(kind="interrupt", reason="asked to"), ("paused: asked to",)),
        (None, ErrorRecorded(message="disk\x1b[31m"), ("error: disk\ufffd[31m",)),
        (None, ToolInterrupted(key="k", tool="shell"), ()),
    ],
)
def test_an_event_is_told_in_a_line_or_not_at_all(
    todo_id: str | None, payload: KnownPayload, said: tuple[str, ...]
) -> None:
    assert lines(payload, todo_id) == said


def test_a_long_plan_is_told_in_its_first_todos() -> None:
    plan = Plan(todos=tuple(Todo(id=f"t{place}", task="x" * 500) for place in range(1, 201)))
    head, *rest = lines(PlanCreated(plan=plan), None)
    assert head == "plan: 200 todos"
    assert len(rest) == 21
    assert rest[-1] == "... and 180 more"
    assert max(map(len, rest)) < 120


def test_the_states_of_a_round_are_not_told_for_a_task_says_what_it_does() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    entered = StateEntered(scope="session", previous=None)
    for state, said in (("WORKING", ()), ("KEEPING", ()), ("ACTING", ()), ("DONE", ("done",))):
        assert describe_event(Event(session_id="s", seq=1, cycle=1, at=at, state=state, payload=entered)) == said
