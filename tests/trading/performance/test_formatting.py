from datetime import timedelta
from decimal import Decimal

import pytest

from quaestor.trading.contracts.results import Metric
from quaestor.trading.performance.formatting import (
    format_duration,
    format_money,
    format_number,
    format_percent,
    format_quantity,
)


@pytest.mark.parametrize(
    ("value", "signed", "expected"),
    [
        (0.1234, False, "12.34 %"),
        (0.1234, True, "+12.34 %"),
        (-0.5, True, "\N{MINUS SIGN}50.00 %"),
        (0.0, True, "0.00 %"),
        (-0.00001, False, "0.00 %"),
        (12.5, False, "1,250.00 %"),
    ],
)
def test_a_share_is_told_in_percent(value: float, signed: bool, expected: str) -> None:
    assert format_percent(Metric(value=value), signed=signed) == expected


def test_what_is_not_defined_says_why() -> None:
    assert format_percent(Metric(absent="there is no equity")) == "not defined: there is no equity"
    assert format_number(Metric(absent="there is no equity")) == "not defined: there is no equity"


def test_numbers_are_told() -> None:
    assert format_number(Metric(value=-1.005)) == "\N{MINUS SIGN}1.00"
    assert format_money(Decimal("-1234567.891")) == "\N{MINUS SIGN}1,234,567.89"
    assert format_money(Decimal("-0.001")) == "0.00"
    assert format_quantity(Decimal("1200.500000001")) == "1,200.5"
    assert format_quantity(Decimal(100)) == "100"
    assert format_quantity(Decimal("-0.00000001")) == "\N{MINUS SIGN}0.00000001"


def test_a_span_is_told_in_hours_or_days() -> None:
    assert format_duration(timedelta(hours=1)) == "1 hour"
    assert format_duration(timedelta(hours=47)) == "47 hours"
    assert format_duration(timedelta(days=400)) == "400 days"


def test_a_figure_has_a_value_or_a_reason() -> None:
    with pytest.raises(ValueError, match="a figure has a value"):
        Metric()
    with pytest.raises(ValueError, match="a figure has a value"):
        Metric(value=1, absent="no")
