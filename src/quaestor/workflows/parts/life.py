"""Where one todo stands: a fold of the events that carry its id."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Literal

from pydantic import Field

from quaestor.contracts.agent import AgentCard
from quaestor.contracts.budget import Spend
from quaestor.contracts.ledger import Finding
from quaestor.contracts.noun import Noun
from quaestor.contracts.roles import DraftFinding, DraftQuote, Reading, labelled
from quaestor.contracts.source import Hit, Source

Step = Literal[
    "scouting", "delegating", "querying", "searching", "reading", "quoting", "reflecting", "recording", "recorded"
]


class Searched(Noun):
    """The outcome of one query; every query is run once a session."""

    hits: tuple[Hit, ...] = ()
    error: str | None = None


Searches = Mapping[str, Searched]
"""Outcomes by search key."""


class Life(Noun):
    """Where one todo stands."""

    todo_id: str
    step: Step
    recalled: tuple[Finding, ...] = Field(default=(), description="Of the todos this one depends on; what fits.")
    card: AgentCard | None = Field(default=None, description="Of the agent that the todo is delegated to.")
    passes: int = Field(default=0, description="Tool passes that were made.")
    refused: tuple[str, ...] = Field(default=(), description="Tool calls of the last pass that could not be made.")
    loop: int = 1
    reflections: int = 0
    queries: tuple[str, ...] = ()
    executed: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    unread: tuple[Hit, ...] = ()
    read: frozenset[tuple[str, int]] = frozenset()
    drafts: tuple[DraftFinding, ...] = ()
    findings: tuple[Finding, ...] = ()
    sources: tuple[Source, ...] = ()
    gaps: tuple[str, ...] = ()
    gap: str | None = None
    follow_ups: tuple[str, ...] = ()
    summary: str = ""
    failure: str | None = None
    spend: Spend = Spend()

    def after(self, **changes: object) -> "Life":
        """Give the life with some of its fields changed."""
        return self.model_copy(update=changes)


def search_key(query: str) -> str:
    """Give the key of a query; queries that differ in case and white space only are the same."""
    return f"search/{sha256(' '.join(query.casefold().split()).encode()).hexdigest()[:16]}"


def drafted(life: Life, reading: Reading) -> tuple[DraftFinding, ...]:
    """Give what a reader said with every label replaced by the hash of the source it stands for."""
    sources = {label: quote.source for label, quote in labelled(life.unread, life.recalled).items()}
    return tuple(
        DraftFinding(
            claim=draft.claim,
            quotes=tuple(
                DraftQuote(source=sources.get(quote.source, quote.source), text=quote.text) for quote in draft.quotes
            ),
        )
        for draft in reading.findings
    )
