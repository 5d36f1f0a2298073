"""A person looks at the plan, changes it, and is asked about what failed."""

import asyncio
from pathlib import Path

import pytest

from fakes.children import ended, fork
from fakes.sittings import BELL, BELL_IS_LOST, GUILD, LIGHTHOUSE, LIGHTS, PLANNED, Sitting, sit
from quaestor.contracts.command import Answer, Cancel, FinishNow, OpenCycle, Pause
from quaestor.contracts.event import BudgetRaised, QuestionAsked, SessionFinished, ToolRequested
from quaestor.research.contracts.commands import EditPlan, RetryTodo, ReviewPlan
from quaestor.research.contracts.plan import AddTodo, ChangeTodo, DropTodo, MoveTodo, PlanEdit, TodoStatus
from quaestor.research.events import (
    PlanCreated,
    PlanEdited,
    PlanReviewed,
    TodoBlocked,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
)


async def reviewed(folder: Path) -> Sitting:
    """Return a session that waits for its plan to be confirmed."""
    sitting = await sit(folder, {"planner": PLANNED}, review_plan=True)
    assert (await sitting.run()).status == "waiting"
    return sitting


async def ids(sitting: Sitting) -> list[str]:
    return [todo.id for todo in (await sitting.state()).plan.todos]


async def edit(sitting: Sitting, *edits: PlanEdit, seen: int | None = None) -> str | None:
    return await sitting.tell(EditPlan(edits=edits, seen=seen))


async def test_no_tool_runs_before_the_plan_is_confirmed_also_across_restarts(tmp_path: Path) -> None:
    sitting = await reviewed(tmp_path)
    for _ in range(2):
        assert ended(fork(sitting.run)) == 0
    assert await sitting.of(ToolRequested) == []
    assert await sitting.of(TodoStarted) == []
    assert await sitting.roles() == ["clarifier", "planner"]
    assert [created.review for created in await sitting.of(PlanCreated)] == ["awaiting_confirmation"]
    [asked] = await sitting.of(QuestionAsked)
    assert (asked.kind, asked.agent) == ("plan_confirmation", "planner")
    assert "3 todos" in asked.questions[0]

    assert await sitting.tell(ReviewPlan(review="confirmed")) is None
    assert await sitting.of(ToolRequested) == []
    assert (await sitting.run()).outcome == "done"
    assert await sitting.of(PlanReviewed) == [PlanReviewed(review="confirmed")]
    assert (await sitting.roles()).count("planner") == 1


@pytest.mark.parametrize(
    ("said", "review"), [("/confirm_plan", "confirmed"), (" Yes ", "confirmed"), ("/end_plan", "auto_approved")]
)
async def test_a_plan_is_confirmed_by_an_answer_too(tmp_path: Path, said: str, review: str) -> None:
    sitting = await reviewed(tmp_path)
    assert "confirm it or edit it" in str(await sitting.tell(Answer(text="hm, let me see")))
    assert await sitting.tell(Answer(text=said)) is None
    assert [fact.review for fact in await sitting.of(PlanReviewed)] == [review]
    late = await sitting.tell(ReviewPlan(review="confirmed"))
    assert "the plan is not under review" in str(late)


async def test_to_see_the_plan_is_no_answer(tmp_path: Path) -> None:
    unclear = [{"reply": {"is_clear": False, "questions": ["Which lighthouse?"]}}]
    sitting = await sit(tmp_path, {"planner": PLANNED, "clarifier": unclear}, questions=True)
    await sitting.run()
    assert "the question is still open" in str(await sitting.tell(Answer(text=" /Plan ")))
    assert await sitting.tell(Answer(text="The one of Aldmouth.")) is None


async def test_the_review_of_plans_can_end_before_there_is_one_and_for_good(tmp_path: Path) -> None:
    unclear = [{"reply": {"is_clear": False, "questions": ["Which lighthouse?"]}}]
    sitting = await sit(tmp_path, {"planner": PLANNED, "clarifier": unclear}, questions=True, review_plan=True)
    await sitting.run()
    assert await sitting.tell(ReviewPlan(review="auto_approved")) is None
    assert "no plan yet" in str(await sitting.tell(ReviewPlan(review="auto_approved")))
    assert await sitting.tell(Answer(text="The one of Aldmouth.")) is None
    assert (await sitting.run()).outcome == "done"
    assert await sitting.tell(OpenCycle(why="question", question=BELL)) is None
    assert (await sitting.run()).outcome == "done"
    assert [asked.kind for asked in await sitting.of(QuestionAsked)] == ["clarification"]


async def test_a_plan_without_review_is_carried_out_at_once(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED})
    assert (await sitting.run()).outcome == "done"
    assert await sitting.of(QuestionAsked) == []


async def test_todos_are_added_changed_moved_and_dropped_and_what_stands_then_is_carried_out(tmp_path: Path) -> None:
    sitting = await reviewed(tmp_path)
    assert await edit(sitting, AddTodo(task=LIGHTS, before="t1")) is None
    assert await edit(sitting, MoveTodo(todo_id="t1"), DropTodo(todo_id="t3")) is None
    assert await edit(sitting, AddTodo(task=GUILD, dependencies=("t1",))) is None
    assert await edit(sitting, ChangeTodo(todo_id="t2", task="What did the fog bell of Aldmouth cost?")) is None
    assert await ids(sitting) == ["t4", "t2", "t1", "t5"]  # t3 was given once, and is not given again
    assert (await sitting.run()).status == "waiting"
    await sitting.tell(ReviewPlan(review="confirmed"))
    assert (await sitting.run()).outcome == "done"
    assert {recorded.entry.todo_id for recorded in await sitting.of(TodoRecorded)} == {"t4", "t2", "t1", "t5"}
    changed = (await sitting.state()).plan.todo("t2")
    assert changed is not None
    assert changed.task == "What did the fog bell of Aldmouth cost?"
    order = await sitting.todos_of(TodoStarted)
    assert order[:3] == ["t4", "t2", "t1"]
    assert order.index("t5") > order.index("t1")


@pytest.mark.parametrize(
    ("edits", "named"),
    [
        ([ChangeTodo(todo_id="t2", dependencies=("t3",))], "t2 -> t3 -> t2"),
        ([DropTodo(todo_id="t2")], "t2 cannot be dropped: t3 depends on it"),
        ([DropTodo(todo_id="t9")], "t9 is not in the plan"),
        ([AddTodo(task="More", dependencies=("t9",))], "t9"),
        ([AddTodo(task=BELL)], "t2"),
        ([AddTodo(task="More", agent="nobody")], "'nobody'"),
        ([AddTodo(task=LIGHTS), DropTodo(todo_id="t7")], "t7"),
        ([DropTodo(todo_id=name, force=True) for name in ("t1", "t2", "t3")], "no todo would be left"),
    ],
)
async def test_what_does_not_hold_together_is_refused_and_changes_nothing(
    tmp_path: Path, edits: list[PlanEdit], named: str
) -> None:
    sitting = await reviewed(tmp_path)
    before = (await sitting.state()).plan
    assert named in str(await edit(sitting, *edits))
    assert (await sitting.state()).plan == before
    assert await sitting.of(PlanEdited) == []


async def test_of_two_who_edit_at_once_the_second_is_told_so(tmp_path: Path) -> None:
    sitting = await reviewed(tmp_path)
    seen = len(await sitting.events())
    told = await asyncio.gather(
        *(edit(sitting, AddTodo(task=task), seen=seen) for task in (LIGHTS, "Who kept the lighthouse?"))
    )
    first = next(event for event in await sitting.events() if isinstance(event.payload, PlanEdited))
    [refused] = [reason for reason in told if reason]
    assert f"edited by somebody else after you looked at it (event {first.seq})" in refused
    assert len(await ids(sitting)) == 4
    assert await edit(sitting, AddTodo(task="Who was Henrike Vos?"), seen=len(await sitting.events())) is None
    assert await ids(sitting) == ["t1", "t2", "t3", "t4", "t5"]


async def test_before_there_is_a_plan_there_is_nothing_to_edit_or_to_confirm(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED})
    assert await edit(sitting, AddTodo(task=LIGHTS)) == "there is no plan yet; wait until it is made"
    assert await sitting.tell(ReviewPlan(review="confirmed"))


async def test_an_edit_while_it_runs_counts_from_the_next_todo_on_and_what_began_is_fixed(tmp_path: Path) -> None:
    script = {"planner": PLANNED, "query_writer": [{"todo": "t2", "latency": 2}]}
    sitting = await sit(tmp_path, script, parallel=1)
    running = asyncio.create_task(sitting.run())
    await sitting.until(lambda event: event.payload == TodoStarted() and event.todo_id == "t2")
    assert "t1 is done and cannot be changed" in str(await edit(sitting, ChangeTodo(todo_id="t1", task="Else")))
    assert "t2 is in progress and cannot be moved" in str(await edit(sitting, MoveTodo(todo_id="t2", before="t1")))
    assert await edit(sitting, AddTodo(task=LIGHTS, before="t3"), DropTodo(todo_id="t3")) is None
    assert (await running).outcome == "done"
    assert await sitting.todos_of(TodoStarted) == ["t1", "t2", "t4"]
    assert {recorded.entry.todo_id for recorded in await sitting.of(TodoRecorded)} == {"t1", "t2", "t4"}


@pytest.mark.parametrize(("order", "outcome"), [(FinishNow(), "no_result"), (Cancel(), "cancelled")])
async def test_a_review_may_be_the_end(tmp_path: Path, order: FinishNow | Cancel, outcome: str) -> None:
    sitting = await reviewed(tmp_path)
    assert await sitting.tell(order) is None
    assert (await sitting.run()).outcome == outcome
    assert await sitting.of(ToolRequested) == []
    assert isinstance((await sitting.events())[-1].payload, SessionFinished)


async def test_a_pause_during_the_review_is_a_pause_and_the_question_stays(tmp_path: Path) -> None:
    sitting = await reviewed(tmp_path)
    assert await sitting.tell(Pause()) is None
    assert (await sitting.run()).status == "waiting"
    assert len(await sitting.of(QuestionAsked)) == 1
    assert await sitting.of(BudgetRaised) == []


async def lost(folder: Path) -> Sitting:
    """Return a session whose t2 failed for good; it waits to be told what to do."""
    sitting = await sit(folder, {"planner": PLANNED, "reader": BELL_IS_LOST})
    assert (await sitting.run()).status == "waiting"
    return sitting


async def test_who_failed_as_often_as_it_may_is_asked_about_and_nothing_else_waits(tmp_path: Path) -> None:
    sitting = await lost(tmp_path)
    [asked] = await sitting.of(QuestionAsked)
    assert (asked.ref, asked.kind) == ("escalation/t2.1.1", "escalation")
    assert f"t2.1.1 failed 3 times: {BELL}" in asked.questions[0]
    assert [recorded.entry.todo_id for recorded in await sitting.of(TodoRecorded)] == ["t1"]
    assert await sitting.of(TodoBlocked) == []
    assert (await sitting.state()).is_writing is False


async def test_while_it_is_asked_the_others_go_on(tmp_path: Path) -> None:
    slow = {"planner": PLANNED, "reader": BELL_IS_LOST, "query_writer": [{"todo": "t1", "latency": 0.7}]}
    sitting = await sit(tmp_path, slow)
    assert (await sitting.run()).status == "waiting"
    types = [event.type for event in await sitting.events()]
    assert types.index("question_asked") < types.index("todo_recorded")


async def test_a_retry_that_is_wanted_is_made_and_frees_what_waits(tmp_path: Path) -> None:
    sitting = await lost(tmp_path)
    assert await sitting.tell(Answer(text="Retry")) is None
    assert (await sitting.run()).outcome == "done"
    assert [fact.todo.id for fact in await sitting.of(TodoRetried)] == ["t2.1.1.1"]
    status = {todo.id: todo.status for todo in (await sitting.state()).plan.todos}
    assert (status["t2.1.1.1"], status["t3"]) == (TodoStatus.DONE, TodoStatus.DONE)
    assert len(await sitting.of(QuestionAsked)) == 1


async def test_a_retry_order_is_an_answer_too(tmp_path: Path) -> None:
    sitting = await lost(tmp_path)
    assert await sitting.tell(RetryTodo(todo_id="t2.1.1")) is None
    assert "t2.1.1 is being tried again already" in str(await sitting.tell(RetryTodo(todo_id="t2.1.1")))
    assert await sitting.tell(Answer(text="retry")) == "no question is open"
    assert (await sitting.run()).outcome == "done"


async def test_what_is_tried_again_before_it_was_asked_about_is_not_asked_about(tmp_path: Path) -> None:
    readers = [*BELL_IS_LOST, *({**each, "todo": str(each["todo"]).replace("t2", "t1")} for each in BELL_IS_LOST)]
    sitting = await sit(tmp_path, {"planner": PLANNED, "reader": readers})
    assert (await sitting.run()).status == "waiting"
    [asked] = await sitting.of(QuestionAsked)
    other = {"escalation/t1.1.1": "t2.1.1", "escalation/t2.1.1": "t1.1.1"}[asked.ref]
    assert await sitting.tell(RetryTodo(todo_id=other)) is None
    assert await sitting.tell(Answer(text="go on without it")) is None
    assert (await sitting.run()).outcome == "partial"
    assert await sitting.of(QuestionAsked) == [asked]


async def test_what_is_given_up_blocks_what_waits_and_is_not_asked_about_again(tmp_path: Path) -> None:
    sitting = await lost(tmp_path)
    assert await sitting.tell(Answer(text="go on without it")) is None
    result = await sitting.run()
    assert result.outcome == "partial"
    assert result.report is not None
    assert result.report.blocked[0].startswith("t3")
    assert await sitting.todos_of(TodoBlocked) == ["t3"]
    assert len(await sitting.of(QuestionAsked)) == 1


async def test_the_report_may_be_asked_for_instead(tmp_path: Path) -> None:
    sitting = await lost(tmp_path)
    assert await sitting.tell(FinishNow()) is None
    result = await sitting.run()
    assert (result.status, result.outcome) == ("finished", "partial")
    assert result.report is not None
    assert "1831" in result.report.model_dump_json()


async def test_where_nobody_is_to_be_asked_it_is_given_up(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED, "reader": BELL_IS_LOST}, questions=False)
    assert (await sitting.run()).outcome == "partial"
    assert await sitting.of(QuestionAsked) == []
    assert LIGHTHOUSE in [todo.task for todo in (await sitting.state()).plan.todos]
