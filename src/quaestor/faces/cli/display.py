"""The display of a run: JSON lines, a live tree, or plain lines."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.live import Live
from rich.segment import ControlType

from quaestor.app.watching import (
    Describe,
    ProgressTracker,
    StreamEncoder,
    build_narrator,
    description_lines,
    track_progress,
)
from quaestor.contracts.event import Event
from quaestor.faces.cli.dashboard import render
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.run_loop import EventHandler

_CLEAR_SCREEN = Control(ControlType.CLEAR, ControlType.HOME)
"""A terminal that is made narrower breaks the lines of the last picture, so that it covers more of them."""


@contextmanager
def event_display(past: Iterable[Event], *, json: bool, workflow: str) -> Iterator[EventHandler]:
    """Yield what shows an event; `past` are all events before the first that will be shown.

    A session of a workflow without a live view is shown as lines everywhere.
    """
    console = Console(stderr=True)
    if json:
        yield _json_handler(past, workflow)
    elif console.is_terminal and not console.is_dumb_terminal and (tracker := track_progress(workflow)):
        with live_dashboard(console, tracker, past) as show:
            yield show
    else:
        yield _line_handler(build_narrator(workflow))


def _json_handler(past: Iterable[Event], workflow: str) -> EventHandler:
    encoder = StreamEncoder(workflow, past)

    def show(event: Event) -> None:
        for streamed in encoder.encode(event):
            write_stdout(f"{streamed.model_dump_json()}\n")

    return show


def _line_handler(describe: Describe) -> EventHandler:
    def show(event: Event) -> None:
        for line in description_lines(describe(event)):
            write_stderr(line)

    return show


@contextmanager
def live_dashboard(console: Console, tracker: ProgressTracker, past: Iterable[Event]) -> Iterator[EventHandler]:
    """Draw a run on a terminal, in its place and in its size."""
    size = console.size
    for event in past:
        tracker.follow(event)

    def picture() -> RenderableType:
        nonlocal size
        drawn = render(tracker.progress(), console.height)
        if console.size == size:
            return drawn
        size = console.size
        return Group(_CLEAR_SCREEN, drawn)

    with Live(get_renderable=picture, console=console, refresh_per_second=8, redirect_stdout=False):
        yield tracker.follow
