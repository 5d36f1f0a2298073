"""Reading of sessions: their events, their state, and what follows from both."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from datetime import datetime
from typing import Literal, Self, TypeVar, cast

from pydantic import ValidationError

from quaestor.contracts.base import Contract
from quaestor.contracts.codec import Codec
from quaestor.contracts.errors import LogCorrupt, NoSessions, QuaestorError, UnknownSession, UsageError
from quaestor.contracts.event import Event, Forked, SessionStarted
from quaestor.contracts.faults import first_fault
from quaestor.contracts.payload import WorkflowPayload
from quaestor.contracts.plugin import SessionSummary
from quaestor.contracts.ports import Clock, SnapshotCache, Store
from quaestor.contracts.result import Result
from quaestor.contracts.session import (
    NEWEST_SESSION,
    Lease,
    LogStatus,
    Session,
    SessionListing,
    SessionQuery,
    SessionStatus,
)
from quaestor.contracts.settings import RunOptions, parse_common_options
from quaestor.contracts.stream import StreamEvent
from quaestor.contracts.suggestion import suggest
from quaestor.contracts.workflow import Workflow
from quaestor.kernel.run_state import RunState
from quaestor.runtime.fold_snapshots import Folding
from quaestor.runtime.log_folds import RUN_FOLD, LogFold, session_fold, stream_fold
from quaestor.runtime.registry import get_codec, get_plugin
from quaestor.runtime.session_status import log_status, session_status
from quaestor.runtime.system import is_alive
from quaestor.storage.errors import unknown_session
from quaestor.views.stream_events import StreamEncoder

S = TypeVar("S")
T = TypeVar("T")

POLL_SECONDS = 0.05
_SESSIONS_A_PAGE = 500
_HANDOVER_POLLS = 100
"""For so many looks an interrupted session is followed that no process carries on: one may be about to."""
_PAGE_SIZE = 1_000
"""Events read at a time."""
_MAX_CANDIDATES = 4
_ID_LIKENESS = 0.9
"""From which a name may be a slip of an id: those of one day are alike in half of their characters."""
"""Sessions that a message names when an id is ambiguous."""


@contextmanager
def reading(session_id: str) -> Iterator[None]:
    """Raise LogCorrupt where options of a session are none that this release knows, as those of a later one."""
    try:
        yield
    except ValidationError as error:
        raise LogCorrupt(
            f"session {session_id} cannot be read: {first_fault(error)}; use the release that wrote it, or restore a "
            "backup"
        ) from error


class SessionReader:
    """The sessions of one home as they are read; nothing is changed."""

    tenant: str | None = None
    """Whose sessions there are for a caller; None: those of all tenants."""

    def __init__(self, store: Store, clock: Clock, snapshots: SnapshotCache | None = None) -> None:
        self.store = store
        self.clock = clock
        self.snapshots = snapshots

    def for_tenant(self, tenant: str) -> Self:
        """Return the same home as a tenant sees it: with its sessions alone, and its own are what it begins."""
        seen = copy(self)
        seen.tenant = tenant
        return seen

    async def options(self, session_id: str) -> RunOptions:
        """Return the options of a session."""
        plugin = get_plugin((await self.session(session_id)).workflow)
        event = await self.store.latest(session_id, {"session_started", "forked"})
        match event.payload if event else None:
            case SessionStarted(options=options) | Forked(options=options):
                with reading(session_id):
                    parsed: RunOptions = plugin.options.model_validate(options)
                return parsed
            case _:
                raise LogCorrupt(f"session {session_id} has no event that began it; restore a backup")

    async def result(self, session_id: str) -> Result:
        """Return the status of a session."""
        _, run = await self.fold_log(session_id, RUN_FOLD)
        return await self._result(session_id, run)

    async def session(self, session_id: str) -> Session:
        """Return one session. Raises UnknownSession when there is none with this id that the caller may see."""
        found = await self.store.session(session_id)
        if self.tenant not in {None, found.tenant}:
            raise unknown_session(session_id)
        return found

    async def sessions(self) -> Sequence[Session]:
        """Return all sessions, the newest first."""
        return [each for each in await self.store.sessions() if self.tenant in {None, each.tenant}]

    async def select_sessions(self, query: SessionQuery) -> Sequence[Session]:
        """Return the sessions that a query asks for, as far as the caller may see them, the newest first."""
        return await self.store.select_sessions(query.revised(tenant=self.tenant) if self.tenant else query)

    async def listing(self) -> AsyncIterator[SessionListing]:
        """Iterate over all sessions with their status, the newest first: a query for each 500, and one for the leases.

        A session that an earlier release wrote is folded once, and its status kept.
        """
        holders = {
            lease.session_id: str(lease.owner) for lease in await self.store.held_leases() if self._is_held(lease)
        }
        async for session in self._pages_of_sessions():
            try:
                session, log = await self._complete(session)  # noqa: PLW2901 -- the same with what was folded
            except QuaestorError as error:  # one session that cannot be read hides no other
                yield SessionListing(session=session, status=None, progress="-", error=str(error))
                continue
            yield SessionListing(
                session=session, status=session_status(session, log, holders.get(session.id)), progress=log.progress
            )

    async def _pages_of_sessions(self) -> AsyncIterator[Session]:
        """Iterate over all sessions, the newest first: of very many only those are read that are asked for."""
        before: tuple[datetime, str] | None = None
        more = True
        while more:
            page = await self.select_sessions(SessionQuery(before=before, limit=_SESSIONS_A_PAGE))
            for session in page:
                yield session
                before = (session.created_at, session.id)
            more = len(page) == _SESSIONS_A_PAGE

    async def resolve_session_id(self, name: str) -> str:
        """Return the id of a session that is named by its id, a beginning or end of it, or `last` for the newest.

        Raises UnknownSession when no session, and UsageError when several have such an id.
        """
        if name == NEWEST_SESSION:
            for newest in await self.select_sessions(SessionQuery(limit=1)):
                return newest.id
            raise NoSessions("there are no sessions yet; start one")
        with suppress(UnknownSession):
            return (await self.session(name)).id
        ids = [session.id for session in await self.sessions()]
        matches = [each for each in ids if name and (each.startswith(name) or each.endswith(name))]
        if not matches:
            if meant := suggest(name, [NEWEST_SESSION]) or suggest(name, ids, _ID_LIKENESS):
                raise UnknownSession(f"there is no session {name!r}; {meant}list the sessions to find its id")
            return (await self.session(name)).id
        if len(matches) > 1:
            shown = ", ".join(matches[:_MAX_CANDIDATES]) + (", ..." if len(matches) > _MAX_CANDIDATES else "")
            raise UsageError(f"{len(matches)} sessions match {name!r}: {shown}; write more of the id")
        return matches[0]

    async def holder(self, session_id: str) -> str | None:
        """Name the living process that holds a session, or None."""
        held = await self.store.lease(session_id)
        return str(held.owner) if held and self._is_held(held) else None

    async def status(self, session_id: str) -> SessionStatus:
        """Return whether a session is running, paused, waiting for a person, interrupted or finished."""
        session = await self.session(session_id)
        log = await self._log_status(session)
        return session_status(session, log, await self.holder(session_id))

    async def events(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        """Return the events with a number above `after`, at most `limit` of them, decoded."""
        codec = await self._codec(session_id)
        return [codec.decode(event) for event in await self.store.events(session_id, after, limit)]

    async def read_events(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Iterate over the events with a number above `after`, decoded and read page by page."""
        codec = await self._codec(session_id)
        while events := await self.store.events(session_id, after, _PAGE_SIZE):
            for event in events:
                yield codec.decode(event)
            after = events[-1].seq

    async def fold_onwards(
        self,
        session_id: str,
        fold: LogFold[T],
        begin: tuple[int, T] | None = None,
        upto: int | None = None,
        page_events: int = _PAGE_SIZE,
    ) -> AsyncIterator[tuple[int, T]]:
        """Iterate over what a log is folded to, page by page, with the number of its events until then.

        It begins with `begin`, a state after an event, else with the nearest snapshot, and ends with event `upto`, or
        with the log. Others go on meanwhile, however long the log is; who came a long way leaves a snapshot.
        """
        folding = Folding(session_id, fold, self.store, self.snapshots)
        await folding.begin(upto) if begin is None else folding.begin_at(*begin)
        yield folding.seq, folding.state
        with reading(session_id):
            while upto is None or folding.seq < upto:
                most = page_events if upto is None else min(page_events, upto - folding.seq)
                page = await self.events(session_id, folding.seq, most)
                if not page:
                    break
                await folding.take(page)
                yield folding.seq, folding.state
                await asyncio.sleep(0)
        await folding.end()

    async def fold_log(self, session_id: str, fold: LogFold[T], upto: int | None = None) -> tuple[int, T]:
        """Return what a log is folded to, up to an event or to its end, and the number of its events until then."""
        newest = 0, fold.begin()
        async for folded in self.fold_onwards(session_id, fold, upto=upto):
            newest = folded
        return newest

    async def events_of(
        self, session_id: str, types: Collection[str], after: int = 0, limit: int = _PAGE_SIZE
    ) -> Sequence[Event]:
        """Return the events of some types with a number above `after`, at most `limit` of them, decoded."""
        codec = await self._codec(session_id)
        return [codec.decode(event) for event in await self.store.events_of(session_id, types, after, limit)]

    async def read_events_of(self, session_id: str, types: Collection[str]) -> AsyncIterator[Event]:
        """Iterate over the events of some types, decoded and read page by page; others are not read."""
        after = 0
        while events := await self.events_of(session_id, types, after):
            for event in events:
                yield event
            after = events[-1].seq

    async def latest(self, session_id: str, types: Collection[str]) -> Event | None:
        """Return the newest event of one of these types, decoded, or None."""
        event = await self.store.latest(session_id, types)
        return event and (await self._codec(session_id)).decode(event)

    async def follow(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Return the events above `after` as they come, from whichever process.

        It ends when the session is idle: finished, paused or waiting for a person, and not run by any process; and
        when it is queued or interrupted and no process has taken it up for some seconds. `status` returns which it is.
        """
        codec, judged, rests, polls_alone = await self._codec(session_id), 0, False, 0
        while not rests:
            alone = await self.holder(session_id) is None
            polls_alone = polls_alone + 1 if alone else 0
            count = (await self.session(session_id)).events
            if alone and count != judged:  # judged before the last look, so that nothing is missed
                judged, rests = count, await self._is_idle(session_id)
            rests = rests or polls_alone > _HANDOVER_POLLS
            before = after
            while news := await self.store.events(session_id, after, _PAGE_SIZE):
                for event in news:
                    after = event.seq
                    yield codec.decode(event)
            await asyncio.sleep(0 if after > before or rests else POLL_SECONDS)

    async def stream(self, session_id: str, after: int = 0) -> AsyncIterator[StreamEvent]:
        """Iterate over the public stream of a session, from the event after number `after` on, as it comes."""
        view = get_plugin((await self.session(session_id)).workflow).stream
        seq, known = await self.fold_log(session_id, stream_fold(view), after)
        encoder = StreamEncoder(view, known)
        async for event in self.follow(session_id, seq):
            streamed = encoder.encode(event)
            for stream_event in streamed if event.seq > after else ():
                yield stream_event

    async def folded(self, session_id: str, workflow: Workflow[S]) -> S:
        """Return what a session knows. Raises UsageError for a session of another workflow.

        The workflow of the registry folds it, which knows those that carry out its todos.
        """
        session = await self.session(session_id)
        if session.workflow != workflow.name:
            raise UsageError(f"session {session_id} is one of {session.workflow}, not of {workflow.name}")
        _, (_, state) = await self.fold_log(session_id, session_fold(get_plugin(workflow.name)))
        return cast("S", state)

    async def summarize(self, session_id: str) -> SessionSummary:
        """Return the summary that the workflow of a session makes of it."""
        plugin = get_plugin((await self.session(session_id)).workflow)
        summary: SessionSummary = plugin.summarize(await self.folded(session_id, plugin.workflow))
        return summary

    async def progress(self, session_id: str) -> str:
        """Return how far a session is, in a few words: as its workflow counts, else its number of cycles."""
        return (await self._log_status(await self.session(session_id))).progress

    async def render_report(self, session_id: str, form: str) -> str | None:
        """Return the report of a session in a format; None when there is nothing yet.

        Raises UsageError for a format that its workflow does not have.
        """
        plugin = get_plugin((await self.session(session_id)).workflow)
        if form not in plugin.reports:
            name, formats = plugin.workflow.name, ", ".join(plugin.reports)
            if not formats:
                raise UsageError(f"session {session_id} is one of {name}, which ends with an answer and has no report")
            raise UsageError(f"sessions of {name} have no report as {form}; formats are {formats}")
        types = plugin.report_types
        return await plugin.reports[form](
            self.read_events(session_id) if types is None else self.read_events_of(session_id, types)
        )

    async def document(self, session_id: str) -> Contract | None:
        """Return the newest document of all cycles, as the report of a research session; None without one."""
        codec = await self._codec(session_id)
        return _document_of(codec, await self.store.latest(session_id, codec.document_types))

    async def has_document(self, session_id: str) -> bool:
        """Return whether any cycle has written a document."""
        types = (await self._codec(session_id)).document_types
        return await self.store.latest(session_id, types) is not None

    async def documents(self, session_id: str) -> Sequence[Contract]:
        """Return every version of the document, the oldest first."""
        types = (await self._codec(session_id)).document_types
        return [
            document
            async for event in self.read_events_of(session_id, types)
            if isinstance(event.payload, WorkflowPayload) and (document := event.payload.document) is not None
        ]

    async def _codec(self, session_id: str) -> Codec:
        return get_codec((await self.session(session_id)).workflow)

    async def _result(self, session_id: str, run: RunState) -> Result:
        status: Literal["finished", "paused", "waiting"]
        match run.status:
            case "finished" | "paused":
                status, statement = run.status, run.statement
            case _:
                status, statement = "waiting", " ".join(run.waiting.questions) if run.waiting else ""
        codec = await self._codec(session_id)
        newest = await self.store.latest(session_id, codec.document_types | {"cycle_started"})
        report = _document_of(codec, newest)
        if report is None and run.outcome == "done" and parse_common_options(run.options).replays:
            report = await self.document(session_id)  # what the last cycle left as it was
        return Result(
            session_id=session_id,
            status=status,
            outcome=run.outcome,
            statement=statement,
            pause=run.pause if status == "paused" else None,
            asked=run.waiting,
            report=report,
        )

    def _is_held(self, lease: Lease) -> bool:
        return lease.expires_at > self.clock.now() and is_alive(lease.owner) is not False

    async def _log_status(self, session: Session) -> LogStatus:
        """Return the status on the row of a session; where there is none, fold its log and keep it there."""
        return session.status or (await self._complete(session))[1]

    async def _complete(self, session: Session) -> tuple[Session, LogStatus]:
        """Return a session with its status, dollars and folder; where its row lacks one, fold its log and keep them."""
        if session.status and session.status.dollars is not None and session.folder is not None:
            return session, session.status
        plugin = get_plugin(session.workflow)
        _, (run, state) = await self.fold_log(session.id, session_fold(plugin))
        status, folder = log_status(plugin, run, state), plugin.options.model_validate(run.options).folder
        await self.store.put_status(session.id, run.seq, status, folder)
        return session.revised(status=status, folder=folder), status

    async def _is_idle(self, session_id: str) -> bool:
        return (await self._log_status(await self.store.session(session_id))).state != "running"


def _document_of(codec: Codec, event: Event | None) -> Contract | None:
    payload = codec.decode(event).payload if event else None
    return payload.document if isinstance(payload, WorkflowPayload) else None
