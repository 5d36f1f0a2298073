"""Sessions of any workflow in one home: start, run, send a command and fork."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from quaestor.contracts.command import Command
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.cost import Budget, Price
from quaestor.contracts.errors import LeaseUnavailable, LogCorrupt, SetupError, UsageError
from quaestor.contracts.event import CycleStarted, Event, Forked, SessionStarted
from quaestor.contracts.library import Library
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.ports import Clock, IdGenerator, SnapshotCache, Store
from quaestor.contracts.result import Result
from quaestor.contracts.session import (
    LOCAL_TENANT,
    PRIORITY_STEP,
    LeaseOwner,
    Session,
    normalize_question,
    reject_credentials,
    task_key,
)
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.contracts.signature import SignedHead
from quaestor.kernel import lease as leases
from quaestor.kernel.drive import drive
from quaestor.kernel.flights import Limits
from quaestor.kernel.journal import Journal, handle_inbox
from quaestor.kernel.run_state import RunState, fold
from quaestor.runtime.attestation import sign_head
from quaestor.runtime.log_folds import LogFold
from quaestor.runtime.notices import send_notices
from quaestor.runtime.reader_snapshots import ReaderSnapshots
from quaestor.runtime.registry import get_plugin
from quaestor.runtime.resources import Resources
from quaestor.runtime.session_reader import POLL_SECONDS, SessionReader, reading
from quaestor.runtime.session_setup import require_own_settings
from quaestor.runtime.session_status import log_status
from quaestor.runtime.snapshots import Snapshots
from quaestor.runtime.system import current_process, is_alive
from quaestor.runtime.warm_up import warming_up

S = TypeVar("S")
Notify = Callable[[str], None]


class Sessions(SessionReader):
    """The sessions of one home: read as by its base, started, run, commanded and forked."""

    def __init__(
        self,
        store: Store,
        library: Library,
        resources: Resources,
        clock: Clock,
        ids: IdGenerator,
        *,
        snapshots: SnapshotCache | None = None,
    ) -> None:
        super().__init__(store, clock, snapshots)
        self.library = library
        self.settings = resources.settings
        self.signer = resources.signer
        self.tokens = resources.tokens
        self.head_files = resources.head_files
        self._resources = resources
        self._ids = ids
        self._running: set[str] = set()

    def reader_folds(self) -> Sequence[LogFold[Any]]:
        """Return of what a run keeps snapshots beside those that every reader needs."""
        return ()

    async def configure(self, workflow: str, request: SessionRequest, settings: Settings | None = None) -> RunOptions:
        """Return the options of a new session; of a replay, those of the session that the settings name.

        Raises UsageError for an option, a model, a role or a budget that cannot be used, SetupError for a missing key.
        """
        settings = settings or self.settings
        if settings.replayed_session is None:
            return self._resources.configure(get_plugin(workflow), request, settings, self.tenant or LOCAL_TENANT)
        replayed = await self.session(await self.resolve_session_id(settings.replayed_session))
        if replayed.workflow != workflow:
            raise UsageError(f"session {replayed.id} is one of {replayed.workflow}, not of {workflow}")
        return (await self.options(replayed.id)).revised(replays=replayed.id)

    async def unpriced(self, session_id: str) -> Sequence[str]:
        """Name the models of a session whose price is not known, so that their dollars do not count."""
        options = await self.options(session_id)
        return () if options.replays else self._resources.unpriced(options)

    def current_prices(self, settings: Settings) -> Mapping[str, Price | None]:
        """Return what the remote models that settings name for roles charge today; None where that is not known.

        Raises UsageError for the name of a model that cannot be read.
        """
        return self._resources.current_prices(settings)

    async def begin(self, workflow: str, text: str, options: RunOptions) -> str:
        """Start a session of a workflow, or find the unfinished one of the same text and options; return its id.

        Raises UsageError for an unknown workflow and for an invalid text.
        """
        text = normalize_question(text)
        reject_credentials(repr(options))
        plugin = get_plugin(workflow)
        key = task_key(text)
        tenant = self.tenant or LOCAL_TENANT
        while True:
            unfinished = await self.store.find_session(key, tenant)
            if unfinished and unfinished.workflow == workflow and await self._can_continue(unfinished.id, options):
                return unfinished.id
            session_id, now = self._ids.session(), self.clock.now()
            started = SessionStarted(
                question=text, workflow=workflow, task_key=key, options=options.model_dump(mode="json")
            )
            state = next(iter(plugin.workflow.table))
            first = Event(session_id=session_id, seq=1, cycle=1, at=now, state=state, payload=started)
            session = Session(
                id=session_id,
                task_key=key,
                workflow=workflow,
                question=text,
                tenant=tenant,
                created_at=now,
                queued_at=now - options.priority * PRIORITY_STEP if options.priority else None,
                folder=options.folder,
                status=log_status(
                    plugin, fold(RunState(), first), plugin.workflow.apply(plugin.workflow.begin(), first)
                ),
            )
            if await self.store.create_session_after(unfinished.id if unfinished else None, session, [first]):
                return session_id  # else another process began one meanwhile, which may be this very one

    async def run(
        self,
        session_id: str,
        stop: asyncio.Event | None = None,
        note: Notify = lambda _: None,
        abandoned: LeaseOwner | None = None,
    ) -> Result:
        """Run a session until it is finished or `stop` is set; `note` is called with the state of copies of its log.

        `abandoned` is an owner that was seen not to prolong its lease, which is then taken at once. Raises
        LeaseUnavailable when another living process holds the session, StoreFull when there is no room to continue.
        """
        session = await self.session(session_id)
        if session.outcome is None:
            plugin = get_plugin(session.workflow)
            async with (
                self._replicating(session_id, note),
                send_notices(self.settings, self._resources.environment, session, note) as notices,
                self._held(session_id, plugin, abandoned, notices.follow) as journal,
            ):
                notices.begin(journal.run)
                options = plugin.options.model_validate(journal.run.options)
                recorded = await self.events(options.replays) if options.replays else None
                performer = replace(
                    await self._resources.performer(session_id, plugin, options, recorded, journal.state),
                    crowded=lambda: len(self._running) > 1,
                )
                # Under the lease: nobody can append between the last event of this run and the head that is signed.
                async with self._signed_at_rest(session_id, note):
                    with self._counted(session_id), warming_up(plugin, options, performer.later_steps):
                        run = await drive(journal, performer, self._limits(options.budget), stop or asyncio.Event())
            return await self._result(session_id, run)
        return await self.result(session_id)

    @contextmanager
    def _counted(self, session_id: str) -> Iterator[None]:
        """Count a session among those that run in this process."""
        self._running.add(session_id)
        try:
            yield
        finally:
            self._running.discard(session_id)

    async def sign(self, session_id: str) -> SignedHead:
        """Sign the head of a log, record it, and anchor it where the settings say. Raises SetupError without a key."""
        await self.session(session_id)
        return await sign_head(self.store, self.clock, self.signer, self.head_files, session_id)

    @asynccontextmanager
    async def _signed_at_rest(self, session_id: str, note: Notify) -> AsyncIterator[None]:
        """Sign the head of a log once the run in the block has ended, or rests because something is not ready."""
        try:
            yield
        except SetupError as error:
            if error.session_id == session_id:  # its pause is in the log; a store that is full or away holds none
                await self._sign_or_report(session_id, note)
            raise
        await self._sign_or_report(session_id, note)

    async def _sign_or_report(self, session_id: str, note: Notify) -> None:
        """Sign a head; what is in the way of that is reported and ends no run."""
        try:
            await self.sign(session_id)
        except SetupError as error:
            note(f"the log is not signed: {error}")

    async def tell(self, session_id: str, order: Command) -> str | None:
        """Send a command to a session; return why it is refused, or None once it is handled.

        The process that runs the session handles it at its next step. When there is none, it is handled here.
        """
        await self.session(session_id)
        command = await self.store.send(session_id, order, self.clock.now())
        while True:
            settled = await self.store.settled(session_id, command.number)
            if settled is not None:
                return settled.refused
            # The holder may have died after the command was sent, so this is asked again at each look.
            if await self.holder(session_id) is None:
                with suppress(LeaseUnavailable):  # another process took the session just now, and will handle it
                    await self._handle_inbox(session_id)
            else:
                await asyncio.sleep(POLL_SECONDS)

    async def fork(self, session_id: str, at: int, settings: Settings | None = None) -> str:
        """Create a session with the events of another one up to number `at`; return its id.

        `settings` replace its models. Raises UsageError for a number that the other session does not have, and for one
        before it came to this home.
        """
        origin = await self.session(session_id)
        require_own_settings(session_id, await self.store.events_of(session_id, {"forked"}), at)
        plugin = get_plugin(origin.workflow)
        fresh = self._resources.resolve_models(plugin, settings.run_options(), settings) if settings else None
        now, forked = self.clock.now(), self._ids.session()
        queued_at = now - (origin.created_at - origin.queued_at) if origin.queued_at else None
        copy = origin.revised(id=forked, created_at=now, queued_at=queued_at, outcome=None)
        await self.store.copy_session(copy, session_id, at, current_process())
        async with self._held(forked, plugin) as journal:
            options = plugin.options.model_validate(journal.run.options)
            if fresh:
                options = options.revised(
                    model=fresh.model, models=fresh.models, fallback=fresh.fallback, prices=fresh.prices
                )
            fact = Forked(origin=session_id, at=at, options=options.model_dump(mode="json"))
            journal.note(journal.current_state, None, [fact])
            await journal.flush()
        return forked

    async def _can_continue(self, session_id: str, options: RunOptions) -> bool:
        """Return whether an unfinished session still works on its first question, with these options."""
        cycle = await self.store.latest(session_id, {"cycle_started"})
        try:
            known = await self.options(session_id)
        except LogCorrupt:  # it cannot be carried on here, and is left as it is
            return False
        asked_on = cycle and isinstance(cycle.payload, CycleStarted) and cycle.payload.question is not None
        return not asked_on and options.has_same_identity(known)

    @asynccontextmanager
    async def _replicating(self, session_id: str, note: Notify) -> AsyncIterator[None]:
        """Copy the log of a session to the targets of the settings while it runs."""
        if not self.settings.follow:
            yield
            return
        from quaestor.runtime.replication import replicate_during  # noqa: PLC0415 -- clients of databases, which most homes spare
        from quaestor.storage.followers import open_follower  # noqa: PLC0415

        state = self._resources.followers_folder
        followers = [open_follower(url, state) for url in self.settings.follow]
        async with replicate_during(self.store, session_id, followers, note, self.settings.grace_seconds):
            yield

    @asynccontextmanager
    async def _held(
        self,
        session_id: str,
        plugin: WorkflowPlugin[S, Any],
        abandoned: LeaseOwner | None = None,
        follow: Callable[[RunState], None] = lambda _: None,
    ) -> AsyncIterator[Journal[S]]:
        """Hold the lease of a session and yield its journal, loaded; `follow` gets its run after each append."""
        ttl = timedelta(seconds=self.settings.lease_seconds)

        def is_living(owner: LeaseOwner) -> bool | None:
            return False if owner == abandoned else is_alive(owner)

        lease = await leases.acquire_lease(
            self.store, self.clock, session_id, owner=current_process(), ttl=ttl, alive=is_living
        )
        readers = ReaderSnapshots(session_id, plugin, self.store, self.snapshots, self.reader_folds)
        snapshots = Snapshots(session_id, self.store, self.snapshots, plugin, also=readers.keep)

        def appended(run: RunState, state: S) -> None:
            snapshots.note(run, state)
            follow(run)

        async with leases.hold_lease(self.store, self.clock, lease, ttl) as renewal, snapshots.kept():
            journal = Journal(
                session_id,
                plugin.workflow,
                self.store,
                self.clock,
                lease,
                codec=plugin.codec,
                renewal=renewal,
                status=partial(log_status, plugin),
                appended=appended,
            )
            with reading(session_id):
                if snapshot := await snapshots.load():
                    journal.restore(*snapshot)
                await journal.load()
            yield journal

    async def _handle_inbox(self, session_id: str) -> None:
        """Handle the commands in the inbox of a session that no process runs."""
        plugin = get_plugin((await self.store.session(session_id)).workflow)
        async with self._held(session_id, plugin) as journal:
            pause = await handle_inbox(journal, plugin.options.model_validate(journal.run.options).budget)
            if pause and journal.run.status == "running":
                journal.note(journal.current_state, None, [pause])
            await journal.flush()

    def _limits(self, budget: Budget) -> Limits:
        most = self.settings.calls_in_flight
        return Limits(
            in_flight={"output_pass": most, "tool_pass": most, "tool_run": most},
            budget=budget,
            grace_seconds=self.settings.grace_seconds,
        )
