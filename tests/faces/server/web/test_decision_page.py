"""Journey 12: the equity curve, the cycles and the orders of a decision session."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from faces.server.served import AsyncServed, Served
from faces.server.web.shelf import AT_DESK, browsing, show
from fakes.chromium import Chromium, ColorScheme
from fakes.desks import folder as desk
from quaestor.faces.server.state import ServerOptions
from quaestor.trading import sessions
from quaestor.trading.mandate_file import read_mandate


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def deciding(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Served, str]]:
    """A server over a home with a backtest."""
    folder = tmp_path_factory.mktemp("deciding")
    mandate = desk(folder / "desk", 6).mandate(candles=json.dumps(str(folder / "desk" / "btc.csv")))
    async with AsyncExitStack() as stack:
        served = await AsyncServed(folder / "home", stack, {"model": "offline"}, ServerOptions(port=0)).begin()
        session_id = await sessions.start_or_resume(served.quaestor, read_mandate(mandate), backtest=True)
        assert (await served.quaestor.run(session_id)).outcome == "done"
        yield served, session_id


@AT_DESK
async def test_a_decision_session_shows_its_curve_its_cycles_and_its_orders(
    deciding: tuple[Served, str], chromium: Chromium, size: tuple[int, ColorScheme]
) -> None:
    (served, session_id), (width, scheme) = deciding, size
    async with browsing(chromium, served, width=width, scheme=scheme) as tab:
        await show(tab, served, f"/sessions/{session_id}/work")
        await tab.assert_fit()
        tabs = await tab.page.locator("nav.tabs a").all_inner_texts()
        assert tabs == ["Live", "Decisions", "Inside"]
        assert await tab.page.locator('nav.tabs a[aria-current="page"]').inner_text() == "Decisions"
        curve = tab.page.get_by_role("img", name=re.compile("Equity and drawdown"))
        assert await curve.locator("visible=true").count() == 1
        headings = await tab.page.get_by_role("heading", level=2).all_inner_texts()
        assert {"Equity", "Results", "Cycles", "Mandate"} <= set(headings)
        assert await tab.page.get_by_role("cell", name="BTC/USDT").count() >= 1
