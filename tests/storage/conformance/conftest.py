"""The backends that the suite runs against. A new one is one more entry of `BACKENDS`."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from quaestor.contracts.library import Library
from quaestor.contracts.ports import SnapshotCache, Store
from quaestor.storage.sqlite import SqliteStore, open_store


@dataclass(frozen=True)
class Backend:
    store: Store
    library: Library
    snapshots: SnapshotCache


def _sqlite(store: SqliteStore) -> Backend:
    return Backend(store, store.library, store.snapshots)


BACKENDS: Mapping[str, Callable[[Path], Backend]] = {
    "sqlite-memory": lambda _: _sqlite(open_store(":memory:")),
    "sqlite-file": lambda folder: _sqlite(open_store(folder / "home" / "quaestor.db")),
}

SHARED = ("sqlite-file",)
"""Those that several processes can open at once."""


@pytest.fixture(params=BACKENDS)
async def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    opened = BACKENDS[request.param](tmp_path)
    yield opened
    await opened.store.close()


@pytest.fixture(params=SHARED)
def reopened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Open the one store anew, in whichever process."""
    return lambda: BACKENDS[request.param](tmp_path).store


@pytest.fixture
def store(backend: Backend) -> Store:
    return backend.store


@pytest.fixture
def library(backend: Backend) -> Library:
    return backend.library


@pytest.fixture
def snapshots(backend: Backend) -> SnapshotCache:
    return backend.snapshots
