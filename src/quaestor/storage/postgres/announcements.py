"""Workers are told at once that there may be work, by NOTIFY, so that they need not wait until they ask again.

An announcement is a transaction of its own, after the one that made the work: in an append it would hold a lock over
the whole database until the commit. It may be lost, for whoever hears nothing asks once a second anyhow.
"""

import asyncio
from contextlib import suppress

import psycopg

from quaestor.contracts.errors import StoreUnavailable
from quaestor.storage.sql.database import Database

_CHANNEL = "quaestor_work"
_AGAIN_SECONDS = 1.5
_ANNOUNCE = f"SELECT pg_notify('{_CHANNEL}', current_schema())"
"""Stores in other schemas of the same database have the same channel."""


def announce(database: Database) -> None:
    """Tell every worker of the store that there may be work; where that fails they find it themselves."""
    with suppress(StoreUnavailable):
        database.rows(_ANNOUNCE)


async def listen(conninfo: str, announced: asyncio.Event) -> None:
    """Set `announced` at every announcement, until cancelled; a connection that is lost is opened again."""
    while True:
        with suppress(psycopg.Error, OSError):
            async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
                await connection.execute(f"LISTEN {_CHANNEL}".encode())
                [[schema]] = await (await connection.execute("SELECT current_schema()")).fetchall()
                announced.set()  # by what was announced while nobody listened
                async for notice in connection.notifies():
                    if notice.payload == schema:
                        announced.set()
        await asyncio.sleep(_AGAIN_SECONDS)
