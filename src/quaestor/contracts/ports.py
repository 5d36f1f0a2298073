"""What the core needs of the outside world. Adapters implement these; `app` joins them."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import ClassVar, Protocol

from quaestor.contracts.command import Command, InboxEntry, Settlement
from quaestor.contracts.event import Event
from quaestor.contracts.library import KeptDocument, Vector
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall
from quaestor.contracts.roles import Prompt
from quaestor.contracts.session import (
    LOCAL_TENANT,
    Lease,
    LeaseOwner,
    LogStatus,
    Remains,
    Session,
    SessionQuery,
    Tombstone,
)
from quaestor.contracts.signature import ChainLink, LogHead, LogRecord, SignedHead
from quaestor.contracts.snapshot import FoldName, Snapshot
from quaestor.contracts.web import WebResults, WebSearchInput


class Clock(Protocol):
    """The only place that knows the time."""

    def now(self) -> datetime:
        """Return the time, in UTC."""


class IdGenerator(Protocol):
    """The only place that makes new ids."""

    def session(self) -> str:
        """Return a session id that was never given before, sortable by time."""


class PromptBuilder(Protocol):
    """The builder of the prompts that agents send to models."""

    def prompt(self, request: ModelRequest) -> Prompt:
        """Return the prompt that the role's agent makes of a request. Raises UsageError when no agent has this role."""


class Model(Protocol):
    """A model, which fulfils contracts and chooses tools.

    Raises ModelFailed when it got no reply, ModelRefused when asking again changes nothing.
    """

    name: str

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Return the prepared call. Pure, and cheap enough to be repeated."""

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Answer with JSON text that should fulfil the contract, or with the tool calls that were chosen."""


class ReplyCache(Protocol):
    """A cache of replies across sessions, by call."""

    async def recall(self, call: str) -> str | None:
        """Return the reply that was kept for this call, or None."""

    async def put(self, call: str, reply: str) -> None:
        """Keep the reply to a call; the first one stays."""


class SnapshotCache(Protocol):
    """A cache of folded states of sessions beside a store: erased with them, and in no backup.

    Everything in it may be deleted at any time.
    """

    async def put_snapshot(self, snapshot: Snapshot, *, beside: bool = False) -> None:
        """Keep a snapshot in the place of those of its session and name, in one transaction; none without a session.

        It is kept `beside` those after other events, where readers seek places in the middle of a log.
        """

    async def snapshot(self, session_id: str, name: FoldName = "session", upto: int | None = None) -> Snapshot | None:
        """Return the newest snapshot after at most `upto` events; None: there is none, or a damaged one."""


class SearchEngine(Protocol):
    """A search engine for the web or a part of it. Found by name in the entry points `quaestor.engines`."""

    name: ClassVar[str]

    async def search(self, given: WebSearchInput) -> WebResults:
        """Return what it finds, best first. Raises ToolFailed when it gives no answer, SetupError for a missing key."""

    async def close(self) -> None:
        """Close its connections."""


class Embedder(Protocol):
    """An embedding model: vectors of texts are near to each other where the texts mean the same."""

    name: str

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text, all of one length.

        Raises ToolFailed when it cannot, SetupError when asking again changes nothing.
        """

    async def close(self) -> None:
        """Close its connections."""


class LeaseRenewer(Protocol):
    """A renewer of leases, for a thread that runs while the event loop is busy."""

    exclusive: bool
    """Whether nobody else can take a lease while a renewal waits, as of a file that is locked."""

    def renew(self, lease: Lease, expires_at: datetime) -> bool:
        """Prolong a lease, also one that has expired; False when it was taken or given back."""

    def close(self) -> None:
        """Close its connection."""


class Store(Protocol):
    """A store of sessions, with their events, leases and inboxes. Every implementation passes one conformance suite.

    Raises StoreFull when there is no room, StoreCorrupt when what is stored cannot be read, LeaseLost when an
    append is not covered by its lease, UnknownSession when there is none.
    """

    async def create_session(self, session: Session, first: Sequence[Event]) -> None:
        """Add a session with its first events, in one transaction; what it says of events is taken from these."""

    async def create_session_after(self, newest: str | None, session: Session, first: Sequence[Event]) -> bool:
        """Add a session with its first events where `find_session` by its task key still returns `newest`.

        Look-up and creation are one transaction; returns False, and adds nothing, where another session came first.
        """

    async def copy_session(self, session: Session, origin: str, upto: int, owner: LeaseOwner) -> None:
        """Add a session with the events 1 to `upto` of another one; the other stays as it is.

        Its events are stored word for word as those of the origin, under a chain of their own; its inbox is empty. A
        long log is copied in pieces, between which others append; nobody sees the copy before it is whole. `owner` is
        the process that makes it.
        Raises UsageError when the origin has no event `upto`, LogCorrupt when the chain of the origin does not hold.
        """

    async def import_session(
        self,
        session: Session,
        log: Iterable[LogRecord],
        documents: Iterable[KeptDocument],
        last: Event,
        owner: LeaseOwner,
    ) -> None:
        """Add a session of another store: its log word for word under its own hashes, its documents, then one event.

        It is stored in pieces, and nobody sees it before it is whole. `owner` is the process that makes it. Raises
        UsageError for an id that is in use, LogCorrupt for a record whose hash does not follow from those before it.
        """

    async def incomplete_copies(self) -> Sequence[Lease]:
        """Return the leases of the copies and imports that are being made, or whose process has died."""

    async def erase_copy(self, lease: Lease, at: datetime) -> None:
        """Put a tombstone in the place of a copy that is not complete; `shred` deletes what there is of it."""

    async def append(
        self,
        lease: Lease,
        events: Sequence[Event],
        settled: Sequence[Settlement] = (),
        status: LogStatus | None = None,
    ) -> None:
        """Append events and settle commands in one transaction; either may be none, but not both.

        `status` is that of the session after the events; without it the session has none until `put_status`.
        Raises LeaseLost when the lease was taken or given back; one that has expired and was not taken still covers
        an append. Raises UsageError when the events do not go on from the last one, for a command that is not there
        or was settled before, and when there are neither events nor commands.
        """

    async def send(self, session_id: str, order: Command, at: datetime) -> InboxEntry:
        """Put a command into a session's inbox; it is durable when this returns. Numbers count from 1, without gaps."""

    async def commands(self, session_id: str) -> Sequence[InboxEntry]:
        """Return the commands that are not settled, in order; cheap enough to be asked ten times a second."""

    async def settled(self, session_id: str, number: int) -> Settlement | None:
        """Return the settlement of a command, None while it is pending. Raises UsageError for an unknown number."""

    async def events(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        """Return the events with a number above `after`, in order."""

    async def events_of(
        self, session_id: str, types: Collection[str], after: int = 0, limit: int | None = None
    ) -> Sequence[Event]:
        """Return the events of these types with a number above `after`, in order; others are not read."""

    async def latest(self, session_id: str, types: Collection[str]) -> Event | None:
        """Return the last event of one of these types, or None."""

    async def session(self, session_id: str) -> Session:
        """Return one session."""

    async def sessions(self) -> Sequence[Session]:
        """Return all sessions, the newest first."""

    async def put_status(self, session_id: str, events: int, status: LogStatus, folder: str) -> None:
        """Keep the status and the folder of a session after so many events.

        Nothing changes when it has another number of them.
        """

    async def select_sessions(self, query: SessionQuery) -> Sequence[Session]:
        """Return the sessions that a query asks for, the newest first."""

    async def runnable_sessions(self, limit: int, now: datetime, tenant_limit: int | None = None) -> Sequence[Session]:
        """Return sessions that nobody's lease covers and that wait for nothing, or for a command or a time that came.

        Tenants take turns, those first of whom the fewest sessions run, and of none more than `tenant_limit`; of one
        tenant the first is the one whose `queued_at` is. What waits for a person, is paused or finished costs nothing
        here.
        """

    def hearing_of_work(self, announced: asyncio.Event) -> AbstractAsyncContextManager[None]:
        """Set `announced`, while the body runs, whenever `runnable_sessions` may have more to return.

        It is set for nothing now and then, and a store may never set it: whoever runs sessions asks again anyhow.
        """

    async def find_session(self, task_key: str, tenant: str = LOCAL_TENANT) -> Session | None:
        """Return the newest session of a tenant with this task key that has not finished, or None."""

    async def lease(self, session_id: str) -> Lease | None:
        """Return the last lease of a session, expired or not."""

    async def held_leases(self) -> Sequence[Lease]:
        """Return the leases of all sessions that were not given back, expired or not."""

    async def take_lease(
        self, session_id: str, owner: LeaseOwner, after_epoch: int, expires_at: datetime
    ) -> Lease | None:
        """Take the lease with epoch `after_epoch` + 1; None when another process did so first."""

    def open_renewer(self) -> LeaseRenewer:
        """Open what prolongs leases from another thread, over a connection of its own where the store has several."""

    async def release_lease(self, lease: Lease) -> None:
        """Release a lease, if it is still held."""

    async def head(self, session_id: str) -> LogHead:
        """Return where the log of a session ends."""

    async def links(self, session_id: str, after: int, limit: int) -> Sequence[ChainLink]:
        """Return the places in the chain of the events with a number above `after`, in order."""

    async def records(self, session_id: str, after: int, limit: int) -> Sequence[LogRecord]:
        """Return the events with a number above `after` word for word, in order.

        Raises StoreCorrupt for one whose body is missing or was changed.
        """

    async def put_signature(self, signed: SignedHead) -> None:
        """Keep a signed head; the same one signed again by the same key stays as it is."""

    async def signatures(self, session_id: str) -> Sequence[SignedHead]:
        """Return the signed heads of a session, also of one that was erased, the oldest first."""

    async def erase(self, lease: Lease, at: datetime) -> None:
        """Put a tombstone in the place of a session, in one transaction: from then on there is no such session."""

    async def tombstone(self, session_id: str) -> Tombstone | None:
        """Return what is kept of a session that was erased, or None."""

    async def remains(self) -> Sequence[Remains]:
        """Return the sessions that were erased and whose remains are not yet shredded."""

    async def shred(self, at: datetime) -> None:
        """Overwrite and delete what erased sessions have left, each part of it unless another session uses it.

        Killed in the middle it goes on at the next call. Raises SetupError where another process is in the way.
        """

    async def verify_chain(self, session_id: str) -> Sequence[str]:
        """Name every changed, missing or reordered event of a session; nothing when the chain holds."""

    async def close(self) -> None:
        """Close the store."""
