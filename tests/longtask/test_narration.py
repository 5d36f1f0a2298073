from datetime import UTC, datetime

import pytest

from quaestor.contracts.base import Contract
from quaestor.contracts.event import ContractAccepted, Event, FactRecorded, KnownPayload, StateEntered
from quaestor.longtask.contracts import Acted, Artifact, DraftPhase, EditRefused, Judged, TaskPlanDraft, TaskToolCall
from quaestor.longtask.narration import describe_event
from quaestor.runtime.progress import build_narrator
from quaestor.views.event_description import description_lines

LOOKED = Acted(
    round=3,
    tool="shell",
    signature="{}",
    ran=True,
    summary="Round 3, shell: ls\nexit code 0\nstdout (2 characters):\nok",
    did="shell: ls: done",
    artifacts=(Artifact(path="a.txt", sha256="a" * 64, size=1, version=2),),
)


def lines(payload: KnownPayload, todo_id: str | None = None) -> tuple[str, ...]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    event = Event(session_id="s", seq=1, cycle=1, at=at, state="WORKING", todo_id=todo_id, payload=payload)
    description = describe_event(event)
    return description_lines(description) if description else ()


def recorded(fact: Contract) -> FactRecorded:
    return FactRecorded(key="round/3", contract=type(fact).__name__, value=fact)


@pytest.mark.parametrize(
    ("fact", "todo_id", "said"),
    [
        (Judged(round=3, answer="I look\nhere."), None, ("round 3: I look here.",)),
        (
            Judged(round=3, answer="I look.", call=TaskToolCall(tool="shell", command="ls\n-l")),
            "t2",
            ("t2 round 3: I look.", "  shell: ls -l"),
        ),
        (
            Judged(round=3, answer="I look.", faults=("no such phase",), refusal="shell: ls: it failed before"),
            None,
            ("round 3: I look.", "  no such phase", "  not run: shell: ls: it failed before"),
        ),
        (LOOKED, None, ("  exit code 0 stdout (2 characters): ok", "  made a.txt version 2")),
        (LOOKED, "t2", ("  t2: exit code 0 stdout (2 characters): ok", "  t2: made a.txt version 2")),
        (
            LOOKED.model_copy(update={"ran": False, "did": "shell: ls: not run; a person said: no", "artifacts": ()}),
            None,
            ("  shell: ls: not run; a person said: no",),
        ),
        (EditRefused(reason="it is JSON,\nbut no object"), None, (
            "the edit of task_plan.md cannot be used: it is JSON, but no object",
        )),
    ],
)  # fmt: skip
def test_what_a_task_concludes_is_told(fact: Contract, todo_id: str | None, said: tuple[str, ...]) -> None:
    assert lines(recorded(fact), todo_id) == said


def test_what_no_task_concludes_is_not_told() -> None:
    assert lines(FactRecorded(key="k", contract="MarketOrder", value={"asset": "BTC"})) == ()


def test_of_many_phases_the_first_are_told_and_no_line_is_endless() -> None:
    plan = TaskPlanDraft(goal="g", phases=tuple(DraftPhase(title="x" * 300) for _ in range(12)))
    head, *rest = lines(
        ContractAccepted(key="k", role="task_planner", contract="TaskPlanDraft", output=plan),
        "t1",
    )
    assert head == "t1 plan: 12 phases"
    assert [line.split()[1] for line in rest] == [str(number) for number in range(1, 13)]
    assert max(map(len, rest)) <= 102


def test_what_is_told_cannot_move_the_cursor() -> None:
    assert "\x1b" not in "".join(lines(recorded(Judged(round=1, answer="\x1b[2J"))))


@pytest.mark.parametrize(("state", "said"), [("WORKING", ()), ("DONE", ("done",))])
def test_a_session_describes_its_rounds_and_not_their_states(state: str, said: tuple[str, ...]) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    entered = StateEntered(scope="session", previous=None)
    event = Event(session_id="s", seq=1, cycle=1, at=at, state=state, payload=entered)
    assert description_lines(build_narrator("longtask")(event)) == said


def test_a_research_session_describes_the_rounds_of_its_todos() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    stored = FactRecorded(key="k", contract="Judged", value={"round": 2, "answer": "I look."})
    event = Event(session_id="s", seq=1, cycle=1, at=at, state="WORKING", todo_id="t3", payload=stored)
    assert description_lines(build_narrator("research")(event)) == ("t3 round 2: I look.",)
