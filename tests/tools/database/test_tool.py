import asyncio
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from fakes.time import ManualClock
from quaestor.contracts.database import Database, DatabaseInput, DatabaseResults, Truncation
from quaestor.contracts.errors import MissingExtra, SetupError, ToolFailed, UsageError
from quaestor.contracts.installation import install_command
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import index_corpus
from quaestor.tools.database import SearchDatabase, sqlite_reader
from quaestor.tools.database.protocol import Request, Response, TableCatalog
from quaestor.tools.passage_search import SearchPassages

ENVIRONMENT = {"PATH": os.environ["PATH"]}
SECONDS = 200
"""So long that only what never comes ends it, however slowly a process starts."""
ENDLESS = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("harbour") / "harbour.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            """
            CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT, tons REAL, "order" TEXT, plan BLOB);
            CREATE TABLE "log book" (line TEXT);
            CREATE VIRTUAL TABLE letters USING fts5(body);
            INSERT INTO letters VALUES ('the keeper wrote of the storm');
            """
        )
        ships = [(n, f"ship {n}", n * 1.5, None, b"abc") for n in range(1, 201)]
        connection.executemany("INSERT INTO ships VALUES (?, ?, ?, ?, ?)", ships)
        connection.execute('INSERT INTO "log book" VALUES (?)', ("a | b\n\x1b[31mred\x00" + "x" * 5_000,))
    return path


@pytest.fixture
def untouched(harbour: Path) -> Iterator[None]:
    before = sha256(harbour.read_bytes()).digest(), sorted(harbour.parent.iterdir())
    yield
    assert (sha256(harbour.read_bytes()).digest(), sorted(harbour.parent.iterdir())) == before


async def here(request: Request, _: Mapping[str, str]) -> Response:
    """Answer in this process, which is quicker."""
    return sqlite_reader.handle_request(request)


def tool(path: Path) -> SearchDatabase:
    return SearchDatabase({"harbour": Database(url=f"sqlite:///{path}")}, None, ENVIRONMENT, SECONDS, asking=here)


def apart(path: Path, seconds: float = SECONDS) -> SearchDatabase:
    return SearchDatabase({"harbour": Database(url=f"sqlite:///{path}")}, None, ENVIRONMENT, seconds)


async def asked(tool: SearchDatabase, query: str, limit: int = 5, database: str = "") -> DatabaseResults:
    return await tool.run(DatabaseInput(query=query, limit=limit, database=database))


@pytest.mark.usefixtures("untouched")
async def test_a_database_is_read_in_a_process_of_its_own(harbour: Path) -> None:
    assert (await asked(apart(harbour), "SELECT name FROM ships WHERE id = 3")).rows == (("ship 3",),)
    assert not workers()


async def test_rows_come_as_typed_cells_and_as_lines(harbour: Path) -> None:
    answer = await asked(tool(harbour), 'SELECT id, name, tons, "order", plan FROM ships -- two\nLIMIT 2;')
    assert answer.columns == ("id", "name", "tons", "order", "plan")
    assert answer.rows == ((1, "ship 1", 1.5, None, "(3 bytes)"), (2, "ship 2", 3.0, None, "(3 bytes)"))
    assert answer.text.splitlines()[:2] == ["id | name | tons | order | plan", "1 | ship 1 | 1.5 | NULL | (3 bytes)"]
    assert answer.cut == ()


async def test_five_rows_are_given_and_more_on_demand(harbour: Path) -> None:
    answer = await asked(tool(harbour), "SELECT id FROM ships")
    assert len(answer.rows) == 5
    assert answer.cut == (Truncation.ROWS,)
    assert answer.text.endswith(f"({Truncation.ROWS})")
    assert len((await asked(tool(harbour), "SELECT id FROM ships", limit=100)).rows) == 100


async def test_a_cell_cannot_draw_rows_of_its_own_and_is_cut(harbour: Path) -> None:
    answer = await asked(tool(harbour), 'SELECT line, 1 AS n FROM "log book"')
    assert answer.cut == (Truncation.CELLS,)
    assert answer.text.splitlines()[1].startswith("a \\| b \ufffd[31mred\ufffdxxx")
    assert "\x1b" not in answer.model_dump_json()
    cell = answer.rows[0][0]
    assert isinstance(cell, str)
    assert len(cell) == 1_000


async def test_an_answer_has_a_largest_size(harbour: Path) -> None:
    answer = await asked(tool(harbour), "SELECT printf('%.*c', 900, 'x') FROM ships", limit=100)
    assert Truncation.SIZE in answer.cut
    assert len(answer.text) < 25_000


async def test_an_empty_query_shows_the_tables_as_they_are_written(harbour: Path) -> None:
    answer = await asked(tool(harbour), "")
    assert [table.name for table in answer.tables] == ["letters", '"log book"', "ships"]
    assert 'ships (id INTEGER, name TEXT, tons REAL, "order" TEXT, "plan" BLOB)' in answer.text
    assert '"log book" (line TEXT)' in answer.text
    assert answer.fault is None


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("SELECT * FROM boats", "no such table: boats"),
        ("SELECT weight FROM ships", "no such column: weight"),
        ("SELECT * FROM ships WHERE", "incomplete input"),
        ("how heavy is ship 3?", "one SELECT statement"),
        ("SELECT ?", "bindings"),
    ],
)
async def test_a_query_that_cannot_be_answered_shows_the_tables_too(harbour: Path, query: str, fault: str) -> None:
    answer = await asked(tool(harbour), query)
    assert fault in (answer.fault or "")
    assert any(table.name == "ships" for table in answer.tables)
    assert answer.text.startswith(answer.fault or "?")


async def test_the_tables_a_query_names_are_listed_first(harbour: Path) -> None:
    answer = await asked(tool(harbour), "SELECT weight FROM Ships")
    assert answer.tables[0].name == "ships"


@pytest.mark.usefixtures("untouched")
async def test_full_text_search_of_the_database_works(harbour: Path) -> None:
    answer = await asked(tool(harbour), "SELECT body FROM letters WHERE letters MATCH 'storm'")
    assert answer.rows == (("the keeper wrote of the storm",),)


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("looked_at", [True, False])
@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM ships",
        "WITH old AS (SELECT 1) DELETE FROM ships",
        "WITH old AS (SELECT 1) INSERT INTO ships(id) SELECT 999",
        "SELECT 1; DELETE FROM ships",
        "INSERT INTO letters(letters) VALUES ('rebuild')",
        "ATTACH 'other.db' AS other",
        "PRAGMA journal_mode=WAL",
        "PRAGMA writable_schema=1",
        "SELECT * FROM pragma_journal_mode('wal')",
        "SELECT * FROM pragma_wal_checkpoint",
        "SELECT load_extension('evil.so')",
        "SELECT \"load_extension\"('evil.so')",
        "SELECT load_extension/**/('evil.so')",
        "SELECT writefile('out', 'x')",
        "SELECT fts3_tokenizer('simple')",
        "VACUUM INTO 'copy.db'",
        "EXPLAIN DELETE FROM ships",
    ],
)
async def test_nothing_but_reading_gets_through(harbour: Path, query: str, looked_at: bool) -> None:
    if looked_at:
        answer = await asked(tool(harbour), query)
        assert answer.fault
        assert answer.rows == ()
    else:
        unseen = Request(kind="sqlite", url=str(harbour), sql=query, limit=5, seconds=SECONDS)
        assert isinstance(sqlite_reader.handle_request(unseen), TableCatalog)


async def test_a_query_without_end_is_stopped(harbour: Path) -> None:
    with pytest.raises(ToolFailed, match=r"harbour gave no answer: it took more than 1 s"):
        await asked(apart(harbour, seconds=1), ENDLESS)
    assert not workers()


async def test_who_no_longer_wants_an_answer_leaves_no_process(harbour: Path) -> None:
    asking = asyncio.create_task(asked(apart(harbour), ENDLESS))
    async with asyncio.timeout(SECONDS):
        while not workers():  # noqa: ASYNC110 -- the process table tells nobody
            await asyncio.sleep(0.02)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not workers()


async def test_a_query_that_takes_all_memory_fails_alone(harbour: Path) -> None:
    query = "SELECT length(b) FROM (SELECT randomblob(20000000) AS b FROM ships ORDER BY b)"
    with pytest.raises(ToolFailed, match="takes too much memory"):
        await asked(apart(harbour), query)


async def test_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no database at all, but long enough to be looked at" * 40)
    with pytest.raises(ToolFailed, match="not a database"):
        await asked(tool(tmp_path / "notes.txt"), "SELECT 1 FROM ships")
    with pytest.raises(ToolFailed, match="there is no such file"):
        await asked(tool(tmp_path / "none.db"), "")
    assert not (tmp_path / "none.db").exists()


async def test_a_database_that_is_being_written_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE t (n)")
        connection.execute("INSERT INTO t VALUES (7)")
        connection.commit()
        assert (await asked(tool(path), "SELECT n FROM t")).rows == ((7,),)
    assert (await asked(tool(path), "SELECT n FROM t")).rows == ((7,),)


async def test_words_go_to_the_documents_and_sql_to_the_database(harbour: Path, tmp_path: Path) -> None:
    store = open_store(":memory:")
    (tmp_path / "bell.txt").write_text("The Constancy Bell was given to the town by Anna Brandt.")
    corpus = (await index_corpus(store.library, ManualClock(), [tmp_path], lambda _: None)).corpus
    databases = {"harbour": Database(url=f"sqlite:///{harbour}")}
    both = SearchDatabase(databases, SearchPassages(store.library, corpus), ENVIRONMENT, SECONDS, asking=here)
    words = await asked(both, "Who gave the Constancy Bell?")
    assert words.database == "corpus"
    assert "given to the town by Anna Brandt" in words.hits[0].passage.text
    assert "Anna Brandt" in words.text
    assert (await asked(both, "SELECT 1 AS one")).rows == ((1,),)
    overview = await asked(both, "")
    assert "ships (id INTEGER" in overview.text
    assert "corpus: documents" in overview.text
    assert (await asked(both, "", database="corpus")).fault
    await store.close()


async def test_of_several_databases_one_is_to_be_named(harbour: Path) -> None:
    databases = {"one": Database(url=f"sqlite:///{harbour}"), "two": Database(url=f"sqlite:///{harbour}")}
    two = SearchDatabase(databases, None, ENVIRONMENT, SECONDS, asking=here)
    assert (await asked(two, "SELECT 1")).fault == "name one of the databases: one, two"
    assert (await asked(two, "SELECT 1", database="two")).rows == ((1,),)
    with pytest.raises(ToolFailed, match="there is no database three; there is one, two"):
        await asked(two, "SELECT 1", database="three")


def made(database: Database, *, installed: bool = True) -> SearchDatabase:
    return SearchDatabase({"db": database}, None, {}, 60, installed=lambda _: installed)


def test_a_url_that_cannot_be_used_is_refused_without_its_password() -> None:
    for url, message in (
        ("mssql+pyodbc://sa:hunter2@host/db", "read_only_account"),
        ("postgresql+asyncpg://sa:hunter2@host/db", r"postgresql\+psycopg"),
        ("sqlite:///a.db?mode=rwc", "nothing more"),
        ("sqlite://", "nothing more"),
        ("sqlite:///:memory:", "nothing more"),
        ("sqlite:///file:a.db", "nothing more"),
        ("sqlite+aiosqlite:///a.db", "nothing more"),
    ):
        with pytest.raises(UsageError, match=message) as raised:
            made(Database(url=url))
        assert "hunter2" not in str(raised.value)
    assert "hunter2" not in repr(Database(url="mysql://sa:hunter2@host/db"))


def test_a_url_can_stand_in_the_environment() -> None:
    SearchDatabase({"db": Database(url_env="PORT_URL")}, None, {"PORT_URL": "sqlite:///a.db"}, 1)
    with pytest.raises(SetupError, match="PORT_URL"):
        made(Database(url_env="PORT_URL"))


def test_a_missing_package_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(MissingExtra, match=re.escape(install_command("database"))):
        made(Database(url="mysql+pymysql://host/db"), installed=False)
    with pytest.raises(MissingExtra, match=re.escape(install_command("database,postgres"))):
        SearchDatabase(
            {"db": Database(url="postgresql://host/db")}, None, {}, 1, installed=lambda package: package == "sqlalchemy"
        )
    made(Database(url="sqlite:///a.db"), installed=False)


async def test_a_driver_that_is_not_installed_is_a_failure_of_the_tool() -> None:
    with pytest.raises(ToolFailed, match="its driver is not installed"):
        await asked(made(Database(url="oracle+nosuch://sa:hunter2@host/db")), "SELECT 1")


def workers() -> list[str]:
    """Name the processes of this one that read databases."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if b"quaestor.tools.database.worker" in line and parent == str(os.getpid()):
            found.append(folder.name)
    return found
