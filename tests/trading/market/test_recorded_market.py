"""One clock for every reader: what had not closed cannot be had, by any count, timeframe or time."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.market import START, candles, rows
from quaestor.contracts.errors import LookAhead, ToolFailed, UsageError
from quaestor.trading.contracts.market import TIMEFRAME_MS, CandleSeries, Timeframe, from_epoch_ms, to_epoch_ms
from quaestor.trading.market.as_of import BacktestClock, RecordedMarket
from quaestor.trading.market.series import CandleRow, build_series, candle_open, resample

TIMEFRAMES: Sequence[Timeframe] = ("1h", "2h", "4h", "6h", "12h", "1d", "1w")
END = START + timedelta(days=40)


def market(series: CandleSeries, now: datetime = END) -> RecordedMarket:
    return RecordedMarket(BacktestClock(now), [series])


def read(history: RecordedMarket, timeframe: Timeframe, upto: datetime, count: int = 10_000) -> CandleSeries:
    return asyncio.run(history.series("BTC/USDT", timeframe, upto, count))


WALKS = [list(rows(700, seed)) for seed in (1, 2)]


@st.composite
def holed(draw: st.DrawFn) -> CandleSeries:
    """Return hourly candles of a month with some left out."""
    left_out = draw(st.sets(st.integers(0, 699), max_size=12))
    walk = draw(st.sampled_from(WALKS))
    return build_series("BTC/USDT", "1h", "holed", [row for hour, row in enumerate(walk) if hour not in left_out])


times = st.builds(
    lambda minutes, hours: (START + timedelta(minutes=minutes)).astimezone(timezone(timedelta(hours=hours))),
    st.integers(-3_000, 50_000),
    st.sampled_from([0, 5.5, -8]),
)


@given(holed(), st.sampled_from(TIMEFRAMES), times, st.integers(0, 800))
def test_no_candle_that_is_given_closes_after_the_time_it_is_asked_for(
    series: CandleSeries, timeframe: Timeframe, upto: datetime, count: int
) -> None:
    given_ = read(market(series), timeframe, upto, count)
    assert len(given_) <= count
    assert all(given_.closed(index) <= upto for index in range(len(given_)))


@given(holed(), st.sampled_from(TIMEFRAMES), times)
def test_the_whole_file_gives_what_the_file_cut_at_that_time_gives(
    series: CandleSeries, timeframe: Timeframe, upto: datetime
) -> None:
    known = [CandleRow(*row) for row in by_row(series) if from_epoch_ms(row[0]) + timedelta(hours=1) <= upto]
    cut = build_series("BTC/USDT", "1h", "holed", known)
    assert read(market(series), timeframe, upto) == read(market(cut), timeframe, upto)


@given(holed(), st.sampled_from(TIMEFRAMES))
def test_a_longer_candle_is_made_of_all_the_shorter_ones_that_fill_it_or_not_at_all(
    series: CandleSeries, timeframe: Timeframe
) -> None:
    full = TIMEFRAME_MS[timeframe] // TIMEFRAME_MS["1h"]
    parts: dict[int, list[tuple[int, float, float, float, float, float]]] = {}
    for row in by_row(series):
        parts.setdefault(candle_open(row[0], timeframe), []).append(row)
    wanted = [
        (begun, part[0][1], max(r[2] for r in part), min(r[3] for r in part), part[-1][4], fsum(r[5] for r in part))
        for begun, part in parts.items()
        if len(part) == full
    ]
    assert by_row(resample(series, timeframe)) == wanted


def by_row(series: CandleSeries) -> list[tuple[int, float, float, float, float, float]]:
    columns = (series.opened, series.open, series.high, series.low, series.close, series.volume)
    return list(zip(*columns, strict=True))


def test_a_candle_is_given_from_the_moment_it_closes() -> None:
    history = market(candles(48))
    assert len(read(history, "1h", START + timedelta(hours=3))) == 3
    assert len(read(history, "1h", START + timedelta(hours=3, microseconds=-1))) == 2
    assert len(read(history, "4h", START + timedelta(hours=8))) == 2
    assert len(read(history, "4h", START + timedelta(hours=8, microseconds=-1))) == 1
    assert len(read(history, "1d", START + timedelta(hours=23))) == 0


@given(st.timedeltas(timedelta(microseconds=1), timedelta(days=900)), st.sampled_from(TIMEFRAMES))
def test_a_probe_for_what_is_later_than_the_clock_gets_an_error_and_no_data(
    ahead: timedelta, timeframe: Timeframe
) -> None:
    history = market(candles(48), START + timedelta(hours=5))
    with pytest.raises(LookAhead, match="later than the market's clock, which shows 2025-01-01T05:00:00"):
        read(history, timeframe, START + timedelta(hours=5) + ahead)


def test_what_was_later_is_there_when_the_clock_has_moved_on() -> None:
    clock = BacktestClock(START)
    history = RecordedMarket(clock, [candles(48)])
    for hour in range(49):
        clock.advance_to(START + timedelta(hours=hour))
        assert len(read(history, "1h", history.now())) == hour


def test_what_is_given_cannot_be_written_and_copies_nothing() -> None:
    series = candles(100)
    part = read(market(series), "1h", END, 10)
    with pytest.raises(TypeError):
        part.close[0] = 0.0
    assert part.close.obj is series.close.obj


def test_a_time_without_a_zone_an_unknown_asset_and_a_shorter_timeframe_are_refused() -> None:
    history = market(candles(48))
    with pytest.raises(ToolFailed, match="2025-01-01T00:00:00 has no zone"):
        read(history, "1h", datetime(2025, 1, 1))  # noqa: DTZ001 -- as a model may write it
    with pytest.raises(ToolFailed, match="no candles of 'ETH/USDT'; ask for one of BTC/USDT"):
        asyncio.run(history.series("ETH/USDT", "1h", START, 1))
    with pytest.raises(ToolFailed, match="candles of 15m cannot be made of those of BTC/USDT, which are of 1h"):
        read(history, "15m", START)


def test_an_asset_has_one_file() -> None:
    with pytest.raises(UsageError, match="seed 1 and seed 2 both hold candles of BTC/USDT"):
        RecordedMarket(BacktestClock(START), [candles(5), candles(5, 2)])
    assert RecordedMarket(BacktestClock(START), [candles(5), candles(5, 2, "ETH/USDT")]).assets() == (
        "BTC/USDT",
        "ETH/USDT",
    )


def test_the_clock_of_a_backtest_never_goes_back_and_needs_a_zone() -> None:
    clock = BacktestClock(START.astimezone(timezone(timedelta(hours=2))))
    assert clock.now().isoformat() == "2025-01-01T00:00:00+00:00"
    clock.advance_to(START)
    with pytest.raises(UsageError, match="the clock shows 2025-01-01T00:00:00"):
        clock.advance_to(START - timedelta(seconds=1))
    with pytest.raises(UsageError, match="has no zone"):
        BacktestClock(datetime(2025, 1, 1))  # noqa: DTZ001 -- as above


def test_a_time_is_counted_in_whole_milliseconds_downwards() -> None:
    assert to_epoch_ms(datetime(1969, 12, 31, 23, 59, 59, 999_999, UTC)) == -1
    assert from_epoch_ms(to_epoch_ms(START)) == START
