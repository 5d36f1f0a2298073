"""What every sandbox must withstand before it is used: `python escape_probe.py READ WRITE PROCESS`.

It tries to read one file, to write another, to reach a process, and what else would be an escape; then it leaves a
process behind that holds a lock in the working directory, and prints what it achieved.
"""

import ctypes
import fcntl
import os
import socket
import sys
import time
from collections.abc import Callable

_NEW_USER = 0x1000_0000
_LOCK_FILE = "held"


def main(read: str, write: str, process: int) -> None:
    """Try everything, and print the names of what was possible; the caller checks whether the file was written.

    A sandbox may have a place of its own with the name of that file.
    """
    _succeeds(lambda: open(write, "wb").close())  # noqa: PTH123 -- nothing but what is tried
    attempts: dict[str, Callable[[], object]] = {
        "read a file outside": lambda: open(read, "rb").read(),  # noqa: PTH123, SIM115
        "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "open a local socket": lambda: socket.socket(socket.AF_UNIX),
        "read the secrets of another process": lambda: open(f"/proc/{process}/environ", "rb").read(),  # noqa: PTH123, SIM115
        "signal another process": lambda: os.kill(process, 0),
        "enter a new namespace": _unshare,
    }
    sys.stdout.writelines(f"{name}\n" for name, attempt in attempts.items() if _succeeds(attempt))
    sys.stdout.flush()
    _leave_orphan()


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _unshare() -> None:
    if ctypes.CDLL(None).unshare(_NEW_USER):
        raise PermissionError


def _leave_orphan() -> None:
    """Leave a process behind, in a session of its own and with no parent."""
    lock = os.open(_LOCK_FILE, os.O_CREAT | os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)
        for stream in range(3):
            os.close(stream)
        time.sleep(30)
    os.wait()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
