"""The backends that the suite runs against. A new one is one more entry of `BACKENDS`."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from fakes.postgres import postgres_home
from quaestor.contracts.library import Library
from quaestor.contracts.ports import ReplyCache, Store
from quaestor.storage import postgres, sqlite
from quaestor.storage.sql.store import SqlStore


@dataclass(frozen=True)
class Backend:
    store: Store
    library: Library
    replies: ReplyCache


BACKENDS: Mapping[str, Callable[[Path], SqlStore]] = {
    "sqlite-memory": lambda _: sqlite.open_store(":memory:"),
    "sqlite-file": lambda folder: sqlite.open_store(folder / "home" / "quaestor.db"),
    "postgres": lambda folder: postgres.open_store(postgres_home(folder.name)),
}

SHARED = ("sqlite-file", "postgres")
"""Those that several processes can open at once."""


@pytest.fixture(params=BACKENDS)
async def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    opened = BACKENDS[request.param](tmp_path)
    yield Backend(opened, opened.library, opened.replies)
    await opened.close()


@pytest.fixture(params=SHARED)
def reopened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Open the one store anew, in whichever process."""
    return lambda: BACKENDS[request.param](tmp_path)


@pytest.fixture
def store(backend: Backend) -> Store:
    return backend.store


@pytest.fixture
def library(backend: Backend) -> Library:
    return backend.library
