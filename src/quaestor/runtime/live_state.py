"""What a page that follows a session shows of its log, folded event by event."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from quaestor.contracts.cost import Budget
from quaestor.contracts.event import Event, Forked, SessionStarted, ToolResponded
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.settings import parse_common_options
from quaestor.contracts.stream import InterimFindings
from quaestor.contracts.stream_view import StreamState
from quaestor.contracts.tools import SearchResults
from quaestor.kernel.run_state import RunState, fold
from quaestor.kernel.state_codec import StateCodec
from quaestor.runtime.log_folds import LogFold, returned_type
from quaestor.runtime.progress import ProgressState, begin_progress, build_narrator, fold_progress
from quaestor.views.event_description import description_lines
from quaestor.views.stream_events import stream_events
from quaestor.views.stream_state import fold_stream
from quaestor.views.todo_board import TodoBoard, fold_board

_MAX_LINES = 60
"""Of what happened last."""


class SeenSource(Immutable):
    """A source that a search found or a page that was read, and how many passages of it were seen."""

    sha256: str
    title: str
    uri: str
    passages: int
    quotes: int = 0


class ActivityLine(Immutable):
    """Something that happened, in words; `is_problem` where it went wrong."""

    seq: int
    at: datetime
    text: str
    is_problem: bool


@dataclass(slots=True)
class LiveState:
    """What is shown of a session; changed in place, because its maps grow with the log."""

    seq: int = 0
    run: RunState = field(default_factory=RunState)
    budget: Budget = field(default_factory=Budget)
    progress: ProgressState | None = None
    """None for a workflow that counts nothing."""
    stream: StreamState = field(default_factory=StreamState)
    board: TodoBoard = field(default_factory=TodoBoard)
    sources: dict[str, SeenSource] = field(default_factory=dict)
    """By hash, the one that was seen last at the end."""
    quotes: dict[str, int] = field(default_factory=dict)
    """Of findings, by source."""
    lines: tuple[ActivityLine, ...] = ()


def live_fold(plugin: WorkflowPlugin[Any, Any]) -> LogFold[LiveState]:
    """Return the fold of what a page shows of sessions of a workflow."""
    view = plugin.live_view() if plugin.live_view else None
    describe = build_narrator(plugin.workflow.name)

    def begin() -> LiveState:
        budget = parse_common_options({}).budget
        return LiveState(budget=budget, progress=begin_progress(view) if view else None)

    def follow(live: LiveState, event: Event) -> LiveState:
        live.seq = event.seq
        live.run = fold(live.run, event)
        described = describe(event)
        if view and live.progress:
            live.progress = fold_progress(live.progress, event, view, described, live.run)
        for streamed in stream_events(live.stream, event, plugin.stream):
            live.board = fold_board(live.board, streamed, live.run.elapsed)
            if isinstance(streamed, InterimFindings):
                _count_quotes(live, streamed)
        live.stream = fold_stream(live.stream, event, plugin.stream)
        new = tuple(
            ActivityLine(event.seq, event.at, line, described.importance == "problem")
            for line in description_lines(described)[:1]
        )
        live.lines = (*live.lines, *new)[-_MAX_LINES:]
        match event.payload:
            case SessionStarted(options=options) | Forked(options=options):
                live.budget = parse_common_options(options).budget
            case ToolResponded(result=SearchResults(hits=hits)):
                for hit in hits:
                    _see_source(live, hit.passage.source, hit.title, hit.uri)
            case _:
                pass
        return live

    def make_codec() -> StateCodec[LiveState]:
        others = (returned_type(type(view).begin),) if view else ()
        return StateCodec((LiveState,), begin(), others)

    return LogFold("live", begin, follow, make_codec)


def _count_quotes(live: LiveState, found: InterimFindings) -> None:
    for finding in found.findings:
        for quote in finding.quotes:
            live.quotes[quote.source] = live.quotes.get(quote.source, 0) + 1


def _see_source(live: LiveState, sha256: str, title: str, uri: str) -> None:
    known = live.sources.pop(sha256, SeenSource(sha256, title, uri, 0))
    live.sources[sha256] = replace(known, passages=known.passages + 1)
