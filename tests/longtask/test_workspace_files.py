import json
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from quaestor.longtask.contracts import LogEntry, Phase, PlanMeta, TaskPlan
from quaestor.longtask.workspace_files import (
    HEADINGS,
    log_tail,
    render_findings,
    render_plan,
    render_progress,
    render_state,
)

START = datetime(2026, 1, 1, tzinfo=UTC)

entries = st.lists(
    st.builds(
        LogEntry,
        at=st.integers(0, 10_000).map(lambda seconds: START + timedelta(seconds=seconds)),
        round=st.integers(0, 200),
        heading=st.sampled_from(HEADINGS),
        text=st.text(),
    ),
    max_size=8,
)


@given(entries, st.integers(0, 8))
def test_what_was_written_is_how_the_longer_log_begins(all_of_them: list[LogEntry], known: int) -> None:
    for text in (render_findings, render_progress):
        assert text(all_of_them).startswith(text(all_of_them[:known]))


@given(entries)
def test_no_line_of_an_entry_can_be_taken_for_a_heading_or_another_entry(all_of_them: list[LogEntry]) -> None:
    text = render_progress(all_of_them)
    assert sum(line.startswith("- ") for line in text.split("\n")) == len(all_of_them)
    assert sum(line.startswith("#") for line in text.split("\n")) == 1


def test_an_entry_has_its_time_its_round_and_its_heading_once() -> None:
    entry = LogEntry(at=START, round=3, heading="Issues", text="One.\nTwo.")
    told = "\n- 2026-01-01T00:00:00Z, round 3\n  One.\n  Two.\n"
    assert render_findings([entry, entry]).endswith(f"\n## Issues\n{told}{told}")
    assert all(heading in render_findings([]) for heading in HEADINGS)


@given(st.text(min_size=1, max_size=40), st.text())
def test_the_plan_and_the_state_always_parse(goal: str, result: str) -> None:
    plan = TaskPlan(
        meta=PlanMeta(created=START, task_key="k"),
        goal=goal,
        current_phase="Phase 1",
        phases=(Phase(id="Phase 1", title="Look"),),
    )
    assert TaskPlan.model_validate_json(render_plan(plan)) == plan
    state = render_state(last_result=result, actions=1, message=goal, plan_created=True, task_key="k", round_number=2)
    assert json.loads(state)["last_tool_result"] == result


def test_a_prompt_shows_the_last_25_lines_none_of_them_endless() -> None:
    shown = log_tail("".join(f"{number} {'x' * 500}\n" for number in range(40))).splitlines()
    assert [line.split()[0] for line in shown] == [str(number) for number in range(15, 40)]
    assert {len(line) for line in shown} == {200}


def test_a_prompt_shows_a_log_without_its_times_and_what_stands_in_an_entry_as_it_is() -> None:
    shown = {
        log_tail(
            render_progress(
                [LogEntry(at=START.replace(hour=hour), round=3, heading="note", text="- 2026-01-01T00:00:00Z, x")]
            )
        )
        for hour in (1, 2)
    }
    assert len(shown) == 1
    assert shown.pop().splitlines()[-2:] == ["- round 3, note", "  - 2026-01-01T00:00:00Z, x"]
