"""What an agent is given to whom a todo is delegated: tool passes first, then one output pass with its contract.

For an agent that gives a Reading the output pass is a ReadGiven, for one that gives a Section a SectionGiven.
"""

from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from quaestor.contracts.ledger import Finding
from quaestor.contracts.noun import Noun
from quaestor.contracts.roles import Given, Shown, Summary
from quaestor.contracts.source import Hit


class ScoutGiven(Shown):
    """For a tool pass: what is to be found out, and what was seen so far."""

    question: str
    task: str
    executed: tuple[str, ...] = Field(default=(), description="Queries and calls that were made for this task.")
    hits: tuple[Hit, ...] = ()
    findings: tuple[Finding, ...] = Field(default=(), description="Of the todos this one depends on.")
    pages: tuple[str, ...] = Field(default=(), description="Pages that may be fetched, with their titles.")
    offers: tuple[str, ...] = Field(default=(), description="What connected servers offer, in their own words.")
    refused: tuple[str, ...] = Field(default=(), description="Tool calls that could not be made, with the reason.")
    passes_left: int = Field(ge=0, description="Tool passes that may follow this one.")


class DigestGiven(Given):
    """For a delegate that gives a Summary: the findings of the todos this one depends on."""

    gives: ClassVar[type[Noun]] = Summary

    question: str
    task: str
    findings: tuple[Finding, ...] = ()
    characters: int = Field(default=1500, ge=1)

    @override
    def objections(self, reply: Noun) -> tuple[str, ...]:
        """Refuse a summary over the size asked for."""
        if isinstance(reply, Summary) and len(reply.text) > self.characters:
            return (f"at most {self.characters} characters are wanted, not {len(reply.text)}",)
        return super().objections(reply)
