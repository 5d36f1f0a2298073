import pytest
from pydantic import JsonValue, ValidationError

from fakes.tasks import reply, shell
from quaestor.longtask.contracts import Round, TaskPlan

PHASE: JsonValue = {"id": "Phase 1", "title": "Look", "status": "todo", "checklist": []}
META: JsonValue = {"created": "2026-01-01T00:00:00Z", "task_key": "k"}


def plan(*phases: JsonValue, current: str = "Phase 1") -> dict[str, JsonValue]:
    return {"meta": META, "goal": "g", "current_phase": current, "phases": list(phases), "errors": []}


@pytest.mark.parametrize(
    "calls",
    [
        {"tool_call": [shell("a"), shell("b"), {"tool": "python", "code": "1"}]},
        {"tool_calls": [shell("a"), shell("b"), {"tool": "python", "code": "1"}]},
        {"tool_call": shell("a"), "tool_calls": [shell("b"), {"tool": "python", "code": "1"}]},
    ],
)
def test_of_several_calls_the_first_counts_and_the_others_are_named(calls: dict[str, JsonValue]) -> None:
    said = {name: value for name, value in reply().items() if name != "tool_call"}
    read = Round.model_validate({**said, **calls})
    assert read.tool_call
    assert read.tool_call.command == "a"
    assert read.more_calls == ("shell", "python")
    assert Round.model_validate(read.model_dump(mode="json")) == read


@pytest.mark.parametrize("calls", [{"tool_call": None}, {"tool_call": []}, {"tool_calls": None}, {"tool_calls": []}])
def test_no_call_is_no_call_however_it_is_said(calls: dict[str, JsonValue]) -> None:
    read = Round.model_validate({"assistant_answer": "a", **calls})
    assert (read.tool_call, read.more_calls) == (None, ())


def test_a_call_to_an_unknown_tool_is_read_by_its_name_alone() -> None:
    read = Round.model_validate(reply(call={"tool": "browser", "url": "https://example.org"}))
    assert read.tool_call
    assert read.tool_call.model_dump(exclude_none=True) == {"tool": "browser"}


def test_a_call_to_a_known_tool_takes_no_field_that_no_tool_has() -> None:
    with pytest.raises(ValidationError):
        Round.model_validate(reply(call=shell("ls", where="/")))


def test_further_calls_are_nothing_that_a_model_is_told_to_give() -> None:
    assert "more_calls" not in Round.model_json_schema()["properties"]


def test_a_plan_names_its_phases_and_one_of_them_is_the_current_one() -> None:
    assert TaskPlan.model_validate(plan(PHASE)).current_phase == "Phase 1"
    for fault in (plan(), plan(PHASE, PHASE), plan(PHASE, current="Phase 2")):
        with pytest.raises(ValidationError):
            TaskPlan.model_validate(fault)
