"""The ledger: what each todo found, with the quotes that prove it."""

from typing import Self

from pydantic import Field, model_validator

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.source import Quote, Source


class Finding(Contract):
    """A claim with the quotes that prove it."""

    id: str = Field(description="The todo's id and a number: t1/1, t1/2 ...")
    claim: str = Field(min_length=1)
    quotes: tuple[Quote, ...] = Field(min_length=1)


class LedgerEntry(Contract):
    """What one todo found, recorded once."""

    todo_id: str
    attempt: int = Field(ge=0)
    description: str
    findings_summary: str
    findings: tuple[Finding, ...] = ()
    sources: tuple[Source, ...] = ()
    gaps: tuple[str, ...] = ()
    spend: Spend = Spend()


class Contradiction(Contract):
    """Findings from different sources that give one subject different values."""

    subject: str
    findings: tuple[str, ...] = Field(min_length=2, description="Ids of the findings.")
    values: tuple[str, ...] = Field(min_length=2, description="The differing values, one a finding.")

    @model_validator(mode="after")
    def _one_value_a_finding(self) -> Self:
        if len(self.values) != len(self.findings):
            raise ValueError(f"{len(self.values)} values cannot belong to {len(self.findings)} findings")
        return self


class MemoryLine(Contract):
    """What is remembered of one recorded todo, or of several whose lines were compressed into one."""

    todo_ids: tuple[str, ...] = Field(min_length=1)
    text: str
