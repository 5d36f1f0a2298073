"""A run at the terminal: its signals, and its events as JSON lines, as a live tree, or as plain lines."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.live import Live
from rich.segment import ControlType

from quaestor.app import Quaestor
from quaestor.app.text import count_noun
from quaestor.app.watching.progress import (
    Describe,
    ProgressTracker,
    StreamEncoder,
    build_narrator,
    description_lines,
    encode_behind,
    follow_run,
    follow_until_rest,
    require_setup,
    track_behind,
    track_progress,
)
from quaestor.contracts.errors import LeaseUnavailable
from quaestor.contracts.event import (
    Event,
    ModelRequested,
    ModelResponded,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.result import Result
from quaestor.faces.cli.dashboard import render
from quaestor.faces.cli.output import write_json, write_stderr
from quaestor.faces.cli.streams import discard_stdout

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_CLEAR_SCREEN = Control(ControlType.CLEAR, ControlType.HOME)
"""A terminal that is made narrower breaks the lines of the last picture, so that it covers more of them."""


EventHandler = Callable[[Event], None]


class CallsInFlight:
    """The model and tool calls of a run that have no outcome yet."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def follow(self, event: Event) -> None:
        """Note what an event begins or ends."""
        match event.payload:
            case ModelRequested(key=key, role=name) | ToolRequested(key=key, tool=name):
                self._names[key] = name
            case ModelResponded(key=key) | ToolResponded(key=key) | ToolInterrupted(key=key):
                self._names.pop(key, None)
            case _:
                pass

    def describe(self, seconds: float) -> str:
        """Return what a run that is to stop waits for, and how long at most."""
        if not self._names:
            return "nothing is in flight"
        names = ", ".join(dict.fromkeys(self._names.values()))
        return f"waiting {seconds:g} s at most for {count_noun(len(self._names), 'call')} in flight ({names})"


async def run_session(
    quaestor: Quaestor, session_id: str, show: EventHandler, after: int, stop: asyncio.Event | None = None
) -> Result:
    """Carry a session on and show every event with a number above `after`; return where the session is then.

    The first signal sets `stop`, which asks the run to pause; a second one raises CancelledError. A reader of the
    events who leaves sets `stop`, too. A run that is about to end is not paused any more. A session that another
    process carries on is watched until it rests.
    """
    seen, calls = after, CallsInFlight()

    def noted(event: Event) -> None:
        nonlocal seen
        seen = event.seq
        calls.follow(event)
        show(event)

    try:
        return await _carry_on(quaestor, session_id, noted, after, stop or asyncio.Event(), calls=calls)
    except LeaseUnavailable as held:
        write_stderr(f"{str(held).partition(';')[0]}; watching it (Ctrl-C leaves, and it goes on)")
        return await watch_session(quaestor, session_id, noted, seen)


async def watch_session(quaestor: Quaestor, session_id: str, show: EventHandler, after: int) -> Result:
    """Show every event above `after` that another process appends; return where the session is when it rests.

    Raises the SetupError that paused it, if one did.
    """
    async for event in follow_until_rest(quaestor, session_id, after):
        show(event)
    result = await quaestor.result(session_id)
    if result.status == "paused":
        await require_setup(quaestor, session_id)
    return result


async def _carry_on(
    quaestor: Quaestor, session_id: str, show: EventHandler, after: int, stop: asyncio.Event, *, calls: CallsInFlight
) -> Result:
    running = asyncio.create_task(quaestor.run(session_id, stop, write_stderr))

    def announce(reason: str = "") -> None:
        waiting = calls.describe(quaestor.settings.grace_seconds)
        write_stderr(f"{reason}stopping: {waiting}; Ctrl-C again stops at once")

    with _stop_on_signal(running, stop, announce):
        try:
            async for event in follow_run(quaestor, session_id, after, running):
                try:
                    show(event)
                except BrokenPipeError:  # the reader of the events left: a pause loses no call that is in flight
                    discard_stdout()
                    announce("nobody reads the events any more; ")
                    stop.set()
            return running.result()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


@contextmanager
def immediate_interrupt() -> Iterator[None]:
    """Make a signal raise KeyboardInterrupt at once, also in work that does not yield to the loop."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in _STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _stop_on_signal(running: asyncio.Task[Result], stop: asyncio.Event, announce: Callable[[], None]) -> Iterator[None]:
    """Set `stop` and call `announce` at the first signal of the block, and cancel the run at the second.

    A signal that comes while the loop has not heard of the one before raises KeyboardInterrupt: it does nothing else.
    """
    loop, caught, unheard = asyncio.get_running_loop(), False, False

    def interrupt() -> None:
        nonlocal unheard
        unheard = False
        if stop.is_set():
            running.cancel()
        else:
            announce()
        stop.set()

    def note(*_: object) -> None:
        nonlocal caught, unheard
        if unheard:
            raise KeyboardInterrupt
        caught = unheard = True
        loop.call_soon_threadsafe(interrupt)

    # Not by `add_signal_handler`: of a signal that comes as the run ends, the loop would hear when nobody listens.
    before = {number: signal.signal(number, note) for number in _STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if caught:
            stop.set()


@asynccontextmanager
async def event_display(
    quaestor: Quaestor, session_id: str, after: int, *, json: bool
) -> AsyncGenerator[EventHandler, None]:
    """Yield what shows the events above `after`; what it has to know of those before is folded.

    A session of a workflow without a live view is shown as lines everywhere.
    """
    console = Console(stderr=True)
    if json:
        yield _json_handler(await encode_behind(quaestor, session_id, after))
    elif _is_drawn(console) and (tracker := await track_behind(quaestor, session_id, after)):
        with live_dashboard(console, tracker) as show:
            yield show
    else:
        yield _line_handler(build_narrator((await quaestor.session(session_id)).workflow))


async def find_display_start(quaestor: Quaestor, session_id: str) -> int:
    """Return behind which event a display begins that shows all: where it draws a picture, all that was is in it."""
    session = await quaestor.session(session_id)
    return session.events if _is_drawn(Console(stderr=True)) and track_progress(session.workflow) else 0


def _is_drawn(console: Console) -> bool:
    """Return whether a run is drawn in its place on a terminal."""
    return console.is_terminal and not console.is_dumb_terminal


def _json_handler(encoder: StreamEncoder) -> EventHandler:
    def show(event: Event) -> None:
        for streamed in encoder.encode(event):
            write_json(streamed)

    return show


def _line_handler(describe: Describe) -> EventHandler:
    def show(event: Event) -> None:
        for line in description_lines(describe(event)):
            write_stderr(line)

    return show


@contextmanager
def live_dashboard(console: Console, tracker: ProgressTracker) -> Iterator[EventHandler]:
    """Draw a run on a terminal, in its place and in its size."""
    size = console.size

    def picture() -> RenderableType:
        nonlocal size
        drawn = render(tracker.progress(), console.height)
        if console.size == size:
            return drawn
        size = console.size
        return Group(_CLEAR_SCREEN, drawn)

    with Live(get_renderable=picture, console=console, refresh_per_second=8, redirect_stdout=False):
        yield tracker.follow
