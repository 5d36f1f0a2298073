"""A session over the small library that one process after the other runs, commands and reads."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue

from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home
from quaestor.contracts.command import Command
from quaestor.contracts.event import Event, ModelRequested
from quaestor.contracts.payload import EventPayload
from quaestor.contracts.result import Result
from quaestor.research.state import ResearchState

F = TypeVar("F")

LIGHTHOUSE = "When was the Aldmouth lighthouse built?"
BELL = "When was the fog bell of Aldmouth cast?"
LIGHTS = "When were the leading lights of Aldmouth lit?"
GUILD = "Who collected light dues in Aldmouth?"
PLANNED: Sequence[Mapping[str, object]] = [
    {"reply": {"todos": [{"task": LIGHTHOUSE}, {"task": BELL}, {"task": GUILD, "dependencies": ["t2"]}]}}
]
"""A planner's script: t1, t2, and t3 that waits for t2."""
BELL_IS_LOST: Sequence[Mapping[str, object]] = [
    {"todo": name, "fault": "error", "times": 3} for name in ("t2", "t2.1", "t2.1.1")
]
"""A reader's script: t2 and both its retries fail."""


def reads(todo_id: str, text: str) -> Mapping[str, object]:
    """Script a reader that quotes this of the first passage."""
    finding = {"claim": text, "quotes": [{"source": "p1", "text": text}]}
    return {"todo": todo_id, "reply": {"findings": [finding]}}


ONE_SOURCE_EACH: Sequence[Mapping[str, object]] = [
    reads("t1", "The Aldmouth lighthouse was built in 1831 by the engineer Henrike Vos."),
    reads("t2", "The fog bell of Aldmouth was cast in 1844 after the wreck of the brig Constancy."),
    reads("t3", "The harbour guild of Aldmouth collected light dues from every ship from 1829 on."),
    {"times": 99},
]
"""A reader's script for PLANNED: each todo quotes one document of its own."""


@dataclass(frozen=True)
class Sitting:
    """A session in a home; every call opens the home again, as another process would."""

    folder: Path
    session_id: str

    async def run(self) -> Result:
        async with open_home(self.folder) as q:
            return await q.run(self.session_id)

    async def tell(self, order: Command) -> str | None:
        async with open_home(self.folder) as q:
            return await q.tell(self.session_id, order)

    async def events(self) -> Sequence[Event]:
        async with open_home(self.folder) as q:
            return await q.events(self.session_id)

    async def until(self, seen: Callable[[Event], bool]) -> None:
        """Follow the session until an event that is looked for."""
        async with open_home(self.folder) as q:
            async for event in q.follow(self.session_id):
                if seen(event):
                    return
        raise AssertionError("it did not come")

    async def state(self) -> ResearchState:
        async with open_home(self.folder) as q:
            return await q.state(self.session_id)

    async def of(self, kind: type[F]) -> list[F]:
        return [event.payload for event in await self.events() if isinstance(event.payload, kind)]

    async def todos_of(self, kind: type[EventPayload]) -> list[str | None]:
        """Name the todos of the facts of a kind, in order."""
        return [event.todo_id for event in await self.events() if isinstance(event.payload, kind)]

    async def roles(self) -> list[str]:
        """Name the roles that were asked, in order."""
        return [asked.role for asked in await self.of(ModelRequested)]


async def sit(
    folder: Path,
    script: Mapping[str, Sequence[Mapping[str, object]]],
    question: str = QUESTION,
    **options: JsonValue,
) -> Sitting:
    """Start a session in a home below `folder` and do not run it."""
    home = folder / "home"
    home.mkdir(parents=True)
    docs = write_papers(folder)
    (home / "script.yaml").write_text(json.dumps(dict(script), ensure_ascii=False), encoding="utf-8")
    settings: dict[str, JsonValue] = {"model": f"script:{home / 'script.yaml'}", "effort": "low", **options}
    async with open_home(home, **settings) as q:
        return Sitting(home, await q.start(question, await q.index([docs])))
