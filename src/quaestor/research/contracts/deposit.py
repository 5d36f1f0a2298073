"""Outputs of programs as sources: what the deposit tool is given."""

from pydantic import Field

from quaestor.contracts.base import Contract


class ProgramOutput(Contract):
    """What one run of a program printed."""

    key: str = Field(description="Of the run, in the log.")
    title: str
    text: str = Field(min_length=1)


class DepositInput(Contract):
    """For the deposit tool: outputs that become sources, and what is wanted of them."""

    query: str = Field(min_length=1)
    limit: int = Field(default=6, ge=1, le=50)
    outputs: tuple[ProgramOutput, ...] = ()
