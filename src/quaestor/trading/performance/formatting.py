"""Figures as they are written in reports, pictures and tables."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from quaestor.trading.contracts.results import Metric
from quaestor.views.text import count_noun

MINUS = "\N{MINUS SIGN}"


def format_percent(figure: Metric, *, signed: bool = False) -> str:
    """Return a share in percent with two decimals, or why it is not defined."""
    return _format_metric(figure, 100, "+" if signed else "", " %")


def format_number(figure: Metric) -> str:
    """Return a number with two decimals, or why it is not defined."""
    return _format_metric(figure, 1, "", "")


def format_money(amount: Decimal) -> str:
    """Return an amount with two decimals, and thousands apart."""
    return _with_true_minus(f"{amount:,.2f}")


def format_quantity(amount: Decimal) -> str:
    """Return a quantity or a price with every digit it has up to eight decimals, and no zero at the end."""
    return _with_true_minus(f"{round(amount, 8).normalize():,f}")


def format_minute(at: datetime) -> str:
    """Return a time to the minute, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


def format_date(at: datetime) -> str:
    """Return a date, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%d}"


def format_duration(span: timedelta) -> str:
    """Return a span in days, and one of less than two days in hours."""
    hours = round(span / timedelta(hours=1))
    return count_noun(round(hours / 24), "day") if span >= timedelta(days=2) else count_noun(hours, "hour")


def _format_metric(figure: Metric, times: int, sign: str, unit: str) -> str:
    if figure.value is None:
        return f"not defined: {figure.absent}"
    return _with_true_minus(f"{figure.value * times:{sign},.2f}{unit}")


def _with_true_minus(written: str) -> str:
    """Write a true minus, and none before a number that is rounded to nothing."""
    bare = written.lstrip("-+")
    if not bare.strip("0.,% "):
        return bare
    return written.replace("-", MINUS, 1)
