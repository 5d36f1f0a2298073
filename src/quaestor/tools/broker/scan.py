from datetime import datetime
from decimal import Decimal
from typing import ClassVar, Literal

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.market import Market, Timeframe
from quaestor.contracts.noun import Noun
from quaestor.contracts.portfolio import MarketData, ScanGiven
from quaestor.tools.broker.course import Course


class Scan:
    """Looks at the last closes, and at what the portfolio is worth by them; a `Tool`.

    With a course it opens the cycle of a backtest: it moves the market's clock and says when the next candle closes.
    """

    name: ClassVar[str] = "scan"
    description: ClassVar[str] = "Gives the last close of every asset, and the worth of the portfolio."
    takes: ClassVar[type[Noun]] = ScanGiven
    gives: ClassVar[type[Noun]] = MarketData
    repeatable: ClassVar[bool] = True
    pure: ClassVar[Literal[True]] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, market: Market, timeframe: Timeframe, course: Course | None = None) -> None:
        self._market = market
        self._timeframe: Timeframe = timeframe
        self._course = course

    async def run(self, given: Noun) -> MarketData:
        """Give what is known at the time of the cycle; an asset that had no candle by then has no price.

        Raises ToolFailed when no asset has one.
        """
        if not isinstance(given, ScanGiven):
            raise ToolFailed(f"scan takes a ScanGiven, not a {type(given).__name__}; name assets")
        at = self._course.reach(given.at) if self._course else self._market.now()
        prices: dict[str, Decimal] = {}
        volumes: dict[str, Decimal] = {}
        for asset in given.assets:
            series = await self._market.series(asset, self._timeframe, at, 1)
            if len(series):
                prices[asset], volumes[asset] = Decimal(str(series.close[-1])), Decimal(str(series.volume[-1]))
        if not prices:
            raise ToolFailed(_none(given, self._timeframe, at))
        return MarketData(
            at=at,
            prices=prices,
            volumes=volumes,
            portfolio=given.portfolio,
            equity=given.portfolio.equity(prices),
            next=self._course.after(at) if self._course else None,
        )


def _none(given: ScanGiven, timeframe: Timeframe, at: datetime) -> str:
    named = ", ".join(given.assets)
    return f"no candle of {timeframe} of {named} had closed at {at.isoformat()}; begin later, or with other candles"
