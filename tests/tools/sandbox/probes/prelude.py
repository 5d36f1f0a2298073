"""What the probes need to attack with. One that got through says so with `through`, or is seen to have done harm."""
# ruff: noqa: PTH104, PTH123, PTH208 -- a probe asks the system plainly, and means harm

import ctypes
import json
import os
import sys
from contextlib import suppress
from types import FunctionType

ARM = os.uname().machine == "aarch64"
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
MEGABYTE = 2**20


class Target:
    """What there is to reach from where a probe is started, if nothing is in its way."""

    def __init__(self, told: dict[str, str]) -> None:
        self.outside = told["outside"]
        self.secret = told["secret"]
        self.words = told["words"]
        self.victim = int(told["victim"])
        self.tcp = int(told["tcp"])
        self.udp = int(told["udp"])
        self.local = told["local"]
        self.abstract = told["abstract"]
        self.datagrams = told["datagrams"]
        self.terminal = told["terminal"]
        self.token = told["token"]


def through(reached: object = True) -> None:
    """Report that it got through, if it reached anything."""
    if reached:
        with open("through", "w") as said:
            said.write(str(reached))


def call(x86: int, arm: int, *arguments: object) -> int:
    """Make a system call by its number on either machine. Raises OSError."""
    result = LIBC.syscall(ctypes.c_long(arm if ARM else x86), *(_passed(argument) for argument in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(result)


def read(path: str) -> str:
    """Read a file."""
    with open(path, "rb") as file:
        return file.read().decode(errors="replace")


def write(path: str, size: int) -> None:
    """Write so many bytes that take room."""
    with open(path, "wb") as file:
        file.writelines(os.urandom(MEGABYTE) for _ in range(size // MEGABYTE))


def _passed(argument: object) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def start(probe: FunctionType) -> None:
    """Run a probe, on what it is told of if it wants to know; an attack that is refused is over."""
    with open("began", "w") as began:
        began.write("yes")
    try:
        probe(*(Target(json.loads(sys.argv[1])),) * probe.__code__.co_argcount)
    except (OSError, MemoryError) as error:
        sys.stderr.write(f"{type(error).__name__} {error}\n")


def start_each(*probes: FunctionType) -> None:
    """Run probes one after the other, each in a process of its own, and keep apart what each of them leaves."""
    for probe in probes:
        child = os.fork()
        if child == 0:
            try:
                start(probe)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
        os.waitpid(child, 0)
        for left in os.listdir():
            if left in {"began", "through"}:
                os.rename(left, f".{left} {probe.__name__}")
            elif not left.startswith("."):
                _remove(left)


def _remove(left: str) -> None:
    for remove in (os.unlink, os.rmdir):
        with suppress(OSError):
            remove(left)
