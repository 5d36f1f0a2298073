"""The tools of a decision session: its market, its indicators, its broker."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from quaestor.contracts.context import RunContext
from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.ports import Clock
from quaestor.contracts.todo import TodoOptions
from quaestor.contracts.tools import AnyTool
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.market import CandleSeries, Market
from quaestor.trading.market.as_of import BacktestTimeline, RecordedMarket
from quaestor.trading.market.indicator_tools import RunIndicator, RunStrategyIndicators
from quaestor.trading.market.snapshot_tools import GetMarketSnapshot, GetPortfolioState, ScanMarket
from quaestor.trading.paper_broker import PaperBroker
from quaestor.trading.setup import build_timeline, load_mandate_candles, require_unchanged, source_names
from quaestor.trading.state import NotStarted, SessionState, current_cycle_time
from quaestor.trading.todo import decision_options

if TYPE_CHECKING:
    from quaestor.trading.exchange_broker import OrderClient
    from quaestor.trading.market.exchange_market import ExchangeMarket

# ccxt takes 0.8 s to import.
_OPEN_MARKET: "LazyImport[Callable[[str, Clock, Sequence[str]], ExchangeMarket]]" = LazyImport(
    "quaestor.trading.market.exchange_market:open_market"
)
_CONNECT_BROKER: "LazyImport[Callable[..., OrderClient]]" = LazyImport(
    "quaestor.trading.exchange_broker:connect_private"
)
_OPEN_BROKER: "LazyImport[Callable[[OrderClient, float], Sequence[AnyTool]]]" = LazyImport(
    "quaestor.trading.exchange_broker:broker_tools"
)
RECONCILE_DELAY_SECONDS = 10.0
"""After which an order that an exchange does not know is asked for once more."""


async def build_tools(context: RunContext, options: DecisionOptions, state: SessionState) -> Sequence[AnyTool]:
    """Return the tools of a session, at the time of the cycle that is going on.

    Raises UsageError for candles that cannot be read or are not those that a backtest began with, SetupError and
    MissingExtra for an exchange that cannot be reached.
    """
    mandate = options.mandate
    recorded = [loaded.series for loaded in load_mandate_candles(mandate)]
    if options.sources:
        require_unchanged(options.sources, source_names(recorded))
    timeline = build_timeline(mandate, recorded, current_cycle_time(state)) if options.backtest else None
    market = _market(context, mandate, recorded, timeline)
    indicator = RunIndicator(market)
    return (
        ScanMarket(market, mandate.timeframe, timeline),
        GetPortfolioState(),
        GetMarketSnapshot(market),
        RunStrategyIndicators(indicator),
        indicator,
        *(_broker(context, mandate) if options.orders else ()),
        *(await _python(context) if options.python else ()),
    )


async def todo_tools(context: RunContext, options: TodoOptions) -> Sequence[AnyTool]:
    """Return the tools of cycles that carry out todos. Raises as `build_tools` does."""
    return await build_tools(context, decision_options(options), NotStarted())


def _market(
    context: RunContext, mandate: Mandate, recorded: Sequence[CandleSeries], timeline: BacktestTimeline | None
) -> Market:
    if recorded:
        return RecordedMarket(timeline.clock if timeline else context.clock, recorded)
    exchange = mandate.exchange or ""
    return context.shared(
        ("market", exchange, mandate.assets), lambda: open_exchange_market(exchange, context.clock, mandate.assets)
    )


def _broker(context: RunContext, mandate: Mandate) -> Sequence[AnyTool]:
    if mandate.broker == "paper":
        return (PaperBroker(mandate.costs),)
    exchange = mandate.exchange or ""
    try:
        connect, open_broker = _CONNECT_BROKER.load(), _OPEN_BROKER.load()
    except ModuleNotFoundError as missing:
        raise MissingExtra("orders at an exchange need an extra", "exchange") from missing
    client = context.shared(
        ("orders", exchange, mandate.live),
        lambda: connect(exchange, context.environment, live=mandate.live),
    )
    return open_broker(client, RECONCILE_DELAY_SECONDS)


async def _python(context: RunContext) -> Sequence[AnyTool]:
    """Return the Python of the quant, in a folder that is removed when the home is closed."""
    return [tool for tool in await context.programs(context.temporary_folder()) if tool.name == "python"]


def open_exchange_market(name: str, clock: Clock, assets: Sequence[str]) -> "ExchangeMarket":
    """Return an exchange as a market, by the name ccxt has for it; assets as `BTC/USDT`.

    Raises UsageError for a name that ccxt does not know, MissingExtra without ccxt.
    """
    if find_spec("ccxt") is None:
        raise MissingExtra("candles of an exchange need an extra", "exchange")
    return _OPEN_MARKET.load()(name, clock, assets)
