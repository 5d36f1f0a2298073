"""The launcher: it makes itself a child, confines that, lets it become the command, and sees to its end.

What came of it is written to the descriptor `control`: `ran CODE LIMIT`, with `-` for no limit, or `refused WHY`. When
whoever holds the other end is gone, so is the command, with everything it has started.
"""

import os
import signal

from . import landlock, scratch
from .calls import KNOWN, prctl
from .confine import confine
from .orders import Orders
from .scales import weigh
from .traced import Traced
from .watch import Watch, folders_of

_DUMPABLE, _SUBREAPER = 4, 36
_NOT_FOUND, _NOT_STARTED = 127, 126
_TIMED_OUT, _KILLED = 124, 137
_SIGNALLED = 128
_LONGEST_REASON = 4096
_LANDLOCK = 3
"""The first version that also keeps files from being cut short; needed where the other files can be seen."""


class Refused(Exception):
    """The command cannot be confined here."""


def main(arguments: list[str]) -> None:
    """Run the command that is ordered, and report."""
    orders = Orders(arguments)
    _keep_descriptors()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of all signals Python gives a meaning, only this can be sent to it
    try:
        report = _run(orders)
    except (OSError, Refused) as error:
        report = f"refused {error}"
    try:
        os.write(orders.control, report.encode())
    except BrokenPipeError:  # nobody waits for it
        return


def _run(orders: Orders) -> str:
    if not KNOWN:
        raise Refused(f"its system calls are not known on {os.uname().machine}")
    orders.landlock = min(orders.landlock, landlock.version())
    if orders.alone:
        return _watched(orders)
    if orders.landlock < _LANDLOCK:
        raise Refused(f"Landlock of version {_LANDLOCK} is needed, and there is {orders.landlock}")
    scratch.make(orders.scratch)
    try:
        return _watched(orders)
    finally:
        scratch.remove(orders.scratch)


def _watched(orders: Orders) -> str:
    prctl(_SUBREAPER, 1)
    held = weigh(folders_of(orders))
    wait, go = os.pipe()
    told, tell = os.pipe()
    launcher = os.getpid()
    command = os.fork()
    if not command:
        os.close(go)
        if not os.read(wait, 1):  # the launcher is gone
            os._exit(_NOT_STARTED)
        _become(orders, held, tell, launcher)
    os.close(tell)
    prctl(_DUMPABLE, 0)
    _let_go_of_streams()
    traced = Traced(command)
    os.write(go, b"!")
    watch = Watch(orders, traced, held)
    try:
        watch.until_end()
    finally:
        traced.end()
    if why := os.read(told, _LONGEST_REASON):
        raise Refused(why.decode())
    watch.weigh_at_end()
    return _outcome(traced.status, watch.limit)


def _outcome(status: int | None, limit: str | None) -> str:
    if limit:
        return f"ran {_TIMED_OUT if limit == 'time' else _KILLED} {limit}"
    code = os.waitstatus_to_exitcode(status or 0)
    return f"ran {code if code >= 0 else _SIGNALLED - code} -"


def _become(orders: Orders, held: int, tell: int, launcher: int) -> None:
    """Confine this process and let it become the command; it never returns. What keeps it from that is told."""
    try:
        for ignored in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):  # here, and not by a command
            signal.signal(ignored, signal.SIG_DFL)
        confine(orders, held)
        if os.getppid() != launcher:
            os._exit(_NOT_STARTED)
    except OSError as error:
        os.write(tell, f"{error.strerror}".encode())
        os._exit(_NOT_STARTED)
    try:
        os.execvpe(orders.command[0], orders.command, orders.environment)  # noqa: S606 -- what it is there for
    except OSError as error:
        os.write(2, f"{orders.command[0]}: {error.strerror}\n".encode())
        os._exit(_NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_STARTED)


def _keep_descriptors() -> None:
    """Hand on nothing but the three streams, whatever was handed on to this process."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 -- pathlib takes long to import
        try:
            os.set_inheritable(int(name), int(name) <= 2)  # noqa: PLR2004 -- the standard error
        except OSError:  # it was the one of this listing
            continue


def _let_go_of_streams() -> None:
    """Leave the three streams to the command alone, so that they end with it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
