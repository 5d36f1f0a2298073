"""What a session spent, as it is reported: totals, and the same by state, role, todo and model."""

from decimal import Decimal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend


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
