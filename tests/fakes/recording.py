"""A store that remembers its transactions, for tests of what shares a commit."""

from collections.abc import Sequence

from typing_extensions import override

from quaestor.contracts.command import Settlement
from quaestor.contracts.event import Event
from quaestor.contracts.session import Lease, LogStatus
from quaestor.storage.sqlite import SqliteStore, open_store


class RecordingStore(SqliteStore):
    """A store in memory with what each of its transactions appended, also of one that fails then."""

    def __init__(self) -> None:
        super().__init__(open_store(":memory:")._database)
        self.appended: list[list[str]] = []
        """The types of the events."""
        self.settlements: list[list[int]] = []
        """The numbers of the settled commands."""

    @override
    async def append(
        self,
        lease: Lease,
        events: Sequence[Event],
        settled: Sequence[Settlement] = (),
        status: LogStatus | None = None,
    ) -> None:
        self.appended.append([event.type for event in events])
        self.settlements.append([each.number for each in settled])
        await super().append(lease, events, settled, status)
