"""Limits of providers that all processes of one store keep together. All times are in seconds."""

from typing import Protocol

from quaestor.contracts.base import Contract


class ProviderSlot(Contract):
    """The right to have one request in flight."""

    provider: str
    number: int
    until: float
    """When it counts as given back, by the clock of the store."""


class SharedLimits(Protocol):
    """The store of these limits, whose own clock counts, as those of machines differ.

    Raises StoreUnavailable where it does not answer.
    """

    async def admit(self, provider: str, spacing: float, longest: float) -> float:
        """Reserve the start of a request, `spacing` after the one before; return how long it is until then.

        Where that is more than `longest`, because of a pause, of tokens or of others that wait, nothing is reserved.
        """

    async def charge(self, provider: str, seconds: float) -> None:
        """Add what a reply took of the tokens of a minute, as the time in which as many may be used."""

    async def pause(self, provider: str, seconds: float) -> None:
        """Start no request for so long; a longer pause in effect is kept."""

    async def paused_for(self, provider: str) -> float:
        """Return how long a pause still lasts; 0 where there is none."""

    async def take_slot(self, provider: str, most: int, seconds: float) -> ProviderSlot | None:
        """Take one of `most` slots for so long at most; None where all are taken."""

    async def release_slot(self, slot: ProviderSlot) -> None:
        """Release a slot, unless it had expired and is another's."""
