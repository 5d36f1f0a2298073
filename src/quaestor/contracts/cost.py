"""Money and tokens: what a call costs, what a session may spend, and the report of what it spent."""

from decimal import Decimal
from typing import Annotated, Self

from pydantic import Field, model_validator

from quaestor.contracts.base import Contract

_MILLION = 1_000_000


class Spend(Contract):
    """What was used up: calls, tokens and dollars."""

    model_calls: int = Field(default=0, ge=0)
    tool_calls: int = Field(default=0, ge=0)
    tokens: int = Field(default=0, ge=0)
    dollars: Decimal = Field(default=Decimal(0), ge=0)

    def __add__(self, other: "Spend") -> "Spend":
        return Spend.model_construct(  # the sum of two valid spends is one
            model_calls=self.model_calls + other.model_calls,
            tool_calls=self.tool_calls + other.tool_calls,
            tokens=self.tokens + other.tokens,
            dollars=self.dollars + other.dollars,
        )


class Budget(Contract):
    """The most a session may spend; None is no limit.

    `reserve_share` is kept back for the actions that a session must be able to end with.
    """

    model_calls: int | None = Field(default=None, ge=0)
    tool_calls: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    dollars: Decimal | None = Field(default=None, ge=0)
    seconds: float | None = Field(default=None, ge=0, description="Of running; what lies between two runs is free.")
    reserve_share: float = Field(default=0.2, ge=0, lt=1)

    @model_validator(mode="before")
    @classmethod
    def _upcast(cls, values: object) -> object:
        """Read the share under the name that it has in the logs of 0.1.0."""
        if isinstance(values, dict) and "writing_share" in values:
            return {("reserve_share" if name == "writing_share" else name): value for name, value in values.items()}
        return values


Dollars = Annotated[Decimal, Field(ge=0)]
"""An exact amount; a float is taken as the decimal text it is written with, so 0.1 is a tenth."""


class Usage(Contract):
    """The tokens of one model call, as its provider counts them."""

    input_tokens: int = Field(ge=0, description="All input, with what was read from or written to a cache.")
    cached_tokens: int = Field(default=0, ge=0, description="Of the input, read from a cache.")
    written_tokens: int = Field(default=0, ge=0, description="Of the input, written to a cache.")
    output_tokens: int = Field(ge=0, description="All output, with what was thought and not said.")

    @model_validator(mode="after")
    def _counts_no_token_twice(self) -> Self:
        if self.cached_tokens + self.written_tokens > self.input_tokens:
            msg = f"{self.cached_tokens} cached and {self.written_tokens} written of {self.input_tokens} input tokens"
            raise ValueError(f"{msg} are more than all; count cached and written tokens as input too")
        return self


class Rates(Contract):
    """Dollars per million tokens."""

    input: Dollars
    output: Dollars
    cached_input: Dollars | None = Field(default=None, description="Input read from a cache; None: as other input.")
    cache_write: Dollars | None = Field(default=None, description="Input written to a cache; None: as other input.")


class PriceTier(Rates):
    """The rates for every token of a call with more than `above` input tokens."""

    above: int = Field(ge=0)


class Price(Rates):
    """What one model charges: the rates of a small call, and the tiers that larger calls reach."""

    call: Dollars = Field(default=Decimal(0), description="Dollars a call, whatever its size.")
    tiers: tuple[PriceTier, ...] = ()
    window: int | None = Field(default=None, ge=1, description="The most input tokens the model takes.")

    def cost(self, usage: Usage) -> Decimal:
        """Return the dollars for one call: all its tokens at the rates of the highest tier that its input reaches."""
        rates: Rates = max(self._reached(usage.input_tokens), key=lambda tier: tier.above, default=self)
        other = usage.input_tokens - usage.cached_tokens - usage.written_tokens
        cached = rates.input if rates.cached_input is None else rates.cached_input
        written = rates.input if rates.cache_write is None else rates.cache_write
        spent = other * rates.input + usage.cached_tokens * cached + usage.written_tokens * written
        return self.call + (spent + usage.output_tokens * rates.output) / _MILLION

    def most(self, input_tokens: int, output_tokens: int) -> Decimal:
        """Return an upper bound in dollars for a call with at most so many tokens, in any tier and with any caching."""
        reachable: tuple[Rates, ...] = (self, *self._reached(input_tokens))
        return (
            self.call
            + max(input_tokens * _max_input_rate(rates) + output_tokens * rates.output for rates in reachable)
            / _MILLION
        )

    def _reached(self, input_tokens: int) -> tuple[PriceTier, ...]:
        return tuple(tier for tier in self.tiers if tier.above < input_tokens)


def _max_input_rate(rates: Rates) -> Decimal:
    return max(rates.input, rates.cached_input or rates.input, rates.cache_write or rates.input)


class SpendAccount(Contract):
    """What was spent on one thing."""

    name: str
    spend: Spend = Spend()
    input_tokens: int = Field(default=0, ge=0, description="As providers counted them, with those read from a cache.")
    cached_tokens: int = Field(default=0, ge=0, description="Of the input, read from a provider's cache.")
    output_tokens: int = Field(default=0, ge=0, description="As providers counted them.")
    recalled: int = Field(default=0, ge=0, description="Calls answered from earlier sessions, at no cost.")
    milliseconds: int = Field(default=0, ge=0, description="Until the answers came; calls at the same time add up.")


class LimitUsage(Contract):
    """A limit of the session and how much of it is used."""

    name: str = Field(description="As in the session's budget.")
    used: Decimal
    allowed: Decimal
    gathering: Decimal = Field(description="What of it may be used before writing.")
    share: float | None = Field(description="Used of allowed; None where nothing is allowed.")


class SpendReport(Contract):
    """What a session spent; the accounts of each of the four lists add up to the total."""

    session_id: str
    total: SpendAccount
    by_state: tuple[SpendAccount, ...]
    by_role: tuple[SpendAccount, ...] = Field(description="And by tool.")
    by_todo: tuple[SpendAccount, ...] = Field(description="What was spent on no todo is under the name of the session.")
    by_model: tuple[SpendAccount, ...]
    lost: SpendAccount = Field(
        description="Of the total: reserved for calls that a kill cut off or that were cancelled."
    )
    held: SpendAccount = Field(description="Reserved for calls that have no answer yet; not in the total.")
    seconds: float = Field(ge=0, description="Of running; the time between two runs and of waiting does not count.")
    limits: tuple[LimitUsage, ...]
    unpriced: tuple[str, ...] = Field(description="Models that answered and whose price is not known.")
    replays: str | None = Field(description="The session whose log answered every call.")
