"""Events are only appended: the owner of the tables is kept from changing them as the role of the program is."""

import re

import psycopg
import pytest
from psycopg import errors

from docs.samples import DOCS
from quaestor.storage.postgres import PostgresStore, open_store
from storage.samples import NOON, begun, started, todo

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
