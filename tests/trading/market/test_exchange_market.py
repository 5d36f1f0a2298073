"""Through the real client of ccxt, to an exchange on loopback."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import pytest

from fakes.market import START, candles
from fakes.site import Serve, Site, page
from quaestor.contracts.errors import LookAhead, ToolFailed, UsageError
from quaestor.trading.contracts.indicators import IndicatorInput
from quaestor.trading.contracts.market import CandleSeries, from_epoch_ms
from quaestor.trading.market.as_of import BacktestClock, RecordedMarket
from quaestor.trading.market.exchange_market import ExchangeMarket, connect_public
from quaestor.trading.market.indicator_tools import RunIndicator
from quaestor.trading.market.series import CandleRow
from trading.market.exchanges import WALK, binance, bitstamp, client, said

HOUR = timedelta(hours=1)
NOW = START + 800 * HOUR + timedelta(minutes=20)


@asynccontextmanager
async def market(
    serve: Callable[[str], Serve | None], name: str = "binance", now: datetime = NOW
) -> AsyncIterator[tuple[ExchangeMarket, Site]]:
    async with Site({}, other=serve) as site:
        reached = client(name, site.url)
        made = ExchangeMarket(reached, BacktestClock(now), ["BTC/USDT"])
        try:
            yield made, site
        finally:
            await made.close()


def by_row(series: CandleSeries) -> Sequence[tuple[float, ...]]:
    columns = (series.opened, series.open, series.high, series.low, series.close, series.volume)
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize(("name", "serve"), [("binance", binance()), ("bitstamp", bitstamp())])
async def test_an_exchange_gives_the_last_candles_that_had_closed_page_by_page(
    name: str, serve: Callable[[str], Serve | None]
) -> None:
    async with market(serve, name) as (exchange, site):
        series = await exchange.series("BTC/USDT", "1h", NOW, 365)
        assert by_row(series) == WALK[435:800]
        assert series.closed(-1) == START + 800 * HOUR
        assert series.source == name
        assert sum("limit" in target for target in site.targets) == 2


async def test_what_had_closed_at_the_same_time_is_fetched_once() -> None:
    async with market(binance()) as (exchange, site):
        whole = await exchange.series("BTC/USDT", "1h", NOW, 100)
        asked = len(site.targets)
        assert by_row(await exchange.series("BTC/USDT", "1h", NOW - timedelta(minutes=5), 40)) == by_row(whole)[60:]
        assert len(site.targets) == asked
        assert by_row(await exchange.series("BTC/USDT", "1h", NOW - HOUR, 100)) == WALK[699:799]
        assert len(site.targets) == asked + 1
        assert by_row(await exchange.series("BTC/USDT", "1h", NOW - HOUR, 101)) == WALK[698:799]


async def test_an_indicator_over_an_exchange_is_the_one_over_its_recorded_candles() -> None:
    given = IndicatorInput(asset="BTC/USDT", timeframe="1h", indicator="rsi", as_of=NOW)
    async with market(binance()) as (exchange, _):
        live = await RunIndicator(exchange).run(given)
    recorded = await RunIndicator(RecordedMarket(BacktestClock(NOW), [candles(1_000)])).run(given)
    assert (live.values, live.candles.source) == (recorded.values, "binance")


async def test_a_probe_for_what_is_later_than_the_clock_reaches_no_exchange() -> None:
    async with market(binance()) as (exchange, site):
        with pytest.raises(LookAhead):
            await exchange.series("BTC/USDT", "1h", NOW + HOUR, 5)
        with pytest.raises(LookAhead):
            await exchange.download("BTC/USDT", "1h", START, NOW + HOUR)
        with pytest.raises(ToolFailed, match="no candles of 'ETH/USDT'"):
            await exchange.series("ETH/USDT", "1h", NOW, 5)
        assert site.targets == []


async def test_a_download_has_every_candle_between_two_times_and_notes_its_gaps() -> None:
    holed = [row for number, row in enumerate(WALK) if not 100 <= number < 500]
    for serve, name in ((binance(holed), "binance"), (bitstamp(holed), "bitstamp")):
        async with market(serve, name) as (exchange, _):
            series, notes = await exchange.download("BTC/USDT", "1h", START + timedelta(minutes=1), NOW)
            assert by_row(series) == [*WALK[1:100], *WALK[500:800]]
            first, last = from_epoch_ms(WALK[100].opened).isoformat(), from_epoch_ms(WALK[499].opened).isoformat()
            assert [note.text for note in notes] == [f"missing candles: 400, from {first} to {last}"]


async def test_a_candle_that_is_still_open_is_not_downloaded_though_the_exchange_gives_it() -> None:
    async with market(binance([*WALK[:797], *WALK[798:]])) as (exchange, _):
        series, _ = await exchange.download("BTC/USDT", "1h", START + 796 * HOUR, NOW)
        assert by_row(series) == [WALK[796], *WALK[798:800]]


async def test_an_exchange_without_candles_at_that_time_gives_none_and_nothing_is_downloaded() -> None:
    async with market(binance([])) as (exchange, _):
        assert len(await exchange.series("BTC/USDT", "1h", NOW, 5)) == 0
        with pytest.raises(ToolFailed, match="binance has no candles of BTC/USDT from 2025-01-01"):
            await exchange.download("BTC/USDT", "1h", START, NOW)


async def test_an_asset_or_timeframe_that_the_exchange_does_not_have_is_refused() -> None:
    async with Site({}, other=binance()) as site:
        exchange = ExchangeMarket(client("binance", site.url), BacktestClock(NOW), ["DOGE/USDT"])
        with pytest.raises(ToolFailed, match=r"binance gave no candles of DOGE/USDT: BadSymbol: .*DOGE/USDT"):
            await exchange.series("DOGE/USDT", "1h", NOW, 5)
        await exchange.close()
    async with market(bitstamp(), "kraken") as (exchange, _):
        with pytest.raises(ToolFailed, match="kraken has no candles of 2h; ask for 1m, 5m, 15m, 30m, 1h, 4h, 1d, 1w"):
            await exchange.series("BTC/USDT", "2h", NOW, 5)
    with pytest.raises(UsageError, match="no exchange 'nowhere'"):
        connect_public("nowhere")


async def test_a_failure_of_the_network_is_tried_again_and_then_told() -> None:
    serve = binance()
    busy = {"/klines": 0}

    def failing(times: int) -> Callable[[str], Serve | None]:
        def answer(target: str) -> Serve | None:
            if target.startswith("/klines"):
                busy["/klines"] += 1
                if busy["/klines"] <= times:
                    return page("busy", status=503)
            return serve(target)

        return answer

    async with market(failing(1)) as (exchange, _):
        assert len(await exchange.series("BTC/USDT", "1h", NOW, 5)) == 5
        assert busy["/klines"] == 2
    busy["/klines"] = 0
    async with market(failing(99)) as (exchange, _):
        with pytest.raises(
            ToolFailed, match=r"binance gave no candles of BTC/USDT: ExchangeNotAvailable: binance .*busy"
        ):
            await exchange.series("BTC/USDT", "1h", NOW, 5)
        assert busy["/klines"] == 3


async def test_candles_that_cannot_be_are_refused_by_their_time() -> None:
    wrong = CandleRow(WALK[797].opened, 2.0, 1.0, 1.0, 2.0, 0.0)
    async with market(binance([*WALK[:797], wrong, *WALK[798:]])) as (exchange, _):
        with pytest.raises(
            ToolFailed, match=r"candles of BTC/USDT that cannot be: row 3 \(2025-02-03T05:00.*high 1.0 is below"
        ):
            await exchange.series("BTC/USDT", "1h", NOW, 5)


@pytest.mark.parametrize("answer", [{"symbols": "BTC"}, [1, 2]])
async def test_an_answer_of_another_shape_is_a_failure_of_the_tool(answer: object) -> None:
    async with market(lambda _: said(answer)) as (exchange, _):
        with pytest.raises(ToolFailed, match="binance gave no candles of BTC/USDT: "):
            await exchange.series("BTC/USDT", "1h", NOW, 5)


@pytest.mark.parametrize("row", [[WALK[799].opened, "a", "b", "c", "d", "e"], [WALK[799].opened]])
async def test_candles_without_their_numbers_are_refused(row: Sequence[object]) -> None:
    def serve(target: str) -> Serve | None:
        return said([row]) if target.startswith("/klines") else binance()(target)

    async with market(serve) as (exchange, _):
        with pytest.raises(
            ToolFailed, match=r"binance gave candles of BTC/USDT that cannot be: row 1 .* is nan, not a number"
        ):
            await exchange.series("BTC/USDT", "1h", NOW, 1)
