"""Events are only appended: the owner of the tables is kept from changing them as the role of the program is."""

import re
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from quaestor.storage.postgres import PostgresStore, open_store
from storage.samples import NOON, begun, document, started, todo

CHANGES = [
    "UPDATE events SET body = '{}' WHERE seq = 1",
    "DELETE FROM events WHERE seq = 1",
    "TRUNCATE events",
]


@pytest.mark.parametrize("statement", CHANGES)
async def test_the_owner_changes_no_event(opened: PostgresStore, url: str, statement: str) -> None:
    await begun(opened)
    with psycopg.connect(url) as owner, pytest.raises(errors.InsufficientPrivilege, match="only appended"):
        owner.execute(statement.encode())
    assert await opened.events("s1") == [started()]


async def test_the_role_of_the_program_runs_sessions_and_changes_no_event(empty: str) -> None:
    await open_store(empty).close()
    page = (Path(__file__).parents[3] / "docs/machines.md").read_text(encoding="utf-8")
    [grants] = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    with psycopg.connect(empty, autocommit=True) as owner:
        [[schema]] = owner.execute("SELECT current_schema()").fetchall()
        role = f"program_{schema}"
        owner.execute(f"CREATE ROLE {role} LOGIN")
        owner.execute(grants.replace("$schema", schema).replace("$role", role))
    program_url = empty.replace("postgres@", f"{role}@")
    store = open_store(program_url)
    lease = await begun(store)
    corpus = await store.library.open_corpus(["/d"])
    await store.library.put(corpus, [document("/d/fox", "a red fox")], NOON)
    assert [hit.uri for hit in await store.library.search(corpus, ["fox"], 3)] == ["/d/fox"]
    await store.append(lease, [todo(2)])
    for statement in CHANGES:
        with psycopg.connect(program_url) as program, pytest.raises(errors.InsufficientPrivilege):
            program.execute(statement.encode())
    await store.erase(lease, NOON)
    await store.shred(NOON)
    assert await store.sessions() == []
    with psycopg.connect(empty) as owner:
        assert owner.execute("SELECT count(*) FROM events").fetchone() == (0,)
    await store.close()
