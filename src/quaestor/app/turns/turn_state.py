"""A turn of a session as a conversation: what a person said, and what followed until the session ended or asked back.

The first turn begins with the session. Every other one is behind an *anchor*, the event that ended the turn before: a
question, which the turn answers, or the end of a cycle, after which it asks on. What happened between the anchor and
the person's word belongs to the turn too.
"""

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from quaestor.contracts.codec import value_to_json
from quaestor.contracts.event import (
    ActionCancelled,
    Answered,
    BudgetReached,
    CycleStarted,
    Event,
    Labelled,
    ModelResponded,
    Outcome,
    Paused,
    QuestionAsked,
    Resumed,
    SessionFinished,
    SessionStarted,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.immutable import Immutable, field, replace
from quaestor.contracts.payload import Value, WorkflowPayload
from quaestor.kernel.state_codec import StateCodec
from quaestor.research.contracts.brief import Brief, ResearchDocument
from quaestor.research.contracts.report import Report
from quaestor.runtime.log_folds import LogFold

SearchStatus = Literal["in_progress", "completed", "failed", "incomplete"]
_SEARCH_TOOLS = frozenset({"search", "search_web", "web_search", "search_database"})
_URL_SCHEMES = ("https://", "http://")


class TurnSearch(Immutable):
    """A search of a turn; `seq` is the event that announced it, `urls` are the pages that it found."""

    seq: int
    query: str
    status: SearchStatus = "in_progress"
    urls: tuple[str, ...] = ()


class TurnTokens(Immutable):
    """The tokens of a turn's model calls; `total` is at least the sum of what providers counted."""

    total: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0


class TurnEnd(Immutable):
    """The end of a turn, and the anchor of the turn behind it; without an outcome it is a question to a person."""

    at: datetime
    statement: str
    anchor: int
    outcome: Outcome | None = None
    question: QuestionAsked | None = None


class TurnState(Immutable):
    """The state of a turn after an event; `answers` is the question that it answers, if it answers one."""

    answers: QuestionAsked | None = None
    begun_at: datetime | None = None
    begun_seq: int = 0
    said: str = ""
    has_moved: bool = False
    """Something has happened since it began."""
    searches: Mapping[str, TurnSearch] = field(default_factory=lambda: MappingProxyType({}))
    """By the key of their action, in the order in which they began."""
    document: ResearchDocument | None = None
    has_reached_budget: bool = False
    paused: Paused | None = None
    paused_seq: int = 0
    tokens: TurnTokens = TurnTokens()
    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    open: tuple[tuple[int, QuestionAsked], ...] = ()
    """Questions behind its anchor that wait for an answer, with the numbers of their events."""
    end: TurnEnd | None = None

    @property
    def is_paused(self) -> bool:
        """Whether only a person can resume it."""
        return self.end is None and self.paused is not None and self.paused.kind != "interrupt"

    def is_at_rest(self, since: int) -> bool:
        """Return whether nothing follows by itself: it has ended, or was paused by an event above `since`."""
        return self.end is not None or (self.is_paused and self.paused_seq > since)


@dataclasses.dataclass(slots=True)
class SessionTurns:
    """The turns of a session by their anchors; changed in place, because they grow with the log."""

    turns: dict[int, TurnState] = dataclasses.field(default_factory=lambda: {0: TurnState()})
    newest: int = 0
    """The anchor of the turn that began last."""


def fold_turns(known: SessionTurns, event: Event) -> SessionTurns:
    """Return the turns of a session after one more event: it belongs to the last one, whose end begins another."""
    anchor = next(reversed(known.turns))
    turn = known.turns[anchor] = fold_turn(known.turns[anchor], event)
    if turn.begun_at is not None:
        known.newest = anchor
    if turn.end:
        known.turns[turn.end.anchor] = TurnState(answers=turn.end.question)
    return known


TURNS_FOLD = LogFold("turns", SessionTurns, fold_turns, lambda: StateCodec((SessionTurns,), SessionTurns()))


def fold_turn(turn: TurnState, event: Event) -> TurnState:
    """Return a turn after one more event behind its anchor; what comes behind its end leaves it as it is."""
    if turn.end:
        return turn
    was_begun = turn.begun_at is not None
    turn = _begin(_fold_work(turn, event), event)
    if turn.begun_at is None:
        return turn
    has_moved = turn.has_moved or (was_begun and not isinstance(event.payload, Labelled))
    turn = replace(turn, has_moved=has_moved)
    match event.payload:
        case SessionFinished(outcome=outcome, statement=statement):
            return _ended(turn, TurnEnd(event.at, statement, event.seq, outcome=outcome))
        case _ if turn.open:  # the question may have been asked before the person's word that begins this turn
            seq, asked = turn.open[0]
            return _ended(turn, TurnEnd(event.at, " ".join(asked.questions), seq, question=asked))
        case _:
            return turn


def _begin(turn: TurnState, event: Event) -> TurnState:
    """Let a turn begin with the event that it waits for, if this is that one."""
    if turn.begun_at is not None:
        return turn
    payload = event.payload
    begins = (
        payload.settles(turn.answers.kind, turn.answers.ref)
        if turn.answers
        else isinstance(payload, SessionStarted | CycleStarted)
    ) or isinstance(payload, SessionFinished)
    return replace(turn, begun_at=event.at, begun_seq=event.seq, said=_said(event)) if begins else turn


def _said(event: Event) -> str:
    match event.payload:
        case SessionStarted(question=text) | CycleStarted(question=str(text)) | Answered(text=text):
            return text
        case CycleStarted(why=why):
            return f"/{why}"
        case payload:
            return f"/{payload.type}"


def _fold_work(turn: TurnState, event: Event) -> TurnState:
    """Return a turn with what an event says of its work, its pauses and the questions in it."""
    match event.payload:
        case ToolRequested() | ToolResponded() | ActionCancelled() as run:
            return _fold_search(turn, event.seq, run)
        case ModelResponded() as answered:
            return replace(turn, tokens=_add_tokens(turn.tokens, answered))
        case BudgetReached():
            return replace(turn, has_reached_budget=True)
        case Labelled(labels=labels):
            return replace(turn, labels={**turn.labels, **labels})
        case Paused() as paused:
            return replace(turn, paused=paused, paused_seq=event.seq)
        case Resumed():
            return replace(turn, paused=None)
        case QuestionAsked() as asked:
            return replace(turn, open=(*turn.open, (event.seq, asked)))
        case WorkflowPayload(document=Report() | Brief() as document):
            return replace(turn, document=document)
        case payload:
            still_open = tuple((seq, asked) for seq, asked in turn.open if not payload.settles(asked.kind, asked.ref))
            return turn if still_open == turn.open else replace(turn, open=still_open)


def _fold_search(turn: TurnState, seq: int, run: ToolRequested | ToolResponded | ActionCancelled) -> TurnState:
    known = turn.searches.get(run.key)
    match run:
        case ToolRequested(tool=tool, given=given) if tool in _SEARCH_TOOLS and known is None:
            search = TurnSearch(seq, _query(given))
        case ToolResponded(result=result, error=None) if known:
            search = replace(known, status="completed", urls=_urls(result))
        case ToolResponded() if known:
            search = replace(known, status="failed")
        case ActionCancelled() if known:
            search = replace(known, status="incomplete")
        case _:
            return turn
    return replace(turn, searches={**turn.searches, run.key: search})


def _ended(turn: TurnState, end: TurnEnd) -> TurnState:
    """Return a turn with its end; a search that is still going on belongs to it no more."""
    searches = {
        key: replace(search, status="incomplete") if search.status == "in_progress" else search
        for key, search in turn.searches.items()
    }
    return replace(turn, end=end, searches=searches)


def _query(given: Value) -> str:
    match value_to_json(given):
        case {"query": str(query)}:
            return query
        case _:
            return ""


def _urls(result: Value) -> tuple[str, ...]:
    match value_to_json(result):
        case {"hits": list(hits)}:
            named = (hit.get("url") or hit.get("uri") for hit in hits if isinstance(hit, dict))
            urls = (url for url in named if isinstance(url, str) and url.startswith(_URL_SCHEMES))
            return tuple(dict.fromkeys(urls))
        case _:
            return ()


def _add_tokens(tokens: TurnTokens, answered: ModelResponded) -> TurnTokens:
    usage = answered.usage
    return TurnTokens(
        total=tokens.total + answered.spend.tokens,
        cached=tokens.cached + (usage.cached_tokens if usage else 0),
        written=tokens.written + (usage.written_tokens if usage else 0),
        output=tokens.output + (usage.output_tokens if usage else 0),
    )
