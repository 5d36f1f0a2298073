"""A session as it is now, for a page that follows it: folded once for all who look, event by event."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from itertools import islice

from quaestor.app.reports.reading import has_report, takes_follow_ups
from quaestor.app.shorthands import Quaestor
from quaestor.app.watching.log_readings import LogReadings
from quaestor.contracts.cost import LimitUsage
from quaestor.contracts.event import QuestionAsked
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.progress import SessionProgress
from quaestor.contracts.session import Session, SessionStatus
from quaestor.contracts.stream import InterimFinding
from quaestor.runtime.live_state import ActivityLine, LiveState, SeenSource, live_fold
from quaestor.runtime.progress import describe_progress
from quaestor.runtime.registry import get_plugin
from quaestor.views.escaping import Fragment
from quaestor.views.plan_graph import draw_plan
from quaestor.views.spend import limit_usage
from quaestor.views.todo_board import BoardTodo
from quaestor.views.todo_timeline import draw_timeline

_MAX_SOURCES = 40
"""That were read last."""
_MAX_SESSIONS = 100
"""That are kept folded, those that were looked at last."""
_PAGE_EVENTS = 200
"""Read at a time; nothing else goes on meanwhile."""


class LiveView(Immutable):
    """What a page shows of a session at one moment."""

    session: Session
    status: SessionStatus
    seq: int
    """The number of the last event that is in it."""
    is_whole: bool
    """False while a long log is being read."""
    has_report: bool
    """Whether one of its cycles wrote a report."""
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
    def takes_follow_ups(self) -> bool:
        """Whether a person may ask on."""
        return self.is_over and takes_follow_ups(self.session.workflow)

    @property
    def retryable(self) -> frozenset[str]:
        """The ids of the todos that a person may have tried again: they failed, and none was planned in their place."""
        is_cut_off = any(todo.status == "in_progress" for todo in self.todos)
        if self.is_over and (is_cut_off or not self.takes_follow_ups):
            return frozenset()
        continued = {todo.id.rpartition(".")[0] for todo in self.todos}
        return frozenset(todo.id for todo in self.todos if todo.status == "failed") - continued


_Moment = tuple[Session, SessionStatus, int, bool, bool, int]


class LiveSession:
    """What is known of one session."""

    def __init__(self, workflow: str) -> None:
        plugin = get_plugin(workflow)
        self.fold = live_fold(plugin)
        self.state: LiveState = self.fold.begin()
        self._progress_view = plugin.live_view() if plugin.live_view else None
        self._last: tuple[_Moment, LiveView] | None = None

    def view(
        self, session: Session, status: SessionStatus, now: datetime, *, is_whole: bool, has_report: bool
    ) -> LiveView:
        """Return what is to be shown at a moment; `is_whole` unless there is more in the log."""
        run = self.state.run
        seconds = run.elapsed_at(now) if status.state == "running" else run.elapsed
        moment = (session, status, self.state.seq, is_whole, has_report, int(seconds))
        if self._last is None or self._last[0] != moment:  # else somebody else has just looked
            self._last = moment, self._draw(session, status, now, seconds, is_whole=is_whole, has_report=has_report)
        return self._last[1]

    def _draw(
        self,
        session: Session,
        status: SessionStatus,
        now: datetime,
        seconds: float,
        *,
        is_whole: bool,
        has_report: bool,
    ) -> LiveView:
        live, run, view = self.state, self.state.run, self._progress_view
        progress = describe_progress(live.progress, view, now) if view and live.progress else None
        todos = tuple(live.board.todos.values())
        newest = islice(reversed(live.sources.values()), _MAX_SOURCES)
        return LiveView(
            session=session,
            status=status,
            seq=live.seq,
            is_whole=is_whole,
            has_report=has_report,
            seconds=seconds,
            statement=run.statement,
            asked=None if status.state == "finished" else run.waiting,
            progress=progress,
            limits=tuple(limit_usage(run.budget or live.budget, run.spent, seconds)),
            dollars=run.spent.dollars,
            tokens=run.spent.tokens,
            todos=todos,
            activities={item.id: item.activity for item in progress.workflow.items} if progress else {},
            graph=draw_plan(todos) if todos else None,
            timeline=draw_timeline(todos, seconds),
            findings=live.board.findings[::-1],
            found=live.board.found,
            sources=[replace(each, quotes=live.quotes.get(each.sha256, 0)) for each in newest],
            source_count=len(live.sources),
            lines=live.lines[::-1],
        )


class LiveSessions:
    """The sessions that are looked at, each folded once, up to its newest event; `page_events` are read at a time."""

    def __init__(self, page_events: int = _PAGE_EVENTS) -> None:
        self._page_events = page_events
        self._readings = LogReadings[LiveSession](_MAX_SESSIONS)

    async def read(self, quaestor: Quaestor, session_id: str, patience: float | None = None) -> LiveView:
        """Return a session as it is now; as far as its log was read, where that takes longer than `patience` seconds.

        Raises UnknownSession, also for one of another tenant.
        """
        session = await quaestor.session(session_id)
        live, is_whole = await self._readings.read(
            session_id, partial(LiveSession, session.workflow), partial(self._read_on, quaestor, session_id), patience
        )
        session, status = await quaestor.session(session_id), await quaestor.status(session_id)
        is_written = await has_report(quaestor, session)
        return live.view(session, status, quaestor.clock.now(), is_whole=is_whole, has_report=is_written)

    def forget(self, session_id: str) -> None:
        """Keep nothing of a session that was erased."""
        self._readings.forget(session_id)

    async def _read_on(self, quaestor: Quaestor, session_id: str, live: LiveSession) -> None:
        """Fold what a session has beyond what is folded; other requests go on, however long the log is."""
        begin = (live.state.seq, live.state) if live.state.seq else None
        folds = quaestor.fold_onwards(session_id, live.fold, begin, page_events=self._page_events)
        async for _, state in folds:
            live.state = state
