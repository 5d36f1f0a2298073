from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.util import find_spec
from math import isnan
from typing import TYPE_CHECKING, ClassVar, Literal

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.market import (
    MILLISECONDS,
    CandlesUsed,
    IndicatorGiven,
    IndicatorResult,
    IndicatorValue,
    Market,
    Series,
    instant,
    since_epoch,
)
from quaestor.contracts.noun import Noun
from quaestor.tools.market.asked import as_of
from quaestor.tools.market.need import Need, need
from quaestor.tools.market.span import opening

if TYPE_CHECKING:
    from quaestor.tools.market.indicators import Column


class RunIndicator:
    """Computes an indicator over the candles that had closed at the cycle's time; a `Tool`.

    Raises MissingExtra, when it is made, without the package that computes them.
    """

    name: ClassVar[str] = "run_indicator"
    description: ClassVar[str] = "Computes an indicator over the candles of an asset, up to the last one that closed."
    takes: ClassVar[type[Noun]] = IndicatorGiven
    gives: ClassVar[type[Noun]] = IndicatorResult
    repeatable: ClassVar[bool] = True
    pure: ClassVar[Literal[True]] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, market: Market) -> None:
        if find_spec("talib") is None:
            raise MissingExtra("indicators need an extra: pip install 'quaestor[market]'")
        self._market = market

    async def run(self, given: Noun) -> IndicatorResult:
        """Give the latest values and the candles they come from; see `computed` for where there is no value.

        Raises LookAhead when `as_of` is later than the market's clock; ToolFailed when there are too few candles, and
        when there is no value at the last one.
        """
        if not isinstance(given, IndicatorGiven):
            raise ToolFailed(f"run_indicator takes an IndicatorGiven, not a {type(given).__name__}; name an indicator")
        upto, parameters = as_of(given), given.used()
        needed = need(given.indicator, parameters)
        wanted = needed.settled if given.indicator == "obv" else needed.settled + given.last - 1
        series = await self._market.series(given.asset, given.timeframe, upto, wanted)
        if len(series) < needed.least:
            raise ToolFailed(_too_few(given, needed, series))
        from quaestor.tools.market.indicators import computed  # noqa: PLC0415 -- the package that computes: 0.1 s

        values = tuple(_values(computed(given.indicator, parameters, series), series, given.last))
        if not values or values[-1].closed != series.closed(-1):
            raise ToolFailed(
                f"{given.indicator} of {given.asset} has no value at {series.closed(-1).isoformat()}: the price did "
                "not move; use another indicator or a longer timeframe"
            )
        return IndicatorResult(
            asset=given.asset,
            timeframe=given.timeframe,
            indicator=given.indicator,
            parameters=parameters,
            as_of=upto,
            values=values,
            settled=len(series) >= wanted,
            candles=_used(series, upto),
        )


def _too_few(given: IndicatorGiven, needed: Need, series: Series) -> str:
    parameters = ", ".join(f"{name} {value:g}" for name, value in given.used().named().items())
    return (
        f"{given.indicator} ({parameters}) needs {needed.least} candles of {given.timeframe}, and {given.asset} has "
        f"{len(series)} that had closed by then; use a shorter period or timeframe"
    )


def _values(outputs: "Mapping[str, Column]", series: Series, last: int) -> Iterator[IndicatorValue]:
    """Give the values at the last candles, without those where an output has none."""
    ends = {name: column[-last:].tolist() for name, column in outputs.items()}
    count = min(last, len(series))
    for index in range(count):
        made = {name: column[index] for name, column in ends.items()}
        if not any(map(isnan, made.values())):
            yield IndicatorValue(closed=series.closed(index - count), outputs=made)


def _used(series: Series, upto: datetime) -> CandlesUsed:
    length = MILLISECONDS[series.timeframe]
    due = (opening(since_epoch(upto), series.timeframe) - series.opened[0]) // length
    return CandlesUsed(
        source=series.source,
        first=instant(series.opened[0]),
        last=series.closed(-1),
        count=len(series),
        missing=due - len(series),
    )
