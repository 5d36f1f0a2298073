"""Times as the database holds them: ISO 8601 in UTC with microseconds, so that their order is that of the text."""

from datetime import UTC, datetime

from quaestor.contracts.errors import UsageError

_OFFSET = len("+00:00")


def stamp(at: datetime) -> str:
    """Give a time as text, as in ``2026-01-31T09:30:00.000000Z``. Raises UsageError for one without a zone."""
    if at.tzinfo is None:
        raise UsageError(f"the time {at.isoformat()} has no zone; give it in UTC")
    return at.astimezone(UTC).isoformat(timespec="microseconds")[:-_OFFSET] + "Z"


def moment(text: str) -> datetime:
    """Give the time that a stamp stands for, in UTC."""
    return datetime.fromisoformat(text)
