"""The report of a research session: sections of claims, each with its citations and verdict."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Contradiction
from quaestor.contracts.source import Quote, Source, TablePlace
from quaestor.research.contracts.verdicts import Verdict

_render_frame: Callable[[object], str] = deferred("quaestor.research.views.document:render_frame")


class Citation(Quote):
    """A verified quote with its number in the report."""

    number: int = Field(ge=1)
    finding: str = Field(description="The id of the finding whose quote this is.")
    in_table: TablePlace | None = Field(default=None, description="Its place, if it is within a row of a table.")


class Claim(Contract):
    """One sentence of the report, whether it is quoted, and whether it is supported."""

    number: int = Field(ge=1)
    text: str = Field(min_length=1)
    quoted: bool = Field(description="It names findings, and every quote of them is in its source.")
    verdict: Verdict = Field(default=Verdict.NOT_CHECKED, description="Whether its quotes say what it says.")
    confidence: float | None = Field(default=None, ge=0, le=1, description="Of the model that gave the verdict.")
    note: str = Field(default="", description="Why the verdict was given.")
    checked_by: str = Field(default="", description="The model that gave the verdict, or `rules`.")
    citations: tuple[Citation, ...] = ()


class ReportSection(Contract):
    """What one todo brought, in plan order; or what belongs under a heading that a person gave."""

    todo_id: str = Field(description="The todo; of a given heading its place, as s1.")
    heading: str
    claims: tuple[Claim, ...] = ()
    note: str | None = Field(default=None, description="Said in place of claims: nothing found, blocked, failed.")


class GenerationInfo(Contract):
    """How the report was made: what is counted is of the whole session so far."""

    model: str
    todos: int
    todos_done: int
    searches: int
    sources_searched: int
    spend: Spend = Field(description="Of the calls that ended, each once; one without an answer with the most.")
    lost: Spend = Field(
        default=Spend(), description="Not in `spend`: the most that calls can have cost that were cut off or cancelled."
    )
    extractive: bool = Field(description="True when the sentences are extracts and no language model wrote them.")
    fallbacks: tuple[str, ...] = Field(
        default=(),
        description="What a model gave no usable answer for: `plan`, `frame`, or the id of a section.",
    )
    cycles: int = Field(default=1, description="Questions, refreshes, retries and revisions so far.")


class Report(Contract):
    """A cited report; a fold of the log, the same to the byte whenever it is made again."""

    kind: Literal["report"] = "report"
    version: int = Field(ge=1)
    question: str
    language: str | None = Field(default=None, description="Its code; None in old logs, which are in English.")
    title: str
    answer: str | None = None
    answer_claim: Claim | None = None
    summary: tuple[Claim, ...] = ()
    key_findings: tuple[Claim, ...] = ()
    sections: tuple[ReportSection, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    disputed: tuple[Claim, ...] = Field(default=(), description="What the contradicting findings claim, cited.")
    assumptions: tuple[str, ...] = Field(default=(), description="What was taken as meant because nobody was asked.")
    gaps: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    conclusion: tuple[Claim, ...] = ()
    sources: tuple[Source, ...] = Field(default=(), description="Every cited source, in order of first citation.")
    making: GenerationInfo
    partial: str | None = Field(default=None, description="Why the work ended early, if it did.")

    def claims(self) -> tuple[Claim, ...]:
        """Return every claim once, in reading order."""
        sectioned = tuple(claim for section in self.sections for claim in section.claims)
        answer = (self.answer_claim,) if self.answer_claim else ()
        ordered = (*answer, *self.summary, *self.key_findings, *sectioned, *self.disputed, *self.conclusion)
        return tuple({claim.number: claim for claim in ordered}.values())

    def citations(self) -> tuple[Citation, ...]:
        """Return every citation once, by its number."""
        cited = (citation for claim in self.claims() for citation in claim.citations)
        return tuple({citation.number: citation for citation in cited}.values())

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return _render_frame(self)
