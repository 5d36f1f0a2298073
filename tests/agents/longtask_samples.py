"""Samples of what the roles of a long task are given."""

from quaestor.contracts.roles import PromptInput
from quaestor.longtask.contracts import RoundInput, TaskPlanInput

TASK = "Who built the lighthouse of Amrum, when, and how high is it?"


def samples(place: int) -> tuple[PromptInput, ...]:
    return (
        TaskPlanInput(task=TASK, tools=("shell", "read_file")),
        RoundInput(
            task=TASK,
            goal="Builder, year and height are known.",
            phases=("Phase 1 (in_progress): Look", "Phase 2 (todo): Check"),
            current_phase="Phase 1",
            checklist=("open: Read the chronicle",),
            tools=("shell", "read_file"),
            errors=(f"round {place}, shell: exit code 1",),
            findings_tail=f"- 2026-01-01T00:00:00Z, round {place}\n  The tower was finished in 187{place}.",
            progress_tail=f"- 2026-01-01T00:00:00Z, round {place}, action\n  read_file: chronicle.txt: done",
            last_result=f"Round {place}, read_file: chronicle.txt\nThe tower was finished in 187{place}.",
            failed=True,
            hints=("the plan has no phase 'Phase 9'; it has Phase 1, Phase 2",),
            actions=1,
            round=place + 1,
            rounds_left=100 - place,
        ),
    )
