"""Sessions, events and the library in one Postgres database, for many machines. See docs/machines.md."""

from quaestor.storage.postgres.store import PostgresStore, describe_server, open_store

__all__ = ["PostgresStore", "describe_server", "open_store"]
