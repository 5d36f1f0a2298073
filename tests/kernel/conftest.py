from collections.abc import AsyncIterator

import pytest

from fakes.chores import begin
from fakes.time import ManualClock
from quaestor.storage.sqlite import SqliteStore, open_store


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def store(clock: ManualClock) -> AsyncIterator[SqliteStore]:
    """Return a store in memory that holds a session with nothing but its start."""
    store = open_store(":memory:")
    await begin(store, clock)
    yield store
    await store.close()
