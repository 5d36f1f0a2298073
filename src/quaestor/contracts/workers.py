"""The processes that run the sessions of a store, as they report themselves."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.session import LeaseOwner

REPORT_SECONDS = 5.0
"""Between two reports of a worker; so late it learns that it is to drain."""


class WorkerRecord(Contract):
    """A worker, as it last reported itself."""

    owner: LeaseOwner
    places: int = Field(ge=1, description="Sessions that it runs at once.")
    since: datetime
    seen_at: datetime
    carried: int = Field(default=0, ge=0, description="Sessions that it ran until they rested.")
    drains: bool = Field(default=False, description="It is to begin nothing more, and to end.")


class WorkerRegistry(Protocol):
    """The registry of the workers of a store."""

    async def report_worker(self, worker: WorkerRecord) -> bool:
        """Keep the figures of a worker; return whether it is to drain."""

    async def workers(self) -> Sequence[WorkerRecord]:
        """Return the workers that reported themselves and were not removed, the oldest first."""

    async def drain_worker(self, owner: LeaseOwner) -> None:
        """Note that a worker is to drain; one that is not there changes nothing."""

    async def remove_worker(self, owner: LeaseOwner) -> None:
        """Remove a worker that has ended."""
