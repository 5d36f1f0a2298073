"""The arguments and results of the tools of research."""

from datetime import date

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import DateRange, Quote, Sha256, Source, TablePlace
from quaestor.contracts.todo import TodoOutput
from quaestor.research.contracts.brief import CheckedAnswer, ShownRow
from quaestor.research.contracts.roles import DraftFinding
from quaestor.research.events import QuoteVerdict


class ShownPassage(Contract):
    """The place of a passage that a reader was shown."""

    source: Sha256
    start: int
    end: int


class ProveInput(Contract):
    """For the prove tool: what a reader says, to be located in the stored sources."""

    todo_id: str
    first: int = Field(default=1, ge=1, description="The number of the first finding, so that ids go on counting.")
    drafts: tuple[DraftFinding, ...]
    shown: tuple[ShownPassage, ...] = ()


class Proof(Contract):
    """The findings whose quotes were found, with their sources; and what was refused, with the reason."""

    findings: tuple[Finding, ...] = ()
    sources: tuple[Source, ...] = ()
    refused: tuple[str, ...] = ()


class RecheckInput(Contract):
    """For the recheck tool: sources that were cited, and the corpus that some of them were in."""

    sources: tuple[Source, ...]
    corpus: str = ""


class RecheckResult(Contract):
    """Which of the sources are no longer what they were, and which nobody could look at again."""

    changed: tuple[Sha256, ...] = Field(default=(), description="Their place holds another text now, or none.")
    unread: tuple[str, ...] = Field(default=(), description="Where each is, and why it could not be looked at.")


class VerifyInput(Contract):
    """For the verify tool: the findings a report is about to cite."""

    findings: tuple[Finding, ...]


class Verdicts(Contract):
    """One verdict a finding."""

    verdicts: tuple[QuoteVerdict, ...] = ()


MAX_DEPOSIT_HITS = 50
_OUTPUT_SCHEME = "quaestor:"


def output_uri(key: str) -> str:
    """Return the address of the source that an output becomes, by its key in the log."""
    return f"{_OUTPUT_SCHEME}{key}"


class DepositInput(Contract):
    """For the deposit tool: outputs that become sources, and what is wanted of them."""

    query: str = Field(min_length=1)
    limit: int = Field(default=6, ge=1, le=MAX_DEPOSIT_HITS)
    outputs: tuple[TodoOutput, ...] = ()


class ContextInput(Contract):
    """For the contexts tool: findings whose quotes are to be shown in their paragraphs, and what was asked."""

    findings: tuple[Finding, ...]
    question: str = Field(default="", description="Fields and tables are looked up for it; nothing in old logs.")
    spelt: str = Field(default="", description="It as it was searched for where words are misspelt; else nothing.")
    corpus: str = Field(default="", description="The corpus over which lists and counts are made.")
    before: date | None = Field(default=None, description="Documents that are dated later are not read.")
    since: date | None = Field(default=None, description="Documents that are dated earlier are not read.")
    language: str | None = Field(default=None, description="That of the labels of what is looked up; None: English.")

    @property
    def searched_question(self) -> str:
        """The question by which later records and changes are looked for: in words that passages hold."""
        return self.spelt or self.question

    @property
    def dates(self) -> DateRange:
        """The days within which documents are read."""
        return DateRange(first=self.since, last=self.before)


class QuoteContext(Contract):
    """A quote that stands in its stored source, with the paragraph around it."""

    quote: Quote
    paragraph: Quote
    heading: str = ""
    in_table: TablePlace | None = None
    named_above: tuple[str, ...] = Field(
        default=(), description="Names of the question that stand above the paragraph; none in old logs."
    )
    named_beside: tuple[str, ...] = Field(
        default=(), description="Names of the question that a section beside it is called; none in old logs."
    )
    list_goes_on: bool = Field(default=False, description="More items of its list stand below it.")


class DocumentStatus(Contract):
    """What a document says of its own status, and an index of its folder, where that says otherwise."""

    source: Sha256
    status: str


class Correction(Contract):
    """A sentence that corrects what a marked quote says, and what its document is called."""

    quote: Quote
    said: Quote
    title: str
    is_later: bool = Field(
        default=False, description="It tells more under the same label, which may say otherwise; false in old logs."
    )


class ToldChange(Contract):
    """A sentence that tells of a change in words of a quote; nobody checked that it is one of what that tells."""

    quote: Quote
    said: Quote
    source: Source = Field(description="That of the sentence.")
    heading: str = Field(default="", description="The version or the day under which it stands; empty in old logs.")
    only_later: bool = Field(
        default=False, description="It has no word for a change, but is of a later record; false in old logs."
    )


class LaterRecords(Contract):
    """How many documents beside the cited ones are called by a later day than a source is of, and the last of them."""

    source: Sha256
    number: int = Field(ge=1)
    last: str = Field(description="The name of its file.")
    day: str = Field(description="That of the last one, as 2024-05-03, or 2024-05.")


class FieldDispute(Contract):
    """A sentence that may tell otherwise of a header field, and what its document is called."""

    claim: str = Field(description="The field, as a finding states it.")
    said: str
    title: str


class LookedUp(Contract):
    """What fields and tables answer: a list, a count or a cell, with what shows it; or why they answer nothing."""

    kind: CheckedAnswer
    answer: str | None = None
    label: str = Field(description="The fields and the place that answer.")
    refusal: str = Field(default="", description="Why there is no answer.")
    rows: tuple[ShownRow, ...] = ()
    counted: tuple[ShownRow, ...] = Field(
        default=(), description="Other rows that were compared with those that answer; none in old logs."
    )
    sources: tuple[Source, ...] = Field(default=(), description="The sources of the rows.")


class Contexts(Contract):
    """The quotes that stand where they were located, each once, and the status of their documents."""

    contexts: tuple[QuoteContext, ...] = ()
    statuses: tuple[DocumentStatus, ...] = ()
    looked_up: LookedUp | None = None
    disputes: tuple[Quote, ...] = Field(
        default=(), description="Sentences that may dispute a date that is asked for; none in old logs."
    )
    corrections: tuple[Correction, ...] = Field(
        default=(), description="Sentences of any document that correct a quote; none in old logs."
    )
    changes: tuple[ToldChange, ...] = Field(
        default=(), description="Sentences that tell of a change, those first that share more; none in old logs."
    )
    later_records: tuple[LaterRecords, ...] = Field(
        default=(), description="Of cited sources that are of a day; none in old logs."
    )
    field_disputes: tuple[FieldDispute, ...] = Field(
        default=(), description="Sentences that may tell otherwise of header fields; none in old logs."
    )
    has_other_languages: bool = Field(
        default=False, description="Whether much of the corpus is in another language than the question."
    )
    other_languages: tuple[str, ...] = Field(
        default=(), description="What the newest documents in these are called; none in old logs."
    )
    held: tuple[str, ...] = Field(
        default=(), description="Index terms of the question that passages of the corpus hold; none in old logs."
    )
    common: tuple[str, ...] = Field(
        default=(), description="Index terms of the question that much of the corpus holds; none in old logs."
    )
