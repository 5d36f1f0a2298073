"""The log as the collection `state_events` of a MongoDB database."""

import asyncio
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from pymongo import ASCENDING, DESCENDING, AsyncMongoClient, IndexModel, ReplaceOne
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.errors import BulkWriteError, OperationFailure, PyMongoError
from pymongo.monitoring import (
    ServerHeartbeatFailedEvent,
    ServerHeartbeatListener,
    ServerHeartbeatStartedEvent,
    ServerHeartbeatSucceededEvent,
)
from typing_extensions import override

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.follower import FollowerUnavailable, ReplicaPosition, ReplicaRow
from quaestor.storage.followers.mongo_documents import MongoDocument, document_to_row, part_documents, row_to_document

DEFAULT_DATABASE = "quaestor"
"""Where the URL names none."""

EVENTS_COLLECTION = "state_events"
PARTS_COLLECTION = "state_event_parts"

_INDEXES = (
    IndexModel([("session_id", ASCENDING), ("seq", ASCENDING)], unique=True),
    IndexModel([("cycle", ASCENDING)]),
    IndexModel([("state", ASCENDING)]),
    IndexModel([("at", ASCENDING)]),
)
_BATCH_SIZE = 25
"""Upserts in one command. FerretDB on SQLite holds a connection for each that meets a document, and has 100."""

_PARTS_BATCH_SIZE = 4
"""8 MB each; FerretDB gives as many as it is asked for, and no message may have more than 48."""

_CONNECT_TIMEOUT_MS = 3_000
_SOCKET_TIMEOUT_MS = 30_000
"""Milliseconds that a server has to be found, and to answer one command."""

_LAST_TRY = 0.5
"""Seconds that a try to connect may take to its end when the connections are closed."""

_PERMANENT_ERROR_CODES = frozenset({13, 18, 67, 73, 85, 86, 8000, 11000})
"""Codes of MongoDB that stay until a person acts: rights, login, invalid indexes or names, and refusals of Atlas."""

_HOST = re.compile(r"mongodb(?:\+srv)?://(?:[^@/?]*@)?([^@/?]+)")
_MAX_REASON_CHARACTERS = 200


class _Tries(ServerHeartbeatListener):
    """Knows whether the driver is about to connect: stopped within a try, PyMongo 4.20 leaves its socket open."""

    def __init__(self) -> None:
        self._under_way: set[tuple[str, int | None]] = set()
        self._rest = asyncio.Event()
        self._rest.set()

    @override
    def started(self, event: ServerHeartbeatStartedEvent) -> None:
        if not event.awaited:  # else it is connected, and waits for news
            self._under_way.add(event.connection_id)
            self._rest.clear()

    @override
    def succeeded(self, event: ServerHeartbeatSucceededEvent) -> None:
        self._end(event.connection_id)

    @override
    def failed(self, event: ServerHeartbeatFailedEvent) -> None:
        self._end(event.connection_id)

    def _end(self, server: tuple[str, int | None]) -> None:
        self._under_way.discard(server)
        if not self._under_way:
            self._rest.set()

    async def ended(self) -> None:
        """Wait for the end of the tries that are under way, but not long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rest.wait(), _LAST_TRY)


class MongoFollower:
    """A copy in `state_events`; a `Replica`. The target itself knows how far it is.

    Raises UsageError for a URL that MongoDB's driver cannot read.
    """

    def __init__(self, url: str) -> None:
        self._tries = _Tries()
        self._client = _create_client(url, self._tries)
        database = self._client.get_default_database(DEFAULT_DATABASE)
        host = _HOST.match(url)
        self.name = f"mongodb://{host[1] if host else ''}/{database.name}"
        self._events: AsyncCollection[MongoDocument] = database[EVENTS_COLLECTION]
        self._parts: AsyncCollection[MongoDocument] = database[PARTS_COLLECTION]
        self._is_indexed = False

    async def position(self, session_id: str) -> ReplicaPosition:
        """Return how far the copy of a session is."""
        held = {"session_id": session_id}
        with self._naming():
            await self._index()
            last = await self._events.find_one(held, ["seq", "hash"], sort=[("seq", DESCENDING)])
            count = await self._events.count_documents(held)
            if last is None or last.get("seq") == count:
                return _position(count, last or {})
            upto = _position(0, {})  # something is missing in between, or was added just now
            async with self._events.find(held, ["seq", "hash"]).sort("seq", ASCENDING) as each:
                async for found in each:
                    if found.get("seq") != upto.seq + 1:
                        break
                    upto = _position(upto.seq + 1, found)
        return upto

    async def copy(self, rows: Sequence[ReplicaRow]) -> None:
        """Add rows, in order; an event comes behind its parts, so that what is there is whole."""
        with self._naming():
            await self._index()
            for start in range(0, len(rows), _BATCH_SIZE):
                batch = rows[start : start + _BATCH_SIZE]
                await _upsert(self._parts, [part for each in batch for part in part_documents(each)])
                await _upsert(self._events, [row_to_document(each) for each in batch])

    async def rows(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[ReplicaRow]:
        """Return the rows of a session with a number above `after`, in order."""
        query = {"session_id": session_id, "seq": {"$gt": after}}
        with self._naming():
            async with self._events.find(query).sort("seq", ASCENDING).limit(limit or 0) as each:
                return [await self._row(found) async for found in each]

    async def close(self) -> None:
        """Close the connections."""
        await self._tries.ended()
        await self._client.close()

    async def _index(self) -> None:
        if not self._is_indexed:
            for index in _INDEXES:  # one by one: FerretDB fails over several that are there already
                await self._events.create_indexes([index])
            self._is_indexed = True

    async def _row(self, found: MongoDocument) -> ReplicaRow:
        texts: list[str] = []
        if "parts" in found:
            own = {"session_id": found["session_id"], "seq": found["seq"]}
            async with self._parts.find(own, batch_size=_PARTS_BATCH_SIZE).sort("part", ASCENDING) as each:
                texts = [str(part["text"]) async for part in each]
        try:
            return document_to_row(found, texts)
        except ValueError as error:
            raise SetupError(
                f"{found.get('_id')!r} in {EVENTS_COLLECTION} of {self.name} is no copied event: {error}; copy to "
                "another database"
            ) from error

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn what the driver raises into what a follower raises."""
        try:
            yield
        except OperationFailure as error:
            if error.code in _PERMANENT_ERROR_CODES:
                raise SetupError(
                    f"{self.name} refuses: {_short_reason(error)}; see to the user, the password and the rights "
                    "in the URL"
                ) from error
            raise FollowerUnavailable(f"{self.name} did not take it: {_short_reason(error)}") from error
        except PyMongoError as error:
            raise FollowerUnavailable(f"{self.name} does not answer: {_short_reason(error)}") from error
        except KeyError as error:  # the driver, when a server that failed counts nothing; FerretDB does
            raise FollowerUnavailable(f"{self.name} did not take it, and does not say why") from error


def _create_client(url: str, tries: _Tries) -> AsyncMongoClient[MongoDocument]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # an unknown option causes a warning
            return AsyncMongoClient(
                url,
                tz_aware=True,
                w="majority",
                appname="quaestor",
                serverSelectionTimeoutMS=_CONNECT_TIMEOUT_MS,
                connectTimeoutMS=_CONNECT_TIMEOUT_MS,
                socketTimeoutMS=_SOCKET_TIMEOUT_MS,
                event_listeners=[tries],
            )
    except (PyMongoError, ValueError, OSError, UserWarning):
        raise UsageError(
            "the URL of MongoDB cannot be read; it is mongodb://USER:PASSWORD@HOST:PORT/DATABASE?OPTIONS, where all "
            "but HOST may be left out, and special characters of user and password are percent-encoded (@ is %40)"
        ) from None  # the reason may quote the password


def _position(seq: int, found: MongoDocument) -> ReplicaPosition:
    held = found.get("hash")
    return ReplicaPosition(seq, held if isinstance(held, str) else None)


async def _upsert(collection: AsyncCollection[MongoDocument], documents: Sequence[MongoDocument]) -> None:
    """Upsert documents in order.

    One that another follower puts there at the same moment is refused as a second one, and met by the next try; so
    every try comes one further at least.
    """
    writes = [ReplaceOne({"_id": each["_id"]}, each, upsert=True) for each in documents]
    for left in reversed(range(len(writes))):
        try:
            await collection.bulk_write(writes)
        except (BulkWriteError, KeyError):
            if not left:
                raise
        else:
            return


def _short_reason(error: PyMongoError) -> str:
    """Return the reason alone, without documents and the state of the connections."""
    details = error.details if isinstance(error, OperationFailure) and error.details else {}
    reason = next((fault["errmsg"] for fault in details.get("writeErrors", ())), details.get("errmsg"))
    return str(reason or error).partition(" (configured")[0][:_MAX_REASON_CHARACTERS]
