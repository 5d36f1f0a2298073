"""The commands that list the events of a session and copy them elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_to_look
from quaestor.app.copies.followers import LogCopy, open_copy
from quaestor.app.copies.followers import read_copy as read_events
from quaestor.app.text import count_noun, one_line, truncate_line
from quaestor.app.watching.progress import Describe, build_narrator
from quaestor.app.workflows import event_types, workflow_states
from quaestor.contracts.errors import EXIT_INTERRUPTED, UsageError
from quaestor.contracts.event import Event, SessionStarted
from quaestor.contracts.session import NEWEST_SESSION
from quaestor.contracts.suggestion import suggest
from quaestor.contracts.terminal import SessionId
from quaestor.faces.cli.output import write_json, write_stderr, write_stdout
from quaestor.faces.cli.params import Home

_MAX_DESCRIPTION_WIDTH = 100
_COPY_FORMS = "mongodb://HOST/DATABASE, jsonl:FILE or jsonl:FOLDER/."


async def events(
    session: SessionId = NEWEST_SESSION,
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
    async with open_to_look(home) as quaestor:
        workflow = (await quaestor.session(session)).workflow
        _check_choice("--type", only, event_types(workflow))
        _check_choice("--state", state, workflow_states(workflow))
        describe = build_narrator(workflow)
        async for event in _event_stream(quaestor, session, after, follow=follow):
            if only in {None, event.type} and state in {None, event.state} and cycle in {None, event.cycle}:
                _write(event, describe, json=json)
    return 0


def _write(event: Event, describe: Describe, *, json: bool) -> None:
    if json:
        write_json(event)
    else:
        write_stdout(f"{format_event(event, describe)}\n")


def format_event(event: Event, describe: Describe) -> str:
    """Format an event on one line."""
    head = f"{event.seq:>5}  {event.at:%H:%M:%S.%f}"[:-3]
    text = truncate_line(describe(event).text, _MAX_DESCRIPTION_WIDTH)
    state, kind, todo_id = map(one_line, (event.state, event.type, event.todo_id or ""))
    return f"{head}  {state:<14}  {kind:<19}  {todo_id:<6}  {text}".rstrip()


async def _event_stream(quaestor: Quaestor, session: str, after: int, *, follow: bool) -> AsyncIterator[Event]:
    """Yield the events there are; with `follow` also new ones, where some can still come without a person."""
    state = (await quaestor.status(session)).state if follow else "finished"
    if state == "interrupted":
        write_stderr(f"session {session} was interrupted; more events come when it is resumed")
    if state in {"queued", "interrupted", "running"}:
        async for event in quaestor.follow(session, after):
            yield event
    else:
        async for event in quaestor.read_events(session, after):
            yield event


def _check_choice(option: str, chosen: str | None, known: Iterable[str]) -> None:
    names = sorted(known)
    if chosen is not None and chosen not in names:
        raise UsageError(f"{option} {chosen} is not known; {suggest(chosen, names)}it is one of: {', '.join(names)}")


async def follow(
    session: Annotated[
        str | None, Parameter(name="SESSION", help="The id of a session; all sessions without it.")
    ] = None,
    /,
    *,
    to: Annotated[str, Parameter(help=f"Copy to this target: otlp+http://HOST:4318, {_COPY_FORMS}")],
    once: Annotated[
        bool, Parameter(negative="", show_default=False, help="Copy the events there are, and end.")
    ] = False,
    home: Home = None,
) -> int:
    """Copy the log to another place, from where the copy ends.

    With SESSION until it rests, else until Ctrl-C. Waits for a target that is down.
    """
    async with open_to_look(home) as quaestor:
        if session:
            await quaestor.session(session)
        async with open_copy(quaestor, to) as copy:
            try:
                if once:
                    await copy.copy_once(session)
                else:
                    write_stderr(f"copying to {copy.name}")
                    await copy.keep_complete(session, write_stderr)
            except asyncio.CancelledError:
                write_stderr(f"left; {_summary(copy)}. The same command continues from there")
                return EXIT_INTERRUPTED
            write_stderr(_summary(copy))
            return 0


async def read_copy(
    session: Annotated[str, Parameter(name="SESSION", help="Its id, whole: the home is not looked into.")],
    /,
    *,
    source: Annotated[str, Parameter(name="--from", help=f"Read this copy: {_COPY_FORMS}")],
    cycle: Annotated[int | None, Parameter(help="Print only events of this cycle.")] = None,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Print whole events as JSON lines.")] = False,
) -> int:
    """Print the log of a session from a copy alone, as `events` prints it from the log."""
    copied = await read_events(source, session)
    describe = build_narrator(next((_workflow(event) for event in copied), ""))
    selected = [event for event in copied if cycle in {None, event.cycle}]
    if not selected:
        raise UsageError(f"the copy has no event of cycle {cycle} of session {session}; without --cycle it prints all")
    for event in selected:
        _write(event, describe, json=json)
    return 0


def _workflow(first: Event) -> str:
    return first.payload.workflow if isinstance(first.payload, SessionStarted) else ""


def _summary(copy: LogCopy) -> str:
    return f"copied {count_noun(copy.count, 'event')} to {copy.name}"
