"""What a person approved for good runs without being asked about again, is listed, and can be revoked."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from app.test_tasks import ADDS, SUM, research, tool, worker
from app.test_tasks import planner as planned
from fakes.sandboxes import ObedientSandbox
from fakes.tasks import reply, shell
from fakes.workshops import Work, opened, playbook
from quaestor.app.approvals import (
    remember_answer,
    remembered_approvals,
    revoke_in_session,
    revoke_remembered,
    session_approvals,
)
from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.command import Answer
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import QuestionAsked

STEPS = ("one", "two", "two")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config"


async def begun(folder: Path, text: str, steps: Sequence[str] = STEPS, **more: bool) -> Work:
    """Begin a task that calls the shell with each of these command lines, and needs a yes for each."""
    called = [{"say": line, "shell": line} for line in steps]
    book = playbook(
        folder, {"goal": "It is done.", "plan": {"Do": ["Do it"]}}, *called, {"say": "Done.", "done": "Yes."}
    )
    async with opened(folder / "home", model=book, approve=["shell"], **more) as q:
        return Work(folder / "home", await q.start_task(text), ObedientSandbox())


async def answered(work: Work, text: str) -> None:
    """Answer as the command line does."""
    assert (await work.run()).asked
    assert await work.tell(Answer(text=text)) is None
    async with opened(work.folder) as q:
        await remember_answer(q, work.session_id)


@pytest.mark.parametrize(
    ("answer", "asked", "remembered"),
    [
        ("Always, for this session.", 1, ()),
        (
            "always this command",
            2,
            (
                StandingApproval(tool="shell", call='{"command": "one", "tool": "shell"}'),
                StandingApproval(tool="shell", call='{"command": "two", "tool": "shell"}'),
            ),
        ),
    ],
)
async def test_what_is_approved_for_good_is_not_asked_about_again(
    tmp_path: Path, answer: str, asked: int, remembered: tuple[StandingApproval, ...]
) -> None:
    work = await begun(tmp_path, "First.")
    for _ in range(asked):
        await answered(work, answer)
    assert (await work.run()).outcome == "done"
    assert work.sandbox.ran == list(STEPS)
    assert len(await work.of(QuestionAsked)) == asked
    assert tuple(remembered_approvals()) == remembered


@pytest.mark.parametrize(
    "answer",
    [
        "always ask before this tool",
        "Always refuse this command.",
        "always no for this session",
        "Always? Not this tool!",
        "always tool, unless it writes",
        "always rm, this session",
    ],
)
async def test_an_answer_that_may_mean_something_else_approves_nothing(tmp_path: Path, answer: str) -> None:
    work = await begun(tmp_path, "First.")
    await work.run()
    assert "`always tool`" in (await work.tell(Answer(text=answer)) or "")
    assert (work.sandbox.ran, remembered_approvals()) == ([], ())


async def test_an_answer_that_does_not_say_what_for_is_refused(tmp_path: Path) -> None:
    work = await begun(tmp_path, "First.")
    await work.run()
    assert "`always tool`" in (await work.tell(Answer(text="always")) or "")
    assert "`always tool`" in (await work.tell(Answer(text="always, tool and session")) or "")


async def test_what_was_approved_is_listed_and_revoked(tmp_path: Path) -> None:
    work = await begun(tmp_path, "First.")
    await answered(work, "always tool")
    async with opened(work.folder) as q:
        [listed] = await session_approvals(q, work.session_id)
        assert listed.describe() == "every call of shell"
        with pytest.raises(UsageError, match="there is no approval 2; there are 1"):
            await revoke_in_session(q, work.session_id, 2)
        assert await revoke_in_session(q, work.session_id, 1) == listed
        assert await session_approvals(q, work.session_id) == ()
    following = await begun(tmp_path, "Second.")
    assert (await following.run()).outcome == "done"
    assert revoke_remembered(1) == listed
    assert remembered_approvals() == ()
    with pytest.raises(UsageError, match="there is no approval 1"):
        revoke_remembered(1)
    assert (await work.run()).asked
    assert len(work.sandbox.ran) == 1


async def test_an_answer_to_one_todo_is_for_those_that_begin_later_too(tmp_path: Path) -> None:
    roles = {
        "planner": planned(ADDS, tool("Count the harbour lights of Aldmouth.", "t1")),
        "worker": [*worker("t1", reply(call=shell("add"))), *worker("t2", reply(call=shell("count")))],
    }
    work = await research(tmp_path, roles, {"add": SUM, "count": "3 lights"}, questions=True, approve=["shell"])
    await answered(work, "always session")
    assert (await work.run()).status == "finished"
    assert work.sandbox.ran == ["add", "count"]
