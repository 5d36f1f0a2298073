from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.trading.contracts.results import EquityPoint
from quaestor.trading.performance.curve_metrics import NO_EQUITY, NO_POINTS
from quaestor.trading.performance.measurement import measure_exposure, measure_performance, measure_time_invested
from trading.performance.curves import curve, fill, quotes, times

parts = st.lists(st.tuples(st.integers(0, 1_000), st.integers(0, 1_000)).filter(any), min_size=1, max_size=30)


def points(found: list[tuple[int, int]]) -> tuple[EquityPoint, ...]:
    return tuple(
        EquityPoint(at=at, cash=Decimal(cash), holdings=Decimal(held))
        for at, (cash, held) in zip(times(len(found)), found, strict=True)
    )


@given(parts)
def test_exposure_is_the_mean_share_that_is_held(found: list[tuple[int, int]]) -> None:
    cash, held = np.array(found, dtype=float).T
    assert measure_exposure(points(found)).value == pytest.approx(float(np.mean(held / (cash + held))))
    assert measure_time_invested(points(found)).value == pytest.approx(float(np.mean(held > 0)))


def test_what_is_nothing_has_no_exposure() -> None:
    assert measure_exposure(()).absent == measure_time_invested(()).absent == NO_POINTS
    assert measure_exposure(curve([0, 1])).absent == NO_EQUITY


@given(st.lists(st.integers(1, 500), min_size=3, max_size=30), st.sampled_from(("0.5", "8", "1024")))
def test_a_portfolio_that_is_larger_by_a_factor_has_the_same_figures(values: list[int], factor: str) -> None:
    trades = [fill(0, "buy", "1", "3", fee="0.1"), fill(1, "sell", "1", "4")]
    larger = [
        trade.model_copy(update={"quantity": trade.quantity * Decimal(factor), "fee": trade.fee * Decimal(factor)})
        for trade in trades
    ]
    prices = quotes(*({"BTC": str(value)} for value in values))
    one = measure_performance(curve(values), trades, prices, ("BTC",))
    other = measure_performance(curve([value * Decimal(factor) for value in values]), larger, prices, ("BTC",))
    amounts = {"started_with", "ended_with"}
    for ours, theirs in zip(
        (one.figures, *(each.figures for each in one.comparisons)),
        (other.figures, *(each.figures for each in other.comparisons)),
        strict=True,
    ):
        assert _near(ours.model_dump(exclude=amounts | {"fall"}), theirs.model_dump(exclude=amounts | {"fall"}))
        assert ours.fall == theirs.fall
    ratios = {"turnover", "annual_turnover", "hit_rate", "round_trips", "won"}
    assert _near(one.trading.model_dump(include=ratios), other.trading.model_dump(include=ratios))


def _near(ours: dict[str, object], theirs: dict[str, object]) -> bool:
    flat = [
        {
            f"{name}.{key}": number
            for name, value in each.items()
            if isinstance(value, dict)
            for key, number in value.items()
        }
        | {name: value for name, value in each.items() if not isinstance(value, dict)}
        for each in (ours, theirs)
    ]
    assert flat[0].keys() == flat[1].keys()
    return all(
        flat[1][name] == pytest.approx(value, rel=1e-9, abs=1e-12)
        if isinstance(value, float)
        else flat[1][name] == value
        for name, value in flat[0].items()
    )


def test_buy_and_hold_of_one_asset_without_cost_is_measured_as_its_price() -> None:
    values = [100, 130, 90, 120]
    prices = quotes(*({"BTC": str(value)} for value in values))
    run = measure_performance(curve(values), (), prices, ("BTC",))
    ours, held = run.figures, run.comparisons[0].figures
    for name in ("total_return", "volatility", "sharpe", "sortino", "max_drawdown"):
        assert getattr(held, name).value == pytest.approx(getattr(ours, name).value)
    assert held.fall == ours.fall


def test_without_prices_there_is_cash_alone_to_compare_with() -> None:
    run = measure_performance(curve([1, 2]), (), (), ("BTC",))
    assert [each.kind for each in run.comparisons] == ["cash"]


def test_what_is_bought_is_told_with_its_cost() -> None:
    run = measure_performance(
        curve([1, 2]), (), quotes({"BTC": "1", "ETH": "2"}, {}), ("BTC", "ETH"), cost=Decimal("0.0015")
    )
    assert run.comparisons[0].note == (
        "BTC, ETH bought at the first prices, each for an equal part of the cash, at a cost of 0.15 %, and kept"
    )
