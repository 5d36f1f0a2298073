"""The evidence brief: passages that share words with a question, chosen by rules and read by nobody."""

from collections.abc import Callable
from enum import StrEnum
from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.lazy import deferred
from quaestor.contracts.source import Quote, Source
from quaestor.research.contracts.report import Citation, GenerationInfo, Report

_render_frame: Callable[[object], str] = deferred("quaestor.research.views.document:render_frame")


class CheckedAnswer(StrEnum):
    """The kinds of direct answers whose kind is checked; there are no others."""

    FIELD = "field"
    DATE = "date"
    LIST = "list"
    COUNT = "count"
    CALCULATION = "calculation"


class ShownRow(Contract):
    """A thing that a field or a row of a table names, with the words that show it."""

    name: str
    quote: Quote


class AnswerProof(Contract):
    """What checks a direct answer: the text itself names what is asked for."""

    kind: CheckedAnswer
    label: str = Field(description="What the text calls it: the document and the name of the field.")
    passages: tuple[int, ...] = Field(default=(), description="The numbers of the passages that hold it.")
    rows: tuple[ShownRow, ...] = Field(default=(), description="What was listed or counted, and the cell of a table.")


class BriefPassage(Citation):
    """Marked words of a source in their paragraph; `number` counts in the order of reading."""

    part: str = Field(description="The part of the question for which it was found.")
    is_best: bool = Field(default=False, description="Of its part it holds the most words; one of each part does.")
    side: str | None = Field(default=None, description="Of a comparison, the side that it names; empty: none alone.")
    context: Quote = Field(description="The paragraph around the marked words.")
    heading: str = ""
    list_goes_on: bool = Field(default=False, description="More items of its list stand below the paragraph.")
    absent: tuple[str, ...] = Field(default=(), description="Words and names of the part that it does not hold.")
    status: str | None = Field(
        default=None, description="What its document says of its own status, and another passage of what it is about."
    )


class BriefDifference(Contract):
    """A subject to which passages give different values."""

    subject: str
    values: tuple[str, ...] = Field(min_length=2)
    passages: tuple[int, ...] = Field(min_length=2, description="The number of the passage of each value.")


class BriefChange(Contract):
    """A sentence that tells of a change in words of a passage; nobody checked that it is one of what that tells."""

    passage: int = Field(description="The number of the passage.")
    said: Quote
    heading: str = Field(default="", description="The version or the day under which it stands; empty in old logs.")
    only_later: bool = Field(
        default=False, description="It has no word for a change, but is of a later record; false in old logs."
    )


class Brief(Contract):
    """An evidence brief; a fold of the log, the same to the byte whenever it is made again."""

    kind: Literal["brief"] = "brief"
    version: int = Field(ge=1)
    question: str
    language: str | None = Field(default=None, description="Its code; None in old logs, which are in English.")
    answer: str | None = Field(default=None, description="Only where its kind is checked.")
    answer_proof: AnswerProof | None = None
    parts: tuple[str, ...] = Field(min_length=1)
    passages: tuple[BriefPassage, ...] = Field(min_length=1, description="In the order of reading.")
    differences: tuple[BriefDifference, ...] = ()
    changes: tuple[BriefChange, ...] = Field(
        default=(), description="Those first that share more with their passage; none in old logs."
    )
    gaps: tuple[str, ...] = ()
    sources: tuple[Source, ...] = Field(
        default=(), description="In order of their first passage; behind them those of the changes."
    )
    making: GenerationInfo
    partial: str | None = Field(default=None, description="Why the work ended early, if it did.")

    def citations(self) -> tuple[BriefPassage, ...]:
        """Return the passages, each of which is a quote with its place."""
        return self.passages

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return _render_frame(self)


ResearchDocument = Report | Brief
"""What a cycle ends with; `kind` tells which: a report where a model wrote, else a brief."""
