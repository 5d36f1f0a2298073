"""A run that another process carries on, seen from here: nothing is missed, and leaving it changes nothing."""

import asyncio
import os
import subprocess
import sys
import warnings
from collections.abc import AsyncIterator
from pathlib import Path

from quaestor.app import Quaestor, default_home, open_home
from quaestor.contracts.arguments import Json, SessionId
from quaestor.contracts.errors import SetupError
from quaestor.contracts.event import Event, Paused
from quaestor.contracts.exit_codes import FAILED, INTERRUPTED, USAGE
from quaestor.faces.cli.display import event_display
from quaestor.faces.cli.exit import conclude_run
from quaestor.faces.cli.output import command_line, write_stderr, write_stdout
from quaestor.faces.cli.params import After, Home
from quaestor.faces.cli.report_output import ReportOutput
from quaestor.runtime.sessions import POLL_SECONDS

_HANDOVER_SECONDS = 2
"""How long nobody may hold a session that does not rest, before it counts as interrupted."""


async def attach(
    session: SessionId,
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    after: After = 0,
    home: Home = None,
) -> int:
    """Watch a session that another process carries on, until it is finished or rests.

    What happened before is shown as well. Ctrl-C leaves; the session goes on.
    """
    delivery.check()
    async with open_home(home) as quaestor:
        after = after if json else 0
        past = [event for event in await quaestor.events(session) if event.seq <= after]
        write_stderr(f"session {session}")
        try:
            workflow = (await quaestor.store.session(session)).workflow
            with event_display(past, json=json, workflow=workflow) as show:
                async for event in _new_events(quaestor, session, after):
                    show(event)
        except asyncio.CancelledError:
            write_stderr(f"left; the session goes on. Come back with: {command_line(home, 'attach', session)}")
            return INTERRUPTED
        result = await quaestor.result(session)
        if result.status == "paused":
            await _raise_setup_error(quaestor, session)
        return conclude_run(result, delivery, home, json=json)


async def _raise_setup_error(quaestor: Quaestor, session_id: str) -> None:
    """Raise the SetupError that made the run of a session pause, if one did."""
    for event in reversed(await quaestor.events(session_id)):
        if isinstance(event.payload, Paused):
            if event.payload.kind == "setup":
                raise SetupError(event.payload.reason)
            return


async def _new_events(quaestor: Quaestor, session_id: str, after: int) -> AsyncIterator[Event]:
    """Give the events above `after` as they come, until the session rests."""
    alone, rests = 0.0, False
    while not rests:
        rests = await _is_at_rest(quaestor, session_id, alone)  # asked before the last look, so that nothing is missed
        for event in await quaestor.events(session_id, after):
            yield event
            after = event.seq
        alone = 0.0 if await quaestor.holder(session_id) else alone + POLL_SECONDS
        await asyncio.sleep(0 if rests else POLL_SECONDS)


async def _is_at_rest(quaestor: Quaestor, session_id: str, alone: float) -> bool:
    """Say whether nobody carries a session on; one that just changes hands is given a moment."""
    if await quaestor.holder(session_id):
        return False
    result = await quaestor.result(session_id)
    return alone >= _HANDOVER_SECONDS or result.status != "waiting" or result.asked is not None


LOG_FOLDER = "logs"
"""The folder in the home where what such runs say is kept, a file for each session."""


async def run_detached(
    quaestor: Quaestor, session_id: str, delivery: ReportOutput, home: Path | None, *, json: bool
) -> int:
    """Let a process of its own carry a session on; print the session's id, and say how to attach to it.

    Raises SetupError when there is no place for what it says.
    """
    log = (home or default_home(os.environ)).resolve() / LOG_FOLDER / f"{session_id}.log"
    if holder := await quaestor.holder(session_id):
        write_stderr(f"session {session_id} is carried on by {holder} already")
        code = 0
    else:
        code = await _wait_for_holder(
            quaestor, session_id, _spawn(_command_line(session_id, delivery, home, json=json), log)
        )
    write_stdout(f"{session_id}\n")
    if code:
        write_stderr(f"it could not go on; what it said is in {log}")
        return code
    write_stderr(f"watch it  {command_line(home, 'attach', session_id)}")
    write_stderr(f"stop it   {command_line(home, 'pause', session_id)}")
    write_stderr(f"what it says is in {log}")
    return 0


def _command_line(session_id: str, delivery: ReportOutput, home: Path | None, *, json: bool) -> list[str]:
    out = ["--out", str(delivery.out)] if delivery.out else []
    place = ["--home", str(home)] if home else []
    line = [sys.executable, "-m", "quaestor.faces.cli.main", "resume", session_id, "--format", delivery.form]
    return [*line, *out, *(["--json"] if json else []), *place]


def _spawn(line: list[str], log: Path) -> subprocess.Popen[bytes]:
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as said:
            return subprocess.Popen(  # noqa: S603 -- this very program
                line,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
                creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
            )
    except OSError as error:
        raise SetupError(f"a process of its own cannot be started with its output in {log}: {error}") from error


async def _wait_for_holder(quaestor: Quaestor, session_id: str, process: subprocess.Popen[bytes]) -> int:
    """Wait until a process holds the session; give the exit code of one that failed instead."""
    while True:
        code = process.poll()
        if code is not None or await quaestor.holder(session_id):
            break
        await asyncio.sleep(POLL_SECONDS)
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):  # it is meant to outlive this one
        del process
    return code if code in {FAILED, USAGE, SetupError.exit_code} else 0
