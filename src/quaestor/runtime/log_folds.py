"""What a log is folded to: the folds that a run goes on from, and those that readers show."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Generic, TypeVar, get_type_hints

from quaestor.contracts.event import Event
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.plugin import PanelReader, PanelsView, WorkflowPlugin
from quaestor.contracts.settings import parse_common_options
from quaestor.contracts.snapshot import FoldName
from quaestor.contracts.stream_view import StreamState, StreamView
from quaestor.kernel.run_state import RunState, fold
from quaestor.kernel.state_codec import StateCodec
from quaestor.runtime.registry import TodoWorkflows
from quaestor.version import __version__
from quaestor.views.spend import SpendFold
from quaestor.views.stream_state import fold_stream

T = TypeVar("T")
S = TypeVar("S")

_PANEL_EVENTS = 25_000
"""What is drawn of a curve grows with every cycle: written as often as the rest, it would take a tenth of a run."""


class LogFold(Immutable, Generic[T], dict=True):
    """A fold of the events of a session, and how its state is written."""

    name: FoldName
    begin: Callable[[], T]
    apply: Callable[[T, Event], T]
    """Returns the state after one more event; a large one may be changed in place."""
    make_codec: Callable[[], StateCodec[T]]
    has_places: bool = False
    """A snapshot is kept at every place of the log, not the newest alone."""
    run_events: int = 1
    """How many events a run adds at least before it takes the next snapshot for readers; at its end it takes one."""

    @cached_property
    def codec(self) -> StateCodec[T]:
        """The codec, built at its first use: short sessions need none."""
        return self.make_codec()

    @cached_property
    def digest(self) -> str:
        """What folds: the release, and the schema of the state."""
        return f"{__version__} {self.codec.digest}"


def session_fold(plugin: WorkflowPlugin[S, Any]) -> LogFold[tuple[RunState, S]]:
    """Return the folds that a run goes on from: that of the kernel, and that of the workflow."""
    workflow = plugin.workflow

    def begin() -> tuple[RunState, S]:
        return RunState(), workflow.begin()

    def make_codec() -> StateCodec[tuple[RunState, S]]:
        others = _todo_run_types() if plugin.with_todos else ()
        return StateCodec((RunState, returned_type(type(workflow).apply)), begin(), others)

    return LogFold(
        "session", begin, lambda state, event: (fold(state[0], event), workflow.apply(state[1], event)), make_codec
    )


def stream_fold(view: StreamView) -> LogFold[StreamState]:
    """Return the fold that translates events into those of the public stream."""
    return LogFold(
        "stream", StreamState, lambda known, event: fold_stream(known, event, view), _make_stream_codec, has_places=True
    )


def panel_fold(view: PanelsView) -> LogFold[PanelReader]:
    """Return the fold of what a workflow shows on its own page; only a reader that is a dataclass has snapshots."""
    return LogFold(
        "panels",
        view,
        _take_panel_event,
        lambda: StateCodec((type(view()),), view()),
        run_events=_PANEL_EVENTS,
    )


def _take_panel_event(reader: PanelReader, event: Event) -> PanelReader:
    reader.take(event)
    return reader


def _make_stream_codec() -> StateCodec[StreamState]:
    return StateCodec((StreamState,), StreamState())


def _take(spent: SpendFold, event: Event) -> SpendFold:
    spent.take(event)
    return spent


RUN_FOLD = LogFold("run", RunState, fold, lambda: StateCodec((RunState,), RunState()))
SPEND_FOLD = LogFold(
    "spend",
    SpendFold,
    _take,
    lambda: StateCodec((SpendFold,), SpendFold(), others=(type(parse_common_options({})),)),
)


def _todo_run_types() -> Iterable[object]:
    """Return the types of the runs of todos that other workflows carry out."""
    return [returned_type(plugin.as_todo.start) for plugin in TodoWorkflows().plugins() if plugin.as_todo]


def returned_type(function: Callable[..., object]) -> object:
    """Return the type that a function is annotated to return; None where it says nothing that can be read."""
    try:
        return get_type_hints(function).get("return")
    except (NameError, TypeError, AttributeError):
        return None
