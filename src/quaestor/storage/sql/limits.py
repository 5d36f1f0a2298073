"""The tables of the limits that processes share: `provider_limits`, one row a provider, and `provider_slots`."""

from quaestor.contracts.limits import ProviderSlot
from quaestor.storage.sql.database import Database, performed

_NOW = "unixepoch('subsec')"
"""Seconds by the database's own clock."""
_STATE = f"SELECT paused_until, request_at, token_at, {_NOW} FROM provider_limits WHERE provider = ?"  # noqa: S608
_INSERT = (
    "INSERT INTO provider_limits (provider, paused_until, request_at, token_at) VALUES (?, 0, 0, 0) "
    "ON CONFLICT DO NOTHING"
)


class SqlLimits:
    """The `SharedLimits` port over one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @performed
    def admit(self, provider: str, spacing: float, longest: float) -> float:
        """Reserve the start of a request; return how long it is until then. Longer than `longest`: it is not."""
        with self._database.writing():
            paused_until, request_at, token_at, now = self._locked(provider)
            start = max(paused_until, request_at, token_at, now)
            if start - now <= longest:
                self._set(provider, "request_at", start + spacing)
        return float(start - now)

    @performed
    def charge(self, provider: str, seconds: float) -> None:
        """Add what a reply took of the tokens of a minute."""
        with self._database.writing():
            _, _, token_at, now = self._locked(provider)
            self._set(provider, "token_at", max(token_at, now) + seconds)

    @performed
    def pause(self, provider: str, seconds: float) -> None:
        """Start no request for so long; a longer pause in effect is kept."""
        with self._database.writing():
            paused_until, _, _, now = self._locked(provider)
            self._set(provider, "paused_until", max(paused_until, now + seconds))

    @performed
    def paused_for(self, provider: str) -> float:
        """Return how long a pause still lasts; 0 where there is none."""
        row = self._database.row(_STATE, (provider,))
        return max(float(row[0] - row[3]), 0.0) if row else 0.0

    @performed
    def take_slot(self, provider: str, most: int, seconds: float) -> ProviderSlot | None:
        """Take one of `most` slots for so long at most; None where all are taken."""
        with self._database.writing():
            now = self._locked(provider)[3]
            self._database.run("DELETE FROM provider_slots WHERE provider = ? AND until <= ?", (provider, now))
            rows = self._database.rows("SELECT number FROM provider_slots WHERE provider = ?", (provider,))
            taken = {number for (number,) in rows}
            free = next((number for number in range(most) if number not in taken), None)
            if free is None or len(taken) >= most:
                return None
            slot = ProviderSlot(provider=provider, number=free, until=now + seconds)
            self._database.run(
                "INSERT INTO provider_slots (provider, number, until) VALUES (?, ?, ?)", (provider, free, slot.until)
            )
        return slot

    @performed
    def release_slot(self, slot: ProviderSlot) -> None:
        """Release a slot, unless it had expired and is another's."""
        with self._database.writing():
            self._database.run(
                "DELETE FROM provider_slots WHERE provider = ? AND number = ? AND until = ?",
                (slot.provider, slot.number, slot.until),
            )

    def _locked(self, provider: str) -> tuple[float, float, float, float]:
        """Return the state of a provider and the time, with no other transaction at it until the caller's one ends."""
        row = self._database.row(_STATE + self._database.row_lock, (provider,))
        if row is None:
            self._database.run(_INSERT, (provider,))
            [row] = self._database.rows(_STATE + self._database.row_lock, (provider,))
        paused_until, request_at, token_at, now = row
        return paused_until, request_at, token_at, now

    def _set(self, provider: str, column: str, at: float) -> None:
        self._database.run(f"UPDATE provider_limits SET {column} = ? WHERE provider = ?", (at, provider))  # noqa: S608 -- named above
