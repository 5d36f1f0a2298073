"""The desk: what tools a decision session gets, from which candles, at which time, and with which broker."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from fakes.context import run_context
from fakes.desks import WARM, Folder, folder, just_closed
from fakes.market import START, rows, write_csv
from fakes.trading import started_state
from fakes.venue import NAME, Venue, client, placed
from quaestor.app import Quaestor, open_home
from quaestor.contracts.command import Answer
from quaestor.contracts.errors import LookAhead, SetupError, UsageError
from quaestor.contracts.tools import AnyTool
from quaestor.trading import session_tools, sessions
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.market import TIMEFRAME_MS, SnapshotInput, to_epoch_ms
from quaestor.trading.contracts.portfolio import MarketData, Portfolio, ScanInput
from quaestor.trading.exchange_broker import client_id
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.market.series import CandleRow
from quaestor.trading.setup import load_mandate_candles, with_candle_sources
from quaestor.trading.state import DecisionState, NotStarted, Planning, SessionState
from quaestor.trading.workflow import DecisionWorkflow

BOTH = ("BTC/USDT", "ETH/USDT")


@pytest.fixture(autouse=True)
def _no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_tools, "RECONCILE_DELAY_SECONDS", 0)


@pytest.fixture
def trader(tmp_path: Path) -> Folder:
    return folder(tmp_path / "desk", 10)


def options(said: Folder, *, backtest: bool = True, **changed: object) -> DecisionOptions:
    mandate = read_mandate(said.path / "m.toml")
    changes = {**mandate.model_dump(), **changed}
    return DecisionOptions(mandate=Mandate.model_validate(changes), backtest=backtest)


async def tools(said: DecisionOptions, at: datetime | None = None) -> dict[str, AnyTool]:
    state: SessionState = NotStarted()
    if at:
        data = MarketData(at=at, prices={}, portfolio=Portfolio(cash=Decimal(1)), equity=Decimal(1))
        state = DecisionState("s", "Grow the cash.", said, data.portfolio, data.equity, stage=Planning(data))
    return {tool.name: tool for tool in await session_tools.build_tools(run_context(), said, state)}


async def scanned(found: dict[str, AnyTool], at: datetime | None = None) -> MarketData:
    given = ScanInput(assets=("BTC/USDT",), at=at, portfolio=Portfolio(cash=Decimal(1)))
    return MarketData.model_validate(await found["scan"].run(given))


async def test_a_session_on_paper_has_what_its_states_use_and_nothing_to_reconcile(trader: Folder) -> None:
    found = await tools(options(trader))
    used = set().union(*(row.tools for row in DecisionWorkflow.table.values()))
    assert found.keys() == used - {"reconcile", "python"}


async def test_a_backtest_begins_at_its_first_close_and_sees_nothing_later(trader: Folder) -> None:
    found = await tools(options(trader))
    first = await scanned(found)
    assert first.at == START + timedelta(hours=WARM + 1)
    assert first.next == first.at + timedelta(hours=1)
    with pytest.raises(LookAhead, match="later than the market's clock"):
        await found["get_market_snapshot"].run(SnapshotInput(as_of=first.next))


async def test_a_backtest_that_goes_on_shows_the_time_it_had_reached(trader: Folder) -> None:
    reached = START + timedelta(hours=WARM + 5)
    found = await tools(options(trader), reached)
    await found["get_market_snapshot"].run(SnapshotInput(as_of=reached))
    with pytest.raises(LookAhead):
        await found["get_market_snapshot"].run(SnapshotInput(as_of=reached + timedelta(hours=1)))


async def test_any_other_session_sees_the_clock_of_the_machine(trader: Folder) -> None:
    seen = await scanned(await tools(options(trader, backtest=False)))
    assert seen.at.year == 2026
    assert seen.next is None


@pytest.mark.parametrize("name", ["BTC-USDT.csv", "BTC_USDT.csv", "BTCUSDT.csv"])
def test_a_folder_holds_a_file_an_asset(tmp_path: Path, name: str) -> None:
    write_csv(tmp_path / name, list(rows(3)))
    write_csv(tmp_path / "ETHUSDT.csv", list(rows(3, 2)))
    mandate = Mandate(objective="x", assets=BOTH, cash=Decimal(1), candles=str(tmp_path))
    assert [loaded.series.source.partition("@")[0] for loaded in load_mandate_candles(mandate)] == [name, "ETHUSDT.csv"]
    (tmp_path / "ETHUSDT.csv").unlink()
    with pytest.raises(UsageError, match=r"has no candles of ETH/USDT; name the file ETH-USDT\.csv or ETH-USDT\.parq"):
        load_mandate_candles(mandate)


async def test_one_file_is_of_one_asset(trader: Folder) -> None:
    with pytest.raises(UsageError, match=r"btc\.csv is one file and the mandate has 2 assets"):
        await tools(options(trader, assets=BOTH))


async def test_candles_come_from_somewhere(trader: Folder) -> None:
    with pytest.raises(UsageError, match="names neither candles nor an exchange"):
        await tools(options(trader, candles=None))
    with pytest.raises(UsageError, match="a backtest needs candles in files"):
        await tools(options(trader, candles=None, exchange=NAME))


async def test_times_without_a_zone_are_meant_in_that_of_the_mandate(trader: Folder) -> None:
    file = trader.path / "btc.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("+00:00", ""), encoding="utf-8")
    with pytest.raises(UsageError, match="zone"):
        await tools(options(trader))
    berlin = load_mandate_candles(options(trader, zone="Europe/Berlin").mandate)[0].series
    assert berlin.opened[0] == to_epoch_ms(START) - TIMEFRAME_MS["1h"]
    with pytest.raises(UsageError, match="there is no zone 'Mars'"):
        await tools(options(trader, zone="Mars"))


async def test_a_backtest_keeps_to_the_candles_it_began_with(trader: Folder) -> None:
    begun = with_candle_sources(options(trader))
    assert begun.sources[0].startswith("btc.csv@")
    assert begun.notes == ()
    await tools(begun)
    made = list(rows(WARM + 10, 4))
    trader.candles("btc.csv", [*made[:105], *made[107:]])
    with pytest.raises(UsageError, match=rf"were changed .* which was {begun.sources[0]}"):
        await tools(begun)
    again = with_candle_sources(options(trader))
    assert again.notes[0].startswith(f"{again.sources[0]}: missing candles: 2, from 2025-01-05T09:00")
    assert not begun.has_same_identity(again)


async def test_orders_at_an_exchange_need_its_keys_and_a_sandbox(trader: Folder) -> None:
    with pytest.raises(SetupError, match="set BINANCE_API_KEY and BINANCE_API_SECRET"):
        await tools(options(trader, broker="exchange", exchange=NAME))
    with pytest.raises(UsageError, match="there is no exchange 'nowhere'"):
        await tools(options(trader, broker="exchange", exchange="nowhere"))


@pytest.fixture
async def venue(tmp_path: Path) -> AsyncIterator[tuple[str, Path]]:
    opened = Venue(tmp_path / "book")
    yield await opened.open(), tmp_path / "book"
    await opened.close()


async def waiting(q: Quaestor, trader: Folder, url: str) -> str:
    """Run a live session until its order waits for a person; return its id."""
    q._resources.connections.shared(("orders", NAME, True), lambda: client(url))
    first, hour = to_epoch_ms(just_closed(50)), TIMEFRAME_MS["1h"]
    trader.candles("btc.csv", [CandleRow(first + n * hour, n + 51, n + 52, n + 50, n + 51, 50) for n in range(50)])
    rules = '{rules = ["cross"], cross = {fast = 2, slow = 3}}'
    file = trader.mandate(start="", broker='"exchange"', exchange=f'"{NAME}"', live="true", strategy=rules)
    session_id = await sessions.start_or_resume(q, read_mandate(file), backtest=False)
    result = await q.run(session_id)
    assert result.asked
    assert result.asked.kind == "approval"
    return session_id


async def test_a_live_order_is_sent_once_a_person_says_yes(
    trader: Folder, tmp_path: Path, venue: tuple[str, Path]
) -> None:
    url, book = venue
    async with open_home(tmp_path / "home") as q:
        session_id = await waiting(q, trader, url)
        assert (await q.run(session_id)).status == "waiting"
        assert placed(book) == []
        assert await q.tell(session_id, Answer(text="yes")) is None
        assert (await q.run(session_id)).outcome == "done"
        [order] = placed(book)
        assert order.id == client_id(f"{session_id}/1/decision")
        portfolio = started_state(await q.folded(session_id, DecisionWorkflow())).portfolio
        assert portfolio.held("BTC/USDT") == order.quantity
        assert portfolio.open_orders == ()


async def test_a_live_order_that_a_person_refuses_is_never_sent(
    trader: Folder, tmp_path: Path, venue: tuple[str, Path]
) -> None:
    url, book = venue
    async with open_home(tmp_path / "home") as q:
        session_id = await waiting(q, trader, url)
        assert await q.tell(session_id, Answer(text="yesterday")) is None
        assert (await q.run(session_id)).outcome == "done"
        assert placed(book) == []


def test_times_of_a_mandate_that_no_candle_has_are_refused_before_a_session_is_begun(trader: Folder) -> None:
    with pytest.raises(UsageError, match="those there are close from 2025-01-01 01:00 UTC to 2025-01-05 14:00 UTC"):
        with_candle_sources(options(trader, start=datetime(2030, 1, 1, tzinfo=UTC)))
