"""Figures as they are written in reports, pictures and tables."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from quaestor.contracts.performance import Figure

MINUS = "\N{MINUS SIGN}"


def percent(figure: Figure, *, signed: bool = False) -> str:
    """Give a share in percent with two decimals, or why it is not defined."""
    return _said(figure, 100, "+" if signed else "", " %")


def number(figure: Figure) -> str:
    """Give a number with two decimals, or why it is not defined."""
    return _said(figure, 1, "", "")


def money(amount: Decimal) -> str:
    """Give an amount with two decimals, and thousands apart."""
    return _upright(f"{amount:,.2f}")


def quantity(amount: Decimal) -> str:
    """Give a quantity or a price with every digit it has up to eight decimals, and no zero at the end."""
    return _upright(f"{round(amount, 8).normalize():,f}")


def counted(count: int, one: str) -> str:
    """Give a number with its noun."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def minute(at: datetime) -> str:
    """Give a time to the minute, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


def day(at: datetime) -> str:
    """Give a date, in UTC."""
    return f"{at.astimezone(UTC):%Y-%m-%d}"


def lasting(span: timedelta) -> str:
    """Give a span in days, and one of less than two days in hours."""
    hours = round(span / timedelta(hours=1))
    return counted(round(hours / 24), "day") if span >= timedelta(days=2) else counted(hours, "hour")


def _said(figure: Figure, times: int, sign: str, unit: str) -> str:
    if figure.value is None:
        return f"not defined: {figure.absent}"
    return _upright(f"{figure.value * times:{sign},.2f}{unit}")


def _upright(written: str) -> str:
    """Write a true minus, and none before a number that is rounded to nothing."""
    bare = written.lstrip("-+")
    if not bare.strip("0.,% "):
        return bare
    return written.replace("-", MINUS, 1)
