"""Whether the file of a store is sound, for whoever looks after the machine."""

from pathlib import Path

import apsw

from quaestor.storage.sqlite.connection import open_database


def engine() -> str:
    """Give the version of the SQLite that is bundled."""
    return apsw.sqlite_lib_version()


def integrity(file: Path) -> tuple[str, ...]:
    """Name what SQLite finds wrong with the pages and indexes of a store; nothing when it is sound.

    Raises HomeNotWritable and StoreCorrupt when it cannot even be opened.
    """
    database = open_database(file)
    try:
        said = tuple(str(row[0]) for row in database.rows("PRAGMA integrity_check"))
    finally:
        database.close()
    return () if said == ("ok",) else said
