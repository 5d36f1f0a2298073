"""What workflows show of their sessions on a page of their own."""

import json
from pathlib import Path

import pytest

from fakes.desks import folder as desk
from fakes.sandboxes import ObedientSandbox
from fakes.workshops import opened, playbook
from quaestor.app import open_home
from quaestor.app.panels import has_panels, read_panels
from quaestor.contracts.errors import UnknownSession
from quaestor.trading import sessions
from quaestor.trading.mandate_file import read_mandate

STEPS = (
    {"goal": "They are counted.", "plan": {"Count": ["Write", "Count"], "Report": ["Tell"]}},
    {"say": "I write.", "write_file": {"path": "a.txt", "content": "one two"}},
    {"say": "I read \u202ewhat is not there.", "read_file": "b.txt"},
    {"say": "Two words.", "phases": {"Phase 1": "complete"}, "done": "They are counted."},
)


async def test_a_task_shows_its_plan_its_files_and_what_came_of_each_round(tmp_path: Path) -> None:
    async with opened(tmp_path / "home", ObedientSandbox(), model=playbook(tmp_path, *STEPS)) as q:
        session_id = await q.start_task("Count the words.")
        [before] = await read_panels(q, session_id)
        assert (before.heading, bool(before.note)) == ("Plan", True)
        await q.run(session_id)
        shown = {panel.heading: panel for panel in await read_panels(q, session_id)}
    assert list(shown) == ["Last answer", "Plan", "Files", "Rounds"]
    assert shown["Last answer"].text == "Two words."
    assert [(item.status, item.tone) for item in shown["Plan"].items] == [("complete", "good"), ("todo", "plain")]
    files, rounds = shown["Files"].table, shown["Rounds"].table
    assert files
    assert rounds
    assert [row.cells[:3] for row in files.rows] == [("a.txt", "1", "7")]
    assert [row.cells[0] for row in rounds.rows] == ["3", "2", "1"]
    assert [row.tone for row in rounds.rows] == ["plain", "bad", "good"]
    assert rounds.rows[1].cells[1] == "I read \ufffdwhat is not there."


async def test_a_decision_session_shows_its_curve_its_orders_and_each_cycle(tmp_path: Path) -> None:
    mandate = desk(tmp_path / "desk", 5).mandate(candles=json.dumps(str(tmp_path / "desk" / "btc.csv")))
    async with open_home(tmp_path / "home", model="offline") as q:
        session_id = await sessions.start_or_resume(q, read_mandate(mandate), backtest=True)
        begun = {panel.heading for panel in await read_panels(q, session_id)}
        assert begun
        await q.run(session_id)
        shown = {panel.heading: panel for panel in await read_panels(q, session_id)}
    assert {"Equity", "Results", "Orders", "Mandate", "Cycles"} <= set(shown)
    wide, narrow = shown["Equity"].drawings
    assert "<style" not in wide + narrow
    assert " style=" not in wide + narrow
    cycles, orders = shown["Cycles"].table, shown["Orders"].table
    assert cycles
    assert orders
    assert [row.cells[0] for row in cycles.rows] == ["5", "4", "3", "2", "1"]
    executed = [row for row in cycles.rows if row.tone == "good"]
    assert len(executed) == len(orders.rows)
    assert all(len(row.cells) == len(cycles.heads) for row in cycles.rows)


async def test_other_sessions_have_no_such_page(tmp_path: Path) -> None:
    assert (has_panels("longtask"), has_panels("decision")) == (True, True)
    assert (has_panels("research"), has_panels("nothing")) == (False, False)
    async with open_home(tmp_path / "home") as q:
        with pytest.raises(UnknownSession):
            await read_panels(q, "nope")
