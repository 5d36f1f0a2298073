"""Research runs with a script over the small library, through the public face."""

import json
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pytest
from pydantic import JsonValue

from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home
from quaestor.contracts.event import Event
from quaestor.contracts.result import Result
from quaestor.research.state import ResearchState

Entries = Mapping[str, Sequence[Mapping[str, object]]]


class Ran:
    """A finished run: its log, its state and its result."""

    def __init__(self, events: Sequence[Event], state: ResearchState, result: Result) -> None:
        self.events = events
        self.state = state
        self.result = result

    def of(self, kind: str, todo_id: str | None = None) -> list[Event]:
        return [event for event in self.events if event.type == kind and todo_id in {None, event.todo_id}]

    def seq(self, kind: str, todo_id: str) -> int:
        return self.of(kind, todo_id)[0].seq


class Research(Protocol):
    def __call__(
        self, script: Entries, question: str = QUESTION, more: str = "", **options: JsonValue
    ) -> Awaitable[Ran]: ...


@pytest.fixture
def research(tmp_path: Path) -> Research:
    docs = write_papers(tmp_path)
    runs = iter(range(100))

    async def run(script: Entries, question: str = QUESTION, more: str = "", **options: JsonValue) -> Ran:
        place = tmp_path / f"run{next(runs)}"
        place.mkdir()
        (place / "script.yaml").write_text(json.dumps(dict(script), ensure_ascii=False), encoding="utf-8")
        (docs / "more.txt").write_text(more, encoding="utf-8")
        options = {"questions": False, **options}
        async with open_home(place, model=f"script:{place / 'script.yaml'}", **options) as q:
            session_id = await q.start(question, await q.index([docs]))
            result = await q.run(session_id)
            return Ran(await q.events(session_id), await q.state(session_id), result)

    return run


def todos(*tasks: str | Mapping[str, object]) -> list[Mapping[str, object]]:
    """Return the script of a planner that plans these todos."""
    return [{"reply": {"todos": [{"task": task} if isinstance(task, str) else dict(task) for task in tasks]}}]
