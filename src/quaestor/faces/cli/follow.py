"""Copies of the log elsewhere: kept complete, and read."""

import asyncio
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.copies import LogCopy, open_copy
from quaestor.app.copies import read_copy as read_events
from quaestor.app.text import count_noun
from quaestor.app.watching import build_narrator
from quaestor.contracts.errors import EXIT_INTERRUPTED, UsageError
from quaestor.contracts.event import Event, SessionStarted
from quaestor.contracts.terminal import SessionId
from quaestor.faces.cli.events import format_event
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.params import Home

_URL_HELP = "mongodb://HOST/DATABASE, jsonl:FILE or jsonl:FOLDER/."


async def follow(
    session: Annotated[
        str | None, Parameter(name="SESSION", help="The id of a session; all sessions without it.")
    ] = None,
    /,
    *,
    to: Annotated[str, Parameter(help=f"Copy to this target: {_URL_HELP}")],
    once: Annotated[
        bool, Parameter(negative="", show_default=False, help="Copy the events there are, and end.")
    ] = False,
    home: Home = None,
) -> int:
    """Copy the log to another place, from where the copy ends.

    With SESSION until it rests, else until Ctrl-C. Waits for a target that is down.
    """
    async with open_home(home) as quaestor:
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
                write_stderr(f"left; {_summary(copy)}. The same command goes on from there")
                return EXIT_INTERRUPTED
            write_stderr(_summary(copy))
            return 0


async def read_copy(
    session: SessionId,
    /,
    *,
    source: Annotated[str, Parameter(name="--from", help=f"Read this copy: {_URL_HELP}")],
    cycle: Annotated[int | None, Parameter(help="Print only events of this cycle.")] = None,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Print whole events as JSON lines.")] = False,
) -> int:
    """Print the log of a session from a copy alone, as `events` prints it from the log."""
    copied = await read_events(source, session)
    describe = build_narrator(next((_workflow(event) for event in copied), ""))
    selected = [event for event in copied if cycle in {None, event.cycle}]
    if not selected:
        raise UsageError(f"the copy has no such event of session {session}; `quaestor ps` lists the sessions")
    for event in selected:
        write_stdout(f"{event.model_dump_json() if json else format_event(event, describe)}\n")
    return 0


def _workflow(first: Event) -> str:
    return first.payload.workflow if isinstance(first.payload, SessionStarted) else ""


def _summary(copy: LogCopy) -> str:
    return f"copied {count_noun(copy.count, 'event')} to {copy.name}"
