"""The tables `blobs` and `texts`: compressed contents, and citable texts, each stored once under its hash."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from quaestor.contracts.errors import LogCorrupt, UsageError
from quaestor.contracts.source import Quote
from quaestor.storage.encoding import compress, decompress
from quaestor.storage.errors import quote_for_message
from quaestor.storage.sql.database import Database


def put_blob(database: Database, content: bytes) -> str:
    """Store a content, unless it is stored already, and return its hash."""
    name = sha256(content).hexdigest()
    if not database.rows("SELECT 1 FROM blobs WHERE sha256 = ?", (name,)):
        database.run(
            "INSERT INTO blobs (sha256, size, data) VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING",
            (name, len(content), compress(content)),
        )
    return name


def fetch_blob(database: Database, name: str) -> bytes | None:
    """Return a stored content; None when it is missing, cannot be unpacked, or is not what its hash says."""
    row = database.row("SELECT size, data FROM blobs WHERE sha256 = ?", (name,))
    return decompress(name, *row) if row else None


def put_text(database: Database, uri: str, text: str) -> str:
    """Store a text that can be cited, unless it is stored already, and return its hash.

    Raises UsageError, with the path it is from, for a text that is not valid Unicode.
    """
    name = put_blob(database, _encode(uri, text))
    database.run(
        "INSERT INTO texts (sha256, characters) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING", (name, len(text))
    )
    return name


def fetch_text(database: Database, name: str) -> str | None:
    """Return the text of a source, or None. Raises LogCorrupt when it no longer has its hash."""
    if not _exists(database, name):
        return None
    content = fetch_blob(database, name)
    if content is None:
        raise LogCorrupt(f"the text of source {name} is not what was stored; restore a backup of {database.path}")
    return content.decode()


def find_damage(database: Database, quotes: Sequence[Quote]) -> Iterator[str]:
    """Name the sources of quotes that are missing or changed, and the quotes that are not where they should be."""
    for name in dict.fromkeys(quote.source for quote in quotes):
        content = fetch_blob(database, name)
        if content is None:
            state = "no longer has the text of its hash" if _exists(database, name) else "is not stored"
            yield f"source {name} {state}"
            continue
        stored = content.decode()
        for quote in quotes:
            if quote.source == name and stored[quote.start : quote.end] != quote.text:
                yield f"quote {quote_for_message(quote.text)} is not at {quote.start}..{quote.end} of source {name}"


def _encode(uri: str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{quote_for_message(uri)} cannot be stored: its text is not valid Unicode at character {error.start}"
        ) from error


def _exists(database: Database, name: str) -> bool:
    return bool(database.rows("SELECT 1 FROM texts WHERE sha256 = ?", (name,)))
