from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.ports import Clock

if TYPE_CHECKING:
    from quaestor.tools.market.exchange import ExchangeMarket


def exchange_market(name: str, clock: Clock, assets: Sequence[str]) -> "ExchangeMarket":
    """Give an exchange as a market, by the name ccxt has for it; assets as `BTC/USDT`.

    Raises UsageError for a name that ccxt does not know, MissingExtra without ccxt.
    """
    if find_spec("ccxt") is None:
        raise MissingExtra("candles of an exchange need an extra: pip install 'quaestor[exchange]'")
    from quaestor.tools.market.exchange import ExchangeMarket, connect  # noqa: PLC0415 -- ccxt takes 0.8 s to import

    return ExchangeMarket(connect(name), clock, assets)
