"""What one todo has gathered, and the step it is at: a fold of the events that carry its id."""

from quaestor.contracts.cost import Spend
from quaestor.contracts.immutable import Immutable, field
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit, Source
from quaestor.research.contracts.roles import DraftFinding, DraftQuote, Reading, Review, is_label, label_quotes
from quaestor.research.contracts.tools import ShownPassage
from quaestor.research.todos.steps import TodoStep


class TodoState(Immutable):
    """The step that a todo is at, and what it has gathered so far."""

    todo_id: str
    step: TodoStep
    task: str = ""
    recalled: tuple[Finding, ...] = ()
    """Relevant findings of the todos that this one depends on."""
    earlier_claims: tuple[str, ...] = ()
    """Claims of earlier cycles that may lead the queries."""
    has_outside_access: bool = True
    """It may search the web, call servers and choose pages."""
    loop: int = 1
    reviews: int = 0
    executed: tuple[str, ...] = ()
    """Queries and server calls of all loops."""
    visited_pages: tuple[str, ...] = ()
    """Pages of all ended loops, by URL."""
    unread: tuple[Hit, ...] = ()
    seen: frozenset[tuple[str, int]] = frozenset()
    """Source and start of every passage that was ever unread."""
    tools: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    sources: tuple[Source, ...] = ()
    left_out: int = 0
    """Statements without a quote that proves anything."""
    gaps: tuple[str, ...] = ()
    gap: str | None = None
    """What the last review missed."""
    follow_ups: tuple[str, ...] = ()
    """Queries that the last review asked for."""
    summary: str = ""
    review: Review | None = None
    """The last review; None while what the last loop brought is not reviewed."""
    is_review_requested: bool = False
    """The review of this loop is asked for; it stays wanted when the plan has no room any more."""
    spend: Spend = field(default_factory=Spend)


def resolve_labels(state: TodoState, reading: Reading) -> tuple[DraftFinding, ...]:
    """Return a reader's findings with every label replaced by the hash of its source.

    A label that nothing has stays, as its words may stand in another passage. Quotes of a source that was not shown are
    left out, and findings without another one.
    """
    labels = label_quotes(state.unread, state.recalled)
    sources = {label: quote.source for label, quote in labels.items()}
    shown = frozenset(sources.values())
    resolved = (
        (
            draft.claim,
            tuple(
                DraftQuote(source=sources.get(quote.source, quote.source), text=quote.text)
                for quote in draft.quotes
                if is_label(quote.source) or quote.source in shown
            ),
        )
        for draft in reading.findings
    )
    return tuple(DraftFinding(claim=claim, quotes=quotes) for claim, quotes in resolved if quotes)


def shown_passages(state: TodoState) -> tuple[ShownPassage, ...]:
    """Return the places of the passages that the reader is shown."""
    shown = (hit.passage for hit in state.unread)
    return tuple(ShownPassage(source=one.source, start=one.start, end=one.end) for one in shown)
