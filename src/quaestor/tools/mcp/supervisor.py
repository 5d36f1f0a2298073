"""A program between this one and a server that was started: `python supervisor.py PARENT LIMIT COMMAND ...`.

It passes on the output of the server, and ends it with all that it started: when it is done, when the process PARENT is
gone, however that ended, and when a line of the server is longer than LIMIT bytes. It is started as a file of its own
and needs the standard library alone.
"""

import os
import select
import signal
import subprocess
import sys
from typing import IO

POLL_SECONDS = 0.5
SHUTDOWN_SECONDS = 2
"""How long a server whose input has ended may take to end itself."""
_CHUNK = 65_536


def main(parent: int, limit: int, command: list[str]) -> None:
    """Run a command until its output ends, its parent is gone or a line of it is too long."""
    try:
        server = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603 -- what the user has set up
    except OSError as error:
        sys.stderr.write(f"{command[0]} cannot be started: {error.strerror}\n")
        return
    try:
        if server.stdout and _forward_output(server.stdout, parent, limit):
            server.wait(SHUTDOWN_SECONDS)
    except (subprocess.TimeoutExpired, BrokenPipeError):
        pass
    finally:
        sys.stderr.flush()
        _kill_group(server)


def _forward_output(stream: IO[bytes], parent: int, limit: int) -> bool:
    """Pass on the output of the server until it or the parent is gone; False when a line is too long."""
    line = 0
    while os.getppid() == parent:
        if not select.select([stream], [], [], POLL_SECONDS)[0]:
            continue
        chunk = os.read(stream.fileno(), _CHUNK)
        if not chunk:
            return True
        line = line + len(chunk) if b"\n" not in chunk else len(chunk) - chunk.rfind(b"\n") - 1
        if line > limit:
            sys.stderr.write(f"a line of more than {limit:,} bytes\n")
            return False
        while chunk:
            chunk = chunk[os.write(sys.stdout.fileno(), chunk) :]
    return True


def _kill_group(server: subprocess.Popen[bytes]) -> None:
    """End the server and, in a group of its own, everything that it started; this program is one of the group."""
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    server.kill()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
