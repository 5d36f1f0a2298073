"""Recorded candles as a market."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.market import Series, Timeframe, since_epoch
from quaestor.contracts.ports import Clock
from quaestor.tools.market.asked import allowed, listed
from quaestor.tools.market.resample import resample
from quaestor.tools.market.span import within
from quaestor.tools.market.table import closed_by


class History:
    """Gives recorded candles as they could be known at the time of a clock; a `Market`.

    One series an asset; longer timeframes are made of it when they are first asked for. Raises UsageError for two
    series of one asset.
    """

    def __init__(self, clock: Clock, recorded: Iterable[Series]) -> None:
        self._clock = clock
        self._base: dict[str, Series] = {}
        for series in recorded:
            if series.asset in self._base:
                both = f"{self._base[series.asset].source} and {series.source}"
                raise UsageError(f"{both} both hold candles of {series.asset}; give one file an asset")
            self._base[series.asset] = series
        self._assets = tuple(self._base)
        self._made: dict[tuple[str, Timeframe], Series] = {(s.asset, s.timeframe): s for s in self._base.values()}

    def now(self) -> datetime:
        """Give the time of the clock."""
        return self._clock.now()

    def assets(self) -> Sequence[str]:
        """Name the assets, in the order they were given in."""
        return self._assets

    async def series(self, asset: str, timeframe: Timeframe, upto: datetime, count: int) -> Series:
        """Give the last candles that had closed at `upto`, as a view; see `Market`."""
        allowed(upto, self._clock.now())
        made = self._made.get((asset, timeframe))
        candles = self._longer(asset, timeframe) if made is None else made
        return closed_by(candles, since_epoch(upto), count)

    def _longer(self, asset: str, timeframe: Timeframe) -> Series:
        listed(asset, self._assets)
        base = self._base[asset]
        if not within(timeframe, base.timeframe):
            raise ToolFailed(
                f"candles of {timeframe} cannot be made of those of {asset}, which are of {base.timeframe}; "
                f"ask for {base.timeframe} or a multiple of it"
            )
        self._made[asset, timeframe] = made = resample(base, timeframe)
        return made
