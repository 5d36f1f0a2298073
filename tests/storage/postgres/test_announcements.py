"""What workers are told of at once, and that an append tells nobody."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest

from fakes.postgres import Postgres
from quaestor.contracts.command import Answer
from quaestor.storage.postgres import PostgresStore, open_store
from quaestor.storage.postgres.announcements import announce
from quaestor.storage.postgres.connection import PostgresDatabase
from storage.samples import NOON, begun, later, session, started, todo

SECONDS = 200
"""A guard: nothing here waits for it."""


@pytest.fixture
async def announced(opened: PostgresStore) -> AsyncIterator[asyncio.Event]:
    """Return what is set by an announcement; that of the begin is taken away."""
    heard = asyncio.Event()
    async with opened.hearing_of_work(heard):
        await wait(heard)
        yield heard


async def wait(heard: asyncio.Event) -> None:
    await asyncio.wait_for(heard.wait(), SECONDS)
    heard.clear()


async def test_a_session_and_a_command_of_another_process_are_announced(announced: asyncio.Event, url: str) -> None:
    other = open_store(url)
    await other.create_session(session("s1"), [started("s1")])
    await wait(announced)
    assert await other.create_session_after("s1", session("s2"), [started("s2")])
    await wait(announced)
    await other.send("s1", Answer(text="yes"), NOON)
    await wait(announced)
    await other.close()


async def test_an_append_a_lease_and_a_session_that_is_there_already_are_announced_to_nobody(
    opened: PostgresStore, url: str
) -> None:
    with psycopg.connect(url, autocommit=True) as listening:
        listening.execute("LISTEN quaestor_work")
        lease = await begun(opened)
        await opened.append(lease, [todo(2)])
        assert not await opened.create_session_after("other", session("s2"), [started("s2")])
        await opened.release_lease(lease)
        await opened.take_lease("s1", lease.owner, 1, later(60))
        await opened.send("s1", Answer(text="yes"), NOON)
        told = [notice.payload for notice in listening.notifies(timeout=SECONDS, stop_after=2)]
        assert told == ["home", "home"], "the session, and the command"
        assert list(listening.notifies(timeout=0)) == []


async def test_a_store_in_another_schema_tells_its_own_workers_alone(
    announced: asyncio.Event, opened: PostgresStore, empty: str
) -> None:
    other, heard = open_store(empty), asyncio.Event()
    async with other.hearing_of_work(heard):
        await wait(heard)
        await other.create_session(session("s1"), [started("s1")])
        await wait(heard)
    for _ in range(20):  # by then it would have come here
        assert await opened.sessions() == []
    assert not announced.is_set()
    await other.close()


async def test_who_listens_hears_again_when_the_server_has_crashed(
    announced: asyncio.Event, opened: PostgresStore, postgres: Postgres
) -> None:
    postgres.crash()
    postgres.start()
    await wait(announced)  # as something may have come meanwhile
    await opened.create_session(session("s1"), [started("s1")])
    await wait(announced)


def test_work_that_cannot_be_announced_is_no_error() -> None:
    announce(PostgresDatabase("postgresql://127.0.0.1:1/none"))
