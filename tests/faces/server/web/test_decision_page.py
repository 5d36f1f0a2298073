"""Journey 12: the equity curve, the cycles and the orders of a decision session."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from typing_extensions import override

from faces.server.served import OPTIONS, AsyncServed, Served
from faces.server.web.shelf import AT_DESK, browsing, show
from fakes.chromium import Chromium, ColorScheme
from fakes.desks import folder as desk
from quaestor.app import Quaestor
from quaestor.app.watching.panels import SessionPanels, ShownPanels
from quaestor.trading import sessions
from quaestor.trading.mandate_file import read_mandate


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def deciding(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Served, str]]:
    """A server over a home with a backtest."""
    folder = tmp_path_factory.mktemp("deciding")
    mandate = desk(folder / "desk", 6).mandate(candles=json.dumps(str(folder / "desk" / "btc.csv")))
    async with AsyncExitStack() as stack:
        served = await AsyncServed(folder / "home", stack, {"model": "offline"}, OPTIONS).begin()
        session_id = await sessions.start_or_resume(served.quaestor, read_mandate(mandate), backtest=True)
        assert (await served.quaestor.run(session_id)).outcome == "done"
        yield served, session_id


class LatePanels(SessionPanels):
    """The panels of a log so long that there is nothing at the first look."""

    looks = 0

    @override
    async def read(self, quaestor: Quaestor, session_id: str, patience: float | None = None) -> ShownPanels:
        self.looks += 1
        return ShownPanels((), is_whole=False) if self.looks == 1 else await super().read(quaestor, session_id)


async def test_a_page_whose_log_is_still_being_read_shows_the_rest_by_itself(
    deciding: tuple[Served, str], chromium: Chromium
) -> None:
    (served, session_id), late = deciding, LatePanels()
    known, served.state.panels = served.state.panels, late
    try:
        async with browsing(chromium, served) as tab:
            await show(tab, served, f"/sessions/{session_id}/work")
            await tab.page.get_by_text("still being read").wait_for()
            await tab.page.get_by_role("img", name=re.compile("Equity and drawdown")).locator("visible=true").wait_for()
            assert await tab.page.get_by_text("still being read").count() == 0
    finally:
        served.state.panels = known
    assert late.looks == 2


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
