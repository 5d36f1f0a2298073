"""Sessions of any workflow in one home: begun, carried on, told, forked, followed and read."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any, Literal, TypeVar

from quaestor.contracts.base import Contract
from quaestor.contracts.codec import Codec
from quaestor.contracts.command import Command
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.cost import Budget
from quaestor.contracts.errors import LeaseUnavailable, LogCorrupt, UsageError
from quaestor.contracts.event import CycleStarted, Event, Forked, SessionStarted
from quaestor.contracts.library import Library
from quaestor.contracts.payload import WorkflowPayload
from quaestor.contracts.plugin import SessionSummary, WorkflowPlugin
from quaestor.contracts.ports import Clock, IdGenerator, Store
from quaestor.contracts.result import Result
from quaestor.contracts.session import Session, normalize_question, task_key
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.contracts.stream import StreamEvent
from quaestor.contracts.stream_view import StreamState
from quaestor.contracts.workflow import Workflow
from quaestor.kernel import lease as leases
from quaestor.kernel.drive import Limits, drive
from quaestor.kernel.journal import Journal, handle_inbox
from quaestor.kernel.run_state import RunState, fold
from quaestor.runtime.registry import get_codec, get_plugin
from quaestor.runtime.resources import Resources
from quaestor.runtime.system import current_process, is_alive
from quaestor.views.stream_events import stream_events
from quaestor.views.stream_state import fold_stream
from quaestor.views.text import count_noun

S = TypeVar("S")
OptionsT = TypeVar("OptionsT", bound=RunOptions)
Notify = Callable[[str], None]

POLL_SECONDS = 0.05
_PAGE_SIZE = 1_000
"""Events read at a time."""


class Sessions:
    """The sessions of one home."""

    def __init__(self, store: Store, library: Library, resources: Resources, clock: Clock, ids: IdGenerator) -> None:
        self.store = store
        self.library = library
        self.settings = resources.settings
        self._resources = resources
        self.clock = clock
        self._ids = ids

    async def begin(self, workflow: str, text: str, options: RunOptions) -> str:
        """Start a session of a workflow, or find the unfinished one of the same text and the same options; give its id.

        Raises UsageError for a workflow that there is not, and for a text that cannot be meant.
        """
        text = normalize_question(text)
        plugin = get_plugin(workflow)
        key = task_key(text)
        standing = await self.store.find_session(key)
        if standing and standing.workflow == workflow and await self._can_continue(standing.id, options):
            return standing.id
        session_id, now = self._ids.session(), self.clock.now()
        started = SessionStarted(
            question=text, workflow=workflow, task_key=key, options=options.model_dump(mode="json")
        )
        state = next(iter(plugin.workflow.table))
        first = Event(session_id=session_id, seq=1, cycle=1, at=now, state=state, payload=started)
        session = Session(id=session_id, task_key=key, workflow=workflow, question=text, created_at=now)
        await self.store.create_session(session, [first])
        return session_id

    async def options(self, session_id: str) -> RunOptions:
        """Return what a session runs with."""
        plugin = get_plugin((await self.store.session(session_id)).workflow)
        said = await self.store.latest(session_id, {"session_started", "forked"})
        match said.payload if said else None:
            case SessionStarted(options=options) | Forked(options=options):
                parsed: RunOptions = plugin.options.model_validate(options)
                return parsed
            case _:
                raise LogCorrupt(f"session {session_id} has no event that began it; restore a backup")

    async def configure(self, workflow: str, request: SessionRequest, settings: Settings | None = None) -> RunOptions:
        """Return the options of a new session; of a replay, those of the session that the settings name.

        Raises UsageError for an option, a model, a role or a budget that cannot be used, SetupError for a missing key.
        """
        settings = settings or self.settings
        if settings.replayed_session is None:
            return self._resources.configure(get_plugin(workflow), request, settings)
        replayed = await self.session(settings.replayed_session)
        if replayed.workflow != workflow:
            raise UsageError(f"session {replayed.id} is one of {replayed.workflow}, not of {workflow}")
        return (await self.options(replayed.id)).revised(replays=replayed.id)

    async def unpriced(self, session_id: str) -> Sequence[str]:
        """Name the models of a session whose price is not known, so that their dollars do not count."""
        options = await self.options(session_id)
        return () if options.replays else self._resources.unpriced(options)

    async def run(self, session_id: str, stop: asyncio.Event | None = None, note: Notify = lambda _: None) -> Result:
        """Carry a session on until it is finished or `stop` is set; `note` is told what becomes of copies of its log.

        Raises LeaseRefused when another living process holds it, StoreFull when there is no room to go on.
        """
        session = await self.store.session(session_id)
        if session.outcome is None:
            plugin = get_plugin(session.workflow)
            async with self._replicating(session_id, note), self._held(session_id, plugin) as journal:
                options = plugin.options.model_validate(journal.run.options)
                recorded = await self.events(options.replays) if options.replays else None
                performer = await self._resources.performer(plugin, options, recorded, journal.state)
                run = await drive(journal, performer, self._limits(options.budget), stop or asyncio.Event())
            return await self._result(session_id, run)
        return await self.result(session_id)

    async def tell(self, session_id: str, order: Command) -> str | None:
        """Tell a session something; give why it is refused, or None once it is obeyed.

        Whoever carries the session on obeys at its next step. When nobody does, it is obeyed here.
        """
        command = await self.store.send(session_id, order, self.clock.now())
        while True:
            settled = await self.store.settled(session_id, command.number)
            if settled is not None:
                return settled.refused
            if await self.holder(session_id) is None:
                with suppress(LeaseUnavailable):  # somebody took the session just now, and will obey
                    await self._handle_inbox(session_id)
            else:
                await asyncio.sleep(POLL_SECONDS)

    async def fork(self, session_id: str, at: int, settings: Settings | None = None) -> str:
        """Begin a session with the events of another one up to number `at`; give its id.

        `settings` replace the models it goes on with. Raises UsageError for a number that the other does not have.
        """
        origin = await self.store.session(session_id)
        plugin = get_plugin(origin.workflow)
        fresh = self._resources.resolve_models(plugin, settings.run_options(), settings) if settings else None
        now, forked = self.clock.now(), self._ids.session()
        copy = origin.model_copy(update={"id": forked, "created_at": now, "outcome": None})
        await self.store.copy_session(copy, session_id, at)
        async with self._held(forked, plugin) as journal:
            options = plugin.options.model_validate(journal.run.options)
            if fresh:
                kept = {name: getattr(fresh, name) for name in ("model", "models", "fallback", "prices")}
                options = options.model_copy(update=kept)
            fact = Forked(origin=session_id, at=at, options=options.model_dump(mode="json"))
            journal.note(journal.current_state, None, [fact])
            await journal.flush()
        return forked

    async def stream(self, session_id: str, after: int = 0) -> AsyncIterator[StreamEvent]:
        """Return what a client sees of a session from the event after number `after` on, as it comes."""
        view = get_plugin((await self.store.session(session_id)).workflow).stream
        known = StreamState()
        async for event in self.follow(session_id):
            for told in stream_events(known, event, view) if event.seq > after else ():
                yield told
            known = fold_stream(known, event, view)

    async def result(self, session_id: str) -> Result:
        """Return where a session stands."""
        run = RunState()
        async for event in self.read_events(session_id):
            run = fold(run, event)
        return await self._result(session_id, run)

    async def session(self, session_id: str) -> Session:
        """Return one session. Raises UnknownSession when there is none with this id."""
        return await self.store.session(session_id)

    async def sessions(self) -> Sequence[Session]:
        """Return all sessions, the newest first."""
        return await self.store.sessions()

    async def holder(self, session_id: str) -> str | None:
        """Name the living process that holds a session, or None."""
        held = await self.store.lease(session_id)
        if held is None or held.expires_at <= self.clock.now() or is_alive(held.owner) is False:
            return None
        return str(held.owner)

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

    async def latest(self, session_id: str, types: Collection[str]) -> Event | None:
        """Return the newest event of one of these types, decoded, or None."""
        event = await self.store.latest(session_id, types)
        return event and (await self._codec(session_id)).decode(event)

    async def follow(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Return the events above `after` as they come, from whichever process.

        It ends when the session rests: when it is finished, paused, or waits for a person, and nobody carries it on.
        """
        codec, judged, rests = await self._codec(session_id), 0, False
        while not rests:
            alone = await self.holder(session_id) is None
            count = (await self.store.session(session_id)).events
            if alone and count != judged:  # judged before the last look, so that nothing is missed
                judged, rests = count, await self._is_idle(session_id)
            news = await self.store.events(session_id, after)
            for event in news:
                after = event.seq
                yield codec.decode(event)
            await asyncio.sleep(0 if news or rests else POLL_SECONDS)

    async def folded(self, session_id: str, workflow: Workflow[S]) -> S:
        """Return what a session knows; raises UsageError for a session of another workflow."""
        session = await self.store.session(session_id)
        if session.workflow != workflow.name:
            raise UsageError(f"session {session_id} is one of {session.workflow}, not of {workflow.name}")
        state = workflow.begin()
        async for event in self.read_events(session_id):
            state = workflow.apply(state, event)
        return state

    async def summarize(self, session_id: str) -> SessionSummary:
        """Return what is known of a session beside what all sessions have."""
        plugin = get_plugin((await self.store.session(session_id)).workflow)
        summary: SessionSummary = plugin.summarize(await self.folded(session_id, plugin.workflow))
        return summary

    async def progress(self, session_id: str) -> str:
        """Return how far a session is, in a few words: as its workflow says, else its number of cycles."""
        plugin = get_plugin((await self.store.session(session_id)).workflow)
        if plugin.progress:
            return plugin.progress(await self.folded(session_id, plugin.workflow))
        begun = await self.store.latest(session_id, {"cycle_started"})
        return count_noun(begun.cycle if begun else 1, "cycle")

    async def render_report(self, session_id: str, form: str) -> str | None:
        """Return what came of a session in a format; None when there is nothing yet.

        Raises UsageError for a format that its workflow does not have.
        """
        plugin = get_plugin((await self.store.session(session_id)).workflow)
        if form not in plugin.reports:
            formats = ", ".join(plugin.reports) or "none"
            raise UsageError(f"sessions of {plugin.workflow.name} have no report as {form}; formats are {formats}")
        return await plugin.reports[form](self.read_events(session_id))

    async def document(self, session_id: str) -> Contract | None:
        """Return the newest document of all cycles, as the report of a research session; None without one."""
        codec = await self._codec(session_id)
        return _document_of(codec, await self.store.latest(session_id, codec.document_types))

    async def documents(self, session_id: str) -> Sequence[Contract]:
        """Return every version of the document, the oldest first."""
        payloads = [event.payload async for event in self.read_events(session_id)]
        found = (payload.document for payload in payloads if isinstance(payload, WorkflowPayload))
        return [document for document in found if document is not None]

    async def _can_continue(self, session_id: str, options: RunOptions) -> bool:
        """Return whether an unfinished session still works on what it began with, and with these options."""
        cycle = await self.store.latest(session_id, {"cycle_started"})
        asked_on = cycle and isinstance(cycle.payload, CycleStarted) and cycle.payload.question is not None
        return not asked_on and options.has_same_identity(await self.options(session_id))

    async def _codec(self, session_id: str) -> Codec:
        return get_codec((await self.store.session(session_id)).workflow)

    async def _result(self, session_id: str, run: RunState) -> Result:
        status: Literal["finished", "paused", "waiting"]
        match run.status:
            case "finished" | "paused":
                status, said = run.status, run.statement
            case _:
                status, said = "waiting", " ".join(run.waiting.questions) if run.waiting else ""
        codec = await self._codec(session_id)
        newest = await self.store.latest(session_id, codec.document_types | {"cycle_started"})
        return Result(
            session_id=session_id,
            status=status,
            outcome=run.outcome,
            statement=said,
            pause=run.pause if status == "paused" else None,
            asked=run.waiting,
            report=_document_of(codec, newest),
        )

    @asynccontextmanager
    async def _replicating(self, session_id: str, note: Notify) -> AsyncIterator[None]:
        """Copy the log of a session to wherever the settings say, while it is carried on."""
        if not self.settings.follow:
            yield
            return
        from quaestor.runtime.replication import replicate_during  # noqa: PLC0415 -- clients of databases, which most homes spare
        from quaestor.storage.followers import open_follower  # noqa: PLC0415

        followers = [open_follower(url) for url in self.settings.follow]
        async with replicate_during(self.store, session_id, followers, note, self.settings.grace_seconds):
            yield

    @asynccontextmanager
    async def _held(self, session_id: str, plugin: WorkflowPlugin[S, Any]) -> AsyncIterator[Journal[S]]:
        """Hold a session and give its journal, loaded."""
        ttl = timedelta(seconds=self.settings.lease_seconds)
        lease = await leases.acquire_lease(
            self.store, self.clock, session_id, owner=current_process(), ttl=ttl, alive=is_alive
        )
        async with leases.hold_lease(self.store, self.clock, lease, ttl):
            journal = Journal(session_id, plugin.workflow, self.store, self.clock, lease, codec=plugin.codec)
            await journal.load()
            yield journal

    async def _handle_inbox(self, session_id: str) -> None:
        """Obey what lies in the inbox of a session that nobody carries on."""
        plugin = get_plugin((await self.store.session(session_id)).workflow)
        async with self._held(session_id, plugin) as journal:
            pause = await handle_inbox(journal, plugin.options.model_validate(journal.run.options).budget)
            if pause and journal.run.status == "running":
                journal.note(journal.current_state, None, [pause])
            await journal.flush()

    async def _is_idle(self, session_id: str) -> bool:
        result = await self.result(session_id)
        return result.status != "waiting" or result.asked is not None

    def _limits(self, budget: Budget) -> Limits:
        most = self.settings.calls_in_flight
        return Limits(
            in_flight={"output_pass": most, "tool_pass": most, "tool_run": most},
            budget=budget,
            grace_seconds=self.settings.grace_seconds,
        )


def _document_of(codec: Codec, event: Event | None) -> Contract | None:
    payload = codec.decode(event).payload if event else None
    return payload.document if isinstance(payload, WorkflowPayload) else None
