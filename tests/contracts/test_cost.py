import tomllib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quaestor.contracts.cost import Price, PriceTier, Usage

LARGE = PriceTier(above=200_000, input=Decimal(4), output=Decimal(10), cached_input=Decimal(1))
PRICE = Price(
    input=Decimal(2), output=Decimal(8), cached_input=Decimal("0.5"), cache_write=Decimal("2.5"), tiers=(LARGE,)
)


def test_every_token_is_charged_once_at_its_own_rate() -> None:
    usage = Usage(input_tokens=100_000, cached_tokens=60_000, written_tokens=10_000, output_tokens=5_000)
    assert PRICE.cost(usage) == Decimal("0.06") + Decimal("0.03") + Decimal("0.025") + Decimal("0.04")


def test_a_call_above_a_tier_pays_that_tier_for_all_its_tokens() -> None:
    assert PRICE.cost(Usage(input_tokens=200_000, output_tokens=1_000)) == Decimal("0.408")
    assert PRICE.cost(Usage(input_tokens=200_001, output_tokens=1_000)) == Decimal("0.810004")


def test_the_highest_tier_reached_counts_in_whatever_order_they_stand() -> None:
    small = PriceTier(above=1_000, input=Decimal(3), output=Decimal(9))
    price = Price(input=Decimal(2), output=Decimal(8), tiers=(LARGE, small))
    assert price.cost(Usage(input_tokens=1_000_000, output_tokens=0)) == Decimal(4)
    assert price.cost(Usage(input_tokens=10_000, output_tokens=0)) == Decimal("0.03")


def test_cached_and_written_tokens_without_a_rate_are_charged_as_other_input() -> None:
    price = Price(input=Decimal(2), output=Decimal(8))
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, written_tokens=100_000, output_tokens=0)
    assert price.cost(usage) == Decimal(2)


def test_a_rate_of_nothing_is_a_rate() -> None:
    price = Price(input=Decimal(2), output=Decimal(8), cached_input=Decimal(0))
    assert price.cost(Usage(input_tokens=1_000_000, cached_tokens=1_000_000, output_tokens=0)) == 0


def test_a_fee_a_call_is_added_to_the_tokens() -> None:
    price = Price(input=Decimal(1), output=Decimal(1), call=Decimal("0.012"))
    assert price.cost(Usage(input_tokens=1_000, output_tokens=0)) == Decimal("0.013")
    assert price.most(1_000, 0) == Decimal("0.013")


RATE = st.decimals(min_value=0, max_value=1000, places=6)
RATES = {"input": RATE, "output": RATE, "cached_input": st.none() | RATE, "cache_write": st.none() | RATE}
COUNT = st.integers(0, 2_000_000)
TIERS = st.lists(st.builds(PriceTier, above=st.integers(0, 1_000_000), **RATES), max_size=3).map(tuple)
PRICES = st.builds(Price, **RATES, call=RATE, tiers=TIERS, window=st.none() | st.integers(1, 2_000_000))


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    tokens = draw(COUNT)
    cached = draw(st.integers(0, tokens))
    written = draw(st.integers(0, tokens - cached))
    return Usage(input_tokens=tokens, cached_tokens=cached, written_tokens=written, output_tokens=draw(COUNT))


@given(PRICES, usages(), COUNT, COUNT)
def test_no_call_within_the_tokens_costs_more_than_the_most(price: Price, usage: Usage, more: int, longer: int) -> None:
    assert price.cost(usage) <= price.most(usage.input_tokens + more, usage.output_tokens + longer)


@given(PRICES, COUNT, COUNT)
def test_the_most_is_what_some_call_within_the_tokens_is_charged_when_there_is_one_tier(
    price: Price, tokens: int, output: int
) -> None:
    flat = price.model_copy(update={"tiers": ()})
    plain, cached, written = (
        Usage(input_tokens=tokens, output_tokens=output, **kinds)
        for kinds in ({}, {"cached_tokens": tokens}, {"written_tokens": tokens})
    )
    assert flat.most(tokens, output) == max(map(flat.cost, (plain, cached, written)))


@given(PRICES)
def test_a_price_is_the_same_after_it_was_written_and_read(price: Price) -> None:
    assert Price.model_validate_json(price.model_dump_json(exclude_defaults=True)) == price


def test_numbers_of_every_kind_are_taken_exactly_as_they_are_written() -> None:
    read = tomllib.loads('input = 0.1\noutput = 2\ncached_input = "0.003625"\ncall = 1e-7\nwindow = 128_000')
    assert Price.model_validate(read) == Price(
        input=Decimal("0.1"),
        output=Decimal(2),
        cached_input=Decimal("0.003625"),
        call=Decimal("0.0000001"),
        window=128_000,
    )


@pytest.mark.parametrize(
    "said", ["input = 1", "input = -1\noutput = 1", "input = nan\noutput = 1", "input = 1\noutput = 1\nimage = 1"]
)
def test_a_price_that_cannot_be_meant_is_refused(said: str) -> None:
    with pytest.raises(ValidationError):
        Price.model_validate(tomllib.loads(said))


def test_more_cached_and_written_tokens_than_input_are_refused() -> None:
    with pytest.raises(ValidationError, match="60 cached and 50 written of 100 input tokens"):
        Usage(input_tokens=100, cached_tokens=60, written_tokens=50, output_tokens=0)
