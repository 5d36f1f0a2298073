"""Recorded candles as a market."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.ports import Clock
from quaestor.trading.contracts.market import CandleSeries, Timeframe, to_epoch_ms
from quaestor.trading.market.as_of import require_known_asset, require_not_after
from quaestor.trading.market.series import candles_per, last_closed, resample


class RecordedMarket:
    """Gives recorded candles as they could be known at the time of a clock; a `Market`.

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
