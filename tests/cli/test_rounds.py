import pytest
from pydantic import JsonValue

from quaestor.contracts.base import Contract
from quaestor.faces.cli.event_lines import describe_plan, describe_task_fact
from quaestor.longtask.contracts import Acted, Artifact, EditRefused, Judged, TaskToolCall

LOOKED = Acted(
    round=3,
    tool="shell",
    signature="{}",
    ran=True,
    summary="Round 3, shell: ls\nexit code 0\nstdout (2 characters):\nok",
    did="shell: ls: done",
    artifacts=(Artifact(path="a.txt", sha256="a" * 64, size=1, version=2),),
)


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
    assert describe_task_fact(type(fact).__name__, fact.model_dump(mode="json"), todo_id) == said


def test_what_no_task_concludes_is_not_told() -> None:
    assert describe_task_fact("MarketOrder", {"asset": "BTC"}, None) == ()


def test_of_many_phases_the_first_are_told_and_no_line_is_endless() -> None:
    value: JsonValue = {"goal": "g", "phases": [{"title": "x" * 300, "checklist": []} for _ in range(12)]}
    head, *rest = describe_plan(value, "t1")
    assert head == "t1 plan: 12 phases"
    assert [line.split()[1] for line in rest] == [str(number) for number in range(1, 13)]
    assert max(map(len, rest)) <= 102


def test_what_is_told_cannot_move_the_cursor() -> None:
    told = describe_task_fact("Judged", Judged(round=1, answer="\x1b[2J").model_dump(mode="json"), None)
    assert "\x1b" not in "".join(told)
