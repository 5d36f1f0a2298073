from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from quaestor.contracts.errors import SetupError
from quaestor.storage.postgres import open_store
from quaestor.storage.postgres.migrations import MIGRATIONS
from quaestor.version import __version__


async def test_of_programs_that_start_at_once_one_makes_the_tables(empty: str) -> None:
    with ThreadPoolExecutor(6) as starting:
        stores = list(starting.map(lambda _: open_store(empty), range(6)))
    for store in stores:
        assert await store.sessions() == []
        await store.close()
    with psycopg.connect(empty) as other:
        taken = other.execute("SELECT name, version FROM migrations ORDER BY name").fetchall()
    assert taken == [(name, __version__) for name, _ in MIGRATIONS]


async def test_an_older_program_is_refused_and_changes_nothing(empty: str) -> None:
    await open_store(empty).close()
    with psycopg.connect(empty, autocommit=True) as other:
        other.execute("INSERT INTO migrations VALUES ('9999_dreams', '99.1')")
    with pytest.raises(SetupError, match=r"written by Quaestor 99\.1 \(step 9999_dreams\).* install quaestor>=99\.1"):
        open_store(empty)
