"""Every query that docs/schema.md offers runs on a real database and finds something."""

import re
import shutil
import subprocess
import zlib
from hashlib import sha256
from pathlib import Path

import apsw
import pytest

from quaestor.contracts.command import FinishNow, Pause, Settlement
from quaestor.contracts.event import ModelRequested
from quaestor.contracts.ledger import Finding, LedgerEntry, MemoryLine
from quaestor.contracts.source import Quote
from quaestor.research.events import TodoRecorded
from quaestor.storage.sqlite import open_store
from storage.samples import NOON, begun, document, event, reply

PAGE = Path(__file__).parents[3] / "docs" / "schema.md"
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
FOX = document("/d/fox.txt", "Ære the quick brown fox", "and " * 600)


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    path = tmp_path / "quaestor.db"
    store = open_store(path)
    corpus = await store.library.open_corpus(["/d"])
    await store.library.put(corpus, [FOX], NOON)
    lease = await begun(store)
    quote = Quote(source=sha256(FOX.document.text.encode()).hexdigest(), start=4, end=13, text="the quick")
    entry = LedgerEntry(
        todo_id="t1",
        attempt=0,
        description="Look",
        findings_summary="Quick.",
        findings=(Finding(id="t1/1", claim="It is quick.", quotes=(quote,)),),
    )
    asked = ModelRequested(
        key="k3",
        role="reader",
        model="m",
        contract="Reading",
        ordinal=1,
        attempt=1,
        given={"task": "Look"},
    )
    recorded = TodoRecorded(entry=entry, memory=MemoryLine(todo_ids=("t1",), text="Quick."), loop_count=1)
    await store.send("s1", Pause(), NOON)
    await store.send("s1", FinishNow(), NOON)
    refused = Settlement(number=1, refused="it is paused")
    await store.append(lease, [event(2, asked), reply(3, "long " * 900), event(4, recorded)], [refused])
    await store.close()
    return path


def rows(database: Path, query: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)

    def unpack(*stored: object) -> bytes:
        data, size = stored
        assert isinstance(data, bytes)
        return data if len(data) == size else zlib.decompress(data)

    connection.create_scalar_function("sqlar_uncompress", unpack, 2)
    found: list[tuple[object, ...]] = list(connection.execute(query))
    connection.close()
    return found


def test_the_page_has_queries() -> None:
    assert len(QUERIES) >= 9


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_finds_something(database: Path, query: str) -> None:
    found = rows(database, query)
    assert found
    assert all(any(value is not None for value in row) for row in found)


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="needs the sqlite3 shell")
@pytest.mark.parametrize("query", QUERIES)
def test_a_query_runs_in_the_shell(database: Path, query: str) -> None:
    shell = subprocess.run(
        ["sqlite3", "-readonly", "-bail", str(database)], input=query, capture_output=True, text=True, check=False
    )
    assert shell.stderr == ""
    assert shell.stdout


def test_a_large_body_is_readable(database: Path) -> None:
    [[body]] = rows(database, "SELECT body FROM events_readable WHERE seq = 3")
    assert str(body).count("long ") == 900


def test_a_quote_stands_in_its_source(database: Path) -> None:
    [proof] = [query for query in QUERIES if "AS stands" in query]
    assert rows(database, proof) == [("t1/1", "It is quick.", "/d/fox.txt", "the quick", 1)]


def test_every_table_and_column_is_documented(database: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    columns = rows(
        database,
        "SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c "
        "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'corpus_%'",
    )
    assert {table for table, _ in columns} >= {"sessions", "events", "blobs", "leases", "passages"}
    lines = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    assert [(table, column) for table, column in columns if f"`{column}`" not in lines.get(str(table), "")] == []
