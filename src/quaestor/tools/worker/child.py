"""The worker's side of its pipes: framed messages, resource limits, and an end with its parent.

A message is preceded by its length in eight bytes.
"""

import ctypes
import os
import signal
import struct
import sys
import time
from _thread import interrupt_main
from threading import Thread
from typing import IO, BinaryIO

if sys.platform != "win32":
    import resource

_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""
_LENGTH = struct.Struct("!Q")


def take_over_pipes() -> tuple[IO[bytes], BinaryIO]:
    """Return the pipes of requests and responses, and put nothing in their places for a library to read or print to.

    That of requests has no buffer: whoever waits until it can be read would not see what is in one.
    """
    requests, responses = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return requests, responses


def limit_resources(*, memory_bytes: int, file_bytes: int, open_files: int | None = None) -> None:
    """Limit the address space (on Linux), the size of a file that is written, and the number of open files."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        if open_files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))


def die_with_parent() -> None:
    """End this process, on Linux, together with the thread that started it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


def exit_with_input(requests: IO[bytes], *, interrupt_seconds: float = 0) -> None:
    """End this process when its input ends; the main thread is interrupted that many seconds before.

    Call it when the last request was read: the parent has gone, or has stopped waiting for the response.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may have inherited none
    Thread(target=_exit_at_end, args=(requests, interrupt_seconds), daemon=True).start()


def _exit_at_end(requests: IO[bytes], interrupt_seconds: float) -> None:
    requests.read()
    if interrupt_seconds:
        interrupt_main()
        time.sleep(interrupt_seconds)
    os._exit(1)


class FrameTooLarge(Exception):
    """A message is longer than its reader accepts."""


def write_frames(pipe: IO[bytes], *messages: bytes) -> None:
    """Write messages and flush them."""
    for message in messages:
        pipe.write(_LENGTH.pack(len(message)))
        pipe.write(message)
    pipe.flush()


def read_frame(pipe: IO[bytes], max_bytes: int) -> bytes | None:
    """Return one message, or None when the pipe ended before it was whole. Raises FrameTooLarge for a longer one."""
    head = _read_exactly(pipe, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > max_bytes:
        raise FrameTooLarge(f"a message of {length} bytes where {max_bytes} are accepted; its sender is broken")
    return _read_exactly(pipe, length)


def _read_exactly(pipe: IO[bytes], length: int) -> bytes | None:
    """Return so many bytes, or None when the pipe ended before; without a buffer it gives what is there."""
    parts: list[bytes] = []
    while length and (part := pipe.read(length)):
        parts.append(part)
        length -= len(part)
    return None if length else b"".join(parts)
