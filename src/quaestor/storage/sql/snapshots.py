"""The table `snapshots`: the folded state of each long session, compressed, under its hash."""

import asyncio
from hashlib import sha256

from quaestor.contracts.snapshot import Snapshot
from quaestor.storage.encoding import compress, decompress
from quaestor.storage.sql.database import Database, performed

_PUT = """
INSERT INTO snapshots (session_id, events, head, fold, sha256, size, data)
SELECT ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?)
ON CONFLICT (session_id) DO UPDATE SET events = excluded.events, head = excluded.head, fold = excluded.fold,
sha256 = excluded.sha256, size = excluded.size, data = excluded.data
"""


class SqlSnapshotCache:
    """The `SnapshotCache` port over one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot in the place of the last one of its session; megabytes are compressed in a thread."""
        content = snapshot.state.encode()
        data = await asyncio.to_thread(compress, content)
        await self._write(snapshot, sha256(content).hexdigest(), len(content), data)

    @performed
    def _write(self, snapshot: Snapshot, name: str, size: int, data: bytes) -> None:
        session_id = snapshot.session_id
        row = (session_id, snapshot.events, snapshot.head, snapshot.fold, name, size, data)
        with self._database.writing():
            self._database.run(_PUT, (*row, session_id))

    @performed
    def snapshot(self, session_id: str) -> Snapshot | None:
        """Return the snapshot of a session; None where there is none, or a damaged one."""
        row = self._database.row(
            "SELECT events, head, fold, sha256, size, data FROM snapshots WHERE session_id = ?", (session_id,)
        )
        if row is None:
            return None
        events, head, fold, *stored = row
        state = decompress(*stored)
        if state is None:
            return None
        return Snapshot(session_id=session_id, events=events, head=head, fold=fold, state=state.decode())
