"""A follower that keeps the events of sessions in memory."""

from collections.abc import Sequence

from quaestor.contracts.follower import ReplicaPosition, ReplicaRow


class MemoryFollower:
    def __init__(self, url: str) -> None:
        self.name = url
        self.kept: dict[str, list[ReplicaRow]] = {}

    async def position(self, session_id: str) -> ReplicaPosition:
        kept = self.kept.get(session_id, [])
        return ReplicaPosition(len(kept), kept[-1].hash if kept else None)

    async def copy(self, rows: Sequence[ReplicaRow]) -> None:
        for row in rows:
            kept = self.kept.setdefault(row.session_id, [])
            if row.seq == len(kept) + 1:
                kept.append(row)

    async def rows(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[ReplicaRow]:
        return self.kept.get(session_id, [])[after:][:limit]

    async def close(self) -> None:
        pass
