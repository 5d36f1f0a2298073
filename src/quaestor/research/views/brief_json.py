"""An evidence brief as JSON: a public schema, so its names are never changed and only added to."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Sha256, TablePlace
from quaestor.research.contracts.brief import Brief, BriefChange, BriefPassage, CheckedAnswer, ShownRow
from quaestor.research.contracts.report import GenerationInfo
from quaestor.research.reports.fixed_words import ENGLISH_CODE
from quaestor.research.views.report_json import SourceData, source_data
from quaestor.views.escaping import escape_hidden_json


class PassageData(Contract):
    """Marked words: in the text with the hash `source`, the characters from `start` to `end` are `quote`."""

    number: int
    part: str
    best: bool = Field(description="Of its part it holds the most words; one of each part does.")
    side: str | None = Field(description="Of a comparison, the side that it names; empty: none alone.")
    source: Sha256
    start: int
    end: int
    page: int | None
    in_table: TablePlace | None
    quote: str
    context: str = Field(description="The paragraph that holds the quote.")
    context_start: int
    list_goes_on: bool = Field(default=False, description="More items of its list stand below the paragraph.")
    heading: str
    status: str | None = Field(
        description="What its document says of its own status, and another passage of what it is about."
    )
    absent: tuple[str, ...] = Field(description="Words and names of the part that the paragraph does not hold.")
    finding: str


class DifferenceData(Contract):
    """A subject to which passages give different values; `passages` are numbers, one a value."""

    subject: str
    values: tuple[str, ...]
    passages: tuple[int, ...]


class ChangeData(Contract):
    """A sentence that tells of a change in words of a passage; nobody checked that it is one of what that tells."""

    passage: int
    source: Sha256
    start: int
    end: int
    quote: str
    heading: str
    only_later: bool = Field(description="It has no word for a change, but is of a later record.")


class RowData(Contract):
    """A thing that was listed or counted, or the cell that answers; `quote` shows it, as in a passage."""

    name: str
    source: Sha256
    start: int
    end: int
    quote: str


class BriefData(Contract):
    """The brief; `answer` is null unless its kind is checked, and `answer_passages` are the numbers that hold it."""

    format: Literal["quaestor-brief-1"] = "quaestor-brief-1"
    kind: Literal["brief"] = "brief"
    version: int
    question: str
    language: str = Field(description="Its code.")
    answer: str | None
    answer_kind: CheckedAnswer | None
    answer_label: str | None
    answer_passages: tuple[int, ...]
    answer_rows: tuple[RowData, ...] = Field(default=(), description="Of a list, a count or a cell, what shows it.")
    partial: str | None = Field(description="Why the work ended early, if it did.")
    parts: tuple[str, ...]
    passages: tuple[PassageData, ...] = Field(description="In the order of reading.")
    differences: tuple[DifferenceData, ...]
    changes: tuple[ChangeData, ...] = Field(default=(), description="Those first that share more with their passage.")
    gaps: tuple[str, ...]
    sources: tuple[SourceData, ...]
    making: GenerationInfo


def render_brief_json(brief: Brief) -> str:
    """Render a brief as a `BriefData` in JSON, indented by two; the text ends with a line end, and hides nothing."""
    sources = {source.sha256: source for source in brief.sources}
    proof = brief.answer_proof
    shape = BriefData(
        version=brief.version,
        question=brief.question,
        language=brief.language or ENGLISH_CODE,
        answer=brief.answer,
        answer_kind=proof.kind if proof else None,
        answer_label=proof.label if proof else None,
        answer_passages=proof.passages if proof else (),
        answer_rows=tuple(_row(one) for one in proof.rows) if proof else (),
        partial=brief.partial,
        parts=brief.parts,
        passages=tuple(_passage(one, sources[one.source].page(one.start)) for one in brief.passages),
        differences=tuple(
            DifferenceData(subject=one.subject, values=one.values, passages=one.passages) for one in brief.differences
        ),
        changes=tuple(_change(one) for one in brief.changes),
        gaps=brief.gaps,
        sources=tuple(source_data(source) for source in brief.sources),
        making=brief.making,
    )
    return escape_hidden_json(shape.model_dump_json(indent=2)) + "\n"


def _change(change: BriefChange) -> ChangeData:
    said = change.said
    return ChangeData(
        passage=change.passage,
        source=said.source,
        start=said.start,
        end=said.end,
        quote=said.text,
        heading=change.heading,
        only_later=change.only_later,
    )


def _row(row: ShownRow) -> RowData:
    quote = row.quote
    return RowData(name=row.name, source=quote.source, start=quote.start, end=quote.end, quote=quote.text)


def _passage(passage: BriefPassage, page: int | None) -> PassageData:
    return PassageData(
        number=passage.number,
        part=passage.part,
        best=passage.is_best,
        side=passage.side,
        source=passage.source,
        start=passage.start,
        end=passage.end,
        page=page,
        in_table=passage.in_table,
        quote=passage.text,
        context=passage.context.text,
        context_start=passage.context.start,
        list_goes_on=passage.list_goes_on,
        heading=passage.heading,
        status=passage.status,
        absent=passage.absent,
        finding=passage.finding,
    )
