from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import cache
from importlib import import_module

import genai_prices
import pytest
from genai_prices.types import ModelInfo, Provider

from fakes.sample import sample
from quaestor.contracts.cost import Usage
from quaestor.models.prices import list_price

DAY = date(2026, 11, 1)
PEAK = datetime.combine(DAY, time(2), UTC)
"""An hour at which every price that changes within a day is at its highest."""

USAGES = (
    Usage(input_tokens=1_000, output_tokens=100),
    Usage(input_tokens=32_001, cached_tokens=30_000, output_tokens=7),
    Usage(input_tokens=128_001, cached_tokens=1, written_tokens=100_000, output_tokens=900),
    Usage(input_tokens=272_001, cached_tokens=50_000, output_tokens=5_000),
    Usage(input_tokens=900_000, cached_tokens=300_000, written_tokens=200_000, output_tokens=64_000),
)
OURS = (
    "anthropic",
    "cerebras",
    "deepseek",
    "google",
    "groq",
    "mistral",
    "openai",
    "openrouter",
    "together",
)


@cache
def published(provider: str) -> Sequence[ModelInfo]:
    """Return the models of a provider, from data that is slow to import and not needed to collect the tests."""
    providers: Sequence[Provider] = import_module("genai_prices.data").providers
    return next(each.models for each in providers if each.id == provider)


def theirs(provider: str, model: str, usage: Usage) -> Decimal:
    counted = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.written_tokens,
        output_tokens=usage.output_tokens,
    )
    return genai_prices.calc_price(counted, model, provider_id=provider, genai_request_timestamp=PEAK).total_price


@pytest.mark.parametrize("provider", sample(OURS, lambda place: OURS[place] != "openrouter"))
def test_every_model_with_a_price_for_text_costs_what_genai_prices_calculates(provider: str) -> None:
    names = [model.id for model in published(provider)]
    priced = {name: price for name in names if (price := list_price(provider, name, DAY))}
    assert len(priced) > len(names) / 2
    differing = [
        name
        for name, price in priced.items()
        if any(price.cost(usage) != theirs(provider, name, usage) for usage in USAGES)
    ]
    assert differing == []


def test_what_is_not_published_is_unknown_and_not_free() -> None:
    assert list_price("openai", "whisper-1", DAY) is None
    assert list_price("openai", "no-such-model", DAY) is None
    assert list_price("ollama", "llama3", DAY) is None
    assert list_price("nobody", "gpt-5-mini", DAY) is None


def test_a_name_that_says_free_is_free() -> None:
    free = next(model.id for model in published("openrouter") if model.id.endswith(":free"))
    price = list_price("openrouter", free, DAY)
    assert price is not None
    assert price.cost(USAGES[0]) == 0


def test_a_price_that_changes_on_a_day_changes_on_that_day() -> None:
    before, after = (
        list_price("google", "gemini-3.8-flash", date(2026, 12, 31)),
        list_price("google", "gemini-3.8-flash", date(2027, 1, 1)),
    )
    assert before is not None
    assert after is not None
    assert before.input < after.input


def test_the_window_is_known_and_the_responses_api_costs_what_the_chat_api_does() -> None:
    price = list_price("openai", "gpt-5-mini", DAY)
    assert price is not None
    assert price.window == 400_000
    assert list_price("openai-responses", "gpt-5-mini", DAY) == price
