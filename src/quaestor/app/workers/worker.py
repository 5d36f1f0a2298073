"""A worker: it runs sessions in the background of its process, several at once, and pauses them when it closes."""

import asyncio
import logging
from datetime import datetime
from typing import NamedTuple

from quaestor.app.shorthands import Quaestor
from quaestor.app.workers.metering import UsageMeter
from quaestor.contracts.errors import LeaseUnavailable, QuaestorError
from quaestor.contracts.event import Paused
from quaestor.contracts.session import LeaseOwner, SessionQuery
from quaestor.runtime.shared_folder import require_shared_folder

_LOGGER = logging.getLogger("quaestor")
_ALL_SESSIONS = 1_000_000
_CLOSING_MARGIN_SECONDS = 2
"""Time for the last commits of sessions, beyond the grace period that they have themselves."""


class WorkerLoad(NamedTuple):
    """What a worker has to do: sessions that it runs, those that wait for a place, and since when the first does.

    `rested` counts those that it ran until they rested.
    """

    running: int
    queued: int
    oldest: datetime | None
    rested: int


class SessionWorker:
    """A worker of one process; `limit` is the number of sessions that it runs at once."""

    def __init__(self, quaestor: Quaestor, limit: int) -> None:
        self._quaestor = quaestor
        self._places = asyncio.Semaphore(limit)
        self._stop = asyncio.Event()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._requested: dict[str, datetime] = {}
        """Sessions that are to be run, or run once more, and since when."""
        self._queued: dict[str, datetime] = {}
        self._abandoned: dict[str, LeaseOwner] = {}
        self._rested = 0
        self.rested = asyncio.Event()
        """Set when a session rests; whoever waits for it clears it."""
        self.meter = UsageMeter(quaestor)

    def carry(self, session_id: str, abandoned: LeaseOwner | None = None) -> None:
        """Run a session as soon as there is a place; one that is running here is run once more when it rests.

        The second run is needed where a command was taken while the first was ending. A person who pauses the session
        after the request withdraws it. `abandoned` is an owner that no longer prolongs its lease.
        """
        if self._stop.is_set():
            return
        if abandoned:
            self._abandoned[session_id] = abandoned
        self._requested[session_id] = self._quaestor.clock.now()
        self._begin(session_id)

    def _begin(self, session_id: str) -> None:
        if session_id not in self._tasks:
            self._queued[session_id] = self._requested[session_id]
            task = asyncio.create_task(self._run_while_requested(session_id))
            self._tasks[session_id] = task
            task.add_done_callback(lambda done: self._forget(session_id, done))

    async def resume_interrupted(self) -> None:
        """Run every session that was interrupted: by a signal, by a crash, or before its first step."""
        for session in reversed(
            await self._quaestor.select_sessions(SessionQuery(finished=False, limit=_ALL_SESSIONS))
        ):
            await self.carry_if_interrupted(session.id)

    async def carry_if_interrupted(self, session_id: str) -> None:
        """Run a session that nobody runs, though nothing but its process ended."""
        if session_id not in self._tasks and await self._is_interrupted(session_id):
            self.carry(session_id)

    def load(self) -> WorkerLoad:
        """Return what there is to do now."""
        return WorkerLoad(
            running=len(self._tasks) - len(self._queued),
            queued=len(self._queued),
            oldest=min(self._queued.values(), default=None),
            rested=self._rested,
        )

    def carries(self, session_id: str) -> bool:
        """Return whether a session runs here, or waits for a place."""
        return session_id in self._tasks

    async def close(self) -> None:
        """Pause what is running within its grace period, and begin nothing more."""
        self._stop.set()
        tasks = tuple(self._tasks.values())
        if not tasks:
            return
        await asyncio.wait(tasks, timeout=self._quaestor.settings.grace_seconds + _CLOSING_MARGIN_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run_while_requested(self, session_id: str) -> None:
        async with self._places:
            del self._queued[session_id]
            while session_id in self._requested and not self._stop.is_set():
                requested_at = self._requested.pop(session_id)
                try:
                    if await self._was_paused_after(session_id, requested_at):
                        continue
                    await asyncio.to_thread(require_shared_folder, self._quaestor.settings)
                    self.meter.begin(session_id, (await self._quaestor.session(session_id)).events)
                    abandoned = self._abandoned.pop(session_id, None)
                    await self._quaestor.run(session_id, self._stop, _LOGGER.warning, abandoned)
                    self._rested += 1
                    await self.meter.end(session_id)
                except LeaseUnavailable as held:
                    _LOGGER.info("%s", held)  # the other process carries it on
                except QuaestorError as error:
                    _LOGGER.error("session %s stopped: %s", session_id, error)  # noqa: TRY400 -- no defect of this program

    async def _was_paused_after(self, session_id: str, at: datetime) -> bool:
        """Return whether a person, perhaps through another process, has paused a session since."""
        paused = await self._quaestor.latest(session_id, {"paused"})
        return (
            paused is not None
            and isinstance(paused.payload, Paused)
            and paused.payload.kind == "person"
            and paused.at > at
        )

    async def _is_interrupted(self, session_id: str) -> bool:
        if await self._quaestor.holder(session_id):
            return False
        result = await self._quaestor.result(session_id)
        return result.pause == "interrupt" or (result.status == "waiting" and result.asked is None)

    def _forget(self, session_id: str, task: asyncio.Task[None]) -> None:
        del self._tasks[session_id]
        self._queued.pop(session_id, None)
        self.rested.set()
        if not task.cancelled() and (error := task.exception()):
            _LOGGER.error("session %s stopped", session_id, exc_info=error)
        if session_id in self._requested and not self._stop.is_set():  # by a command that came after its last look
            self._begin(session_id)
