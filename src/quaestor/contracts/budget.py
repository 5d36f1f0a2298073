from decimal import Decimal

from pydantic import Field

from quaestor.contracts.noun import Noun


class Spend(Noun):
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


class Budget(Noun):
    """The most a session may spend; None is no limit.

    `writing_share` is kept back for the states that write and verify the report.
    """

    model_calls: int | None = Field(default=None, ge=0)
    tool_calls: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    dollars: Decimal | None = Field(default=None, ge=0)
    seconds: float | None = Field(default=None, ge=0, description="Of running; what lies between two runs is free.")
    writing_share: float = Field(default=0.2, ge=0, lt=1)
