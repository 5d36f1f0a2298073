import asyncio
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from typing_extensions import override

from fakes.postgres import Postgres
from quaestor.contracts.errors import SetupError, StoreUnavailable, UsageError
from quaestor.storage.postgres import PostgresStore, open_store
from quaestor.storage.postgres.connection import PostgresDatabase
from storage.samples import begun, later, started, todo

SECRET = "hunter2-long-enough"  # noqa: S105 -- of nothing


def end_connections(url: str) -> int:
    """End every other connection at the server, as its restart does; return how many there were."""
    with psycopg.connect(url, autocommit=True) as other:
        return other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'quaestor' AND pid <> pg_backend_pid()"
        ).rowcount


async def test_a_lost_connection_is_opened_again(opened: PostgresStore, url: str) -> None:
    lease = await begun(opened)
    for seq in range(2, 5):
        assert end_connections(url) >= 1
        await opened.append(lease, [todo(seq)])
    assert await opened.events("s1") == [started(), todo(2), todo(3), todo(4)]
    assert await opened.verify_chain("s1") == []


async def test_a_commit_waits_for_the_disk_whatever_the_server_does_for_others(opened: PostgresStore, url: str) -> None:
    def shown() -> object:
        return opened._database.row("SHOW synchronous_commit")

    with psycopg.connect(url) as another:
        assert another.execute("SHOW synchronous_commit").fetchone() == ("off",)
    assert await opened._database.perform(shown) == ("on",)
    assert end_connections(url) >= 1
    assert await opened._database.perform(shown) == ("on",)


async def test_the_leases_of_all_sessions_of_a_process_are_prolonged_over_one_connection(url: str) -> None:
    store = open_store(f"{url}&application_name=leases")
    leases = [await begun(store, f"s{number}") for number in range(8)]

    def count() -> int:
        with psycopg.connect(url) as other:
            query = b"SELECT count(*) FROM pg_stat_activity WHERE application_name = 'leases'"
            [[connections]] = other.execute(query).fetchall()
            return int(connections)

    before = count()
    with ThreadPoolExecutor(len(leases)) as threads:
        renewals = [threads.submit(store.open_renewer().renew, lease, later(90)) for lease in leases]
        assert all(renewal.result() for renewal in renewals)
    assert count() == before + 1
    assert {lease.expires_at for lease in await store.held_leases()} == {later(90)}
    await store.close()


async def test_work_whose_connection_is_lost_halfway_is_done_once(empty: str) -> None:
    database = PostgresDatabase(empty)
    tries = 0

    def work() -> None:
        nonlocal tries
        tries += 1
        with database.writing():
            database.run("CREATE TABLE IF NOT EXISTS done (try BIGINT)")
            database.run("INSERT INTO done VALUES (?)", (tries,))
            if tries == 1:
                end_connections(empty)
            database.run("INSERT INTO done VALUES (?)", (tries,))

    await database.perform(work)
    assert await database.perform(lambda: database.rows("SELECT try FROM done")) == [(2,), (2,)]
    database.close()


async def test_a_transaction_of_which_a_crashed_server_knows_nothing_is_done_again(empty: str) -> None:
    database = PostgresDatabase(empty)

    def ask() -> bool:
        database.row("SELECT 1")
        return database._was_committed("99999999999")

    assert await database.perform(ask) is False
    database.close()


async def test_a_number_that_a_crashed_server_gives_again_is_that_of_another_transaction(
    postgres: Postgres, empty: str
) -> None:
    database = PostgresDatabase(empty)
    number = "SELECT pg_current_xact_id()::text"

    def begin_and_crash() -> bool:
        connection = database._connection
        connection.execute(b"BEGIN")
        [given] = connection.execute(number.encode()).fetchone() or ("",)
        postgres.crash()
        postgres.start()
        while int(str(postgres.scalar(number))) < int(given):
            pass
        assert postgres.scalar(f"SELECT pg_xact_status('{given}'::xid8)") == "committed", "that of another"
        connection.close()
        return database._was_committed(given)

    assert await database.perform(begin_and_crash) is False
    database.close()


class CommitLost(PostgresDatabase):
    """A database whose connection ends at a commit: before the server has it, or before its answer is here."""

    committed = False
    lost = 0

    @override
    def _commit(self, connection: psycopg.Connection[tuple[object, ...]], transaction: str) -> None:
        if self.lost == 0:
            self.lost += 1
            if self.committed:
                connection.execute(b"COMMIT")
            connection.close()
        super()._commit(connection, transaction)


@pytest.mark.parametrize("committed", [True, False])
async def test_what_became_of_a_commit_without_an_answer_is_asked(empty: str, committed: bool) -> None:
    database = CommitLost(empty)
    database.lost = 1
    await database.perform(lambda: database.run("CREATE TABLE done (number BIGINT)"))
    database.lost, database.committed = 0, committed

    def work() -> None:
        with database.writing():
            database.run("INSERT INTO done VALUES (1)")

    await database.perform(work)
    assert await database.perform(lambda: database.rows("SELECT number FROM done")) == [(1,)]
    assert database.lost == 1
    database.close()


async def test_work_that_was_begun_is_carried_to_its_end(opened: PostgresStore) -> None:
    lease = await begun(opened)
    appending = asyncio.create_task(opened.append(lease, [todo(2)]))
    await asyncio.sleep(0)
    appending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await appending
    assert await opened.events("s1") == [started(), todo(2)]


def test_no_message_has_a_password() -> None:
    with pytest.raises(StoreUnavailable) as refused:
        open_store(f"postgresql://me:{SECRET}@127.0.0.1:1/none")
    assert SECRET not in str(refused.value)
    assert "postgresql://127.0.0.1:1/none" in str(refused.value)
    with pytest.raises(UsageError) as malformed:
        open_store(f"postgresql://me:{SECRET}@@:/?/=")
    assert SECRET not in str(malformed.value)


async def test_a_role_that_may_not_write_is_named(empty: str) -> None:
    await open_store(empty).close()
    with psycopg.connect(empty, autocommit=True) as owner:
        [[schema]] = owner.execute("SELECT current_schema()").fetchall()
        owner.execute(f"CREATE ROLE reader_{schema} LOGIN")
        owner.execute(f"GRANT USAGE ON SCHEMA {schema} TO reader_{schema}")
        owner.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO reader_{schema}")
    reading = open_store(empty.replace("postgres@", f"reader_{schema}@"))
    with pytest.raises(SetupError, match="permission denied for table sessions"):
        await begun(reading)
    await reading.close()
