import asyncio
import json
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fakes.market import START, candles, rows
from quaestor.contracts.errors import LookAhead, ToolFailed
from quaestor.trading.contracts.indicators import (
    DEFAULT_PARAMETERS,
    Indicator,
    IndicatorInput,
    IndicatorParameters,
    IndicatorResult,
)
from quaestor.trading.contracts.market import CandleSeries, MarketSnapshot, SnapshotInput, to_epoch_ms
from quaestor.trading.market.as_of import BacktestClock, RecordedMarket
from quaestor.trading.market.indicator_tools import RunIndicator
from quaestor.trading.market.series import CandleRow, build_series, last_closed
from quaestor.trading.market.snapshot_tools import GetMarketSnapshot
from quaestor.trading.market.talib_indicators import compute_indicator

HOUR = timedelta(hours=1)
WALK = candles(800)
END = START + 800 * HOUR


def run(given_: IndicatorInput, *series: CandleSeries, now: datetime = END) -> IndicatorResult:
    return asyncio.run(RunIndicator(RecordedMarket(BacktestClock(now), series or [WALK])).run(given_))


def snapshot(given_: SnapshotInput, *series: CandleSeries, now: datetime = END) -> MarketSnapshot:
    return asyncio.run(GetMarketSnapshot(RecordedMarket(BacktestClock(now), series or [WALK])).run(given_))


def asking(indicator: Indicator, as_of: datetime | None = END, **also: object) -> IndicatorInput:
    said = {"asset": "BTC/USDT", "timeframe": "1h", "indicator": indicator, "as_of": as_of} | also
    return IndicatorInput.model_validate(said)


@pytest.mark.parametrize("indicator", DEFAULT_PARAMETERS)
def test_a_run_gives_what_the_library_computes_with_the_candles_it_used(indicator: Indicator) -> None:
    result = run(asking(indicator, last=3))
    part = last_closed(WALK, to_epoch_ms(END), result.candles.count)
    columns = compute_indicator(indicator, DEFAULT_PARAMETERS[indicator], part)
    assert [value.outputs for value in result.values] == [
        {name: column[index] for name, column in columns.items()} for index in (-3, -2, -1)
    ]
    assert [value.closed for value in result.values] == [END - 2 * HOUR, END - HOUR, END]
    assert (result.candles.source, result.candles.last, result.candles.missing) == ("seed 1", END, 0)
    assert result.candles.first == END - result.candles.count * HOUR
    assert (result.settled, result.parameters) == (True, DEFAULT_PARAMETERS[indicator])


@given(st.sampled_from([*DEFAULT_PARAMETERS]), st.integers(1, 900), st.integers(1, 5), st.sampled_from(["1h", "4h"]))
def test_an_indicator_is_the_same_on_the_whole_file_and_on_the_file_cut_at_its_time(
    indicator: Indicator, minutes: int, last: int, timeframe: str
) -> None:
    as_of = START + minutes * timedelta(minutes=53)
    asked = asking(indicator, as_of, last=last, timeframe=timeframe)
    cut = last_closed(WALK, to_epoch_ms(as_of), 10_000)
    results: list[IndicatorResult | str] = []
    for series, now in ((WALK, END), (cut, as_of)):
        try:
            results.append(run(asked, series, now=now))
        except ToolFailed as failed:
            results.append(str(failed))
    assert results[0] == results[1]


def test_parameters_that_are_given_are_used_and_the_others_have_their_defaults() -> None:
    result = run(asking("macd", parameters={"fast": 5}))
    assert result.parameters == IndicatorParameters(fast=5, slow=26, signal=9)
    assert result.values != run(asking("macd")).values


@pytest.mark.parametrize(
    ("indicator", "parameters", "reason"),
    [
        ("rsi", {"fast": 3}, "rsi has no fast; it takes period"),
        ("macd", {"fast": 26}, "fast is 26 and slow 26; the fast period must be the shorter one"),
        ("sma", {"period": 1}, "greater than or equal to 2"),
        ("sma", {"period": 501}, "less than or equal to 500"),
        ("sma", {"period": 2.5}, "valid integer"),
        ("bollinger", {"deviations": 0}, "greater than 0"),
        ("vwap", {}, "Input should be 'sma', 'ema'"),
    ],
)
def test_parameters_that_cannot_be_are_refused_by_name(indicator: Indicator, parameters: object, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        asking(indicator, parameters=parameters)


def test_too_few_candles_are_refused_with_the_number_that_is_needed() -> None:
    with pytest.raises(
        ToolFailed,
        match=r"macd \(fast 12, slow 26, signal 9\) needs 34 candles of 1h, and BTC/USDT has 33 that had closed",
    ):
        run(asking("macd", START + 33 * HOUR))
    assert len(run(asking("macd", START + 34 * HOUR)).values) == 1


def test_candles_before_the_first_value_have_none() -> None:
    result = run(asking("rsi", START + 17 * HOUR, last=10))
    assert [value.closed for value in result.values] == [START + hour * HOUR for hour in (15, 16, 17)]
    assert not result.settled


def test_a_price_that_did_not_move_has_no_rsi() -> None:
    still = build_series("BTC/USDT", "1h", "", (CandleRow(row.opened, 5, 5, 5, 5, 0) for row in rows(100)))
    with pytest.raises(ToolFailed, match="rsi of BTC/USDT has no value at 2025-01-05T04:00:00"):
        run(asking("rsi", START + 100 * HOUR), still)


def test_without_a_value_at_the_last_candle_no_older_one_takes_its_place() -> None:
    moving = list(rows(60))
    still = [CandleRow(row.opened, 5, 5, 5, 5, 0) for row in list(rows(80))[60:]]
    with pytest.raises(ToolFailed, match="stochastic of BTC/USDT has no value at 2025-01-04T08:00:00"):
        run(asking("stochastic", START + 80 * HOUR, last=40), build_series("BTC/USDT", "1h", "", [*moving, *still]))


def test_the_time_is_put_in_by_the_workflow_and_no_model_is_told_of_it() -> None:
    for takes in (IndicatorInput, SnapshotInput):
        assert "as_of" not in json.dumps(takes.model_json_schema())
    with pytest.raises(ToolFailed, match="IndicatorInput has no as_of; the workflow puts in the time of the cycle"):
        run(asking("rsi", None))
    with pytest.raises(ToolFailed, match="SnapshotInput has no as_of"):
        snapshot(SnapshotInput())


def test_a_time_after_the_clock_is_refused_by_both_tools() -> None:
    with pytest.raises(LookAhead):
        run(asking("rsi", END + timedelta(microseconds=1)))
    with pytest.raises(LookAhead):
        snapshot(SnapshotInput(as_of=END + timedelta(microseconds=1)))


def test_missing_candles_are_counted_within_what_was_used_and_up_to_the_time() -> None:
    holed = build_series("BTC/USDT", "1h", "", (row for number, row in enumerate(rows(30)) if number not in {20, 21}))
    result = run(asking("sma", START + 33 * HOUR, parameters={"period": 10}), holed)
    assert (result.candles.count, result.candles.missing) == (10, 5)
    assert run(asking("sma", START + 20 * HOUR, parameters={"period": 10}), holed).candles.missing == 0


def test_a_snapshot_has_the_last_close_of_every_asset_and_its_change_over_each_window() -> None:
    ether = candles(800, 2, "ETH/USDT", price=3_000)
    shown = snapshot(SnapshotInput(as_of=END), WALK, ether)
    assert [price.asset for price in shown.prices] == ["BTC/USDT", "ETH/USDT"]
    bitcoin = shown.prices[0]
    assert (bitcoin.price, bitcoin.closed, bitcoin.missing, bitcoin.source) == (WALK.close[-1], END, 0, "seed 1")
    assert [(change.window, change.price) for change in bitcoin.changes] == [
        ("1h", WALK.close[-2]),
        ("1d", WALK.close[-25]),
        ("1w", WALK.close[-169]),
    ]
    assert bitcoin.changes[1].percent == pytest.approx((WALK.close[-1] / WALK.close[-25] - 1) * 100)


def test_a_snapshot_leaves_out_a_window_without_a_candle_and_says_how_many_are_missing_since() -> None:
    shown = snapshot(SnapshotInput(as_of=START + 26 * HOUR, windows=("5m", "1h", "1d", "1w")), candles(24))
    assert [change.window for change in shown.prices[0].changes] == ["1h"]
    assert (shown.prices[0].closed, shown.prices[0].missing) == (START + 24 * HOUR, 2)


def test_a_snapshot_before_the_first_close_is_refused() -> None:
    with pytest.raises(ToolFailed, match="no candle of BTC/USDT had closed at 2025-01-01T00:59:00"):
        snapshot(SnapshotInput(as_of=START + timedelta(minutes=59)))
    with pytest.raises(ToolFailed, match="no candles of 'XRP/USDT'; ask for one of BTC/USDT"):
        snapshot(SnapshotInput(as_of=END, assets=("XRP/USDT",)))


def test_results_come_back_from_json_as_they_were() -> None:
    result, shown = run(asking("adx", last=5)), snapshot(SnapshotInput(as_of=END))
    assert IndicatorResult.model_validate_json(result.model_dump_json()) == result
    assert MarketSnapshot.model_validate_json(shown.model_dump_json()) == shown
