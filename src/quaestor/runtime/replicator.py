"""The replication of the log to one copy.

What a copy has already it is asked itself, so nothing else has to be remembered: a copy, the log and this process can
each be lost and come back.
"""

from collections.abc import Sequence

from quaestor.contracts.errors import SetupError
from quaestor.contracts.event import Event
from quaestor.contracts.follower import (
    Follower,
    FollowerUnavailable,
    Replica,
    ReplicaPosition,
    ReplicaRow,
    event_to_row,
    row_to_event,
)
from quaestor.contracts.ports import Store

PAGE_SIZE = 100
"""Events read and copied at a time."""


class Replicator:
    """The replication of the log to one copy."""

    def __init__(self, store: Store, follower: Follower) -> None:
        self.name = follower.name
        self.count = 0
        """Events copied so far."""
        self._store = store
        self._follower = follower
        self._copied: dict[str, ReplicaPosition] = {}

    async def catch_up(self, session_id: str) -> None:
        """Copy what the log of a session has and the copy has not.

        Raises FollowerUnavailable, and SetupError where the target refuses, or holds the copy of another log or of
        another history of this one.
        """
        try:
            known = self._copied.pop(session_id, None)  # requested again, should anything fail on the way
            at = await self._verified_position(session_id) if known is None else known
            while events := await self._store.events(session_id, at.seq, PAGE_SIZE):
                links = await self._store.links(session_id, at.seq, len(events))
                # The history may have been rewritten since the last page: nothing is appended to the copy of another
                # one.
                if at.hash not in {None, links[0].previous}:
                    raise self._other_history(session_id, at.seq)
                await self._follower.copy(
                    [event_to_row(event, link.hash) for event, link in zip(events, links, strict=True)]
                )
                self.count += len(events)
                at = ReplicaPosition(links[-1].seq, links[-1].hash)
        except FollowerUnavailable:
            self._copied.clear()
            raise
        self._copied[session_id] = at

    async def lagging_sessions(self) -> Sequence[str]:
        """Return the sessions of the log that may have events which the copy has not, the oldest first."""
        sessions = await self._store.sessions()
        return [each.id for each in reversed(sessions) if self._copied.get(each.id, _NOTHING).seq < each.events]

    async def _verified_position(self, session_id: str) -> ReplicaPosition:
        """Return how far a copy is, once it is known to be one of this log.

        The hash of an event covers all before it, so that of the last one is enough. Rows without a hash, of an older
        release, are compared one by one.
        """
        there = await self._follower.position(session_id)
        if not there.seq:
            return there
        here = await self._store.links(session_id, there.seq - 1, 1)
        if not here or there.hash not in {None, here[0].hash}:
            raise self._other_history(session_id, there.seq)
        if there.hash is None and isinstance(self._follower, Replica):
            await self._compare_rows(self._follower, session_id, there.seq)
        return ReplicaPosition(there.seq, here[0].hash)

    async def _compare_rows(self, replica: Replica, session_id: str, upto: int) -> None:
        for start in range(0, upto, PAGE_SIZE):
            size = min(PAGE_SIZE, upto - start)
            there = await replica.rows(session_id, start, size)
            here = await self._store.events(session_id, start, size)
            if len(there) != len(here) or not all(map(_is_copy, there, here)):
                raise self._other_history(session_id, start + size)

    def _other_history(self, session_id: str, seq: int) -> SetupError:
        return SetupError(
            f"what {self.name} has of session {session_id} is not a copy of this log: its event {seq} is another one, "
            "or one before it. It is left as it is; verify the session, then copy to another place"
        )


_NOTHING = ReplicaPosition(-1, None)


def _is_copy(row: ReplicaRow, event: Event) -> bool:
    """Return whether a row is that of an event, in the form of whichever release copied it."""
    try:
        return row.identity == event_to_row(event).identity and row_to_event(row).payload == event.payload
    except ValueError:
        return False
