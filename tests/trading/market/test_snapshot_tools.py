from datetime import timedelta
from decimal import Decimal

import pytest

from fakes.time import ManualClock
from fakes.trading import ASSET, OTHER, START, candles
from quaestor.contracts.errors import LookAhead, ToolFailed, UsageError
from quaestor.trading.contracts.indicators import StrategyIndicatorsInput
from quaestor.trading.contracts.mandate import Strategy
from quaestor.trading.contracts.market import to_epoch_ms
from quaestor.trading.contracts.portfolio import Portfolio, ScanInput
from quaestor.trading.market.as_of import BacktestTimeline, RecordedMarket
from quaestor.trading.market.indicator_tools import RunIndicator, RunStrategyIndicators
from quaestor.trading.market.series import CandleRow, build_series
from quaestor.trading.market.snapshot_tools import ScanMarket

HOUR = timedelta(hours=1)
HELD = Portfolio(cash=Decimal(50), holdings={ASSET: Decimal(2)})


async def test_a_course_goes_from_close_to_close_and_ends() -> None:
    course = BacktestTimeline([candles([110, 120, 130])], "1h", start=START)
    looked = ScanMarket(RecordedMarket(course.clock, [candles([110, 120, 130])]), "1h", course)
    first = await looked.run(ScanInput(assets=(ASSET,), portfolio=HELD))
    second = await looked.run(ScanInput(assets=(ASSET,), at=first.next, portfolio=HELD))
    third = await looked.run(ScanInput(assets=(ASSET,), at=second.next, portfolio=HELD))
    assert [one.at for one in (first, second, third)] == [START, START + HOUR, START + 2 * HOUR]
    assert [one.prices[ASSET] for one in (first, second, third)] == [Decimal(110), Decimal(120), Decimal(130)]
    assert (first.equity, third.equity, third.next) == (Decimal(270), Decimal(310), None)


async def test_a_course_of_a_longer_timeframe_stops_at_whole_ones() -> None:
    course = BacktestTimeline([candles([1 + place for place in range(9)])], "4h", start=START + HOUR)
    assert course.first == START + 4 * HOUR
    assert course.after(course.first) == START + 8 * HOUR
    assert course.after(START + 8 * HOUR) is None


async def test_a_course_has_an_end_and_cannot_be_empty() -> None:
    course = BacktestTimeline([candles([1, 2, 3])], "1h", start=START, end=START + HOUR)
    assert course.after(START) == START + HOUR
    assert course.after(START + HOUR) is None
    with pytest.raises(UsageError, match="no candle of 1h closes"):
        BacktestTimeline([candles([1])], "1h", start=START + 5 * HOUR)


async def test_a_course_that_goes_on_shows_the_time_that_the_log_had_reached() -> None:
    course = BacktestTimeline([candles([1, 2, 3])], "1h", start=START, at=START + HOUR)
    assert course.clock.now() == START + HOUR
    with pytest.raises(UsageError, match="the clock shows"):
        course.advance_to(START)


async def test_an_asset_without_a_candle_has_no_price_and_no_price_at_all_is_an_error() -> None:
    young = build_series(OTHER, "1h", "made up", [CandleRow(to_epoch_ms(START + 5 * HOUR), 9, 9, 9, 9, 1)])
    course = BacktestTimeline([candles([110]), young], "1h", start=START)
    market = RecordedMarket(course.clock, [candles([110]), young])
    looked = await ScanMarket(market, "1h", course).run(ScanInput(assets=(ASSET, OTHER), portfolio=HELD))
    assert set(looked.prices) == {ASSET}
    with pytest.raises(ToolFailed, match=r"no candle of 1h of ETH/USDT had closed"):
        await ScanMarket(market, "1h").run(ScanInput(assets=(OTHER,), portfolio=HELD))


async def test_without_a_course_the_market_says_what_time_it_is() -> None:
    clock = ManualClock()
    clock.advance(10 * 24 * 3600)
    looked = await ScanMarket(RecordedMarket(clock, [candles([110])]), "1h").run(
        ScanInput(assets=(ASSET,), portfolio=HELD)
    )
    assert looked.at > START
    assert looked.next is None


async def test_the_standing_indicators_are_those_of_the_rules_and_a_missing_one_says_why() -> None:
    course = BacktestTimeline([candles([110])], "1h", start=START)
    standing = RunStrategyIndicators(RunIndicator(RecordedMarket(course.clock, [candles([110])])))
    strategy = Strategy.model_validate({"cross": {"fast": 20, "slow": 400}})
    given = StrategyIndicatorsInput(assets=(ASSET,), timeframe="1h", strategy=strategy, as_of=START)
    found = await standing.run(given)
    assert set(found.readings) == {
        f"{ASSET} 1h rsi(14)",
        f"{ASSET} 1h macd(12,26,9).macd",
        f"{ASSET} 1h macd(12,26,9).signal",
        f"{ASSET} 1h macd(12,26,9).histogram",
        f"{ASSET} 1h sma(20)",
    }
    assert "needs 400 candles" in found.missing[0]
    with pytest.raises(LookAhead):
        await standing.run(given.model_copy(update={"as_of": START + HOUR}))
