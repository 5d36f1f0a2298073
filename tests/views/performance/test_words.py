from datetime import timedelta
from decimal import Decimal

import pytest

from quaestor.contracts.performance import Figure
from quaestor.views.performance.words import lasting, money, number, percent, quantity


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
    assert percent(Figure(value=value), signed=signed) == expected


def test_what_is_not_defined_says_why() -> None:
    assert percent(Figure(absent="there is no equity")) == "not defined: there is no equity"
    assert number(Figure(absent="there is no equity")) == "not defined: there is no equity"


def test_numbers_are_told() -> None:
    assert number(Figure(value=-1.005)) == "\N{MINUS SIGN}1.00"
    assert money(Decimal("-1234567.891")) == "\N{MINUS SIGN}1,234,567.89"
    assert money(Decimal("-0.001")) == "0.00"
    assert quantity(Decimal("1200.500000001")) == "1,200.5"
    assert quantity(Decimal(100)) == "100"
    assert quantity(Decimal("-0.00000001")) == "\N{MINUS SIGN}0.00000001"


def test_a_span_is_told_in_hours_or_days() -> None:
    assert lasting(timedelta(hours=1)) == "1 hour"
    assert lasting(timedelta(hours=47)) == "47 hours"
    assert lasting(timedelta(days=400)) == "400 days"


def test_a_figure_has_a_value_or_a_reason() -> None:
    with pytest.raises(ValueError, match="a figure has a value"):
        Figure()
    with pytest.raises(ValueError, match="a figure has a value"):
        Figure(value=1, absent="no")
