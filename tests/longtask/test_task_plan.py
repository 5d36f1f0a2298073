import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.longtask.contracts import (
    ChecklistItemUpdate,
    PhaseStatus,
    PhaseStatusUpdate,
    TaskError,
    TaskPlan,
    TaskPlanDraft,
    TaskPlanUpdates,
)
from quaestor.longtask.task_plan import apply_updates, parse_edit, plan_from_draft, with_errors
from quaestor.longtask.workspace_files import render_plan

CREATED = datetime(2026, 1, 1, tzinfo=UTC)
DRAFT = TaskPlanDraft.model_validate(
    {
        "goal": "All is counted.",
        "phases": [
            {"title": "Look", "checklist": ["List", "List", "Read"]},
            {"title": "Count", "checklist": ["Count"]},
            {"title": "Check"},
        ],
    }
)
PLAN = plan_from_draft(DRAFT, CREATED, "k")
STATUSES: list[PhaseStatus] = ["todo", "in_progress", "complete"]
texts = st.sampled_from(["list", "Read", "Count", "?"])
names = st.sampled_from(["Phase 1", "phase  2", "Phase 3", "Phase 4", ""])
updates = st.builds(
    TaskPlanUpdates,
    phase_status=st.lists(st.builds(PhaseStatusUpdate, phase_id=names, status=st.sampled_from(STATUSES))).map(tuple),
    checklist_set=st.lists(st.builds(ChecklistItemUpdate, phase_id=names, item_text=texts, done=st.booleans())).map(
        tuple
    ),
)


def test_a_draft_becomes_numbered_phases_of_which_the_first_is_in_progress() -> None:
    assert [(phase.id, phase.status) for phase in PLAN.phases] == [
        ("Phase 1", "in_progress"),
        ("Phase 2", "todo"),
        ("Phase 3", "todo"),
    ]
    assert [item.text for item in PLAN.phases[0].checklist] == ["List", "Read"]


@given(st.lists(updates))
def test_whatever_is_updated_the_file_parses_and_the_current_phase_is_true(several: list[TaskPlanUpdates]) -> None:
    plan = PLAN
    for each in several:
        plan, unknown = apply_updates(plan, each)
        strange = [one for one in each.phase_status if one.phase_id in {"Phase 4", ""}]
        assert len(unknown) >= len(strange)
    assert TaskPlan.model_validate_json(render_plan(plan)) == plan
    statuses = {phase.id: phase.status for phase in plan.phases}
    if "in_progress" in statuses.values():
        assert statuses[plan.current_phase] == "in_progress"
    elif "todo" in statuses.values():
        assert statuses[plan.current_phase] == "todo"


def test_what_an_edit_cannot_change_stays() -> None:
    said = {**json.loads(render_plan(PLAN)), "meta": {"created": "never"}, "current_phase": "Phase 7", "goal": "Other."}
    plan = parse_edit(PLAN, json.dumps(said))
    assert isinstance(plan, TaskPlan)
    assert (plan.goal, plan.meta, plan.current_phase) == ("Other.", PLAN.meta, "Phase 1")


def test_the_plan_of_another_task_is_refused() -> None:
    assert parse_edit(PLAN, render_plan(plan_from_draft(DRAFT, CREATED, "other"))) == "it is the plan of another task"
    assert parse_edit(PLAN, render_plan(plan_from_draft(DRAFT, CREATED + timedelta(hours=1), "k"))) == PLAN


@given(st.one_of(st.text(), st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps)))
def test_any_other_text_is_refused_with_a_reason(text: str) -> None:
    assert isinstance(parse_edit(PLAN, text), str)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"phases": []}, "phases: "),
        ({"phases": [{"id": "Phase 1", "title": "A", "status": "done"}]}, "phases.0.status: "),
        ({"surprise": 1}, "surprise: "),
    ],
)
def test_the_reason_names_the_place(change: dict[str, object], reason: str) -> None:
    said = parse_edit(PLAN, json.dumps({**json.loads(render_plan(PLAN)), **change}))
    assert isinstance(said, str)
    assert said.startswith(reason)


def test_of_many_errors_the_last_stand_in_the_plan() -> None:
    errors = [TaskError(error=f"e{number}") for number in range(30)]
    assert [error.error for error in with_errors(PLAN, errors).errors] == [f"e{number}" for number in range(10, 30)]
