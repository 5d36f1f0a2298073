from pydantic import Field

from quaestor.contracts.base import Contract


class Verification(Contract):
    """What a check of a session found; nothing is counted where there are faults."""

    faults: tuple[str, ...] = ()
    events: int = Field(default=0, ge=0)
    quotes: int = Field(default=0, ge=0, description="Different quotes of the ledger and of the reports.")
    sources: int = Field(default=0, ge=0, description="That these quotes are from.")
