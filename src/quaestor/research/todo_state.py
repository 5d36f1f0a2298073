"""Where one todo stands: a fold of the events that carry its id."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.agent import AgentCard
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.ledger import Finding
from quaestor.contracts.mcp import ConsultInput
from quaestor.contracts.source import Hit, Source
from quaestor.longtask.state import TaskState
from quaestor.research.contracts.deposit import ProgramOutput
from quaestor.research.contracts.roles import DraftFinding, DraftQuote, Reading, label_quotes

TodoStep = Literal[
    "surveying",
    "scouting",
    "delegating",
    "tasking",
    "querying",
    "searching",
    "fetching",
    "picking",
    "reading",
    "quoting",
    "reflecting",
    "recording",
    "recorded",
]


class TodoState(Contract):
    """Where one todo stands."""

    todo_id: str
    step: TodoStep
    task: str = Field(default="", description="What is to be found out.")
    recalled: tuple[Finding, ...] = Field(default=(), description="Of the todos this one depends on; what fits.")
    earlier_claims: tuple[str, ...] = Field(
        default=(), description="Claims of earlier cycles that may lead the queries."
    )
    card: AgentCard | None = Field(default=None, description="Of the agent that the todo is delegated to.")
    outward: bool = Field(default=True, description="It may ask the web and servers, and choose pages.")
    passes: int = Field(default=0, description="Tool passes that were made.")
    offers: tuple[str, ...] = Field(default=(), description="Tools of servers that the agent may use.")
    refused: tuple[str, ...] = Field(default=(), description="Tool calls of the last pass that could not be made.")
    chosen: tuple[str, ...] = Field(default=(), description="Pages that the agent chose in the last pass.")
    read_calls: tuple[ConsultInput, ...] = Field(default=(), description="Calls that only read, of the last pass.")
    write_calls: tuple[ConsultInput, ...] = Field(default=(), description="Calls that may change something, of it.")
    rounds: TaskState | None = Field(default=None, description="Of a todo that is done with tools, while it is.")
    outputs: tuple[ProgramOutput, ...] = Field(default=(), description="What its programs printed.")
    is_stopped: bool = Field(default=False, description="No model is asked any more.")
    loop: int = 1
    reflections: int = 0
    queries: tuple[str, ...] = ()
    executed: tuple[str, ...] = ()
    urls: tuple[str, ...] = Field(default=(), description="Pages of the web that this loop reads.")
    visited_pages: tuple[str, ...] = Field(default=(), description="Pages that were read in loops before.")
    followed: bool = Field(default=False, description="Links of this loop's pages were followed.")
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

    def after(self, **changes: object) -> "TodoState":
        """Give the life with some of its fields changed."""
        return self.model_copy(update=changes)


def resolve_labels(life: TodoState, reading: Reading) -> tuple[DraftFinding, ...]:
    """Give what a reader said with every label replaced by the hash of the source it stands for."""
    sources = {label: quote.source for label, quote in label_quotes(life.unread, life.recalled).items()}
    return tuple(
        DraftFinding(
            claim=draft.claim,
            quotes=tuple(
                DraftQuote(source=sources.get(quote.source, quote.source), text=quote.text) for quote in draft.quotes
            ),
        )
        for draft in reading.findings
    )
