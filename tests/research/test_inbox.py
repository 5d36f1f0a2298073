"""Commands in the inbox of a session that no release could have sent: each is set aside, and the session goes on."""

from pathlib import Path

import apsw
import pytest

from fakes.sittings import LIGHTHOUSE, PLANNED, Sitting, sit
from quaestor.app import open_home
from quaestor.contracts.command import UnknownCommand
from quaestor.contracts.event import ErrorRecorded
from quaestor.contracts.session import Session
from quaestor.research.contracts.commands import ReviewPlan

UNREADABLE = [
    "",
    "null",
    "{",
    '{"kind": "answer"}',
    '{"kind": "retry"}',
    '{"kind": "edit_plan", "edits": 7}',
    "[" * 9_999,
]


def put(sitting: Sitting, *bodies: str, at: str = "2026-01-01T00:00:00+00:00") -> None:
    """Write commands into the inbox as another program might."""
    database = apsw.Connection(str(next(sitting.folder.glob("*.db"))))
    for number, body in enumerate(bodies, 1):
        database.execute(
            "INSERT INTO commands (session_id, number, at, body) VALUES (?, ?, ?, ?)",
            (sitting.session_id, number, at, body),
        )
    database.close()


def outcomes(sitting: Sitting) -> list[str]:
    database = apsw.Connection(str(next(sitting.folder.glob("*.db"))))
    rows = database.execute("SELECT refusal FROM commands ORDER BY number").fetchall()
    database.close()
    return [str(refusal) for [refusal] in rows]


async def test_what_cannot_be_read_is_named_recorded_and_stops_nothing(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, LIGHTHOUSE, questions=False)
    put(sitting, *UNREADABLE)
    assert (await sitting.run()).outcome == "done"
    refusals = outcomes(sitting)
    assert len(refusals) == len(UNREADABLE)
    for number, refusal in enumerate(refusals, 1):
        assert refusal.startswith(f"command {number} of the inbox cannot be read: ")
    assert [error.message.split(":")[0] for error in await sitting.of(ErrorRecorded)] == [
        f"command {number} of the inbox cannot be read" for number in range(1, len(UNREADABLE) + 1)
    ]


async def test_nor_does_one_whose_time_is_none(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, LIGHTHOUSE, questions=False)
    put(sitting, '{"kind": "finish"}', at="soon")
    assert (await sitting.run()).outcome == "done"
    assert "its time" in outcomes(sitting)[0]


async def test_one_that_comes_after_it_is_handled(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, LIGHTHOUSE, review_plan=True)
    await sitting.run()
    put(sitting, "{", '{"kind": "teleport", "to": "t1"}', ReviewPlan(review="confirmed").model_dump_json())
    assert (await sitting.run()).outcome == "done"
    damaged, unknown, reviewed = outcomes(sitting)
    assert "cannot be read" in damaged
    assert "no command teleport" in unknown
    assert reviewed == "None"


@pytest.mark.parametrize("kind", ["x" * 5_000, "\u202e", "pause "])
async def test_a_command_of_an_odd_kind_is_refused(tmp_path: Path, kind: str) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, LIGHTHOUSE, questions=False)
    async with open_home(sitting.folder) as q:
        session: Session = await q.session(sitting.session_id)
        await q.store.send(session.id, UnknownCommand(kind=kind, body=f'{{"kind": "{kind}"}}'), q.clock.now())
    assert (await sitting.run()).outcome == "done"
