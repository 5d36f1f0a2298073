"""The log of a session, one line an event."""

from collections.abc import AsyncIterator, Iterable
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.app.inspection import read_status
from quaestor.app.text import truncate_line
from quaestor.app.watching import Describe, build_narrator
from quaestor.app.workflows import event_types, workflow_states
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.terminal import SessionId
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.params import Home

_MAX_DESCRIPTION_WIDTH = 100


async def events(
    session: SessionId,
    /,
    *,
    only: Annotated[
        str | None, Parameter(name="--type", help="Print only events of this type, as todo_recorded.")
    ] = None,
    state: Annotated[str | None, Parameter(help="Print only events of this state, as SEARCHING.")] = None,
    cycle: Annotated[int | None, Parameter(help="Print only events of this cycle.")] = None,
    after: Annotated[int, Parameter(help="Print only events with a higher number.")] = 0,
    follow: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Print new events as they come, until the session rests."),
    ] = False,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Print whole events as JSON lines.")] = False,
    home: Home = None,
) -> int:
    """Print the log of a session.

    One line an event: number, time, state, type, todo, and what happened.
    """
    async with open_home(home) as quaestor:
        workflow = (await quaestor.session(session)).workflow
        _check_choice("--type", only, event_types(workflow))
        _check_choice("--state", state, workflow_states(workflow))
        describe = build_narrator(workflow)
        async for event in _event_stream(quaestor, session, after, follow=follow):
            if only in {None, event.type} and state in {None, event.state} and cycle in {None, event.cycle}:
                write_stdout(f"{event.model_dump_json() if json else format_event(event, describe)}\n")
    return 0


def format_event(event: Event, describe: Describe) -> str:
    """Format an event on one line."""
    head = f"{event.seq:>5}  {event.at:%H:%M:%S.%f}"[:-3]
    text = truncate_line(describe(event).text, _MAX_DESCRIPTION_WIDTH)
    return f"{head}  {event.state:<14}  {event.type:<19}  {event.todo_id or '':<6}  {text}".rstrip()


async def _event_stream(quaestor: Quaestor, session: str, after: int, *, follow: bool) -> AsyncIterator[Event]:
    """Yield the events there are; with `follow` also new ones, where some can still come without a person."""
    status = await read_status(quaestor, session)
    if follow and status.state == "interrupted":
        write_stderr(f"session {session} was interrupted; more events come when it is resumed")
    if follow and status.state in {"interrupted", "running"}:
        async for event in quaestor.follow(session, after):
            yield event
    else:
        for event in await quaestor.events(session, after):
            yield event


def _check_choice(option: str, chosen: str | None, known: Iterable[str]) -> None:
    names = sorted(known)
    if chosen is not None and chosen not in names:
        raise UsageError(f"{option} {chosen} is not known; it is one of: {', '.join(names)}")
