"""How a run is shown while it goes on: as JSON lines, as a live tree, or told in plain lines."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.live import Live

from quaestor.cli.board import Board, advance, draw
from quaestor.cli.carry import Show
from quaestor.cli.narration import told
from quaestor.cli.speech import give, say
from quaestor.contracts.event import Event
from quaestor.machine import SystemClock


@contextmanager
def display(past: Iterable[Event], *, json: bool) -> Iterator[Show]:
    """Give what shows an event; `past` are the events before the first that will be shown."""
    console = Console(stderr=True)
    if json:
        yield _line
    elif console.is_terminal and not console.is_dumb_terminal:
        with _live(console, past) as show:
            yield show
    else:
        yield _tell


def _line(event: Event) -> None:
    give(f"{event.model_dump_json()}\n")


def _tell(event: Event) -> None:
    for line in told(event):
        say(line)


@contextmanager
def _live(console: Console, past: Iterable[Event]) -> Iterator[Show]:
    clock = SystemClock()
    began = clock.now()
    board = Board()
    for event in past:
        board = advance(board, event)

    def picture() -> RenderableType:
        return draw(board, clock.now() - began, console.height)

    def show(event: Event) -> None:
        nonlocal board
        board = advance(board, event)

    with Live(get_renderable=picture, console=console, refresh_per_second=8, redirect_stdout=False):
        yield show
