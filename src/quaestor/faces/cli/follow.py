"""Copies of the log elsewhere: kept complete, and read."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.app.text import count_noun
from quaestor.contracts.arguments import SessionId
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.exit_codes import INTERRUPTED
from quaestor.contracts.follower import FollowerUnavailable, row_to_event
from quaestor.faces.cli.events import format_event
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.params import Home
from quaestor.runtime.replication import Replicator, SessionSelector, only_session, replicate_once, replicate_until
from quaestor.storage.followers import open_follower

_URL_HELP = "mongodb://HOST/DATABASE, jsonl:FILE or jsonl:FOLDER/."


async def follow(
    session: Annotated[str | None, Parameter(name="SESSION", help="Its id; without it all sessions.")] = None,
    /,
    *,
    to: Annotated[str, Parameter(help=f"Where to copy: {_URL_HELP}")],
    once: Annotated[
        bool, Parameter(negative="", show_default=False, help="Copy what there is, and wait for nothing.")
    ] = False,
    home: Home = None,
) -> int:
    """Copy the log to another place, from where the copy ends.

    With SESSION until it rests, else until Ctrl-C. A target that is down is waited for.
    """
    follower = open_follower(to)
    try:
        async with open_home(home) as quaestor:
            if session:
                await quaestor.store.session(session)
            copying = Replicator(quaestor.store, follower)
            which = only_session(session) if session else copying.lagging_sessions
            try:
                await (replicate_once(copying, which) if once else _keep_copying(quaestor, copying, which, session))
            except asyncio.CancelledError:
                write_stderr(f"left; {_summary(copying)}. The same command goes on from there")
                return INTERRUPTED
            write_stderr(_summary(copying))
            return 0
    finally:
        await follower.close()


async def read_copy(
    session: SessionId,
    /,
    *,
    source: Annotated[str, Parameter(name="--from", help=f"The copy: {_URL_HELP}")],
    cycle: Annotated[int | None, Parameter(help="Only events of this cycle.")] = None,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Whole events as JSON lines.")] = False,
) -> int:
    """Print the log of a session from a copy alone, as `events` prints it from the log."""
    found = [event for event in await _read_events(source, session) if cycle in {None, event.cycle}]
    if not found:
        raise UsageError(f"the copy has no such event of session {session}; see what there is with `quaestor ps`")
    for event in found:
        write_stdout(f"{event.model_dump_json() if json else format_event(event)}\n")
    return 0


async def _keep_copying(quaestor: Quaestor, copying: Replicator, which: SessionSelector, session: str | None) -> None:
    """Go on copying; one session until it rests and the copy is complete."""
    stop = asyncio.Event()
    write_stderr(f"copying to {copying.name}")
    keeping = asyncio.create_task(replicate_until(copying, which, stop, write_stderr, patient=True))
    resting = asyncio.create_task(_wait_until_rest(quaestor, session))
    try:
        await asyncio.wait((keeping, resting), return_when=asyncio.FIRST_COMPLETED)
        stop.set()
        await keeping
    finally:
        keeping.cancel()
        resting.cancel()
        await asyncio.gather(keeping, resting, return_exceptions=True)


async def _wait_until_rest(quaestor: Quaestor, session: str | None) -> None:
    """Wait until a session rests; for ever where there is none."""
    if session is None:
        await asyncio.Event().wait()
    else:
        events = (await quaestor.store.session(session)).events
        async for _ in quaestor.follow(session, events):
            pass


async def _read_events(source: str, session: str) -> Sequence[Event]:
    follower = open_follower(source)
    try:
        return [row_to_event(row) for row in await follower.rows(session)]
    except FollowerUnavailable as error:
        raise SetupError(f"{error}; try again when it is back") from error
    finally:
        await follower.close()


def _summary(copying: Replicator) -> str:
    return f"copied {count_noun(copying.count, 'event')} to {copying.name}"
