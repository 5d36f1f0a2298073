from collections.abc import Iterator
from typing import ClassVar, Literal

from quaestor.contracts.budget import Spend
from quaestor.contracts.decision import Standing, StandingGiven, reading_names
from quaestor.contracts.errors import LookAhead, ToolFailed
from quaestor.contracts.mandate import Strategy
from quaestor.contracts.market import Indicator, IndicatorGiven, IndicatorParameters, IndicatorResult
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Tool

Wanted = tuple[Indicator, IndicatorParameters]


class RunIndicators:
    """Computes all indicators that the rules of a strategy read, in one run; a `Tool` made of `run_indicator`."""

    name: ClassVar[str] = "run_indicators"
    description: ClassVar[str] = "Computes the indicators that the rules of the strategy read."
    takes: ClassVar[type[Noun]] = StandingGiven
    gives: ClassVar[type[Noun]] = Standing
    repeatable: ClassVar[bool] = True
    pure: ClassVar[Literal[True]] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, indicator: Tool) -> None:
        self._indicator = indicator

    async def run(self, given: Noun) -> Standing:
        """Give every value by its name, and why others are missing, as too few candles. Raises LookAhead."""
        if not isinstance(given, StandingGiven):
            raise ToolFailed(f"run_indicators takes a StandingGiven, not a {type(given).__name__}; give it a strategy")
        readings: dict[str, float] = {}
        missing: list[str] = []
        for asset in given.assets:
            for indicator, parameters in _wanted(given.strategy):
                asked = IndicatorGiven(
                    asset=asset,
                    timeframe=given.timeframe,
                    indicator=indicator,
                    parameters=parameters,
                    as_of=given.as_of,
                )
                try:
                    result = await self._indicator.run(asked)
                except LookAhead:
                    raise
                except ToolFailed as error:
                    missing.append(str(error))
                else:
                    readings |= reading_names(IndicatorResult.model_validate(result))
        return Standing(readings=readings, missing=tuple(missing))


def _wanted(strategy: Strategy) -> Iterator[Wanted]:
    for rule in strategy.rules:
        match rule:
            case "rsi":
                yield "rsi", IndicatorParameters(period=strategy.rsi.period)
            case "macd":
                macd = strategy.macd
                yield "macd", IndicatorParameters(fast=macd.fast, slow=macd.slow, signal=macd.signal)
            case "cross":
                yield "sma", IndicatorParameters(period=strategy.cross.fast)
                yield "sma", IndicatorParameters(period=strategy.cross.slow)
