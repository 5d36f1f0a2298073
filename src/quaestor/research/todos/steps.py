"""The steps of a todo; each class holds what is known at that step alone, so that no todo can be at a step without it.

research, analysis: Querying -> Searching (-> Fetching -> Picking) -> Reading -> Quoting -> Reviewing -> (again)
by a workflow:      Working -> Reading -> Quoting -> Reviewing
by an agent:        (Surveying ->) Scouting -> Searching (-> Fetching -> Picking) -> (again) -> Delegating -> Quoting
each ends with:     Recording -> Recorded
"""

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.mcp import ConsultInput
from quaestor.contracts.roles import AgentCard
from quaestor.contracts.todo import TodoRun
from quaestor.research.contracts.roles import DraftFinding
from quaestor.research.contracts.tools import ShownPassage


class Delegate(Immutable):
    """The agent that a todo is delegated to; `offers` describes the server tools that it may call."""

    card: AgentCard
    offers: tuple[str, ...] = ()
    passes: int = 0
    """Tool passes that were made."""


class SearchRequests(Immutable):
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


class Surveying(Immutable):
    """The servers are asked which tools they offer."""

    delegate: Delegate


class Scouting(Immutable):
    """The agent chooses tool calls; `refused` names those of its last pass that could not be made."""

    delegate: Delegate
    refused: tuple[str, ...] = ()


class Delegating(Immutable):
    """The agent fulfils its contract."""

    card: AgentCard


class Working(Immutable):
    """Another workflow carries the todo out."""

    run: TodoRun
    is_stopped: bool = False
    """No model is asked after the run."""


class Querying(Immutable):
    """The query writer writes the queries of a loop."""


class Searching(Immutable):
    """The searches and the server calls of a loop run."""

    requests: SearchRequests


class Fetching(Immutable):
    """The pages of a loop are fetched, then the pages that those link to."""

    requests: SearchRequests
    links_followed: bool = False


class Picking(Immutable):
    """The best passages of the fetched pages are chosen."""

    requests: SearchRequests


class Reading(Immutable):
    """The reader reads what is unread, or the recalled findings."""


class Quoting(Immutable):
    """The quotes of a reader are located in the stored sources."""

    drafts: tuple[DraftFinding, ...]
    shown: tuple[ShownPassage, ...] = ()
    """Where what the reader read stands: the same words may also stand elsewhere."""
    may_search: bool = True
    """More searches may follow; else the findings are the outcome."""


class Reviewing(Immutable):
    """The reviewer decides whether the findings suffice; if they do not, more searches may follow."""


class Recording(Immutable):
    """The outcome is known: a failure, or an entry of the ledger. It is reviewed, if it was not, and recorded."""

    failure: str | None = None
    statement: str = ""
    """The summary of an entry without findings."""
    is_final: bool = False
    """Another try would fail in the same way."""


class Recorded(Immutable):
    """The outcome is recorded, and nothing is left to do."""

    is_final: bool = False


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
