"""A store in a schema of its own, and the server that it is in."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.postgres import Postgres
from quaestor.storage.postgres import PostgresStore, open_store


@pytest.fixture
def url(postgres: Postgres, tmp_path: Path) -> str:
    return postgres.home(tmp_path.name)


@pytest.fixture
async def opened(url: str) -> AsyncIterator[PostgresStore]:
    store = open_store(url)
    yield store
    await store.close()
