"""What the sessions that one process runs have used up since it started, counted from their logs."""

from collections.abc import Callable
from contextlib import suppress

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import UnknownSession
from quaestor.contracts.event import Event, ModelResponded, ToolResponded
from quaestor.contracts.session import SessionQuery

_ALL_SESSIONS = 1_000_000


class UsageMeter:
    """A meter over the sessions of a process; each event is counted once."""

    def __init__(self, quaestor: Quaestor) -> None:
        self._quaestor = quaestor
        self._spent = Spend()
        self._counted: dict[str, int] = {}
        self.listener: Callable[[Event], None] = lambda _: None
        """Called with each event that is counted."""

    def begin(self, session_id: str, events: int) -> None:
        """Count a session from behind its first `events` events on."""
        self._counted.setdefault(session_id, events)

    async def end(self, session_id: str) -> None:
        """Count what a session has come to, and count it no more."""
        await self._count(session_id)
        self._counted.pop(session_id, None)

    async def read(self) -> Spend:
        """Return what was used up until now."""
        for session_id in tuple(self._counted):
            await self._count(session_id)
        return self._spent

    async def _count(self, session_id: str) -> None:
        with suppress(UnknownSession):  # it was erased as soon as it had ended
            async for event in self._quaestor.read_events(session_id, self._counted.get(session_id, 0)):
                if session_id not in self._counted or event.seq <= self._counted[session_id]:
                    continue  # another call has counted it while this one waited
                self._counted[session_id] = event.seq
                self.listener(event)
                match event.payload:
                    case ModelResponded(spend=spend) | ToolResponded(spend=spend):
                        self._spent += spend
                    case _:
                        pass


async def count_sessions(quaestor: Quaestor) -> dict[str, int]:
    """Return the number of sessions by their status."""
    counts = dict.fromkeys(("queued", "running", "interrupted", "paused", "waiting", "finished"), 0)
    for session in await quaestor.select_sessions(SessionQuery(limit=_ALL_SESSIONS)):
        counts["finished" if session.outcome else (await quaestor.status(session.id)).state] += 1
    return counts
