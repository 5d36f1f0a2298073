"""What may be asked of a market at a time."""

from collections.abc import Sequence
from datetime import datetime

from quaestor.contracts.errors import LookAhead, ToolFailed
from quaestor.contracts.market import MarketGiven


def allowed(upto: datetime, now: datetime) -> None:
    """Refuse a time that is later than the clock, with LookAhead, and one without a zone, with ToolFailed."""
    if upto.utcoffset() is None:
        raise ToolFailed(f"the time {upto.isoformat()} has no zone; give it one, as +00:00")
    if upto > now:
        raise LookAhead(
            f"{upto.isoformat()} is later than the market's clock, which shows {now.isoformat()}; "
            "ask for what had closed by then"
        )


def listed(asset: str, assets: Sequence[str]) -> None:
    """Refuse an asset that a market has no candles of, with ToolFailed."""
    if asset not in assets:
        raise ToolFailed(f"there are no candles of {asset!r}; ask for one of {', '.join(assets) or 'none'}")


def as_of(given: MarketGiven) -> datetime:
    """Give the time that a tool is asked for, which the workflow has put in; ToolFailed when it has not."""
    if given.as_of is None:
        raise ToolFailed(f"{type(given).__name__} has no as_of; the workflow puts in the time of the cycle")
    return given.as_of
