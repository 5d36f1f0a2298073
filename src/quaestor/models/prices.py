"""List prices of models, from genai-prices, for standard requests of text.

Audio, images, searches, batches and service tiers are left out. Importing the prices takes a tenth of a second, so this
module is imported only when a model has a price.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from types import MappingProxyType

from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import ModelInfo, ModelPrice, TieredPrices

from quaestor.contracts.cost import Price, PriceTier, Rates

_PRICE_LIST_IDS: Mapping[str, str] = MappingProxyType(
    {"bedrock": "aws", "openai-responses": "openai", "xai": "x-ai", "moonshot": "moonshotai"}
)


def list_price(provider: str, model: str, day: date) -> Price | None:
    """Return the price of a model on a day, at its dearest hour; None where it is not published.

    A model without any listed price is free if its name says so; otherwise its price is unknown.
    """
    provider_id = _PRICE_LIST_IDS.get(provider, provider)
    snapshot = get_snapshot()
    listed = next((each for each in snapshot.providers if each.id == provider_id), None)
    info = listed.find_model(model, all_providers=snapshot.providers) if listed else None
    return _price(info, day) if info else None


def _price(info: ModelInfo, day: date) -> Price | None:
    listed = _peak_price(info, day)
    if listed.input_mtok is None:
        free = listed == ModelPrice() and info.id.endswith(":free")
        return Price(input=Decimal(0), output=Decimal(0), window=info.context_window) if free else None
    return Price(
        **dict(_rates(listed, 0)),
        call=_rate(listed.requests_kcount, 0) / 1000,
        tiers=tuple(PriceTier(**dict(_rates(listed, start + 1)), above=start) for start in _tier_starts(listed)),
        window=info.context_window,
    )


def _peak_price(info: ModelInfo, day: date) -> ModelPrice:
    """Return the price of the dearest hour, so that a budget holds at every hour."""
    hours = (info.get_prices(datetime.combine(day, time(hour), UTC)) for hour in range(24))
    return max(hours, key=lambda listed: _rate(listed.input_mtok, 0) + _rate(listed.output_mtok, 0))


def _tier_starts(listed: ModelPrice) -> list[int]:
    rates = (listed.input_mtok, listed.output_mtok, listed.cache_read_mtok, listed.cache_write_mtok)
    return sorted({tier.start for rate in rates if isinstance(rate, TieredPrices) for tier in rate.tiers})


def _rates(listed: ModelPrice, tokens: int) -> Rates:
    """Return the rates of a call with so many input tokens. Output without a price is free."""
    return Rates(
        input=_rate(listed.input_mtok, tokens),
        output=_rate(listed.output_mtok, tokens),
        cached_input=None if listed.cache_read_mtok is None else _rate(listed.cache_read_mtok, tokens),
        cache_write=None if listed.cache_write_mtok is None else _rate(listed.cache_write_mtok, tokens),
    )


def _rate(rate: Decimal | TieredPrices | None, tokens: int) -> Decimal:
    if isinstance(rate, TieredPrices):
        return next((tier.price for tier in reversed(rate.tiers) if tokens > tier.start), rate.base)
    return rate or Decimal(0)
