from datetime import UTC, datetime

import pytest

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    BudgetReached,
    BudgetWarned,
    ContractRejected,
    ErrorRecorded,
    Event,
    KnownPayload,
    ModelResponded,
    Paused,
    Resumed,
    StateEntered,
    ToolInterrupted,
)
from quaestor.contracts.ledger import LedgerEntry, MemoryLine
from quaestor.research.contracts.plan import Plan, PlanUpdate, Todo
from quaestor.research.events import (
    PlanCreated,
    PlanUpdated,
    ReportVerified,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoStarted,
)
from quaestor.runtime.progress import build_narrator
from quaestor.views.event_description import description_lines

ENTRY = LedgerEntry(todo_id="t1", attempt=0, description="a", findings_summary="")
UPDATE = PlanUpdate(completed_todo_id="t1", outcome="", status="done")
SILENCE = ModelResponded(
    key="k", role="reader", reply=None, error="no answer\nwithin 3 s", spend=Spend(), milliseconds=3000
)
FOLLOW_UP = Todo(id="t1.1", task="look\nhere", depth=1)


def lines(payload: KnownPayload, todo_id: str | None) -> tuple[str, ...]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    event = Event(session_id="s", seq=1, cycle=1, at=at, state="UPDATING_PLAN", todo_id=todo_id, payload=payload)
    return description_lines(build_narrator("research")(event))


@pytest.mark.parametrize(
    ("payload", "todo_id", "said"),
    [
        (StateEntered(scope="session", previous=None), None, ("updating plan",)),
        (StateEntered(scope="t1", previous=None), "t1", ()),
        (PlanCreated(plan=Plan(todos=(FOLLOW_UP,))), None, ("plan: 1 todo", "  t1.1  look here")),
        (
            PlanUpdated(update=UPDATE, added=(FOLLOW_UP,), refused=("'b' is not added: too deep",)),
            "t1",
            ("t1 led to 1 todo", "  t1.1  look here", "  'b' is not added: too deep"),
        ),
        (TodoStarted(), "t1", ("t1 started",)),
        (
            TodoRecorded(entry=ENTRY, memory=MemoryLine(todo_ids=("t1",), text=""), loop_count=1),
            "t1",
            ("t1 recorded: nothing found",),
        ),
        (TodoFailed(reason="no\nluck"), "t1", ("t1 failed: no luck",)),
        (TodoBlocked(waits_for=("t1", "t2")), "t3", ("t3 blocked: it waits for t1, t2",)),
        (SILENCE, "t1", ("t1: the reader got no reply: no answer within 3 s",)),
        (SILENCE, None, ("session: the reader got no reply: no answer within 3 s",)),
        (SILENCE.revised(reply="{}", error=None), "t1", ()),
        (
            ContractRejected(key="k", role="reader", contract="Reading", attempt=1, objections=("no",), final=False),
            "t1",
            (),
        ),
        (
            BudgetWarned(limit="dollars", allowed="0.080", used="0.0655"),
            None,
            ("81 % of the dollars that gathering may use are spent: 0.0655 of 0.08",),
        ),
        (
            BudgetWarned(limit="model_calls", allowed="0", used="0"),
            None,
            ("the model calls that gathering may use are spent: 0 of 0",),
        ),
        (BudgetReached(limit="tokens: 5", spent=Spend(), refused_key=""), None, ("budget reached: tokens: 5",)),
        (
            ReportVerified(verdicts=(), quoted=2, unquoted=1, supported=1, refuted=1),
            None,
            ("verified: 2 claims quoted, 1 not; 1 supported, 1 refuted",),
        ),
        (
            ReportVerified(verdicts=(), quoted=2, unquoted=0),
            None,
            ("verified: 2 claims quoted, 0 not; not checked",),
        ),
        (Resumed(after="crash"), None, ("resumed after a crash",)),
        (Paused(kind="interrupt", reason="asked to"), None, ("paused: asked to",)),
        (ErrorRecorded(message="disk\x1b[31m"), None, ("error: disk\ufffd[31m",)),
        (ToolInterrupted(key="k", tool="shell"), None, ()),
    ],
)
def test_an_event_is_told_in_a_line_or_not_at_all(
    payload: KnownPayload, todo_id: str | None, said: tuple[str, ...]
) -> None:
    assert lines(payload, todo_id) == said


def test_a_long_plan_is_told_in_its_first_todos() -> None:
    plan = Plan(todos=tuple(Todo(id=f"t{place}", task="x" * 500) for place in range(1, 201)))
    head, *rest = lines(PlanCreated(plan=plan), None)
    assert head == "plan: 200 todos"
    assert len(rest) == 21
    assert rest[-1] == "... and 180 more"
    assert max(map(len, rest)) < 120


def test_the_events_of_a_workflow_that_is_gone_are_described_by_the_core() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    entered = StateEntered(scope="session", previous=None)
    event = Event(session_id="s", seq=1, cycle=1, at=at, state="WORKING", payload=entered)
    assert description_lines(build_narrator("of a package that is gone")(event)) == ("working",)


def test_what_went_wrong_is_a_problem() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    describe = build_narrator("research")
    for payload in (
        SILENCE,
        TodoFailed(reason="no"),
        ErrorRecorded(message="disk"),
        BudgetReached(limit="tokens: 5", spent=Spend(), refused_key=""),
        PlanCreated(plan=Plan(todos=(FOLLOW_UP,)), fallback="too many"),
    ):
        event = Event(session_id="s", seq=1, cycle=1, at=at, state="S", payload=payload)
        assert describe(event).importance == "problem", payload.type
