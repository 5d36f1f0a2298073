"""A session as it is now, for a page that follows it: folded once for all who look, event by event."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from quaestor.app.report_reading import has_readable_report
from quaestor.app.shorthands import Quaestor
from quaestor.app.watching import StreamEncoder, track_progress
from quaestor.contracts.cost import LimitUsage
from quaestor.contracts.event import Event, QuestionAsked, SessionStarted, ToolResponded
from quaestor.contracts.progress import SessionProgress
from quaestor.contracts.session import Session, SessionStatus
from quaestor.contracts.settings import parse_common_options
from quaestor.contracts.stream import InterimFinding, InterimFindings
from quaestor.contracts.tools import SearchResults
from quaestor.kernel.run_state import RunState, fold
from quaestor.runtime.progress import build_narrator
from quaestor.views.escaping import Fragment
from quaestor.views.event_description import description_lines
from quaestor.views.plan_graph import draw_plan
from quaestor.views.spend import limit_usage
from quaestor.views.todo_board import BoardTodo, TodoBoard, fold_board
from quaestor.views.todo_timeline import draw_timeline

_MAX_LINES = 60
"""Of what happened last."""
_MAX_SOURCES = 40
"""That were read last."""
_MAX_SESSIONS = 100
"""That are kept folded, those that were looked at last."""
_PAGE_EVENTS = 200
"""Read at a time; nothing else goes on meanwhile."""


@dataclass(frozen=True, slots=True)
class SeenSource:
    """A source that a search found or a page that was read, and how many passages of it were seen."""

    sha256: str
    title: str
    uri: str
    passages: int
    quotes: int = 0


@dataclass(frozen=True, slots=True)
class ActivityLine:
    """Something that happened, in words; `is_problem` where it went wrong."""

    seq: int
    at: datetime
    text: str
    is_problem: bool


@dataclass(frozen=True, slots=True)
class LiveView:
    """What a page shows of a session at one moment."""

    session: Session
    status: SessionStatus
    seq: int
    """The number of the last event that is in it."""
    is_whole: bool
    """False while a long log is being read."""
    seconds: float
    """Of running."""
    statement: str
    """How it ended, or why it is paused."""
    asked: QuestionAsked | None
    progress: SessionProgress | None
    """None for a workflow that counts nothing."""
    limits: Sequence[LimitUsage]
    dollars: Decimal
    tokens: int
    todos: Sequence[BoardTodo]
    activities: Mapping[str, str]
    """What each todo is doing now, by id."""
    graph: Fragment | None
    timeline: Fragment | None
    findings: Sequence[tuple[str, InterimFinding]]
    """With the ids of their todos, the newest first."""
    found: int
    sources: Sequence[SeenSource]
    """The newest first."""
    source_count: int
    lines: Sequence[ActivityLine]
    """The newest first."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes unless a person asks on: all events up to the end are in it."""
        return self.status.state == "finished" and self.seq >= self.session.events

    @property
    def has_report(self) -> bool:
        """Whether there is a report to be read, and asked on."""
        return self.is_over and has_readable_report(self.session.workflow)


_Moment = tuple[Session, SessionStatus, int, bool, int]


class LiveSession:
    """The fold of one session."""

    def __init__(self, workflow: str) -> None:
        self.seq = 0
        self.reading: asyncio.Task[None] | None = None
        """Reads on for everybody who looks."""
        self._run = RunState()
        self._budget = parse_common_options({}).budget
        self._tracker = track_progress(workflow)
        self._encoder = StreamEncoder(workflow)
        self._describe = build_narrator(workflow)
        self._board = TodoBoard()
        self._sources: OrderedDict[str, SeenSource] = OrderedDict()
        self._quotes: Counter[str] = Counter()
        """Of findings, by source."""
        self._last: tuple[_Moment, LiveView] | None = None
        self._lines: deque[ActivityLine] = deque(maxlen=_MAX_LINES)

    def follow(self, event: Event) -> None:
        """Take the next event into account."""
        self.seq = event.seq
        self._run = fold(self._run, event)
        if self._tracker:
            self._tracker.follow(event)
        for streamed in self._encoder.encode(event):
            self._board = fold_board(self._board, streamed, self._run.elapsed)
            if isinstance(streamed, InterimFindings):
                self._quotes.update(quote.source for found in streamed.findings for quote in found.quotes)
        described = self._describe(event)
        self._lines.extend(
            ActivityLine(event.seq, event.at, line, described.importance == "problem")
            for line in description_lines(described)[:1]
        )
        match event.payload:
            case SessionStarted(options=options):
                self._budget = parse_common_options(options).budget
            case ToolResponded(result=SearchResults(hits=hits)):
                for hit in hits:
                    self._see(hit.passage.source, hit.title, hit.uri)
            case _:
                pass

    def _see(self, sha256: str, title: str, uri: str) -> None:
        known = self._sources.pop(sha256, SeenSource(sha256, title, uri, 0))
        self._sources[sha256] = replace(known, passages=known.passages + 1)

    def view(self, session: Session, status: SessionStatus, now: datetime, *, is_whole: bool) -> LiveView:
        """Return what is to be shown at a moment; `is_whole` unless there is more in the log."""
        seconds = self._run.elapsed_at(now) if status.state == "running" else self._run.elapsed
        moment = (session, status, self.seq, is_whole, int(seconds))
        if self._last is None or self._last[0] != moment:  # else somebody else has just looked
            self._last = moment, self._draw(session, status, seconds, is_whole=is_whole)
        return self._last[1]

    def _draw(self, session: Session, status: SessionStatus, seconds: float, *, is_whole: bool) -> LiveView:
        run = self._run
        progress = self._tracker.progress() if self._tracker else None
        todos = tuple(self._board.todos.values())
        sources = [replace(each, quotes=self._quotes[each.sha256]) for each in reversed(self._sources.values())]
        return LiveView(
            session=session,
            status=status,
            seq=self.seq,
            is_whole=is_whole,
            seconds=seconds,
            statement=run.statement,
            asked=None if status.state == "finished" else run.waiting,
            progress=progress,
            limits=tuple(limit_usage(run.budget or self._budget, run.spent, seconds)),
            dollars=run.spent.dollars,
            tokens=run.spent.tokens,
            todos=todos,
            activities={item.id: item.activity for item in progress.workflow.items} if progress else {},
            graph=draw_plan(todos) if todos else None,
            timeline=draw_timeline(todos, seconds),
            findings=self._board.findings[::-1],
            found=self._board.found,
            sources=sources[:_MAX_SOURCES],
            source_count=len(sources),
            lines=tuple(reversed(self._lines)),
        )


class LiveSessions:
    """The sessions that are looked at, each folded once, up to its newest event; `page_events` are read at a time."""

    def __init__(self, page_events: int = _PAGE_EVENTS) -> None:
        self._page_events = page_events
        self._known: OrderedDict[str, LiveSession] = OrderedDict()

    async def read(self, quaestor: Quaestor, session_id: str, patience: float | None = None) -> LiveView:
        """Return a session as it is now; as far as its log was read, where that takes longer than `patience` seconds.

        Raises UnknownSession, also for one of another tenant.
        """
        session = await quaestor.session(session_id)
        live = self._known.setdefault(session_id, LiveSession(session.workflow))
        self._known.move_to_end(session_id)
        if len(self._known) > _MAX_SESSIONS:
            self._known.popitem(last=False)
        if live.reading is None or live.reading.done():
            live.reading = asyncio.create_task(self._read_on(quaestor, session_id, live))
        reading = live.reading
        await asyncio.wait((reading,), timeout=patience)
        is_whole = reading.done()
        if is_whole:
            reading.result()  # what failed is raised
        session, status = await quaestor.session(session_id), await quaestor.status(session_id)
        return live.view(session, status, quaestor.clock.now(), is_whole=is_whole)

    def forget(self, session_id: str) -> None:
        """Keep nothing of a session that was erased."""
        self._known.pop(session_id, None)

    async def _read_on(self, quaestor: Quaestor, session_id: str, live: LiveSession) -> None:
        """Fold what a session has beyond what is folded."""
        while events := await quaestor.events(session_id, live.seq, self._page_events):
            for event in events:
                live.follow(event)
            await asyncio.sleep(0)  # other requests go on, however long the log is
