"""Copies of the log elsewhere: kept complete, and read."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.cli.codes import INTERRUPTED
from quaestor.cli.log import line
from quaestor.cli.phrase import counted
from quaestor.cli.place import Home, SessionId
from quaestor.cli.speech import give, say
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.follower import TargetDown, restored
from quaestor.follow import Copying, Which, alone, complete, keep_up
from quaestor.storage.followers import open_follower

Url = "mongodb://HOST/DATABASE, jsonl:FILE or jsonl:FOLDER/."


async def follow(
    session: Annotated[str | None, Parameter(name="SESSION", help="Its id; without it all sessions.")] = None,
    /,
    *,
    to: Annotated[str, Parameter(help=f"Where to copy: {Url}")],
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
            copying = Copying(quaestor.store, follower)
            which = alone(session) if session else copying.behind
            try:
                await (complete(copying, which) if once else _on(quaestor, copying, which, session))
            except asyncio.CancelledError:
                say(f"left; {_told(copying)}. The same command goes on from there")
                return INTERRUPTED
            say(_told(copying))
            return 0
    finally:
        await follower.close()


async def copied(
    session: SessionId,
    /,
    *,
    source: Annotated[str, Parameter(name="--from", help=f"The copy: {Url}")],
    cycle: Annotated[int | None, Parameter(help="Only events of this cycle.")] = None,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Whole events as JSON lines.")] = False,
) -> int:
    """Print the log of a session from a copy alone, as `events` prints it from the log."""
    found = [event for event in await _read(source, session) if cycle in {None, event.cycle}]
    if not found:
        raise UsageError(f"the copy has no such event of session {session}; see what there is with `quaestor ps`")
    for event in found:
        give(f"{event.model_dump_json() if json else line(event)}\n")
    return 0


async def _on(quaestor: Quaestor, copying: Copying, which: Which, session: str | None) -> None:
    """Go on copying; one session until it rests and the copy is complete."""
    stop = asyncio.Event()
    say(f"copying to {copying.name}")
    keeping = asyncio.create_task(keep_up(copying, which, stop, say, patient=True))
    resting = asyncio.create_task(_rest(quaestor, session))
    try:
        await asyncio.wait((keeping, resting), return_when=asyncio.FIRST_COMPLETED)
        stop.set()
        await keeping
    finally:
        keeping.cancel()
        resting.cancel()
        await asyncio.gather(keeping, resting, return_exceptions=True)


async def _rest(quaestor: Quaestor, session: str | None) -> None:
    """Wait until a session rests; for ever where there is none."""
    if session is None:
        await asyncio.Event().wait()
    else:
        events = (await quaestor.store.session(session)).events
        async for _ in quaestor.follow(session, events):
            pass


async def _read(source: str, session: str) -> Sequence[Event]:
    follower = open_follower(source)
    try:
        return [restored(row) for row in await follower.rows(session)]
    except TargetDown as error:
        raise SetupError(f"{error}; try again when it is back") from error
    finally:
        await follower.close()


def _told(copying: Copying) -> str:
    return f"copied {counted(copying.count, 'event')} to {copying.name}"
