"""How every store writes times and contents, so that the hash of an event is the same in each."""

import zlib
from datetime import UTC, datetime
from hashlib import sha256

from quaestor.contracts.errors import UsageError

MAX_INLINE_BYTES = 1024
"""The most bytes of an event's body that stay in its row; a larger body is a blob."""

_COMPRESSION_LEVEL = 3
"""Of zlib's levels the last before it costs much more time for little less room."""

_UTC_SUFFIX_LENGTH = len("+00:00")


def format_timestamp(at: datetime) -> str:
    """Return a time in UTC with microseconds, as in ``2026-01-31T09:30:00.000000Z``: its order is that of the text.

    Raises UsageError for a time without a zone.
    """
    if at.tzinfo is None:
        raise UsageError(f"the time {at.isoformat()} has no zone; give it in UTC")
    return at.astimezone(UTC).isoformat(timespec="microseconds")[:-_UTC_SUFFIX_LENGTH] + "Z"


def parse_timestamp(text: str) -> datetime:
    """Parse a time that `format_timestamp` wrote."""
    return datetime.fromisoformat(text)


def compress(content: bytes) -> bytes:
    """Compress a content; what compression does not shrink is returned as it is."""
    packed = zlib.compress(content, _COMPRESSION_LEVEL)
    return packed if len(packed) < len(content) else content


def decompress(name: str, size: int, data: bytes) -> bytes | None:
    """Return the content of a blob, or None when it is damaged: it must have this size, and its hash for a name."""
    content = unpack(size, data)
    return content if len(content) == size and sha256(content).hexdigest() == name else None


def unpack(size: int, data: bytes) -> bytes:
    """Return a stored content unchecked; nothing where it cannot be unpacked, or unpacks to more than its size."""
    if len(data) == size:
        return data
    if size <= 0:
        return b""
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(data, size)  # whatever was put there, not to gigabytes
        rest = unpacking.decompress(unpacking.unconsumed_tail, 1)
    except zlib.error:
        return b""
    return content if unpacking.eof and not rest else b""
