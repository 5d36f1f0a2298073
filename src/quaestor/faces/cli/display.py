"""How a run is shown while it goes on: as JSON lines, as a live tree, or told in plain lines."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.live import Live
from rich.segment import ControlType

from quaestor.contracts.event import Event
from quaestor.contracts.stream_view import StreamState, StreamView
from quaestor.faces.cli.dashboard import Dashboard, fold_dashboard, render
from quaestor.faces.cli.event_lines import describe_event
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.run_loop import EventHandler
from quaestor.research.workflow import Research
from quaestor.runtime.registry import get_plugin
from quaestor.runtime.system import SystemClock
from quaestor.views import stream_state
from quaestor.views.stream_events import stream_events

_CLEAR_SCREEN = Control(ControlType.CLEAR, ControlType.HOME)
"""A terminal that is made narrower breaks the lines of the last picture, so that it covers more of them."""


@contextmanager
def event_display(past: Iterable[Event], *, json: bool, workflow: str) -> Iterator[EventHandler]:
    """Give what shows an event; `past` are all events before the first that will be shown.

    A session of a workflow that has no todos is told in lines everywhere: there is no tree to draw.
    """
    console = Console(stderr=True)
    if json:
        yield _json_handler(past, get_plugin(workflow).stream)
    elif console.is_terminal and not console.is_dumb_terminal and workflow == Research.name:
        with live_dashboard(console, past) as show:
            yield show
    else:
        yield _print_event


def _json_handler(past: Iterable[Event], view: StreamView) -> EventHandler:
    known = StreamState()
    for event in past:
        known = stream_state.fold_stream(known, event, view)

    def show(event: Event) -> None:
        nonlocal known
        for streamed in stream_events(known, event, view):
            write_stdout(f"{streamed.model_dump_json()}\n")
        known = stream_state.fold_stream(known, event, view)

    return show


def _print_event(event: Event) -> None:
    for line in describe_event(event):
        write_stderr(line)


@contextmanager
def live_dashboard(console: Console, past: Iterable[Event]) -> Iterator[EventHandler]:
    """Draw a run on a terminal, in its place and in its size."""
    clock = SystemClock()
    size = console.size
    board = Dashboard()
    for event in past:
        board = fold_dashboard(board, event)

    def picture() -> RenderableType:
        nonlocal size
        drawn = render(board, timedelta(seconds=board.run.elapsed_at(clock.now())), console.height)
        if console.size == size:
            return drawn
        size = console.size
        return Group(_CLEAR_SCREEN, drawn)

    def show(event: Event) -> None:
        nonlocal board
        board = fold_dashboard(board, event)

    with Live(get_renderable=picture, console=console, refresh_per_second=8, redirect_stdout=False):
        yield show
