"""What a person tells a session on its way: enough, no more, once again, another way; and what a follower sees."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from fakes import sequels
from fakes.papers import QUESTION
from fakes.sittings import BELL_IS_LOST, LIGHTS, PLANNED, Sitting, sit
from quaestor.app import open_home
from quaestor.contracts.command import AddBudget, Answer, Cancel, Command, FinishNow, Pause
from quaestor.contracts.errors import UnknownSession, UsageError
from quaestor.contracts.event import BudgetReached, Event, Forked, Paused, Resumed, SessionFinished, ToolRequested
from quaestor.contracts.stream import ClarificationNeeded, PauseStarted, StreamEvent
from quaestor.research.contracts.commands import EditPlan, RetryTodo, ReviewPlan
from quaestor.research.contracts.plan import AddTodo, DropTodo, MoveTodo, TodoStatus
from quaestor.research.events import TodoBlocked, TodoRetried, TodoStarted

SLOW_BELL = {"planner": PLANNED, "query_writer": [{"todo": "t2", "latency": 30}]}
BELL_BEGAN = TodoStarted()


async def halfway(folder: Path, order: Command) -> Sitting:
    """Return a finished session that received a command while t2 was in flight and t1 was done."""
    sitting = await sit(folder, SLOW_BELL)
    running = asyncio.create_task(sitting.run())
    await sitting.until(lambda event: event.type == "plan_updated")
    assert await sitting.tell(order) is None
    await asyncio.wait_for(running, 300)
    return sitting


async def test_whoever_has_seen_enough_gets_the_report_of_what_there_is(tmp_path: Path) -> None:
    sitting = await halfway(tmp_path, FinishNow())
    result = await sitting.run()
    assert result.outcome == "partial"
    assert result.report is not None
    assert "1831" in result.report.model_dump_json()
    assert "a person asked for the report" in str(result.report.partial)
    assert await sitting.tell(FinishNow()) == ("the session is finished; ask on with a follow-up question, or fork it")


async def test_what_is_cancelled_ends_there_and_then(tmp_path: Path) -> None:
    sitting = await halfway(tmp_path, Cancel())
    result = await sitting.run()
    assert (result.outcome, result.report) == ("cancelled", None)
    types = [event.type for event in await sitting.events()]
    assert types[types.index("cancelled") + 1 :] == ["action_cancelled", "state_entered", "session_finished"]


async def test_a_session_that_nobody_carries_on_is_told_all_the_same(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED})
    assert await sitting.tell(Cancel()) is None
    assert (await sitting.run()).outcome == "cancelled"


async def test_a_failed_todo_is_tried_again_and_frees_what_it_blocked(tmp_path: Path) -> None:
    slow = [{"todo": "t1", "latency": 30}]
    sitting = await sit(tmp_path, {"planner": PLANNED, "reader": BELL_IS_LOST, "query_writer": slow}, questions=False)
    running = asyncio.create_task(sitting.run())
    await sitting.until(lambda event: event.type == "todo_blocked")
    assert "there is no t9" in str(await sitting.tell(RetryTodo(todo_id="t9")))
    assert "t1 is in_progress" in str(await sitting.tell(RetryTodo(todo_id="t1")))
    assert "t3 is blocked by t2.1.1; retry what failed there" in str(await sitting.tell(RetryTodo(todo_id="t3")))
    assert await sitting.tell(RetryTodo(todo_id="t2.1.1")) is None
    await sitting.until(lambda event: event.type == "plan_updated" and event.todo_id == "t3")
    assert await sitting.tell(Cancel()) is None
    assert (await running).outcome == "cancelled"
    assert [fact.todo.retries for fact in await sitting.of(TodoRetried)] == ["t2.1.1"]
    assert await sitting.todos_of(TodoBlocked) == ["t3"]
    todos = {todo.id: todo for todo in (await sitting.state()).plan.todos}
    assert todos["t3"].status is TodoStatus.DONE
    assert todos["t3"].dependencies == ("t2.1.1.1",)


async def test_a_pause_is_told_by_whom_and_resuming_goes_on(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED, "query_writer": [{"todo": "t2", "latency": 1.5}]})
    running = asyncio.create_task(sitting.run())
    await sitting.until(lambda event: event.payload == BELL_BEGAN)
    assert await sitting.tell(Pause()) is None
    result = await running
    assert (result.status, result.statement) == ("paused", "paused; resume to go on")
    assert [paused.kind for paused in await sitting.of(Paused)] == ["person"]
    assert (await sitting.run()).outcome == "done"
    assert await sitting.of(Resumed) == [Resumed(after="pause")]
    asked = [fact.key for fact in await sitting.of(ToolRequested)]
    assert len(asked) == len(set(asked))


async def test_a_paused_session_that_is_told_something_is_still_paused(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED})
    await sitting.tell(Pause())
    await sitting.tell(FinishNow())
    async with open_home(sitting.folder) as q:
        assert (await q.result(sitting.session_id)).status == "paused"
        followed = [event.seq async for event in q.follow(sitting.session_id)]
    assert followed == [event.seq for event in await sitting.events()]
    assert (await sitting.run()).outcome == "no_result"


async def test_a_session_whose_limit_is_raised_in_time_does_not_reach_it(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, max_model_calls=12)
    assert "no limit of dollars" in str(await sitting.tell(AddBudget(dollars=Decimal(1))))
    assert await sitting.tell(AddBudget(model_calls=100)) is None
    assert (await sitting.run()).outcome == "done"
    assert await sitting.of(BudgetReached) == []


async def test_after_the_end_nothing_is_told_any_more(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, max_model_calls=500)
    await sitting.run()
    before = await sitting.events()
    edit = EditPlan(edits=(AddTodo(task="More"),))
    for order in (
        Answer(text="x"),
        edit,
        Pause(),
        FinishNow(),
        Cancel(),
        AddBudget(model_calls=1),
    ):
        assert "the session is finished" in str(await sitting.tell(order))
    assert "only a failed todo is tried again" in str(await sitting.tell(RetryTodo(todo_id="t1")))
    assert await sitting.events() == before
    assert isinstance(before[-1].payload, SessionFinished)


async def test_nobody_can_be_told_anything_in_an_unknown_session(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {})
    with pytest.raises(UnknownSession, match="'nobody'"):
        await Sitting(sitting.folder, "nobody").tell(Pause())


async def forked(sitting: Sitting, at: int, **options: str) -> Sitting:
    async with open_home(sitting.folder, **options) as q:
        return Sitting(sitting.folder, await q.fork(sitting.session_id, at, q.settings if options else None))


def alike(events: Sequence[Event]) -> list[Event]:
    return [event.model_copy(update={"session_id": ""}) for event in events]


async def test_a_fork_has_the_same_beginning_and_goes_its_own_way(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED})
    await sitting.run()
    before = await sitting.events()
    for at in range(1, len(before) + 1, 29):
        fork = await forked(sitting, at)
        result = await fork.run()
        events = await fork.events()
        assert result.outcome == "done"
        assert result.report is not None
        assert alike(events[:at]) == alike(before[:at])
        assert [(fact.origin, fact.at) for fact in await fork.of(Forked)] == [(sitting.session_id, at)]
        async with open_home(sitting.folder) as q:
            assert await q.store.verify_chain(fork.session_id) == []
            assert await q.store.verify_chain(sitting.session_id) == []
    assert await sitting.events() == before


async def test_a_fork_of_what_is_finished_is_finished(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED})
    result = await sitting.run()
    fork = await forked(sitting, len(await sitting.events()))
    assert await fork.run() == result.model_copy(update={"session_id": fork.session_id})


async def test_a_fork_may_go_on_with_another_model(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED, "reader": [{"fault": "garbage", "times": 99}]}, questions=False)
    assert (await sitting.run()).outcome == "no_result"
    planned = next(event.seq for event in await sitting.events() if event.type == "plan_created")
    fork = await forked(sitting, planned, model="offline")
    assert (await fork.run()).outcome == "done"
    assert (await fork.state()).options.model == "offline"
    assert (await fork.roles()).count("planner") == 1
    assert (await sitting.state()).options.model.startswith("script:")


@pytest.mark.parametrize("at", [-1, 0, 10_000])
async def test_a_fork_begins_at_an_event_that_there_is(tmp_path: Path, at: int) -> None:
    sitting = await sit(tmp_path, {})
    with pytest.raises(UsageError, match=rf"{at}"):
        await forked(sitting, at)
    async with open_home(sitting.folder) as q:
        assert [session.id for session in await q.sessions()] == [sitting.session_id]


async def test_a_stream_from_any_event_is_the_tail_of_the_whole(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED, "reader": BELL_IS_LOST})
    async with open_home(sitting.folder) as q:
        live = asyncio.create_task(_all(sitting, 0))
        await q.run(sitting.session_id)
        whole = await asyncio.wait_for(live, 300)
    assert isinstance(whole[-1], ClarificationNeeded)
    assert (whole[-1].kind, whole[-1].ref) == ("escalation", "escalation/t2.1.1")
    await sitting.tell(Pause())
    whole = await _all(sitting, 0)
    assert isinstance(whole[-1], PauseStarted)
    assert whole[-1].kind == "person"
    for seq in range(0, whole[-1].seq + 1, 7):
        assert await _all(sitting, seq) == [event for event in whole if event.seq > seq]


async def _all(sitting: Sitting, after: int) -> list[StreamEvent]:
    async with open_home(sitting.folder) as q:
        return [event async for event in q.stream(sitting.session_id, after)]


VAGUE = {"reply": {"is_clear": False, "questions": ["Which one?"], "assumptions": []}}


async def asked_and_reviewed(folder: Path) -> Sitting:
    script = {"planner": PLANNED, "clarifier": [VAGUE], "reader": BELL_IS_LOST}
    sitting = await sit(folder, script, review_plan=True)
    orders: Sequence[Sequence[Command]] = (
        [Answer(text="the one in the harbour")],
        [EditPlan(edits=(AddTodo(task=LIGHTS),)), EditPlan(edits=(MoveTodo(todo_id="t4", before="t1"),))],
        [ReviewPlan(review="confirmed")],
        [Answer(text="retry")],
    )
    for told in orders:
        await sitting.run()
        assert [await sitting.tell(order) for order in told] == [None] * len(told)
    return sitting


async def edited_on_the_way(folder: Path) -> Sitting:
    slow = {"planner": PLANNED, "query_writer": [{"todo": "t2", "latency": 0.8}]}
    sitting = await sit(folder, slow, parallel=2)
    running = asyncio.create_task(sitting.run())
    await sitting.until(lambda event: event.type == "plan_updated")
    edits = (AddTodo(task=LIGHTS, before="t3"), DropTodo(todo_id="t3"))
    assert await sitting.tell(EditPlan(edits=edits)) is None
    await running
    return sitting


async def finished_on_the_way(folder: Path) -> Sitting:
    return await halfway(folder, FinishNow())


async def given_more(folder: Path) -> Sitting:
    sitting = await sit(folder, {"planner": PLANNED}, max_model_calls=9)
    assert await sitting.tell(AddBudget(model_calls=2)) is None
    assert (await sitting.run()).outcome == "partial"
    assert (await sequels.ask(sitting)).outcome == "no_result"
    return sitting


async def asked_on_twice(folder: Path) -> Sitting:
    sitting = await sequels.told(folder)
    assert (await sequels.ask(sitting)).outcome == "done"
    assert (await sequels.ask(sitting, sequels.KEEPER)).outcome == "done"
    return sitting


async def cancelled_and_asked_on(folder: Path) -> Sitting:
    sitting = await sit(folder, {"planner": PLANNED}, review_plan=True)
    await sitting.run()
    assert await sitting.tell(Cancel()) is None
    assert (await sitting.run()).outcome == "cancelled"
    await sequels.ask(sitting)
    assert await sitting.tell(ReviewPlan(review="confirmed")) is None
    return sitting


WAYS = (
    asked_and_reviewed,
    edited_on_the_way,
    finished_on_the_way,
    given_more,
    asked_on_twice,
    cancelled_and_asked_on,
)


@pytest.mark.parametrize("way", WAYS)
async def test_a_replay_is_told_again_what_people_told_and_ends_in_the_same_reports(
    tmp_path: Path, way: Callable[[Path], Awaitable[Sitting]]
) -> None:
    sitting = await way(tmp_path)
    result = await sitting.run()
    async with open_home(sitting.folder, model=f"replay:{sitting.session_id}") as q:
        session_id = await q.start(QUESTION, None)
        again = await q.run(session_id)
        assert again == result.model_copy(update={"session_id": session_id})
        assert await q.reports(session_id) == await q.reports(sitting.session_id)
        assert course(await q.events(session_id)) == course(await sitting.events())


def course(events: Sequence[Event]) -> list[tuple[int, str, str | None]]:
    """Return what happened, in which cycle and under which key."""
    return [(event.cycle, event.type, getattr(event.payload, "key", None)) for event in events]
