"""What the process that reads documents may not do, as far as the system it runs on can forbid it.

Linux forbids all of it; macOS has no limit of memory, and Windows neither that nor one of processor time.
"""

import ctypes
import math
import signal
import sys

if sys.platform != "win32":
    import resource

CPU_SECONDS = 5
MEMORY_BYTES = 512 * 2**20
"""Address space, which bounds what is resident too."""
_FILES = 64
_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
_NEW_USER, _NEW_NETWORK = 0x1000_0000, 0x4000_0000
"""CLONE_NEWUSER and CLONE_NEWNET of unshare(2)."""
_FORBIDDEN = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile", "os.system")
"""Beginnings of audit events, a table of which is in Python's documentation."""


def confine() -> None:
    """Limit this process for good: no network, no other program, no file written, no more memory than is allowed.

    The kernel cuts off the network where it lets everybody do so, else Python alone refuses it. On Linux the process
    ends together with the thread that started it.
    """
    sys.addaudithook(_refuse)
    if sys.platform == "linux":
        kernel = ctypes.CDLL(None)
        kernel.unshare(_NEW_USER | _NEW_NETWORK)
        kernel.prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, _FILES))


def allow_work() -> None:
    """Give the next document its processor time; SIGXCPU ends the process when that is used up."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = math.ceil(used.ru_utime + used.ru_stime) + CPU_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))


def _refuse(event: str, _: object) -> None:
    if event.startswith(_FORBIDDEN):
        raise PermissionError(f"{event} is forbidden while a document is read")
