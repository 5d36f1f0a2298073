"""A store in a schema of its own, and the server that it is in."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.postgres import Postgres
from quaestor.storage.postgres import PostgresStore, open_store


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.home()


@pytest.fixture
async def opened(url: str) -> AsyncIterator[PostgresStore]:
    store = open_store(url)
    yield store
    await store.close()


@pytest.fixture
def empty(postgres: Postgres, tmp_path: Path) -> str:
    """Return the URL of a schema in which there is nothing yet."""
    return postgres.schema(tmp_path.name)
