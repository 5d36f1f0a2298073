"""Contents by their SHA-256, each stored once, compressed as SQLite's own `sqlar_uncompress(data, size)` reads it."""

import zlib
from hashlib import sha256

from quaestor.storage.sqlite.connection import Database

_COMPRESSION_LEVEL = 3
"""Of zlib's levels the last before it costs much more time for little less room."""


def put_blob(database: Database, content: bytes) -> str:
    """Store a content, unless it is stored already, and give its hash."""
    name = sha256(content).hexdigest()
    if not database.rows("SELECT 1 FROM blobs WHERE sha256 = ?", (name,)):
        database.run("INSERT INTO blobs (sha256, size, data) VALUES (?, ?, ?)", (name, len(content), compress(content)))
    return name


def fetch_blob(database: Database, name: str) -> bytes | None:
    """Give a stored content; None when it is missing, cannot be unpacked, or is not what its hash says."""
    row = database.row("SELECT size, data FROM blobs WHERE sha256 = ?", (name,))
    return decompress(name, *row) if row else None


def compress(content: bytes) -> bytes:
    """Compress a content; what compression does not shrink is given back as it is."""
    packed = zlib.compress(content, _COMPRESSION_LEVEL)
    return packed if len(packed) < len(content) else content


def decompress(name: str, size: int, data: bytes) -> bytes | None:
    """Give the content again, or None when it is damaged: it must have this size, and its hash for a name."""
    try:
        content = data if len(data) == size else zlib.decompress(data)
    except zlib.error:
        return None
    return content if len(content) == size and sha256(content).hexdigest() == name else None
