"""The report as JSON: a public schema, so its names are never changed and only added to."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Sha256, Source, TablePlace
from quaestor.research.contracts.report import Claim, GenerationInfo, Report
from quaestor.research.contracts.verdicts import Verdict
from quaestor.research.reports.fixed_words import ENGLISH_CODE
from quaestor.research.views.report_outline import disputes
from quaestor.views.escaping import escape_hidden_json

ClaimLocation = Literal["answer", "summary", "key_findings", "section", "disputed", "conclusion"]


class CitationData(Contract):
    """The proof of a claim: in the text with the hash `source`, the characters from `start` to `end` are `quote`."""

    number: int
    source: Sha256
    start: int
    end: int
    page: int | None
    in_table: TablePlace | None
    quote: str
    finding: str


class ClaimData(Contract):
    """One sentence of the report and its first place; `todo_id` is None outside the sections."""

    number: int
    text: str
    quoted: bool = Field(description="It names findings, and every quote of them is in its source.")
    verdict: Verdict = Field(description="Whether its quotes say what it says.")
    confidence: float | None
    note: str
    checked_by: str
    place: ClaimLocation
    todo_id: str | None
    citations: tuple[CitationData, ...]


class SectionData(Contract):
    """What one todo brought; `claims` are numbers."""

    todo_id: str
    heading: str
    claims: tuple[int, ...]
    note: str | None


class PositionData(Contract):
    """One side of a contradiction; `citations` are numbers, none when the report does not cite the finding."""

    value: str
    finding: str
    citations: tuple[int, ...]


class ContradictionData(Contract):
    """A subject to which sources give different values."""

    subject: str
    positions: tuple[PositionData, ...]


class SourceData(Contract):
    """A cited text; its id is the SHA-256 of that text in UTF-8."""

    id: Sha256
    title: str
    uri: str
    sha256: Sha256
    media_type: str
    characters: int
    retrieved_at: datetime
    published: date | None


class ReportData(Contract):
    """The report; `answer_claim`, `summary`, `key_findings` and `conclusion` are numbers of claims."""

    format: Literal["quaestor-report-2"] = "quaestor-report-2"
    kind: Literal["report"] = "report"
    version: int
    question: str
    language: str = Field(description="Its code.")
    title: str
    answer: str | None
    answer_claim: int | None
    partial: str | None = Field(description="Why the work ended early, if it did.")
    summary: tuple[int, ...]
    key_findings: tuple[int, ...]
    sections: tuple[SectionData, ...]
    conclusion: tuple[int, ...]
    claims: tuple[ClaimData, ...]
    contradictions: tuple[ContradictionData, ...]
    assumptions: tuple[str, ...] = Field(description="What was taken as meant because nobody was asked.")
    gaps: tuple[str, ...]
    blocked: tuple[str, ...]
    sources: tuple[SourceData, ...]
    making: GenerationInfo


def render_json(report: Report) -> str:
    """Render a report as a `ReportData` in JSON, indented by two; the text ends with a line end, and hides nothing."""
    shape = ReportData(
        version=report.version,
        question=report.question,
        language=report.language or ENGLISH_CODE,
        title=report.title,
        answer=report.answer,
        answer_claim=report.answer_claim.number if report.answer_claim else None,
        partial=report.partial,
        summary=_numbers(report.summary),
        key_findings=_numbers(report.key_findings),
        sections=tuple(
            SectionData(
                todo_id=section.todo_id,
                heading=section.heading,
                claims=_numbers(section.claims),
                note=section.note,
            )
            for section in report.sections
        ),
        conclusion=_numbers(report.conclusion),
        claims=_claims(report),
        contradictions=_contradictions(report),
        assumptions=report.assumptions,
        gaps=report.gaps,
        blocked=report.blocked,
        sources=tuple(source_data(source) for source in report.sources),
        making=report.making,
    )
    return escape_hidden_json(shape.model_dump_json(indent=2)) + "\n"


def _numbers(claims: Iterable[Claim]) -> tuple[int, ...]:
    return tuple(claim.number for claim in claims)


def _claims(report: Report) -> tuple[ClaimData, ...]:
    places: dict[int, tuple[ClaimLocation, str | None]] = {}
    for claim, place, todo_id in _located_claims(report):
        places.setdefault(claim.number, (place, todo_id))
    sources = {source.sha256: source for source in report.sources}
    return tuple(_claim(claim, *places[claim.number], sources) for claim in report.claims())


def _located_claims(report: Report) -> Iterable[tuple[Claim, ClaimLocation, str | None]]:
    if report.answer_claim:
        yield report.answer_claim, "answer", None
    yield from ((claim, "summary", None) for claim in report.summary)
    yield from ((claim, "key_findings", None) for claim in report.key_findings)
    yield from ((claim, "section", section.todo_id) for section in report.sections for claim in section.claims)
    yield from ((claim, "disputed", None) for claim in report.disputed)
    yield from ((claim, "conclusion", None) for claim in report.conclusion)


def _claim(claim: Claim, place: ClaimLocation, todo_id: str | None, sources: Mapping[Sha256, Source]) -> ClaimData:
    citations = (
        CitationData(
            number=citation.number,
            source=citation.source,
            start=citation.start,
            end=citation.end,
            page=sources[citation.source].page(citation.start),
            in_table=citation.in_table,
            quote=citation.text,
            finding=citation.finding,
        )
        for citation in claim.citations
    )
    return ClaimData(
        number=claim.number,
        text=claim.text,
        quoted=claim.quoted,
        verdict=claim.verdict,
        confidence=claim.confidence,
        note=claim.note,
        checked_by=claim.checked_by,
        place=place,
        todo_id=todo_id,
        citations=tuple(citations),
    )


def _contradictions(report: Report) -> tuple[ContradictionData, ...]:
    return tuple(
        ContradictionData(
            subject=dispute.subject,
            positions=tuple(
                PositionData(value=position.value, finding=position.finding, citations=position.numbers)
                for position in dispute.positions
            ),
        )
        for dispute in disputes(report)
    )


def source_data(source: Source) -> SourceData:
    """Return a cited source as JSON shows it."""
    return SourceData(
        id=source.sha256,
        title=source.title,
        uri=source.uri,
        sha256=source.sha256,
        media_type=source.media_type,
        characters=source.characters,
        retrieved_at=source.retrieved_at,
        published=source.published,
    )
