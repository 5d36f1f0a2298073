"""A todo of a finished session that is tried again, in a cycle of its own."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from fakes.sittings import BELL_IS_LOST, LIGHTHOUSE, ONE_SOURCE_EACH, PLANNED, sit
from quaestor.contracts.command import Cancel
from quaestor.contracts.event import CycleStarted
from quaestor.research.contracts.commands import RetryTodo
from quaestor.research.contracts.report import Report
from quaestor.research.events import TodoFailed


async def test_a_failed_todo_of_a_finished_session_is_tried_again_with_those_it_blocked(tmp_path: Path) -> None:
    script = {"planner": PLANNED, "reader": [*ONE_SOURCE_EACH[:1], *BELL_IS_LOST, *ONE_SOURCE_EACH[2:]]}
    sitting = await sit(tmp_path, script, LIGHTHOUSE, questions=False)
    first = await sitting.run()
    assert first.outcome == "partial"
    assert "t2.1.1" in first.statement
    assert await sitting.tell(RetryTodo(todo_id="t2.1.1")) is None
    [begun] = await sitting.of(CycleStarted)
    assert begun.why == "retry"
    second = await sitting.run()
    assert second.outcome == "done", second.statement
    assert isinstance(second.report, Report)
    assert second.report.version == 2
    assert "1829" in second.report.model_dump_json()
    assert "gave no usable answer" not in " ".join(second.report.gaps)
    assert "is not tried again" in str(first.report)
    assert "is not tried again" not in " ".join(second.report.gaps)


async def test_a_todo_that_was_tried_again_is_named_by_its_last_attempt(tmp_path: Path) -> None:
    script = {"planner": PLANNED, "reader": [*ONE_SOURCE_EACH[:1], *BELL_IS_LOST]}
    sitting = await sit(tmp_path, script, LIGHTHOUSE, questions=False)
    await sitting.run()
    assert "tried again already, as t2.1" in str(await sitting.tell(RetryTodo(todo_id="t2")))
    assert "t1 is done" in str(await sitting.tell(RetryTodo(todo_id="t1")))


async def test_a_session_without_evidence_is_tried_again(tmp_path: Path) -> None:
    lost = [{"todo": name, "fault": "error", "times": 3} for name in ("t1", "t1.1", "t1.1.1")]
    planned = [{"reply": {"todos": [{"task": LIGHTHOUSE}]}}]
    sitting = await sit(tmp_path, {"planner": planned, "reader": lost}, LIGHTHOUSE, questions=False)
    assert (await sitting.run()).outcome == "no_result"
    assert await sitting.tell(RetryTodo(todo_id="t1.1.1")) is None
    assert (await sitting.run()).outcome == "done"


async def test_nothing_is_tried_again_of_a_session_that_was_cut_off(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, LIGHTHOUSE, questions=True, review_plan=True)
    await sitting.run()
    await sitting.tell(Cancel())
    await sitting.run()
    assert await sitting.tell(RetryTodo(todo_id="t1")) is not None


@pytest.mark.parametrize(
    ("scripted", "tries"),
    [({"reply": {"sorry": "I cannot."}, "times": 99}, 1), ({"fault": "error", "times": 99}, 3)],
    ids=["no reply can be used", "nobody answers"],
)
async def test_a_todo_is_tried_again_unless_its_replies_were_refused_for_good(
    tmp_path: Path, scripted: Mapping[str, object], tries: int
) -> None:
    attempts = ["t1", "t1.1", "t1.1.1"]
    script = {"planner": PLANNED, "reader": [{"todo": name, **scripted} for name in attempts]}
    sitting = await sit(tmp_path, script, LIGHTHOUSE, questions=False)
    await sitting.run()
    failed = [event.todo_id for event in await sitting.events() if isinstance(event.payload, TodoFailed)]
    assert failed == attempts[:tries]
