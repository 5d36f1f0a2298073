"""What a decision session shows on its page: its curve, its orders and its cycles."""

import json
from pathlib import Path

from fakes.desks import folder as desk
from quaestor.app import open_home
from quaestor.app.watching.panels import SessionPanels
from quaestor.trading import sessions
from quaestor.trading.mandate_file import read_mandate


async def test_a_decision_session_shows_its_curve_its_orders_and_each_cycle(tmp_path: Path) -> None:
    mandate = desk(tmp_path / "desk", 5).mandate(candles=json.dumps(str(tmp_path / "desk" / "btc.csv")))
    async with open_home(tmp_path / "home", model="offline") as q:
        session_id = await sessions.start_or_resume(q, read_mandate(mandate), backtest=True)
        pages = SessionPanels()
        begun = {panel.heading for panel in (await pages.read(q, session_id)).panels}
        assert begun
        await q.run(session_id)
        shown = {panel.heading: panel for panel in (await pages.read(q, session_id)).panels}
        assert await pages.read(q, session_id) == await SessionPanels().read(q, session_id)
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
