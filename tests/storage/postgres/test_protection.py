"""Events are only appended: the owner of the tables is kept from changing them as the role of the program is."""

import psycopg
import pytest
from psycopg import errors

from quaestor.storage.postgres import PostgresStore
from storage.samples import begun, started

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
