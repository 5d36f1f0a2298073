"""What only MongoDB has: indexes, documents, users, and a server that can go away."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from pymongo import AsyncMongoClient
from pymongo.asynchronous.database import AsyncDatabase

from fakes.ferretdb import FerretDB, serving
from quaestor.contracts.errors import SetupError
from quaestor.contracts.follower import FollowerUnavailable, Replica
from storage.followers.samples import LOG, event, plain, rows

Open = Callable[[], Replica]
OpenAt = Callable[[str], Replica]
Database = AsyncDatabase[dict[str, object]]


@pytest.fixture
def database_name() -> str:
    return f"test_{uuid4().hex}"


@pytest.fixture
async def database(ferretdb: FerretDB, database_name: str) -> AsyncIterator[Database]:
    """Return the database as any other program sees it."""
    client: AsyncMongoClient[dict[str, object]] = AsyncMongoClient(ferretdb.url(), tz_aware=True)
    yield client[database_name]
    await client.close()


@pytest.fixture
def replica_url(ferretdb: FerretDB, database_name: str) -> str:
    return ferretdb.url(database_name)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FerretDB]:
    """Return a server that wants a user and a password."""
    with serving(tmp_path_factory.mktemp("guarded"), login=("quaestor", "tiber")) as server:
        yield server


async def test_an_event_is_a_document_of_state_events(replica: Replica, database: Database) -> None:
    await replica.copy(rows([event(1, {"of": 2**40}, cycle=2)]))
    at = event(1).at
    assert await database.list_collection_names() == ["state_events"]
    assert await database["state_events"].find().to_list() == [
        {
            "_id": "s1:1",
            "session_id": "s1",
            "seq": 1,
            "cycle": 2,
            "state": "EXECUTING",
            "type": "session_started",
            "version": 1,
            "todo_id": None,
            "hash": None,
            "at": at.replace(microsecond=at.microsecond // 1000 * 1000),
            "micros": at.microsecond % 1000,
            "payload": {"question": "Who?", "workflow": "research", "task_key": "key", "options": {"of": 2**40}},
        }
    ]


async def test_session_cycle_state_and_time_are_indexed(reopened: Open, database: Database) -> None:
    await reopened().copy(plain(1, 1))
    await reopened().copy(plain(2, 2))
    found = await database["state_events"].index_information()
    keys = {tuple(name for name, _ in index["key"]): index.get("unique", False) for index in found.values()}
    assert keys == {("_id",): False, ("session_id", "seq"): True, ("cycle",): False, ("state",): False, ("at",): False}


async def test_events_are_found_by_what_is_in_them(replica: Replica, database: Database) -> None:
    await replica.copy(plain(1, 5))
    wanted = {"session_id": "s1", "at": {"$gt": event(3).at}, "payload.contract": "Fact"}
    assert [found["seq"] async for found in database["state_events"].find(wanted).sort("seq")] == [4, 5]


async def test_a_follower_killed_in_the_middle_of_a_long_event_copies_it_whole(
    replica: Replica, database: Database
) -> None:
    long = rows([event(1), event(2, {"a.b": "x" * 4_500_000})])
    await replica.copy(long)
    await database["state_events"].delete_one({"seq": 2})
    await database["state_event_parts"].delete_one({"part": 3})
    assert (await replica.position("s1")).seq == 1
    await replica.copy(long[1:])
    assert await replica.rows("s1") == long
    assert await database["state_event_parts"].count_documents({}) == 3


@pytest.mark.parametrize("spoilt", [{"$unset": {"at": 1}}, {"$set": {"cycle": "x"}}, {"$set": {"parts": 2}}])
async def test_a_document_that_is_no_event_is_named(
    replica: Replica, database: Database, spoilt: Mapping[str, object]
) -> None:
    await replica.copy(plain(1, 2))
    await database["state_events"].update_one({"_id": "s1:2"}, spoilt)
    with pytest.raises(SetupError, match=r"'s1:2' in state_events of .* is no copied event"):
        await replica.rows("s1")


@pytest.mark.parametrize("login", ["", "quaestor:wr0ng@", "nobody:wr0ng@"], ids=["none", "wrong", "unknown"])
async def test_nobody_is_let_in_without_the_password_which_is_never_shown(
    guarded: FerretDB, open_replica_at: OpenAt, login: str
) -> None:
    follower = open_replica_at(guarded.url(login=login))
    for ask in (partial(follower.position, "s1"), partial(follower.copy, plain(1, 1)), partial(follower.rows, "s1")):
        with pytest.raises(SetupError, match=r"refuses: .*see to the user") as raised:
            await ask()
        assert "wr0ng" not in f"{raised.value!r} {raised.value.__cause__!r}"
        assert raised.value.exit_code == 3


async def test_who_has_the_password_is_let_in(guarded: FerretDB, open_replica_at: OpenAt) -> None:
    follower = open_replica_at(f"{guarded.url(login='quaestor:tiber@')}?authSource=admin")
    await follower.copy(plain(1, 1))
    assert (await follower.position("s1")).seq == 1


async def test_a_server_that_is_killed_and_comes_back_has_what_it_took(tmp_path: Path, open_replica_at: OpenAt) -> None:
    with serving(tmp_path / "db", started=False) as server:
        follower = open_replica_at(server.url())
        with pytest.raises(FollowerUnavailable, match=r"mongodb://127.0.0.1:\d+/quaestor does not answer: .*Errno"):
            await follower.position("s1")
        server.start()
        await follower.copy(rows(LOG[:8]))
        server.kill()
        with pytest.raises(FollowerUnavailable):
            await follower.copy(rows(LOG[8:]))
        server.start()
        assert (await follower.position("s1")).seq == 8
        await follower.copy(rows(LOG[8:]))
        assert await follower.rows("s1") == rows(LOG)
