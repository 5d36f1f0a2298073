"""A run that goes on by itself: carried on by a process of its own, which no terminal ends."""

import asyncio
import os
import subprocess
import sys
import warnings
from pathlib import Path

from quaestor.app import Quaestor, default_home
from quaestor.cli.codes import FAILED, USAGE
from quaestor.cli.delivery import Delivery
from quaestor.cli.speech import command, give, say
from quaestor.contracts.errors import SetupError
from quaestor.sessions import POLL_SECONDS

LOGS = "logs"
"""The folder in the home where what such runs say is kept, a file for each session."""


async def detached(quaestor: Quaestor, session_id: str, delivery: Delivery, home: Path | None, *, json: bool) -> int:
    """Let a process of its own carry a session on; print the session's id, and say how to attach to it.

    Raises SetupError when there is no place for what it says.
    """
    log = (home or default_home(os.environ)).resolve() / LOGS / f"{session_id}.log"
    if holder := await quaestor.holder(session_id):
        say(f"session {session_id} is carried on by {holder} already")
        code = 0
    else:
        code = await _begun(quaestor, session_id, _spawned(_line(session_id, delivery, home, json=json), log))
    give(f"{session_id}\n")
    if code:
        say(f"it could not go on; what it said is in {log}")
        return code
    say(f"watch it  {command(home, 'attach', session_id)}")
    say(f"stop it   {command(home, 'pause', session_id)}")
    say(f"what it says is in {log}")
    return 0


def _line(session_id: str, delivery: Delivery, home: Path | None, *, json: bool) -> list[str]:
    out = ["--out", str(delivery.out)] if delivery.out else []
    place = ["--home", str(home)] if home else []
    line = [sys.executable, "-m", "quaestor.cli.main", "resume", session_id, "--format", delivery.form]
    return [*line, *out, *(["--json"] if json else []), *place]


def _spawned(line: list[str], log: Path) -> subprocess.Popen[bytes]:
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


async def _begun(quaestor: Quaestor, session_id: str, process: subprocess.Popen[bytes]) -> int:
    """Wait until a process holds the session; give the exit code of one that failed instead."""
    while True:
        code = process.poll()
        if code is not None or await quaestor.holder(session_id):
            break
        await asyncio.sleep(POLL_SECONDS)
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):  # it is meant to outlive this one
        del process
    return code if code in {FAILED, USAGE, SetupError.exit_code} else 0
