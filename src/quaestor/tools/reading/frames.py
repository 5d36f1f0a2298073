"""Messages on a pipe: each its length in eight bytes, then its bytes."""

import struct
from typing import IO

_LENGTH = struct.Struct("!Q")


class Oversized(Exception):
    """A message is longer than its reader takes."""


def send(pipe: IO[bytes], *messages: bytes) -> None:
    """Write messages and flush them."""
    for message in messages:
        pipe.write(_LENGTH.pack(len(message)))
        pipe.write(message)
    pipe.flush()


def receive(pipe: IO[bytes], most: int) -> bytes | None:
    """Read one message, or None when the pipe ended before it was whole. Raises Oversized beyond `most` bytes."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > most:
        raise Oversized(f"a message of {length} bytes where {most} are taken; its sender is broken")
    message = pipe.read(length)
    return message if len(message) == length else None
