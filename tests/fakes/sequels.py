"""Sessions that go on after their end: asked on, or refreshed after their documents changed."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from fakes.papers import QUESTION
from fakes.sittings import LIGHTS, ONE_SOURCE_EACH, PLANNED, Sitting, sit
from quaestor.app import open_home
from quaestor.contracts.command import Answer
from quaestor.contracts.event import Event
from quaestor.contracts.result import Result

COST = "What did the leading lights of Aldmouth cost?"
KEEPER = "Who kept the Aldmouth lighthouse?"
FOLLOW_UP = "When were the leading lights of Aldmouth lit, and what did they cost?"
PLANNED_ON: Sequence[Mapping[str, object]] = [
    *PLANNED,
    {"reply": {"todos": [{"task": LIGHTS}, {"task": COST, "dependencies": ["t1"]}]}},
]
"""A planner's script: t1, t2, and t3 that waits for t2; for a follow-up two todos, of which the second waits."""

Script = Mapping[str, Sequence[Mapping[str, object]]]


async def told(folder: Path, script: Script | None = None, question: str = QUESTION, **options: JsonValue) -> Sitting:
    """Return a session whose report is written: t1 quotes lighthouse.md, t2 fog.md, t3, which waits for t2, guild.rst.

    Whatever plan it wants confirmed is confirmed.
    """
    sitting = await sit(
        folder, {"planner": PLANNED_ON, "reader": ONE_SOURCE_EACH, **(script or {})}, question, **options
    )
    while (result := await sitting.run()).status == "waiting":
        assert await sitting.tell(Answer(text="/confirm_plan")) is None
    assert result.outcome == "done"
    return sitting


async def ask(sitting: Sitting, question: str = FOLLOW_UP) -> Result:
    """Ask a session on and carry it to its end or its next rest."""
    async with open_home(sitting.folder) as q:
        await q.ask(sitting.session_id, question)
        return await q.run(sitting.session_id)


async def refresh(sitting: Sitting) -> Result:
    """Refresh a session and run it to its end or its next rest."""
    async with open_home(sitting.folder) as q:
        await q.refresh(sitting.session_id)
        return await q.run(sitting.session_id)


def rewrite(sitting: Sitting, paper: str, old: str, new: str) -> None:
    """Change the text of one of the session's documents."""
    path = papers(sitting) / paper
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def papers(sitting: Sitting) -> Path:
    """Return the folder of the session's documents."""
    return sitting.folder.parent / "papers"


def of_cycle(events: Sequence[Event], cycle: int) -> Sequence[Event]:
    """Return the events of one cycle."""
    return [event for event in events if event.cycle == cycle]
