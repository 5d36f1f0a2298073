"""The table `snapshots`: folded states of long sessions, compressed, under their hashes."""

import asyncio
from hashlib import sha256

from quaestor.contracts.snapshot import FoldName, Snapshot
from quaestor.storage.encoding import compress, decompress
from quaestor.storage.sql.database import Database, performed

_PUT = """
INSERT INTO snapshots (session_id, name, events, head, fold, sha256, size, data)
SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?)
ON CONFLICT (session_id, name, events) DO UPDATE SET head = excluded.head, fold = excluded.fold,
sha256 = excluded.sha256, size = excluded.size, data = excluded.data
"""
_NEWEST = """
SELECT events, head, fold, sha256, size, data FROM snapshots
WHERE session_id = ? AND name = ? AND events <= ? ORDER BY events DESC LIMIT 1
"""
_NO_LIMIT = 2**63 - 1


class SqlSnapshotCache:
    """The `SnapshotCache` port over one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put_snapshot(self, snapshot: Snapshot, *, beside: bool = False) -> None:
        """Keep a snapshot in the place of the last one of its name; megabytes are compressed in a thread."""
        content = snapshot.state.encode()
        data = await asyncio.to_thread(compress, content)
        await self._write(snapshot, sha256(content).hexdigest(), len(content), data, beside=beside)

    @performed
    def _write(self, snapshot: Snapshot, digest: str, size: int, data: bytes, *, beside: bool) -> None:
        session_id, name = snapshot.session_id, snapshot.name
        row = (session_id, name, snapshot.events, snapshot.head, snapshot.fold, digest, size, data)
        with self._database.writing():
            if not beside:
                self._database.run("DELETE FROM snapshots WHERE session_id = ? AND name = ?", (session_id, name))
            self._database.run(_PUT, (*row, session_id))

    @performed
    def snapshot(self, session_id: str, name: FoldName = "session", upto: int | None = None) -> Snapshot | None:
        """Return the newest snapshot after at most `upto` events; None where there is none, or a damaged one."""
        row = self._database.row(_NEWEST, (session_id, name, _NO_LIMIT if upto is None else upto))
        if row is None:
            return None
        events, head, fold, *stored = row
        content = decompress(*stored)
        if content is None:
            return None
        try:
            state = content.decode()
        except UnicodeDecodeError:  # its hash is no secret: whoever can write the database can put anything there
            return None
        return Snapshot(session_id=session_id, name=name, events=events, head=head, fold=fold, state=state)
