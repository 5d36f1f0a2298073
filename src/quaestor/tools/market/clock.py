from datetime import UTC, datetime

from quaestor.contracts.errors import UsageError


class CycleClock:
    """The clock of a backtest: it shows the time of the cycle and goes only forwards; a `Clock`."""

    def __init__(self, start: datetime) -> None:
        self._now = _utc(start)

    def now(self) -> datetime:
        """Give the cycle's time, in UTC."""
        return self._now

    def move(self, to: datetime) -> None:
        """Go on to the time of the next cycle. Raises UsageError for a time before now, and for one without a zone."""
        if _utc(to) < self._now:
            raise UsageError(f"the clock shows {self._now.isoformat()}, after {to.isoformat()}; begin with a new clock")
        self._now = _utc(to)


def _utc(time: datetime) -> datetime:
    if time.utcoffset() is None:
        raise UsageError(f"the time {time.isoformat()} has no zone; give it one, as +00:00")
    return time.astimezone(UTC)
