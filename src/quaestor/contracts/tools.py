"""What the tools of the research workflow are given and what they give back."""

from pydantic import Field

from quaestor.contracts.event import Verdict
from quaestor.contracts.ledger import Finding
from quaestor.contracts.noun import Noun
from quaestor.contracts.roles import DraftFinding
from quaestor.contracts.source import Hit, Sha256, Source


class SearchGiven(Noun):
    """For the search tool."""

    query: str = Field(min_length=1)
    limit: int = Field(default=6, ge=1, le=50)


class SearchResults(Noun):
    """The hits of one query, best first."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = Field(default=(), description="What the search had to do without, and why.")


class ProveGiven(Noun):
    """For the prove tool: what a reader says, to be located in the stored sources."""

    todo_id: str
    first: int = Field(default=1, ge=1, description="The number of the first finding, so that ids go on counting.")
    drafts: tuple[DraftFinding, ...]


class Proof(Noun):
    """The findings whose quotes were found, with their sources; and what was refused, with the reason."""

    findings: tuple[Finding, ...] = ()
    sources: tuple[Source, ...] = ()
    refused: tuple[str, ...] = ()


class RecheckGiven(Noun):
    """For the recheck tool: sources that were cited, and the corpus that some of them were in."""

    sources: tuple[Source, ...]
    corpus: str = ""


class Rechecked(Noun):
    """Which of the sources are no longer what they were, and which nobody could look at again."""

    changed: tuple[Sha256, ...] = Field(default=(), description="Their place holds another text now, or none.")
    unread: tuple[str, ...] = Field(default=(), description="Where each is, and why it could not be looked at.")


class VerifyGiven(Noun):
    """For the verify tool: the findings a report is about to cite."""

    findings: tuple[Finding, ...]


class Verdicts(Noun):
    """One verdict a finding."""

    verdicts: tuple[Verdict, ...] = ()
