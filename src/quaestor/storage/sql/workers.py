"""The table `workers`: one row a process that runs sessions of the store."""

from collections.abc import Sequence

from quaestor.contracts.session import LeaseOwner
from quaestor.contracts.workers import WorkerRecord
from quaestor.storage.encoding import format_timestamp, parse_timestamp
from quaestor.storage.sql.database import Bindings, Database, ResultRow, performed

_REPORT = """
INSERT INTO workers (host, pid, started, places, since, seen_at, carried, drains) VALUES (?, ?, ?, ?, ?, ?, ?, 0)
ON CONFLICT (host, pid, started) DO UPDATE SET seen_at = excluded.seen_at, carried = excluded.carried
RETURNING drains
"""
_ONE = "WHERE host = ? AND pid = ? AND started = ?"


class SqlWorkers:
    """The `WorkerRegistry` port over one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @performed
    def report_worker(self, worker: WorkerRecord) -> bool:
        """Keep the figures of a worker; return whether it is to drain."""
        times = (format_timestamp(worker.since), format_timestamp(worker.seen_at))
        with self._database.writing():
            [[drains]] = self._database.rows(_REPORT, (*_key(worker.owner), worker.places, *times, worker.carried))
        return bool(drains)

    @performed
    def workers(self) -> Sequence[WorkerRecord]:
        """Return the workers that reported themselves and were not removed, the oldest first."""
        return [
            _parse_worker(row)
            for row in self._database.rows(
                "SELECT host, pid, started, places, since, seen_at, carried, drains FROM workers "
                "ORDER BY since, host, pid, started"
            )
        ]

    @performed
    def drain_worker(self, owner: LeaseOwner) -> None:
        """Note that a worker is to drain; one that is not there changes nothing."""
        with self._database.writing():
            self._database.run(f"UPDATE workers SET drains = 1 {_ONE}", _key(owner))  # noqa: S608 -- named above

    @performed
    def remove_worker(self, owner: LeaseOwner) -> None:
        """Remove a worker that has ended."""
        with self._database.writing():
            self._database.run(f"DELETE FROM workers {_ONE}", _key(owner))  # noqa: S608 -- named above


def _key(owner: LeaseOwner) -> Bindings:
    return owner.host, owner.pid, owner.started


def _parse_worker(row: ResultRow) -> WorkerRecord:
    host, pid, started, places, since, seen_at, carried, drains = row
    return WorkerRecord(
        owner=LeaseOwner(host=host, pid=pid, started=started),
        places=places,
        since=parse_timestamp(since),
        seen_at=parse_timestamp(seen_at),
        carried=carried,
        drains=bool(drains),
    )
