"""Sessions, events and the library in one SQLite file. The schema is documented in docs/schema.md."""

from quaestor.storage.sqlite.file_store import SqliteStore, open_store

__all__ = ["SqliteStore", "open_store"]
