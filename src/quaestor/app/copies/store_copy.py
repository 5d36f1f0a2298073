"""Copies of a store into another one: of a home into Postgres, of Postgres into a home, or of either into its like."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from quaestor.app.stores import DATABASE_FILE, open_server
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.runtime.audit import verify_session
from quaestor.runtime.private_home import secure_home
from quaestor.storage.originals import copy_originals
from quaestor.storage.sql.store import SqlStore
from quaestor.storage.sqlite import open_store


class CopySummary(Contract):
    """What a store holds after a copy; faults are those of the origin, each with its session."""

    sessions: int
    faults: tuple[str, ...] = ()


async def copy_store(origin: str, target: str, copied: Callable[[str], None] = lambda _: None) -> CopySummary:
    """Copy everything from one store into another, and verify every session there.

    Each is the folder of a home or the address of a Postgres database, which has no originals of fetched files. What
    runs at the origin is copied as it is when the copy begins. Raises UsageError for an origin that is no home, and
    where the target has what the origin has not, and what opening raises.
    """
    if "://" not in origin and not (Path(origin) / DATABASE_FILE).is_file():
        raise UsageError(
            f"{origin} is no home: it has no {DATABASE_FILE}; name the folder of a home, or postgresql://..."
        )
    async with _opened(origin) as source, _opened(target) as destination:
        await destination.copy_from(source, copied)
        if "://" not in f"{origin}{target}":
            for session in await source.sessions():
                await asyncio.to_thread(copy_originals, Path(origin), Path(target), session.id)
        return await verify_copy(source, destination)


async def verify_copy(source: SqlStore, destination: SqlStore) -> CopySummary:
    """Verify every session of a copy, and compare the heads of logs with those of the origin."""
    faults: list[str] = []
    sessions = await source.sessions()
    for each in sessions:
        found = list(await verify_session(destination, destination.library, each.id))
        if (await destination.session(each.id)).events < each.events:
            found.append("events are missing")
        faults += (f"session {each.id}: {fault}" for fault in found)
    return CopySummary(sessions=len(sessions), faults=tuple(faults))


@asynccontextmanager
async def _opened(place: str) -> AsyncIterator[SqlStore]:
    if "://" in place:
        store = open_server(place)
    else:
        secure_home(Path(place), DATABASE_FILE)
        store = open_store(Path(place) / DATABASE_FILE)
    try:
        yield store
    finally:
        await store.close()
