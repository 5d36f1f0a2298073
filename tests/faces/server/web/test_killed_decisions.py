"""The server is killed while a person watches a backtest: who follows misses and repeats nothing."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from faces.server.web.test_killed_journeys import kill_during
from faces.server.web.test_live_journeys import ended
from fakes.chromium import Chromium, Tab
from fakes.desks import folder as candles
from quaestor.app import open_home
from quaestor.trading import sessions
from quaestor.trading.mandate_file import read_mandate


async def watches_decisions(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    del papers
    await tab.page.locator("main a[href^='/sessions/']").first.click()
    session = tab.page.url
    yield
    await tab.page.goto(f"{session}/work")
    yield
    await tab.page.goto(session)
    yield
    await ended(tab)
    await tab.page.goto(f"{session}/work")
    await tab.page.get_by_role("img", name=re.compile("Equity and drawdown")).locator("visible=true").wait_for()


async def backtest(home: Path) -> None:
    """Begin a backtest, which the server will carry out."""
    desk = home.parent / "desk"
    mandate = candles(desk, 80).mandate(candles=json.dumps(str(desk / "btc.csv")))
    async with open_home(home, model="offline") as q:
        await sessions.start_or_resume(q, read_mandate(mandate), backtest=True)


@pytest.mark.soak
async def test_a_follower_of_decisions_misses_and_repeats_nothing_however_often_the_server_is_killed(
    stack: AsyncExitStack, chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await backtest(tmp_path / "home")
    await kill_during(watches_decisions, stack, chromium, tmp_path, monkeypatch)
