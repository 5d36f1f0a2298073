"""A store that can go away: its renewals and, where a test wants it, its appends fail or hang until it is back."""

import asyncio
import threading
from collections.abc import Sequence
from datetime import datetime

from typing_extensions import override

from quaestor.contracts.command import Settlement
from quaestor.contracts.errors import StoreUnavailable
from quaestor.contracts.event import Event
from quaestor.contracts.session import Lease, LogStatus
from quaestor.storage.sql.store import SqlLeaseRenewer
from quaestor.storage.sqlite import SqliteStore, open_store

_AWAY = StoreUnavailable("the store went away")


class _Renewer(SqlLeaseRenewer):
    def __init__(self, store: "UnreachableStore") -> None:
        super().__init__(store._database, owned=False, exclusive=store.is_file)
        self._store = store

    @override
    def renew(self, lease: Lease, expires_at: datetime) -> bool:
        self._store.answers.wait()
        if self._store.away:
            self._store.refused.set()
            raise _AWAY
        renewed = super().renew(lease, expires_at)
        self._store.renewed.set()
        return renewed


class UnreachableStore(SqliteStore):
    """A store in memory; `away` makes it fail. Without `answers` its renewals hang, without `appends` its appends.

    It tells that a renewal succeeded (`renewed`), that one failed (`refused`) and that an append waits (`delayed`).
    """

    def __init__(self) -> None:
        super().__init__(open_store(":memory:")._database)
        self.away = False
        self.appends_fail = False
        self.appends = asyncio.Event()
        self.appends.set()
        self.is_file = False
        self.renewed, self.refused = threading.Event(), threading.Event()
        self.delayed = asyncio.Event()
        self.answers = threading.Event()
        self.answers.set()

    @override
    def open_renewer(self) -> SqlLeaseRenewer:
        return _Renewer(self)

    @override
    async def append(
        self,
        lease: Lease,
        events: Sequence[Event],
        settled: Sequence[Settlement] = (),
        status: LogStatus | None = None,
    ) -> None:
        if not self.appends.is_set():
            self.delayed.set()
        await self.appends.wait()
        if self.away and self.appends_fail:
            raise _AWAY
        await super().append(lease, events, settled, status)
