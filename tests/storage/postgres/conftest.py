"""A store in a schema of its own, and the server that it is in."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.postgres import postgres_home
from quaestor.storage.postgres import PostgresStore, open_store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return postgres_home(tmp_path.name)


@pytest.fixture
async def opened(url: str) -> AsyncIterator[PostgresStore]:
    store = open_store(url)
    yield store
    await store.close()
