from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime

from quaestor.contracts.errors import UsageError
from quaestor.contracts.market import MILLISECONDS, Series, Timeframe, instant, since_epoch
from quaestor.tools.market.clock import CycleClock
from quaestor.tools.market.span import opening


class Course:
    """The times of a backtest: each close of the mandate's timeframe at which there is a new candle.

    It alone may look ahead, and only at when candles close. It moves the clock by which every tool reads the market.
    """

    def __init__(
        self,
        recorded: Sequence[Series],
        timeframe: Timeframe,
        *,
        start: datetime | None = None,
        end: datetime | None = None,
        at: datetime | None = None,
    ) -> None:
        """Lay out the times from `start` to `end`, or those of the candles; the clock begins at the first, or at `at`.

        Raises UsageError when there are none.
        """
        self._recorded = recorded
        self._timeframe: Timeframe = timeframe
        self._end = since_epoch(end) if end else None
        first = self._after(since_epoch(start) - 1 if start else 0)
        if first is None:
            raise UsageError(_none(recorded, timeframe, start, end))
        self.first = first
        self.clock = CycleClock(at or first)

    def reach(self, at: datetime | None) -> datetime:
        """Move the clock to the time of a cycle, the first without one; give it."""
        self.clock.move(at or self.first)
        return self.clock.now()

    def after(self, at: datetime) -> datetime | None:
        """Give the time of the cycle after one; None at the end."""
        return self._after(since_epoch(at))

    def _after(self, at: int) -> datetime | None:
        closes = [close for series in self._recorded if (close := _next_close(series, at)) is not None]
        if not closes:
            return None
        length = MILLISECONDS[self._timeframe]
        begun = opening(min(closes), self._timeframe)
        close = begun if begun == min(closes) else begun + length
        return None if self._end is not None and close > self._end else instant(close)


def _none(recorded: Sequence[Series], timeframe: Timeframe, start: datetime | None, end: datetime | None) -> str:
    closes = [series.closed(place) for series in recorded for place in (0, -1)]
    wanted = f"from {_told(start) if start else 'the first'} to {_told(end) if end else 'the last'}"
    there = f"those there are close from {_told(min(closes))} to {_told(max(closes))}"
    return f"no candle of {timeframe} closes {wanted}; {there}. Choose other times or candles"


def _told(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _next_close(series: Series, at: int) -> int | None:
    length = MILLISECONDS[series.timeframe]
    place = bisect_right(series.opened, at - length)
    return series.opened[place] + length if place < len(series) else None
