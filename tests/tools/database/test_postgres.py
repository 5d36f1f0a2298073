import asyncio
import os
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy

from fakes.postgres import Postgres
from quaestor.contracts.database import Database, DatabaseInput, DatabaseResults, Truncation
from quaestor.contracts.errors import ToolFailed
from quaestor.tools.database import SearchDatabase, sqlalchemy_reader
from quaestor.tools.database.protocol import Request, Response, TableCatalog

ENVIRONMENT = {"PATH": os.environ["PATH"]}
SECONDS = 200
"""So long that only what never comes ends it, however slowly a process starts."""
IN_A_URL, MEANT = "s3cret%40w%3Ard", "s3cret@w:rd"
THE_TOOLS = "application_name = 'quaestor' AND state = 'active' AND query LIKE 'FETCH%'"
COUNTING = "SELECT count(*) FROM generate_series(1, 100000000000) n"


@pytest.fixture(scope="module")
def harbour(postgres: Postgres) -> Postgres:
    postgres.run("CREATE DATABASE harbour")
    postgres.run(
        "CREATE TABLE ships (id int PRIMARY KEY, name text, tons numeric(8,2), built date, tags text[], plan json)",
        "INSERT INTO ships SELECT n, 'ship ' || n, n * 1.5, '1901-02-03', '{a,b}', '{\"deck\": [1, 2]}'"
        " FROM generate_series(1, 200) n",
        'CREATE TABLE "Log Book" ("Line" text)',
        "CREATE SCHEMA office",
        "CREATE VIEW office.heavy AS SELECT * FROM ships WHERE tons > 200",
        "CREATE SEQUENCE numbers",
        "CREATE FUNCTION innocent() RETURNS int LANGUAGE plpgsql STABLE SECURITY DEFINER AS"
        " $$ BEGIN EXECUTE 'SET TRANSACTION READ WRITE'; EXECUTE 'DELETE FROM ships'; RETURN 1; END $$",
        "CREATE FUNCTION sly() RETURNS int LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS"
        " $$ BEGIN EXECUTE 'SET TRANSACTION READ WRITE'; EXECUTE 'DELETE FROM ships'; RETURN 1; END $$",
        f"CREATE ROLE reader LOGIN PASSWORD '{MEANT}'",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
        database="harbour",
    )
    return postgres


@pytest.fixture
def untouched(harbour: Postgres) -> Iterator[None]:
    before = state(harbour)
    yield
    assert state(harbour) == before


def state(harbour: Postgres) -> object:
    return harbour.scalar(
        "SELECT row((SELECT count(*) FROM ships), (SELECT last_value FROM numbers), (SELECT count(*) FROM pg_class),"
        " (SELECT count(*) FROM pg_largeobject_metadata))::text",
        "harbour",
    )


async def here(request: Request, _: Mapping[str, str]) -> Response:
    """Answer in this process, which is quicker."""
    return sqlalchemy_reader.handle_request(request)


def tool(harbour: Postgres, url: str = "") -> SearchDatabase:
    database = Database(url=url or harbour.url("harbour"))
    return SearchDatabase({"harbour": database}, None, ENVIRONMENT, SECONDS, asking=here)


def apart(harbour: Postgres, seconds: float = SECONDS) -> SearchDatabase:
    return SearchDatabase({"harbour": Database(url=harbour.url("harbour"))}, None, ENVIRONMENT, seconds)


async def asked(tool: SearchDatabase, query: str, limit: int = 5) -> DatabaseResults:
    return await tool.run(DatabaseInput(query=query, limit=limit))


async def until(harbour: Postgres, queries: int) -> None:
    """Wait until so many queries of the tool run on the server."""
    async with asyncio.timeout(SECONDS):
        while harbour.scalar(f"SELECT count(*) FROM pg_stat_activity WHERE {THE_TOOLS}") != queries:  # noqa: ASYNC110, S608
            await asyncio.sleep(0.02)


async def test_rows_come_as_typed_cells(harbour: Postgres) -> None:
    answer = await asked(tool(harbour), "SELECT *, name LIKE '%1' AS one, null AS none FROM ships ORDER BY id LIMIT 1")
    assert answer.columns == ("id", "name", "tons", "built", "tags", "plan", "one", "none")
    assert answer.rows == ((1, "ship 1", "1.50", "1901-02-03", '["a", "b"]', '{"deck": [1, 2]}', True, None),)
    many = await asked(tool(harbour), "(SELECT id FROM ships) UNION ALL (VALUES (7)) -- all of them", limit=3)
    assert (len(many.rows), many.cut) == (3, (Truncation.ROWS,))


async def test_the_tables_are_listed_as_they_are_written(harbour: Postgres) -> None:
    answer = await asked(tool(harbour), "")
    assert '"Log Book" ("Line" TEXT)' in answer.text
    assert "office.heavy (id INTEGER, name TEXT, tons NUMERIC(8, 2), built DATE, tags ARRAY, plan JSON)" in answer.text
    assert "pg_catalog" not in answer.text


async def test_an_unknown_table_shows_the_tables(harbour: Postgres) -> None:
    answer = await asked(tool(harbour), "SELECT * FROM boats")
    assert answer.fault == 'relation "boats" does not exist'
    assert "ships" in [table.name for table in answer.tables]


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM ships",
        "WITH gone AS (DELETE FROM ships RETURNING *) SELECT * FROM gone",
        "SELECT 1; DELETE FROM ships",
        "SELECT * INTO copies FROM ships",
        "TABLE ships; DROP TABLE ships",
        "SELECT * FROM ships FOR UPDATE",
        "COPY ships TO PROGRAM 'cat'",
        "COPY (SELECT 1) TO '/tmp/quaestor-test'",
        "SELECT nextval('numbers')",
        "SELECT setval('numbers', 99)",
        "SELECT set_config('transaction_read_only', 'off', true)",
        "SELECT lo_create(4711)",
        "SELECT lo_export(1, '/tmp/x')",
        "SELECT pg_read_file('PG_VERSION')",
        "SELECT pg_catalog.pg_read_file('PG_VERSION')",
        "SELECT \"pg_read_file\"('PG_VERSION')",
        "SELECT pg_read_file /* /* ( */ */ ('PG_VERSION')",
        "SELECT U&\"pg\\005fread_file\"('PG_VERSION')",
        "SELECT E'\\'' || pg_read_file('PG_VERSION') || ''",
        "SELECT $a$ ' $a$ || pg_read_file('PG_VERSION') || $a$ ' $a$",
        "SELECT query_to_xml('DELETE FROM ships', true, true, '')",
        "SELECT table_to_xml('pg_authid', true, true, '')",
        "SELECT pg_terminate_backend(1)",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_sleep(1)",
        "SELECT rolpassword FROM pg_authid",
        'SELECT passwd FROM "pg_shadow"',
        "SELECT innocent()",
        "SELECT sly()",
        "SHOW data_directory",
        "SET transaction_read_only = off",
        "DO $$ BEGIN DELETE FROM ships; END $$",
        "EXPLAIN ANALYZE DELETE FROM ships",
    ],
)
async def test_nothing_but_reading_gets_through(harbour: Postgres, query: str) -> None:
    answer = await asked(tool(harbour), query)
    assert answer.fault
    assert answer.rows == ()


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM ships",
        "SELECT 1; DELETE FROM ships",
        "SELECT 1; COMMIT; DELETE FROM ships",
        "WITH gone AS (DELETE FROM ships RETURNING *) SELECT * FROM gone",
        "SELECT * INTO copies FROM ships",
        "SELECT nextval('numbers')",
        "SELECT lo_create(4711)",
        "SELECT set_config('transaction_read_only', 'off', true), sly()",
        "SELECT sly()",
        "COPY ships TO PROGRAM 'cat'",
    ],
)
async def test_the_database_itself_refuses_what_is_not_recognised(harbour: Postgres, sql: str) -> None:
    assert isinstance(sqlalchemy_reader.handle_request(request(harbour, sql)), TableCatalog)


async def test_a_harmless_volatile_function_is_run(harbour: Postgres) -> None:
    assert (await asked(tool(harbour), "SELECT random() < 2")).rows == ((True,),)


async def test_what_cannot_be_told_in_python_is_a_fault(harbour: Postgres) -> None:
    deep = await asked(tool(harbour), "SELECT (repeat('[', 3000) || repeat(']', 3000))::json AS plan")
    assert deep.cut == (Truncation.CELLS,)
    assert (await asked(tool(harbour), "SELECT 'infinity'::date AS d")).fault
    assert (await asked(tool(harbour), "SELECT 'NaN'::float8 AS x")).rows == (("nan",),)


async def test_a_query_that_is_too_slow_ends_on_the_server_too(harbour: Postgres) -> None:
    with pytest.raises(ToolFailed, match=r"it took more than 1\.5 s"):
        await asked(apart(harbour, seconds=1.5), COUNTING)
    await until(harbour, 0)


async def test_who_no_longer_wants_an_answer_leaves_no_query(harbour: Postgres) -> None:
    asking = asyncio.create_task(asked(apart(harbour), COUNTING))
    await until(harbour, 1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await until(harbour, 0)


async def test_a_run_that_is_killed_leaves_no_query(harbour: Postgres) -> None:
    program = (
        "import asyncio\nfrom quaestor.contracts.database import Database, DatabaseInput\n"
        "from quaestor.tools.database import SearchDatabase\n"
        f"tool = SearchDatabase({{'h': Database(url={harbour.url('harbour')!r})}}, None, {{}}, 60)\n"
        f"asyncio.run(tool.run(DatabaseInput(query={COUNTING!r})))"
    )
    run = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    await until(harbour, 1)
    run.kill()
    await run.wait()
    await until(harbour, 0)


async def test_a_database_of_another_kind_is_read_by_the_word_of_the_user(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("CREATE TABLE ships (id int)")
    sqlalchemy.dialects.registry.register("barge", "sqlalchemy.dialects.sqlite.pysqlite", "dialect")
    database = Database(url=f"barge:///{tmp_path / 'a.db'}", read_only_account=True)
    tool = SearchDatabase({"barge": database}, None, ENVIRONMENT, SECONDS, asking=here)
    assert (await asked(tool, "SELECT count(*) FROM ships")).rows == ((0,),)
    assert (await asked(tool, "SELECT * FROM boats")).text.endswith("ships (id INTEGER)")


async def test_an_account_that_may_only_read_works_and_its_password_is_told_to_nobody(harbour: Postgres) -> None:
    url = harbour.url_by_password("reader", IN_A_URL, "harbour")
    right = tool(harbour, url)
    assert (await asked(right, "SELECT count(*) FROM ships")).rows == ((200,),)
    refused = await asked(right, 'SELECT * FROM "Log Book", numbers, office.heavy')
    assert "permission denied" in (refused.fault or "")
    for wrong in (
        harbour.url_by_password("reader", "wr0ng%40pass", "harbour"),
        harbour.url_by_password("reader", "wr0ng%40pass", "wr0ng%40pass"),
        f"{harbour.url_by_password('reader', 'wr0ng%40pass', 'harbour')}?nonsense=wr0ng%40pass",
        f"postgresql://reader:wr0ng%40pass@127.0.0.1:{harbour.port + 1}x/harbour",
        "postgresql://reader:wr0ng%40pass@127.0.0.1:1/harbour",
        f"postgresql://postgres:wr0ng%40pass@/wr0ng%40pass?host={harbour.folder}&port={harbour.port}",
        f"postgresql://postgres:x@/harbour?host=/wr0ng%40pass&port={harbour.port}",
    ):
        with pytest.raises(ToolFailed, match="harbour gave no answer") as raised:
            await asked(tool(harbour, wrong), "SELECT 1")
        assert "wr0ng" not in str(raised.value)


def request(harbour: Postgres, sql: str) -> Request:
    """Return a request as if no statement had been looked at."""
    url = f"postgresql+psycopg://{harbour.url('harbour').partition('://')[2]}"
    return Request(kind="postgresql", url=url, sql=sql, limit=5, seconds=SECONDS)
