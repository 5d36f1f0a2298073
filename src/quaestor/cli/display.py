"""How a run is shown while it goes on: as JSON lines, as a live tree, or told in plain lines."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.live import Live
from rich.segment import ControlType

from quaestor.cli.board import Board, advance, draw
from quaestor.cli.carry import Show
from quaestor.cli.narration import told
from quaestor.cli.speech import give, say
from quaestor.contracts.event import Event
from quaestor.machine import SystemClock
from quaestor.views import stream_state
from quaestor.views.stream import tell
from quaestor.views.stream_state import Known
from quaestor.workflows.research import Research

_AFRESH = Control(ControlType.CLEAR, ControlType.HOME)
"""A terminal that is made narrower breaks the lines of the last picture, so that it covers more of them."""


@contextmanager
def display(past: Iterable[Event], *, json: bool, workflow: str) -> Iterator[Show]:
    """Give what shows an event; `past` are all events before the first that will be shown.

    A session of a workflow that has no todos is told in lines everywhere: there is no tree to draw.
    """
    console = Console(stderr=True)
    if json:
        yield _streaming(past)
    elif console.is_terminal and not console.is_dumb_terminal and workflow == Research.name:
        with live(console, past) as show:
            yield show
    else:
        yield _tell


def _streaming(past: Iterable[Event]) -> Show:
    known = Known()
    for event in past:
        known = stream_state.advance(known, event)

    def show(event: Event) -> None:
        nonlocal known
        for streamed in tell(known, event):
            give(f"{streamed.model_dump_json()}\n")
        known = stream_state.advance(known, event)

    return show


def _tell(event: Event) -> None:
    for line in told(event):
        say(line)


@contextmanager
def live(console: Console, past: Iterable[Event]) -> Iterator[Show]:
    """Draw a run on a terminal, in its place and in its size."""
    clock = SystemClock()
    size = console.size
    board = Board()
    for event in past:
        board = advance(board, event)

    def picture() -> RenderableType:
        nonlocal size
        drawn = draw(board, timedelta(seconds=board.run.elapsed_at(clock.now())), console.height)
        if console.size == size:
            return drawn
        size = console.size
        return Group(_AFRESH, drawn)

    def show(event: Event) -> None:
        nonlocal board
        board = advance(board, event)

    with Live(get_renderable=picture, console=console, refresh_per_second=8, redirect_stdout=False):
        yield show
