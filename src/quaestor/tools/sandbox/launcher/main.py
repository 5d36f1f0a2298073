"""The launcher: it makes itself a child, confines that, lets it become the command, and sees to its end.

The result is written to the descriptor `control`: `ran CODE LIMIT`, with `-` for no limit, or `refused WHY`. When
the process at the other end is gone, the command is ended with everything it has started.
"""

import os
import signal

from . import landlock, scratch
from .confine import LauncherOptions, confine_process
from .monitor import ResourceMonitor, counted_folders
from .process_tracer import ProcessTracer
from .syscalls import IS_SUPPORTED_ARCHITECTURE, prctl
from .usage import disk_usage

_DUMPABLE, _SUBREAPER = 4, 36
_NOT_FOUND, _NOT_STARTED = 127, 126
_TIMED_OUT, _KILLED = 124, 137
_SIGNAL_EXIT_BASE = 128
_MAX_REASON_BYTES = 4096
_MIN_LANDLOCK_ABI = 3
"""The first version that also keeps files from being cut short; needed where the other files can be seen."""


class ConfinementError(Exception):
    """The command cannot be confined here."""


def main(arguments: list[str]) -> None:
    """Run the command that is ordered, and report."""
    orders = LauncherOptions(arguments)
    _inherit_only_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of all signals Python gives a meaning, only this can be sent to it
    try:
        report = _run(orders)
    except (OSError, ConfinementError) as error:
        report = f"refused {error}"
    try:
        os.write(orders.control, report.encode())
    except BrokenPipeError:  # nobody waits for it
        return


def _run(orders: LauncherOptions) -> str:
    if not IS_SUPPORTED_ARCHITECTURE:
        raise ConfinementError(f"its system calls are not known on {os.uname().machine}")
    orders.landlock = min(orders.landlock, landlock.version())
    if orders.alone:
        return _run_monitored(orders)
    if orders.landlock < _MIN_LANDLOCK_ABI:
        raise ConfinementError(f"Landlock of version {_MIN_LANDLOCK_ABI} is needed, and there is {orders.landlock}")
    scratch.make(orders.scratch)
    try:
        return _run_monitored(orders)
    finally:
        scratch.remove(orders.scratch)


def _run_monitored(orders: LauncherOptions) -> str:
    # Grandchildren whose parents have ended become children of this process, and of no process outside, so that it can
    # wait for, count and kill every one of them.
    prctl(_SUBREAPER, 1)
    held = disk_usage(counted_folders(orders))
    wait, go = os.pipe()
    reason_read, reason_write = os.pipe()
    launcher = os.getpid()
    command = os.fork()
    if not command:
        os.close(go)
        # Not one step is made before it is traced: a fork in between would be seen by nobody.
        if not os.read(wait, 1):  # the launcher is gone
            os._exit(_NOT_STARTED)
        _exec_command(orders, held, reason_write, launcher)
    os.close(reason_write)
    # The command is of the same user: it must neither trace this process nor read its memory.
    prctl(_DUMPABLE, 0)
    _detach_streams()
    traced = ProcessTracer(command)
    os.write(go, b"!")
    watch = ResourceMonitor(orders, traced, held)
    try:
        watch.run_until_end()
    finally:
        traced.end()
    # A command that was started has closed the other end (close on exec), so nothing is read then.
    if why := os.read(reason_read, _MAX_REASON_BYTES):
        raise ConfinementError(why.decode())
    watch.check_final_disk_usage()
    return _outcome(traced.status, watch.limit)


def _outcome(status: int | None, limit: str | None) -> str:
    if limit:
        return f"ran {_TIMED_OUT if limit == 'time' else _KILLED} {limit}"
    code = os.waitstatus_to_exitcode(status or 0)
    return f"ran {code if code >= 0 else _SIGNAL_EXIT_BASE - code} -"


def _exec_command(orders: LauncherOptions, held: int, reason_write: int, launcher: int) -> None:
    """Confine this process and replace it by the command; it never returns. A failure is reported."""
    try:
        for ignored in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):  # here, and not by a command
            signal.signal(ignored, signal.SIG_DFL)
        confine_process(orders, held)
        # The launcher died before the kernel was asked to end this process with it: nobody would limit the command.
        if os.getppid() != launcher:
            os._exit(_NOT_STARTED)
    except OSError as error:
        os.write(reason_write, f"{error.strerror}".encode())
        os._exit(_NOT_STARTED)
    try:
        os.execvpe(orders.command[0], orders.command, orders.environment)  # noqa: S606 -- what it is there for
    except OSError as error:
        os.write(2, f"{orders.command[0]}: {error.strerror}\n".encode())
        os._exit(_NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_STARTED)


def _inherit_only_streams() -> None:
    """Hand on nothing but the three streams, whatever was handed on to this process."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 -- pathlib takes long to import
        try:
            os.set_inheritable(int(name), int(name) <= 2)  # noqa: PLR2004 -- the standard error
        except OSError:  # it was the one of this listing
            continue


def _detach_streams() -> None:
    """Leave the three streams to the command alone, so that they end with it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
