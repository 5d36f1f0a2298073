"""Runs in processes of their own: started here, and watched from any terminal."""

import asyncio
import os
import subprocess
import sys
import warnings
from pathlib import Path

from quaestor.app import LOG_FOLDER, Quaestor, default_home, open_to_look
from quaestor.contracts.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, SetupError
from quaestor.contracts.session import NEWEST_SESSION
from quaestor.contracts.terminal import Json, ReportOutput, SessionId
from quaestor.faces.cli.display import event_display, find_display_start, watch_session
from quaestor.faces.cli.exit import conclude_run, with_standing_report
from quaestor.faces.cli.output import check_output_path, command_line, write_stderr, write_stdout
from quaestor.faces.cli.params import After, Home
from quaestor.files import open_private

_POLL_SECONDS = 0.05


async def attach(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    after: After = 0,
    home: Home = None,
) -> int:
    """Watch a session that another process runs, until it is finished or idle.

    Shows what happened before, too. Ctrl-C leaves; the session continues.
    """
    check_output_path("--out", delivery.out)
    async with open_to_look(home) as quaestor:
        after = after if json else await find_display_start(quaestor, session)
        write_stderr(f"session {session}")
        try:
            async with event_display(quaestor, session, after, json=json) as show:
                result = await watch_session(quaestor, session, show, after)
        except asyncio.CancelledError:
            write_stderr(f"left; the session continues. Come back with: {command_line(home, 'attach', session)}")
            return EXIT_INTERRUPTED
        return conclude_run(await with_standing_report(quaestor, result), delivery, home, json=json)


async def run_detached(
    quaestor: Quaestor, session_id: str, delivery: ReportOutput, home: Path | None, *, json: bool
) -> int:
    """Start a process that carries a session on; print the session's id, and how to attach to it.

    Raises SetupError when its output cannot be written.
    """
    log = (home or default_home(os.environ)).resolve() / LOG_FOLDER / f"{session_id}.log"
    if holder := await quaestor.holder(session_id):
        write_stderr(f"session {session_id} is already run by {holder}")
        code = 0
    else:
        code = await _wait_for_holder(
            quaestor, session_id, _spawn(_command_line(session_id, delivery, home, json=json), log)
        )
    write_stdout(f"{session_id}\n")
    if code:
        write_stderr(f"it could not go on; its output is in {log}")
        return code
    write_stderr(f"watch it  {command_line(home, 'attach', session_id)}")
    write_stderr(f"stop it   {command_line(home, 'pause', session_id)}")
    write_stderr(f"its output is in {log}")
    return 0


def _command_line(session_id: str, delivery: ReportOutput, home: Path | None, *, json: bool) -> list[str]:
    out = ["--out", str(delivery.out)] if delivery.out else []
    place = ["--home", str(home)] if home else []
    line = [sys.executable, "-m", "quaestor.faces.cli.main", "resume", session_id, "--format", delivery.format]
    return [*line, *out, *(["--json"] if json else []), *place]


def _spawn(line: list[str], log: Path) -> subprocess.Popen[bytes]:
    try:
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(log, "ab", opener=open_private) as output:
            return subprocess.Popen(  # noqa: S603 -- this very program
                line,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
            )
    except OSError as error:
        raise SetupError(f"a process of its own cannot be started with its output in {log}: {error}") from error


async def _wait_for_holder(quaestor: Quaestor, session_id: str, process: subprocess.Popen[bytes]) -> int:
    """Wait until a process holds the session; return the exit code of one that failed instead, else 0."""
    while True:
        code = process.poll()
        if code is not None or await quaestor.holder(session_id):
            break
        await asyncio.sleep(_POLL_SECONDS)
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):  # it outlives this one
        del process
    return code if code in {EXIT_FAILED, EXIT_USAGE, SetupError.exit_code} else 0
