"""What the erasure of sessions takes beyond their deletion in SQLite: deleted rows are overwritten in the file.

At the end the file is written anew, because pages that were split keep copies of rows which no deletion reaches.
"""

import json
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path

from quaestor.contracts.errors import SetupError
from quaestor.storage.sql.database import Database
from quaestor.storage.sqlite.connection import SqliteDatabase, open_database
from quaestor.storage.sqlite.terms import Fts5TermIndex

DELETE_EVENTS = "DELETE FROM events WHERE session_id = ? AND seq >= ?"


def delete_replies(database: Database, texts: AbstractSet[str]) -> None:
    """Delete the cached replies that hold one of the texts: the text itself, or an argument of a call."""
    database.run(
        "DELETE FROM replies WHERE EXISTS (SELECT 1 FROM json_tree(reply) AS part JOIN json_each(?) AS known "
        "ON known.value = part.value WHERE part.type = 'text' AND part.key NOT IN ('ref', 'tool'))",
        (json.dumps(sorted(texts)),),
    )


@contextmanager
def open_for_erasure(opened: SqliteDatabase) -> Iterator[SqliteDatabase]:
    """Open a connection that overwrites what it deletes, in whatever order; a store in memory has but one."""
    database = opened if opened.path == ":memory:" else open_database(Path(opened.path))
    try:
        database.rows("PRAGMA secure_delete = ON")
        database.rows("PRAGMA foreign_keys = OFF")  # rows go before those that refer to them, which are many
        yield database
    finally:
        if database is opened:
            database.rows("PRAGMA foreign_keys = ON")
        else:
            database.close()


def rewrite(database: SqliteDatabase) -> None:
    """Write the file anew and empty its log. Raises SetupError where another process is in the way."""
    # The index keeps deleted words in old segments until these are merged; VACUUM would copy them along.
    for (number,) in database.rows("SELECT number FROM corpora"):
        Fts5TermIndex(database, number).optimize()
    database.run("VACUUM")
    # The log still holds the pages as they were before. Truncated, not only reset: a reset log keeps its bytes.
    [[busy, _, _]] = database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    if busy:
        raise SetupError(
            f"another process reads {database.path}, so what was deleted is still in its log; end it or wait"
        )
