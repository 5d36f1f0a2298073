"""A market as it was at a moment: no later candle is visible, and a backtest has a clock of its own."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from quaestor.contracts.errors import LookAhead, ToolFailed, UsageError
from quaestor.contracts.ports import Clock
from quaestor.trading.contracts.market import (
    TIMEFRAME_MS,
    CandleSeries,
    MarketInput,
    Timeframe,
    from_epoch_ms,
    to_epoch_ms,
)
from quaestor.trading.market.series import candle_open, candles_per, last_closed, resample


def require_not_after(upto: datetime, now: datetime) -> None:
    """Refuse a time that is later than the clock, with LookAhead, and one without a zone, with ToolFailed."""
    if upto.utcoffset() is None:
        raise ToolFailed(f"the time {upto.isoformat()} has no zone; give it one, as +00:00")
    if upto > now:
        raise LookAhead(
            f"{upto.isoformat()} is later than the market's clock, which shows {now.isoformat()}; "
            "ask for what had closed by then"
        )


def require_known_asset(asset: str, assets: Sequence[str]) -> None:
    """Refuse an asset that a market has no candles of, with ToolFailed."""
    if asset not in assets:
        raise ToolFailed(f"there are no candles of {asset!r}; ask for one of {', '.join(assets) or 'none'}")


def require_as_of(given: MarketInput) -> datetime:
    """Return the time that a tool is asked for, which the workflow has put in; ToolFailed when it has not."""
    if given.as_of is None:
        raise ToolFailed(f"{type(given).__name__} has no as_of; the workflow puts in the time of the cycle")
    return given.as_of


class BacktestClock:
    """The clock of a backtest: it shows the time of the cycle and goes only forwards; a `Clock`."""

    def __init__(self, start: datetime) -> None:
        self._now = _to_utc(start)

    def now(self) -> datetime:
        """Return the cycle's time, in UTC."""
        return self._now

    def advance_to(self, to: datetime) -> None:
        """Go on to the time of the next cycle. Raises UsageError for a time before now, and for one without a zone."""
        if _to_utc(to) < self._now:
            raise UsageError(f"the clock shows {self._now.isoformat()}, after {to.isoformat()}; begin with a new clock")
        self._now = _to_utc(to)


def _to_utc(time: datetime) -> datetime:
    if time.utcoffset() is None:
        raise UsageError(f"the time {time.isoformat()} has no zone; give it one, as +00:00")
    return time.astimezone(UTC)


class BacktestTimeline:
    """The times of a backtest: each close of the mandate's timeframe at which there is a new candle.

    It alone may look ahead, and only at when candles close. It moves the clock by which every tool reads the market.
    """

    def __init__(
        self,
        recorded: Sequence[CandleSeries],
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
        self._end = to_epoch_ms(end) if end else None
        first = self._after(to_epoch_ms(start) - 1 if start else 0)
        if first is None:
            raise UsageError(_no_candles_message(recorded, timeframe, start, end))
        self.first = first
        self.clock = BacktestClock(at or first)

    def advance_to(self, at: datetime | None) -> datetime:
        """Move the clock to the time of a cycle, the first without one; give it."""
        self.clock.advance_to(at or self.first)
        return self.clock.now()

    def after(self, at: datetime) -> datetime | None:
        """Return the time of the cycle after one; None at the end."""
        return self._after(to_epoch_ms(at))

    def _after(self, at: int) -> datetime | None:
        closes = [close for series in self._recorded if (close := _next_close(series, at)) is not None]
        if not closes:
            return None
        length = TIMEFRAME_MS[self._timeframe]
        begun = candle_open(min(closes), self._timeframe)
        # A close within a candle of the timeframe is seen at the end of that candle.
        close = begun if begun == min(closes) else begun + length
        return None if self._end is not None and close > self._end else from_epoch_ms(close)


def _no_candles_message(
    recorded: Sequence[CandleSeries], timeframe: Timeframe, start: datetime | None, end: datetime | None
) -> str:
    closes = [series.closed(place) for series in recorded for place in (0, -1)]
    period = f"from {_format_time(start) if start else 'the first'} to {_format_time(end) if end else 'the last'}"
    there = f"those there are close from {_format_time(min(closes))} to {_format_time(max(closes))}"
    return f"no candle of {timeframe} closes {period}; {there}. Choose other times or candles"


def _format_time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _next_close(series: CandleSeries, at: int) -> int | None:
    length = TIMEFRAME_MS[series.timeframe]
    place = bisect_right(series.opened, at - length)
    return series.opened[place] + length if place < len(series) else None


class RecordedMarket:
    """A market of recorded candles as they could be known at the time of a clock; a `Market`.

    One series an asset; longer timeframes are made of it when they are first asked for. Raises UsageError for two
    series of one asset.
    """

    def __init__(self, clock: Clock, recorded: Iterable[CandleSeries]) -> None:
        self._clock = clock
        self._recorded: dict[str, CandleSeries] = {}
        for series in recorded:
            if series.asset in self._recorded:
                both = f"{self._recorded[series.asset].source} and {series.source}"
                raise UsageError(f"{both} both hold candles of {series.asset}; give one file an asset")
            self._recorded[series.asset] = series
        self._assets = tuple(self._recorded)
        self._made: dict[tuple[str, Timeframe], CandleSeries] = {
            (s.asset, s.timeframe): s for s in self._recorded.values()
        }

    def now(self) -> datetime:
        """Return the time of the clock."""
        return self._clock.now()

    def assets(self) -> Sequence[str]:
        """Return the assets, in the order they were given in."""
        return self._assets

    async def series(self, asset: str, timeframe: Timeframe, upto: datetime, count: int) -> CandleSeries:
        """Return the last candles that had closed at `upto`, as a view; see `Market`."""
        require_not_after(upto, self._clock.now())
        made = self._made.get((asset, timeframe))
        candles = self._resample(asset, timeframe) if made is None else made
        return last_closed(candles, to_epoch_ms(upto), count)

    def _resample(self, asset: str, timeframe: Timeframe) -> CandleSeries:
        require_known_asset(asset, self._assets)
        base = self._recorded[asset]
        if not candles_per(timeframe, base.timeframe):
            raise ToolFailed(
                f"candles of {timeframe} cannot be made of those of {asset}, which are of {base.timeframe}; "
                f"ask for {base.timeframe} or a multiple of it"
            )
        self._made[asset, timeframe] = made = resample(base, timeframe)
        return made
