"""The backends that the suite runs against. A new one is one more entry of `BACKENDS`."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from fakes.postgres import Postgres
from quaestor.contracts.library import Library
from quaestor.contracts.limits import SharedLimits
from quaestor.contracts.ports import ReplyCache, SnapshotCache, Store
from quaestor.contracts.workers import WorkerRegistry
from quaestor.storage import sqlite
from quaestor.storage.postgres import open_store as open_postgres
from quaestor.storage.sql.store import SqlStore


@dataclass(frozen=True)
class Backend:
    store: Store
    library: Library
    replies: ReplyCache
    snapshots: SnapshotCache
    workers: WorkerRegistry
    limits: SharedLimits


def _open_postgres(request: pytest.FixtureRequest, _: Path) -> SqlStore:
    server: Postgres = request.getfixturevalue("postgres")
    return open_postgres(server.home())


BACKENDS: Mapping[str, Callable[[pytest.FixtureRequest, Path], SqlStore]] = {
    "sqlite-memory": lambda _, __: sqlite.open_store(":memory:"),
    "sqlite-file": lambda _, folder: sqlite.open_store(folder / "home" / "quaestor.db"),
    "postgres": _open_postgres,
}

SHARED = ("sqlite-file", "postgres")
"""Those that several processes can open at once."""

_MARKS = {"postgres": [pytest.mark.xdist_group("postgres")], "sqlite-memory": [pytest.mark.soak]}
"""One process starts the server, for all tests that need it. A store in memory runs the statements of one in a file."""


@pytest.fixture(params=[pytest.param(name, marks=_MARKS.get(name, ())) for name in BACKENDS])
async def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    opened = BACKENDS[request.param](request, tmp_path)
    yield Backend(opened, opened.library, opened.replies, opened.snapshots, opened.workers, opened.limits)
    await opened.close()


@pytest.fixture(params=[pytest.param(name, marks=_MARKS.get(name, ())) for name in SHARED])
def reopened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Open the one store anew, in whichever process."""
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        place = server.home()
        return lambda: open_postgres(place)
    return lambda: BACKENDS[request.param](request, tmp_path)


@pytest.fixture
def store(backend: Backend) -> Store:
    return backend.store


@pytest.fixture
def library(backend: Backend) -> Library:
    return backend.library


@pytest.fixture
def snapshots(backend: Backend) -> SnapshotCache:
    return backend.snapshots
