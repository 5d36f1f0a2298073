"""The verdicts of agents to which a plan delegates a check: of a statement, and of the citations of earlier todos."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator
from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import PromptFrame, RoleInput
from quaestor.research.contracts.roles import DraftFinding, Reading, ReadInput, evidence_frames
from quaestor.research.contracts.usable_items import as_share, shortened, usable_items


class FactVerdict(Contract):
    """Whether a statement holds, by what the sources prove for it and against it.

    One that contradicts itself, as a statement that is supported and not verified, leaves the question open.
    """

    statement: str = Field(min_length=1, max_length=2000, description="What was checked, as one sentence.")
    is_verified: bool
    status: Literal["supported", "refuted", "unverifiable"]
    confidence: Annotated[float, BeforeValidator(as_share)] = Field(default=1, ge=0, le=1)
    evidence: Annotated[tuple[DraftFinding, ...], usable_items(DraftFinding, 40)] = Field(
        default=(), max_length=40, description="For it and against it."
    )
    notes: Annotated[str, shortened(500)] = Field(default="", max_length=500)

    @model_validator(mode="before")
    @classmethod
    def _read_contradiction(cls, value: object) -> object:
        match value:
            case {
                "is_verified": bool(is_verified),
                "status": "supported" | "refuted" | "unverifiable" as status,
                **others,
            } if is_verified != (status == "supported"):
                return {**others, "is_verified": False, "status": "unverifiable"}
            case _:
                return value

    @property
    def text(self) -> str:
        """The verdict in a sentence."""
        return (
            f"The statement is {self.status} (confidence {self.confidence:.0%}): {self.statement} {self.notes}".strip()
        )


class FactInput(ReadInput):
    """For a delegate that checks a statement: what a reader is given."""

    gives: ClassVar[type[Contract]] = FactVerdict

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse a status without evidence, and quotes that were not given."""
        if not isinstance(reply, FactVerdict):
            return super().objections(reply)
        found = list(super().objections(Reading(findings=reply.evidence)))
        if reply.status != "unverifiable" and not reply.evidence:
            found.append(f"a statement that is {reply.status} needs evidence; without any it is unverifiable")
        return tuple(found)


class CitationVerdict(Contract):
    """Whether the quotes of one finding say what it claims."""

    finding: str = Field(description="Its id.")
    is_valid_citation: bool
    confidence: Annotated[float, BeforeValidator(as_share)] = Field(default=1, ge=0, le=1)
    notes: Annotated[str, shortened(500)] = Field(default="", max_length=500, description="What its quotes do not say.")


class CitationVerdicts(Contract):
    """A verdict on each finding; one that is left out was not checked."""

    verdicts: tuple[CitationVerdict, ...] = ()

    @property
    def text(self) -> str:
        """The verdicts in a few sentences, those on invalid citations with their notes."""
        invalid = [one for one in self.verdicts if not one.is_valid_citation]
        valid = len(self.verdicts) - len(invalid)
        notes = (f"{one.finding} is not valid: {one.notes}" for one in invalid)
        return " ".join((f"{valid} of {len(self.verdicts)} citations are valid.", *notes))


class CitationInput(RoleInput):
    """For a delegate that checks citations: the findings of the todos this one depends on."""

    gives: ClassVar[type[Contract]] = CitationVerdicts
    for_delegates: ClassVar[bool] = True

    question: str
    task: str
    findings: tuple[Finding, ...] = ()

    @override
    def frames(self, field: str) -> Sequence[PromptFrame] | None:
        """Return the findings with their quotes."""
        return evidence_frames(field, (), self.findings)

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse verdicts on findings that were not given."""
        if not isinstance(reply, CitationVerdicts):
            return super().objections(reply)
        known = {finding.id for finding in self.findings}
        return tuple(f"no finding has the id {one.finding!r}" for one in reply.verdicts if one.finding not in known)
