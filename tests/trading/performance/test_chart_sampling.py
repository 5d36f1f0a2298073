from hypothesis import given
from hypothesis import strategies as st

from quaestor.trading.performance.chart_axes import downsample
from quaestor.trading.performance.curve_metrics import deepest_drawdown, drawdowns

curves = st.lists(st.sampled_from([float(each) for each in range(1, 51)]), min_size=61, max_size=150)
limits = st.integers(6, 60)


def test_few_values_all_stay() -> None:
    assert downsample([3.0, 1.0, 2.0], 3) == (0, 1, 2)


@given(curves, limits)
def test_so_many_stay_as_may_in_order_with_both_ends(values: list[float], most: int) -> None:
    places = downsample(values, most)
    assert len(places) <= most
    assert list(places) == sorted(set(places))
    assert (places[0], places[-1]) == (0, len(values) - 1)


@given(curves, limits)
def test_no_extreme_is_lost(values: list[float], most: int) -> None:
    kept = [values[place] for place in downsample(values, most)]
    assert (min(kept), max(kept)) == (min(values), max(values))
    shares = drawdowns(values)
    assert max(shares[place] for place in downsample(shares, most)) == max(shares)


@given(curves, limits)
def test_the_deepest_fall_stays_as_deep(values: list[float], most: int) -> None:
    depth = deepest_drawdown(values)
    kept = [values[place] for place in downsample(values, most, {depth.peak, depth.trough})]
    assert deepest_drawdown(kept).share == depth.share


def test_what_is_to_be_kept_stays_between_extremes_of_its_neighbours() -> None:
    values = [1000.0] * 50 + [650.0, 1500.0, 700.0, 2000.0] + [2000.0] * 50
    depth = deepest_drawdown(values)
    assert (depth.peak, depth.trough) == (51, 52)
    assert {51, 52} <= set(downsample(values, 8, {depth.peak, depth.trough}))
