"""What models charge, from genai-prices: what a call of text costs, on a standard request.

Left out are audio, images, searches, batches and service tiers. Importing the prices takes a tenth of a second, so this
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
    """Give what a provider charges for a model on a day, at the dearest hour; None where that is not published.

    A model that lists no price at all is free when its name says so; elsewhere the price may just not be known.
    """
    place = _PRICE_LIST_IDS.get(provider, provider)
    snapshot = get_snapshot()
    listed = next((each for each in snapshot.providers if each.id == place), None)
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
    """Give the price of the hour that costs most, so that a budget holds at every hour."""
    hours = (info.get_prices(datetime.combine(day, time(hour), UTC)) for hour in range(24))
    return max(hours, key=lambda listed: _rate(listed.input_mtok, 0) + _rate(listed.output_mtok, 0))


def _tier_starts(listed: ModelPrice) -> list[int]:
    rates = (listed.input_mtok, listed.output_mtok, listed.cache_read_mtok, listed.cache_write_mtok)
    return sorted({tier.start for rate in rates if isinstance(rate, TieredPrices) for tier in rate.tiers})


def _rates(listed: ModelPrice, tokens: int) -> Rates:
    """Give the rates of a call with so many input tokens. Output that has no price is not charged."""
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
