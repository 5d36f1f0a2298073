"""Kill -9 while a todo of a research session decides about a trade: nothing is paid or ordered twice."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue

from crash.conftest import Home, Moments, resumed, run_until_killed, spread
from fakes.children import check_kept
from fakes.desks import folder as desk_folder
from fakes.papers import write_papers
from fakes.workshops import script
from quaestor.app import open_home
from quaestor.contracts.event import ModelResponded, ToolRequested, ToolResponded
from quaestor.research.events import TodoRecorded

QUESTION = "What did the fog bell of Aldmouth cost, and is Bitcoin to be bought?"
TODOS: tuple[Mapping[str, object], ...] = (
    {"task": "What did the fog bell of Aldmouth cost?"},
    {"task": "Decide whether Bitcoin is to be bought.", "kind": "decision"},
)
BUYS: Mapping[str, object] = {
    "action": "buy",
    "asset": "BTC/USDT",
    "quantity": 0.1,
    "confidence": 0.9,
    "reasoning": "The trend points up.",
    "strategy_used": "trend",
}


@pytest.fixture(scope="module")
def deciding(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home in which a session with a todo of kind decision was begun, with a paper order allowed."""
    place = tmp_path_factory.mktemp("deciding")
    desk: JsonValue = {"mandate": str(desk_folder(place, 5, fresh=True).mandate()), "orders": True}
    roles: Mapping[str, Sequence[Mapping[str, object]]] = {
        "planner": [{"reply": {"todos": list(TODOS)}}],
        "portfolio_manager": [{"reply": BUYS}],
    }

    async def begin() -> str:
        model = script(place, roles)
        async with open_home(place, model=model, effort="low", questions=False, todos={"decision": desk}) as q:
            return await q.start(QUESTION, await q.index([write_papers(place)]))

    home = Home(place, asyncio.run(begin()))
    asyncio.run(
        home.copied(place / "rehearsal").carry_on()
    )  # in this process: its children need not import what it has
    return home


@pytest.mark.parametrize("moments", spread(12))
def test_a_kill_at_an_append_repeats_nothing_of_a_decision(deciding: Home, tmp_path: Path, moments: Moments) -> None:
    for number in moments:
        home = deciding.copied(tmp_path / f"{number}")
        if run_until_killed(home, moments.phase, number) == 0:
            break
        acknowledged = home.events()
        resumed(home)
        events = home.events()
        check_kept(acknowledged, events, kills=1)
        answered = Counter(
            event.payload.key for event in events if isinstance(event.payload, ModelResponded | ToolResponded)
        )
        assert [key for key, count in answered.items() if count > 1] == []
        requested = [event.payload for event in events if isinstance(event.payload, ToolRequested)]
        [order] = {payload.key for payload in requested if payload.tool == "execute"}
        assert answered[order] == 1  # on paper, one that was cut off may be requested again: it is filled once a key
        [decided] = [
            event.payload.entry for event in events if isinstance(event.payload, TodoRecorded) and event.todo_id == "t2"
        ]
        assert "buy 0.1 BTC/USDT" in decided.findings[0].claim
    assert number > 12
