"""A process that has run the program once, and forks a process of it for each request: a start costs no second of CPU.

`fakes.forked` starts it with a socket. Each message there names modules to load, and carries four files: the standard
streams of the process, and a socket on which its command line comes and its process id and exit code go.
"""

import gc
import os
import selectors
import signal
import socket
import sys
from contextlib import redirect_stderr
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from fakes.forked import STREAMS, CommandLine
from fakes.papers import QUESTION, write_papers
from quaestor.faces.cli.main import main, run
from quaestor.faces.cli.program import build_app


def warm_up() -> None:
    """Load what most command lines load, and make what is made at its first use; no thread is left."""
    build_app()  # loads every command
    with TemporaryDirectory() as name, redirect_stderr(StringIO()):
        docs = write_papers(Path(name))
        run(["research", QUESTION, "--docs", str(docs), "--home", f"{name}/home"])
    gc.freeze()  # else the collector of each process writes to all of it


def serve(control: socket.socket) -> None:
    """Fork processes, and return in each of them. Exit when the other side of the socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for those who started it, and for those it forks
    with selectors.DefaultSelector() as awaited:
        awaited.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in awaited.select():
                if key.data:
                    awaited.unregister(key.fileobj)
                    _report_end(key.fd, *key.data)
                elif (process := _fork_process(control)) is None:
                    return
                else:
                    awaited.register(os.pidfd_open(process[0]), selectors.EVENT_READ, process)


def _fork_process(control: socket.socket) -> tuple[int, int] | None:
    """Fork one process; return its id and the file to which its exit code goes, or None in the process itself."""
    names, files, _, _ = socket.recv_fds(control, 4096, len(STREAMS) + 1)
    if not names:
        sys.exit()
    *streams, status = files
    for name in names.decode().split():
        import_module(name)
    if (pid := os.fork()) == 0:
        control.close()
        _become(streams, status)
        return None
    for stream in streams:
        os.close(stream)
    os.write(status, pid.to_bytes(4, "big"))
    return pid, status


def _report_end(watched: int, pid: int, status: int) -> None:
    os.close(watched)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with socket.socket(fileno=status) as waiting:
        waiting.send(code.to_bytes(4, "big", signed=True), socket.MSG_NOSIGNAL)


def _become(streams: list[int], status: int) -> None:
    """Make this process one that was started with a command line."""
    with os.fdopen(status, "rb") as request:
        wanted = CommandLine.model_validate_json(request.read())
    for number, (name, stream) in enumerate(zip(STREAMS, streams, strict=True)):
        os.dup2(stream, number)
        os.close(stream)
        setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))
    os.chdir(wanted.folder)
    os.environ.clear()
    os.environ.update(wanted.environment)
    sys.argv = ["quaestor", *wanted.words]
    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    warm_up()
    serve(socket.socket(fileno=int(sys.argv[1])))
    main()
