"""The messages between a worker and its parent: the length of each in eight bytes, then the message."""

import struct
from typing import IO

_LENGTH = struct.Struct("!Q")


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
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > max_bytes:
        raise FrameTooLarge(f"a message of {length} bytes where {max_bytes} are accepted; its sender is broken")
    message = pipe.read(length)
    return message if len(message) == length else None
