"""TA-Lib against plain Python, on 10,000 candles, and what may not depend on unit or beginning."""

from collections.abc import Sequence
from functools import cache, partial
from math import isnan

import numpy as np
import pytest

from fakes.market import candles, rows
from quaestor.trading.contracts.indicators import DEFAULT_PARAMETERS, Indicator, IndicatorParameters
from quaestor.trading.contracts.market import CandleSeries, to_epoch_ms
from quaestor.trading.market.indicator_tools import warmup
from quaestor.trading.market.series import CandleRow, build_series, last_closed
from quaestor.trading.market.talib_indicators import compute_indicator
from trading.market import plain

LARGE = 10_000
PARAMETERS: Sequence[tuple[Indicator, IndicatorParameters]] = [
    *DEFAULT_PARAMETERS.items(),
    ("sma", IndicatorParameters(period=200)),
    ("ema", IndicatorParameters(period=2)),
    ("rsi", IndicatorParameters(period=2)),
    ("macd", IndicatorParameters(fast=2, slow=50, signal=3)),
    ("bollinger", IndicatorParameters(period=50, deviations=2.5)),
    ("atr", IndicatorParameters(period=3)),
    ("adx", IndicatorParameters(period=30)),
    ("stochastic", IndicatorParameters(period=5, smooth=1, signal=5)),
]


@cache
def walk() -> CandleSeries:
    return candles(LARGE, seed=7)


def expected(indicator: Indicator, parameters: IndicatorParameters, series: CandleSeries) -> dict[str, plain.Line]:
    high, low, close, volume = map(list, (series.high, series.low, series.close, series.volume))
    take = {name: int(value) for name, value in parameters.named().items()}
    match indicator:
        case "sma":
            return {"sma": plain.sma(close, take["period"])}
        case "ema":
            return {"ema": plain.ema(close, take["period"])}
        case "rsi":
            return {"rsi": plain.rsi(close, take["period"])}
        case "macd":
            lines = plain.macd(close, take["fast"], take["slow"], take["signal"])
            return dict(zip(("macd", "signal", "histogram"), lines, strict=True))
        case "bollinger":
            bands = plain.bollinger(close, take["period"], parameters.deviations or 0)
            return dict(zip(("upper", "middle", "lower"), bands, strict=True))
        case "atr":
            return {"atr": plain.atr(high, low, close, take["period"])}
        case "adx":
            lines = plain.adx(high, low, close, take["period"])
            return dict(zip(("adx", "plus_di", "minus_di"), lines, strict=True))
        case "stochastic":
            k, d = plain.stochastic(high, low, close, (take["period"], take["smooth"], take["signal"]))
            return {"k": k, "d": d}
        case "obv":
            return {"obv": plain.obv(close, volume)}


def furthest(made: Sequence[float], wanted: plain.Line) -> float:
    """Return the greatest difference in units of the largest value; infinite where only one of both has a value."""
    scale = max(abs(value) for value in wanted if value is not None)
    return max(
        (0.0 if isnan(one) else float("inf")) if other is None else abs(one - other) / scale
        for one, other in zip(made, wanted, strict=True)
    )


@pytest.mark.parametrize(("indicator", "parameters"), PARAMETERS)
def test_an_indicator_is_what_its_definition_says_on_ten_thousand_candles(
    indicator: Indicator, parameters: IndicatorParameters
) -> None:
    made = compute_indicator(indicator, parameters, walk())
    wanted = expected(indicator, parameters, walk())
    assert made.keys() == wanted.keys()
    for name, line in made.items():
        assert furthest(line.tolist(), wanted[name]) < 1e-9, name


@pytest.mark.parametrize(("indicator", "parameters"), PARAMETERS)
def test_the_first_value_comes_with_the_least_candles_and_not_before(
    indicator: Indicator, parameters: IndicatorParameters
) -> None:
    least = warmup(indicator, parameters).least
    enough, short = (compute_indicator(indicator, parameters, candles(count, seed=3)) for count in (least, least - 1))
    assert not any(isnan(line[-1]) for line in enough.values())
    assert indicator == "obv" or any(isnan(line[-1]) for line in short.values())


@pytest.mark.parametrize(("indicator", "parameters"), [each for each in PARAMETERS if each[0] != "obv"])
def test_a_settled_value_does_not_depend_on_where_the_candles_begin(
    indicator: Indicator, parameters: IndicatorParameters
) -> None:
    settled = warmup(indicator, parameters).settled
    whole = compute_indicator(indicator, parameters, walk())
    for end in (settled, 5_000, LARGE):
        last = last_closed(walk(), to_epoch_ms(walk().closed(end - 1)), settled)
        for name, line in compute_indicator(indicator, parameters, last).items():
            assert line[-1] == pytest.approx(whole[name][end - 1], rel=1e-9, abs=1e-9), name


def in_other_unit(unit: float, row: CandleRow) -> CandleRow:
    return CandleRow(row.opened, row.open * unit, row.high * unit, row.low * unit, row.close * unit, row.volume)


@pytest.mark.parametrize("indicator", DEFAULT_PARAMETERS)
@pytest.mark.parametrize("exponent", [-30, 30])
def test_the_unit_of_a_price_changes_no_digit_of_an_indicator(indicator: Indicator, exponent: int) -> None:
    unit = 2.0**exponent
    other = build_series("X", "1h", "", map(partial(in_other_unit, unit), rows(600)))
    made = compute_indicator(indicator, DEFAULT_PARAMETERS[indicator], other)
    free = indicator in {"rsi", "adx", "stochastic", "obv"}
    for name, line in compute_indicator(indicator, DEFAULT_PARAMETERS[indicator], candles(600)).items():
        assert np.array_equal(made[name], line if free else line * unit, equal_nan=True)


def flat_then_moving(moves: int) -> CandleSeries:
    still = [CandleRow(hour * 3_600_000, 5.0, 5.0, 5.0, 5.0, 1.0) for hour in range(40)]
    moving = [CandleRow((40 + n) * 3_600_000, 5.0, 7.0, 4.0, 6.0 + n, 1.0) for n in range(moves)]
    return build_series("X", "1h", "", [*still, *moving])


def test_a_price_that_never_moved_has_no_rsi_and_no_stochastic_where_the_library_says_0() -> None:
    still = flat_then_moving(0)
    assert all(map(isnan, compute_indicator("rsi", DEFAULT_PARAMETERS["rsi"], still)["rsi"]))
    assert all(map(isnan, compute_indicator("stochastic", DEFAULT_PARAMETERS["stochastic"], still)["k"]))
    assert compute_indicator("bollinger", DEFAULT_PARAMETERS["bollinger"], still)["upper"][-1] == 5.0


def test_the_rsi_begins_with_the_first_move_and_the_stochastic_when_no_flat_candle_is_left_in_it() -> None:
    moved = flat_then_moving(6)
    assert [isnan(value) for value in compute_indicator("rsi", DEFAULT_PARAMETERS["rsi"], moved)["rsi"][-7:]] == [
        True
    ] + [False] * 6
    for line in compute_indicator("stochastic", DEFAULT_PARAMETERS["stochastic"], moved).values():
        assert [isnan(value) for value in line[-6:]] == [True, True, True, True, False, False]
