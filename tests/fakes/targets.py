"""A target of the log that is up, down, full of surprises, and remembers what it was given."""

import asyncio
from collections.abc import Sequence

from quaestor.contracts.follower import FollowerUnavailable, ReplicaPosition, ReplicaRow


class Target:
    """Keeps a copy in memory; a `Replica`.

    `fault` is raised by everything while it is set; `downs` counts how often that happened. `slow` is the seconds that
    a copy takes; `room` how many more rows it takes before it is down.
    """

    name = "memory:target"

    def __init__(self) -> None:
        self.kept: dict[str, list[ReplicaRow]] = {}
        self.fault: Exception | None = None
        self.downs = 0
        self.slow = 0.0
        self.room: int | None = None
        self.asked: list[str] = []
        self.closed = False

    def go_down(self) -> None:
        self.fault = FollowerUnavailable(f"{self.name} does not answer")

    async def position(self, session_id: str) -> ReplicaPosition:
        self._check()
        self.asked.append(session_id)
        own = self.kept.get(session_id, ())
        return ReplicaPosition(len(own), own[-1].hash if own else None)

    async def copy(self, rows: Sequence[ReplicaRow]) -> None:
        self._check()
        await asyncio.sleep(self.slow)
        for row in rows:
            if self.room == 0:
                self.go_down()
                self._check()
            own = self.kept.setdefault(row.session_id, [])
            assert row.seq == len(own) + 1, "nothing is left out, and nothing comes twice"
            own.append(row)
            self.room = self.room and self.room - 1

    async def rows(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[ReplicaRow]:
        self._check()
        return [row for row in self.kept.get(session_id, ()) if row.seq > after][:limit]

    async def close(self) -> None:
        self.closed = True

    def _check(self) -> None:
        if self.fault:
            self.downs += 1
            raise self.fault
