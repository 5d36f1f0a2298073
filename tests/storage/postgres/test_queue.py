"""What a worker's question for work reads: sessions that wait for a person are not among it, however many."""

from collections.abc import Mapping

import psycopg
import pytest

from quaestor.contracts.session import LogStatus
from quaestor.storage.encoding import format_timestamp
from quaestor.storage.postgres import PostgresStore
from quaestor.storage.sql.listing import RUNNABLE
from storage.samples import NOON, OWNER, later, session, started

READY = 8
_COLUMNS = "task_key, workflow, question, tenant, created_at, events, cycle, head, status, progress"
_LEASE_COLUMNS = "epoch, host, pid, started, expires_at"


async def begin(store: PostgresStore, name: str, state: str) -> None:
    """Begin a session whose lease was given back."""
    status = LogStatus.model_validate({"state": state, "progress": ""})
    await store.create_session(session(name).revised(status=status), [started(name)])
    lease = await store.take_lease(name, OWNER, 0, later(60))
    assert lease is not None
    await store.release_lease(lease)


def pages_read(url: str) -> int:
    """Return how many pages of the database the question reads."""
    question = RUNNABLE.replace("%", "%%").replace("?", "%s")
    with psycopg.connect(url) as connection:
        explained = connection.execute(
            f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT sessions.* FROM {question}".encode(),  # noqa: S608
            (format_timestamp(NOON), 2**40, READY),
        ).fetchone()
    assert explained
    plan: Mapping[str, int] = explained[0][0]["Plan"]
    assert plan["Actual Rows"] == READY
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


@pytest.mark.parametrize("state", ["waiting", "paused", "finished"])
async def test_a_question_for_work_reads_as_much_beside_twenty_times_as_many_that_wait(
    opened: PostgresStore, url: str, state: str
) -> None:
    for number in range(READY):
        await begin(opened, f"ready{number}", "running")
    await begin(opened, "w", state)
    read = []
    with psycopg.connect(url, autocommit=True) as connection:
        for first, last in ((1, 1_000), (1_001, 20_000)):
            for table, key, columns in (("sessions", "id", _COLUMNS), ("leases", "session_id", _LEASE_COLUMNS)):
                connection.execute(
                    f"INSERT INTO {table} ({key}, {columns}) SELECT 'w' || number, {columns} FROM {table}, "  # noqa: S608
                    f"generate_series({first}, {last}) AS number WHERE {key} = 'w'".encode()
                )
            connection.execute(b"VACUUM ANALYZE sessions, leases, commands")
            read.append(pages_read(url))
    assert [found.id for found in await opened.runnable_sessions(99, NOON)] == [f"ready{n}" for n in range(READY)]
    assert read[1] <= read[0] + 2 * READY, "of each index at most a level more"
