"""The copy into an empty store, beside others who begin sessions in it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from quaestor.contracts.errors import UsageError
from quaestor.storage.sqlite import open_store
from quaestor.storage.sqlite.backup import fill_store
from storage.samples import begun

_BEGIN = (
    "INSERT INTO sessions (id, task_key, workflow, question, created_at, events, cycle, head) "
    "VALUES ('theirs', 'key', 'research', 'Who?', '2026-03-01T12:00:00Z', 0, 1, '')"
)


class Neighbour:
    """Begins a session in a store when so many connections to it were opened."""

    def __init__(self, place: Path, connections: int) -> None:
        self._place = str(place)
        self._left = connections

    def see(self, connection: apsw.Connection) -> None:
        self._left -= connection.filename == self._place
        if self._left == 0:
            self._left = -1
            apsw.Connection(self._place).execute(_BEGIN)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    async def make() -> None:
        store = open_store(tmp_path / "source.db")
        await begun(store, "ours")
        await store.close()

    asyncio.run(make())
    return tmp_path / "source.db"


@pytest.fixture
def neighbour(tmp_path: Path) -> Iterator[Neighbour]:
    """Return one that comes when the store was looked into, and its copy is about to begin."""
    watching = Neighbour(tmp_path / "q.db", 2)
    apsw.connection_hooks.append(watching.see)
    yield watching
    apsw.connection_hooks.remove(watching.see)


def sessions(place: Path) -> list[str]:
    return [str(name) for (name,) in apsw.Connection(str(place)).execute("SELECT id FROM sessions")]


def test_an_empty_store_becomes_its_source(tmp_path: Path, source: Path) -> None:
    fill_store(tmp_path / "q.db", source)
    assert sessions(tmp_path / "q.db") == ["ours"]


@pytest.mark.usefixtures("neighbour")
def test_a_session_that_begins_just_before_the_copy_is_not_lost(tmp_path: Path, source: Path) -> None:
    with pytest.raises(UsageError, match="has sessions, which would be lost"):
        fill_store(tmp_path / "q.db", source)
    assert sessions(tmp_path / "q.db") == ["theirs"]
