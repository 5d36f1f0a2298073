"""What the checker is given, and what it gives back: doubts only, for it can take support away and never add any."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import PromptFrame, PromptInput, RoleInput
from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import evidence_frames
from quaestor.research.contracts.writing import Summary


class QuotedSentence(Contract):
    """One sentence of a draft with the verified words it rests on."""

    number: int = Field(ge=1)
    text: str
    quotes: tuple[str, ...] = Field(min_length=1)


class Doubt(Contract):
    """A sentence that says something its quotes do not."""

    number: int = Field(ge=1, description="The number of the sentence.")
    reason: str = Field(min_length=1, max_length=500)


class Check(Contract):
    """The sentences that their quotes do not support; none, if all are supported."""

    doubts: tuple[Doubt, ...] = ()


class CheckInput(RoleInput):
    """For the checker: sentences that stand on verified quotes."""

    gives: ClassVar[type[Contract]] = Check

    sentences: tuple[QuotedSentence, ...] = Field(min_length=1)

    @override
    def frames(self, field: str) -> Sequence[PromptFrame] | None:
        """Return each sentence with the quotes that it rests on."""
        if field != "sentences":
            return None
        return [
            frame
            for line in self.sentences
            for frame in (
                PromptFrame(line.text, (f"sentence {line.number}",)),
                PromptFrame(line.quotes, (f"quotes of sentence {line.number}",)),
            )
        ]

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse doubts about sentences that were not given."""
        if not isinstance(reply, Check):
            return super().objections(reply)
        known = {line.number for line in self.sentences}
        return tuple(f"no sentence has the number {one.number}" for one in reply.doubts if one.number not in known)


class DelegateToolInput(PromptInput):
    """For a tool pass: what is to be found out, and what was seen so far."""

    for_delegates: ClassVar[bool] = True

    question: str
    task: str
    executed: tuple[str, ...] = Field(default=(), description="Queries and calls that were made for this task.")
    hits: tuple[Hit, ...] = ()
    findings: tuple[Finding, ...] = Field(default=(), description="Of the todos this one depends on.")
    pages: tuple[str, ...] = Field(default=(), description="Pages that may be fetched, with their titles.")
    offers: tuple[str, ...] = Field(default=(), description="What connected servers offer, in their own words.")
    refused: tuple[str, ...] = Field(default=(), description="Tool calls that could not be made, with the reason.")
    passes_left: int = Field(ge=0, description="Tool passes that may follow this one.")

    @override
    def frames(self, field: str) -> Sequence[PromptFrame] | None:
        """Return passages and findings with the labels by which they can be quoted."""
        return evidence_frames(field, self.hits, self.findings)


class DelegateSummaryInput(RoleInput):
    """For a delegate that gives a Summary: the findings of the todos this one depends on."""

    gives: ClassVar[type[Contract]] = Summary
    for_delegates: ClassVar[bool] = True

    question: str
    task: str
    findings: tuple[Finding, ...] = ()
    characters: int = Field(default=1500, ge=1)

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse a summary over the size asked for."""
        if isinstance(reply, Summary) and len(reply.text) > self.characters:
            return (f"at most {self.characters} characters are wanted, not {len(reply.text)}",)
        return super().objections(reply)
