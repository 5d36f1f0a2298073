"""What the checker and the delegates are given, and what the checker gives back."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator
from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import PromptFrame, PromptInput, RoleInput
from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import evidence_frames
from quaestor.research.contracts.usable_items import as_share, shortened, usable_items
from quaestor.research.contracts.writing import Summary


class QuotedSentence(Contract):
    """One sentence of a draft with the verified words it rests on."""

    number: int = Field(ge=1)
    text: str
    quotes: tuple[str, ...] = Field(min_length=1)
    titles: tuple[str, ...] = Field(default=(), description="Of the sources that hold the quotes.")
    answers: str = Field(default="", description="The question that it is the direct answer to, if it is one.")


class SentenceVerdict(Contract):
    """Whether the quotes of one sentence say what it says."""

    number: int = Field(ge=1, description="The number of the sentence.")
    verdict: Literal["supported", "refuted", "unverifiable"]
    confidence: Annotated[float, BeforeValidator(as_share)] = Field(default=1, ge=0, le=1)
    note: Annotated[str, shortened(500)] = Field(
        default="", max_length=500, description="What its quotes do not say, or deny."
    )


class SentenceVerdicts(Contract):
    """A verdict on each sentence; one that is left out was not checked."""

    verdicts: Annotated[tuple[SentenceVerdict, ...], usable_items(SentenceVerdict)] = ()

    @model_validator(mode="before")
    @classmethod
    def _upcast(cls, values: object) -> object:
        """Read the doubts of logs of 0.1.0, which named no supported sentence."""
        match values:
            case {"doubts": [*doubts]}:
                return {"verdicts": [_verdict_of_doubt(doubt) for doubt in doubts]}
            case _:
                return values


def _verdict_of_doubt(doubt: object) -> object:
    match doubt:
        case {"number": number, "reason": reason}:
            return {"number": number, "verdict": "unverifiable", "note": reason}
        case _:
            return doubt


class CheckInput(RoleInput):
    """For the checker: sentences that stand on verified quotes."""

    gives: ClassVar[type[Contract]] = SentenceVerdicts

    sentences: tuple[QuotedSentence, ...] = Field(min_length=1)

    @override
    def frames(self, field: str) -> Sequence[PromptFrame] | None:
        """Return each sentence with the question that it answers, if it does, and the quotes that it rests on."""
        if field != "sentences":
            return None
        return [
            frame
            for line in self.sentences
            for frame in (
                PromptFrame(line.text, (f"sentence {line.number}",)),
                *([PromptFrame(line.answers, (f"question of sentence {line.number}",))] if line.answers else []),
                PromptFrame(line.quotes, (f"quotes of sentence {line.number}", *line.titles)),
            )
        ]

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse verdicts if none is on a sentence that was given; those on others do not count."""
        if not isinstance(reply, SentenceVerdicts):
            return super().objections(reply)
        known = {line.number for line in self.sentences}
        unknown = [one.number for one in reply.verdicts if one.number not in known]
        if not unknown or len(unknown) < len(reply.verdicts):
            return ()
        numbers = ", ".join(map(str, sorted(known)))
        return (f"there is no verdict on a sentence that was given; the sentences have the numbers {numbers}",)


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
