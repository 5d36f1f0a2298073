"""Sessions of any workflow in one home: begun, carried on, told, forked, followed and read."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from hashlib import sha1
from typing import Literal, TypeVar

from quaestor.contracts.codec import Codec
from quaestor.contracts.command import Command, OpenCycle
from quaestor.contracts.cost import Budget
from quaestor.contracts.errors import LeaseUnavailable, LogCorrupt, UsageError
from quaestor.contracts.event import CycleStarted, Event, Forked, ReportWritten, SessionStarted
from quaestor.contracts.options import RunOptions
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.ports import Clock, IdGenerator, Library, Store
from quaestor.contracts.result import Result
from quaestor.contracts.session import Session
from quaestor.contracts.stream import StreamEvent
from quaestor.contracts.workflow import Workflow
from quaestor.kernel import lease as leases
from quaestor.kernel.drive import Limits, drive
from quaestor.kernel.journal import Journal, handle_inbox
from quaestor.kernel.run_state import RunState, fold
from quaestor.research.contracts.report import Report
from quaestor.runtime.registry import get_codec, get_plugin
from quaestor.runtime.resources import REPLAY_PREFIX, Resources
from quaestor.runtime.settings import Settings
from quaestor.runtime.system import current_process, is_alive
from quaestor.views.stream_events import stream_events
from quaestor.views.stream_state import StreamState, fold_stream

S = TypeVar("S")
OptionsT = TypeVar("OptionsT", bound=RunOptions)
Notify = Callable[[str], None]

MAX_QUESTION_CHARACTERS = 20_000
POLL_SECONDS = 0.05
_PAGE_SIZE = 1_000
"""Events read at a time."""


class Sessions:
    """The sessions of one home."""

    def __init__(self, store: Store, library: Library, outfit: Resources, clock: Clock, ids: IdGenerator) -> None:
        self.store = store
        self.library = library
        self.settings = outfit.settings
        self._outfit = outfit
        self._clock = clock
        self._ids = ids

    async def begin(self, workflow: str, text: str, options: RunOptions) -> str:
        """Start a session of a workflow, or find the unfinished one of the same text and the same options; give its id.

        Raises UsageError for a workflow that there is not, and for a text that cannot be meant.
        """
        text = normalize_question(text)
        kit = get_plugin(workflow)
        key = task_key(text)
        standing = await self.store.find_session(key)
        if standing and standing.workflow == workflow and await self._can_continue(standing.id, options):
            return standing.id
        session_id, now = self._ids.session(), self._clock.now()
        started = SessionStarted(
            question=text, workflow=workflow, task_key=key, options=options.model_dump(mode="json")
        )
        state = next(iter(kit.workflow.table))
        first = Event(session_id=session_id, seq=1, cycle=1, at=now, state=state, payload=started)
        session = Session(id=session_id, task_key=key, workflow=workflow, question=text, created_at=now)
        await self.store.create_session(session, [first])
        return session_id

    async def options(self, session_id: str) -> RunOptions:
        """Give what a session runs with."""
        kit = get_plugin((await self.store.session(session_id)).workflow)
        said = await self.store.latest(session_id, {"session_started", "forked"})
        match said.payload if said else None:
            case SessionStarted(options=options) | Forked(options=options):
                return kit.options.model_validate(options)
            case _:
                raise LogCorrupt(f"session {session_id} has no event that began it; restore a backup")

    async def resolve_models(
        self, workflow: str, options: OptionsT, settings: Settings | None = None
    ) -> OptionsT | RunOptions:
        """Give options of a workflow with their models as they are recorded, and the prices of these.

        A replay has the options of the session that it replays.

        Raises UsageError for a model, a role or a budget that cannot be meant, SetupError for a missing key.
        """
        settings = settings or self.settings
        if settings.model.startswith(REPLAY_PREFIX):
            replayed = settings.model.removeprefix(REPLAY_PREFIX)
            return (await self.options(replayed)).model_copy(update={"replays": replayed})
        return self._outfit.resolve_models(get_plugin(workflow), options, settings)

    async def unpriced(self, session_id: str) -> Sequence[str]:
        """Name the models of a session whose price is not known, so that their dollars do not count."""
        options = await self.options(session_id)
        return () if options.replays else self._outfit.unpriced(options)

    async def run(self, session_id: str, stop: asyncio.Event | None = None, note: Notify = lambda _: None) -> Result:
        """Carry a session on until it is finished or `stop` is set; `note` is told what becomes of copies of its log.

        Raises LeaseRefused when another living process holds it, StoreFull when there is no room to go on.
        """
        session = await self.store.session(session_id)
        if session.outcome is None:
            kit = get_plugin(session.workflow)
            async with self._replicating(session_id, note), self._held(session_id, kit) as journal:
                options = kit.options.model_validate(journal.run.options)
                recorded = await self.events(options.replays) if options.replays else None
                performer = await self._outfit.performer(kit, options, recorded, journal.state)
                run = await drive(journal, performer, self._limits(options.budget), stop or asyncio.Event())
            return await self._result(session_id, run)
        return await self.result(session_id)

    async def tell(self, session_id: str, order: Command) -> str | None:
        """Tell a session something; give why it is refused, or None once it is obeyed.

        Whoever carries the session on obeys at its next step. When nobody does, it is obeyed here.
        """
        command = await self.store.send(session_id, order, self._clock.now())
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
        kit = get_plugin(origin.workflow)
        fresh = self._outfit.resolve_models(kit, settings.run_options(), settings) if settings else None
        now, forked = self._clock.now(), self._ids.session()
        copy = origin.model_copy(update={"id": forked, "created_at": now, "outcome": None})
        await self.store.copy_session(copy, session_id, at)
        async with self._held(forked, kit) as journal:
            options = kit.options.model_validate(journal.run.options)
            if fresh:
                kept = {name: getattr(fresh, name) for name in ("model", "models", "fallback", "prices")}
                options = options.model_copy(update=kept)
            fact = Forked(origin=session_id, at=at, options=options.model_dump(mode="json"))
            journal.note(journal.current_state, None, [fact])
            await journal.flush()
        return forked

    async def stream(self, session_id: str, after: int = 0) -> AsyncIterator[StreamEvent]:
        """Give what a client sees of a session from the event after number `after` on, as it comes."""
        known = StreamState()
        async for event in self.follow(session_id):
            for told in stream_events(known, event) if event.seq > after else ():
                yield told
            known = fold_stream(known, event)

    async def result(self, session_id: str) -> Result:
        """Say where a session stands."""
        run = RunState()
        async for event in self._read_events(session_id):
            run = fold(run, event)
        return await self._result(session_id, run)

    async def sessions(self) -> Sequence[Session]:
        """Give all sessions, the newest first."""
        return await self.store.sessions()

    async def holder(self, session_id: str) -> str | None:
        """Name the living process that holds a session, or None."""
        held = await self.store.lease(session_id)
        if held is None or held.expires_at <= self._clock.now() or is_alive(held.owner) is False:
            return None
        return f"process {held.owner.pid} on {held.owner.host}"

    async def events(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        """Return the events with a number above `after`, decoded."""
        codec = await self._codec(session_id)
        return [codec.decode(event) for event in await self.store.events(session_id, after, limit)]

    async def follow(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Give the events above `after` as they come, from whichever process.

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
        """Give what a session knows; raises UsageError for a session of another workflow."""
        session = await self.store.session(session_id)
        if session.workflow != workflow.name:
            raise UsageError(f"session {session_id} is one of {session.workflow}, not of {workflow.name}")
        state = workflow.begin()
        async for event in self._read_events(session_id):
            state = workflow.apply(state, event)
        return state

    async def report(self, session_id: str) -> Report | None:
        """Give the newest report of all cycles, or None when there is none."""
        await self.store.session(session_id)
        return _report_of(await self.store.latest(session_id, {"report_written"}))

    async def reports(self, session_id: str) -> Sequence[Report]:
        """Give every version of the report, the oldest first."""
        return [
            event.payload.report
            async for event in self._read_events(session_id)
            if isinstance(event.payload, ReportWritten)
        ]

    async def _can_continue(self, session_id: str, options: RunOptions) -> bool:
        """Say whether an unfinished session still works on what it began with, and with these options."""
        cycle = await self.store.latest(session_id, {"cycle_started"})
        asked_on = cycle and isinstance(cycle.payload, CycleStarted) and cycle.payload.why == "question"
        return not asked_on and options.has_same_identity(await self.options(session_id))

    async def _read_events(self, session_id: str) -> AsyncIterator[Event]:
        """Return the events of a session, decoded and read in pages."""
        codec, after = await self._codec(session_id), 0
        while events := await self.store.events(session_id, after, _PAGE_SIZE):
            for event in events:
                yield codec.decode(event)
            after = events[-1].seq

    async def _codec(self, session_id: str) -> Codec:
        return get_codec((await self.store.session(session_id)).workflow)

    async def _result(self, session_id: str, run: RunState) -> Result:
        status: Literal["finished", "paused", "waiting"]
        match run.status:
            case "finished" | "paused":
                status, said = run.status, run.statement
            case _:
                status, said = "waiting", " ".join(run.waiting.questions) if run.waiting else ""
        return Result(
            session_id=session_id,
            status=status,
            outcome=run.outcome,
            statement=said,
            pause=run.pause if status == "paused" else None,
            asked=run.waiting,
            report=_report_of(await self.store.latest(session_id, {"report_written", "cycle_started"})),
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
    async def _held(self, session_id: str, kit: WorkflowPlugin[S]) -> AsyncIterator[Journal[S]]:
        """Hold a session and give its journal, loaded."""
        ttl = timedelta(seconds=self.settings.lease_seconds)
        lease = await leases.acquire_lease(
            self.store, self._clock, session_id, owner=current_process(), ttl=ttl, alive=is_alive
        )
        async with leases.hold_lease(self.store, self._clock, lease, ttl):
            journal = Journal(session_id, kit.workflow, self.store, self._clock, lease, kit.codec)
            await journal.load()
            yield journal

    async def _open(self, session_id: str, order: OpenCycle) -> None:
        if refused := await self.tell(session_id, order):
            raise UsageError(f"session {session_id}: {refused}")

    async def _handle_inbox(self, session_id: str) -> None:
        """Obey what lies in the inbox of a session that nobody carries on."""
        kit = get_plugin((await self.store.session(session_id)).workflow)
        async with self._held(session_id, kit) as journal:
            pause = await handle_inbox(journal, kit.options.model_validate(journal.run.options).budget)
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


def task_key(text: str) -> str:
    """Give the key of a text, by which its session is found: SHA-1 of it without blanks that say nothing."""
    return sha1(" ".join(text.split()).encode(), usedforsecurity=False).hexdigest()


def normalize_question(question: str) -> str:
    """Give the question as it is stored. Raises UsageError for one that cannot be asked."""
    folded = " ".join(question.split())
    if not folded:
        raise UsageError("the question is empty; ask something")
    if len(folded) > MAX_QUESTION_CHARACTERS:
        raise UsageError(
            f"the question has {len(folded):,} characters; at most {MAX_QUESTION_CHARACTERS:,} can be asked"
        )
    if any("\ud800" <= character <= "\udfff" for character in folded):
        raise UsageError("the question is not valid Unicode; set the terminal to UTF-8 and ask again")
    return folded


def _report_of(written: Event | None) -> Report | None:
    return written.payload.report if written and isinstance(written.payload, ReportWritten) else None
