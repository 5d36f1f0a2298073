"""The steps of a todo; each class holds what is known at that step alone, so that no todo can be at a step without it.

research, analysis: Querying -> Searching (-> Fetching -> Picking) -> Reading -> Quoting -> Reviewing -> (again)
by a workflow:      Working -> Reading -> Quoting -> Reviewing
by an agent:        (Surveying ->) Scouting -> Searching (-> Fetching -> Picking) -> (again) -> Delegating -> Quoting
each ends with:     Recording -> Recorded
"""

from dataclasses import dataclass

from quaestor.contracts.mcp import ConsultInput
from quaestor.contracts.roles import AgentCard
from quaestor.contracts.todo import TodoRun
from quaestor.research.contracts.roles import DraftFinding
from quaestor.research.contracts.tools import ShownPassage


@dataclass(frozen=True, slots=True)
class Delegate:
    """The agent that a todo is delegated to; `offers` describes the server tools that it may call."""

    card: AgentCard
    offers: tuple[str, ...] = ()
    passes: int = 0
    """Tool passes that were made."""


@dataclass(frozen=True, slots=True)
class SearchRequests:
    """What one loop searches for; `pages` is known once its searches have ended."""

    queries: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    """Pages that the agent chose, by URL."""
    read_calls: tuple[ConsultInput, ...] = ()
    write_calls: tuple[ConsultInput, ...] = ()
    """Server calls that may change something."""
    refused: tuple[str, ...] = ()
    """Tool calls that could not be made, each with the reason."""
    pages: tuple[str, ...] = ()
    """Pages that the loop reads, by URL."""
    delegate: Delegate | None = None
    """The agent that chose the requests; None: the query writer wrote the queries."""


@dataclass(frozen=True, slots=True)
class Surveying:
    """The servers are asked which tools they offer."""

    delegate: Delegate


@dataclass(frozen=True, slots=True)
class Scouting:
    """The agent chooses tool calls; `refused` names those of its last pass that could not be made."""

    delegate: Delegate
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delegating:
    """The agent fulfils its contract."""

    card: AgentCard


@dataclass(frozen=True, slots=True)
class Working:
    """Another workflow carries the todo out."""

    run: TodoRun
    is_stopped: bool = False
    """No model is asked after the run."""


@dataclass(frozen=True, slots=True)
class Querying:
    """The query writer writes the queries of a loop."""


@dataclass(frozen=True, slots=True)
class Searching:
    """The searches and the server calls of a loop run."""

    requests: SearchRequests


@dataclass(frozen=True, slots=True)
class Fetching:
    """The pages of a loop are fetched, then the pages that those link to."""

    requests: SearchRequests
    links_followed: bool = False


@dataclass(frozen=True, slots=True)
class Picking:
    """The best passages of the fetched pages are chosen."""

    requests: SearchRequests


@dataclass(frozen=True, slots=True)
class Reading:
    """The reader reads what is unread, or the recalled findings."""


@dataclass(frozen=True, slots=True)
class Quoting:
    """The quotes of a reader are located in the stored sources."""

    drafts: tuple[DraftFinding, ...]
    shown: tuple[ShownPassage, ...] = ()
    """Where what the reader read stands: the same words may also stand elsewhere."""
    may_search: bool = True
    """More searches may follow; else the findings are the outcome."""


@dataclass(frozen=True, slots=True)
class Reviewing:
    """The reviewer decides whether the findings suffice; if they do not, more searches may follow."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The outcome is known: a failure, or an entry of the ledger. It is reviewed, if it was not, and recorded."""

    failure: str | None = None
    statement: str = ""
    """The summary of an entry without findings."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The outcome is recorded, and nothing is left to do."""


TodoStep = (
    Surveying
    | Scouting
    | Delegating
    | Working
    | Querying
    | Searching
    | Fetching
    | Picking
    | Reading
    | Quoting
    | Reviewing
    | Recording
    | Recorded
)
