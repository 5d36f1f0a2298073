"""The table `commands`: the inbox of every session. Anybody adds a row; it is settled once, and stays."""

from collections.abc import Sequence
from datetime import datetime

from pydantic_core import PydanticSerializationError

from quaestor.contracts.command import Command, InboxEntry, Settlement, parse_command, serialize_command
from quaestor.contracts.errors import StoreCorrupt, UsageError
from quaestor.storage.sqlite.connection import Database, ResultRow, format_timestamp, parse_timestamp
from quaestor.storage.sqlite.errors import quote_for_message

PENDING_SQL = "SELECT number, at, body FROM commands WHERE session_id = ? AND settled IS NULL ORDER BY number"
"""Answered from the index `commands_waiting`, which holds no settled command, however many there were."""


def insert_command(database: Database, session_id: str, order: Command, at: datetime) -> InboxEntry:
    """Add a command to the inbox of a session that exists, inside the caller's transaction."""
    [[number]] = database.rows(
        "INSERT INTO commands (session_id, number, at, body) "
        "SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM commands WHERE session_id = ?1 RETURNING number",
        (session_id, format_timestamp(at), _serialize(order)),
    )
    return InboxEntry(session_id=session_id, number=number, at=at, order=order)


def pending_commands(database: Database, session_id: str) -> list[InboxEntry]:
    """Give the commands of a session that are not settled, in order. Raises StoreCorrupt for one beyond reading."""
    return [_parse_entry(session_id, row) for row in database.rows(PENDING_SQL, (session_id,))]


def settle_commands(database: Database, session_id: str, settled: Sequence[Settlement]) -> None:
    """Write what became of commands, inside the caller's transaction.

    Raises UsageError for a command that is not there, and for one that was settled before.
    """
    for end in settled:
        changed = database.run(
            "UPDATE commands SET settled = ?, refusal = ? WHERE session_id = ? AND number = ? AND settled IS NULL",
            ("obeyed" if end.refused is None else "refused", end.refused, session_id, end.number),
        )
        if not changed:
            raise UsageError(
                f"no command {end.number} waits in the inbox of session {quote_for_message(session_id)}; "
                "settle each command that waits there, and each once"
            )


def fetch_settlement(database: Database, session_id: str, number: int) -> Settlement | None:
    """Give what became of a command of a session that exists, None while it waits.

    Raises UsageError for a number that no command of the session has.
    """
    row = database.row(
        "SELECT settled, refusal FROM commands WHERE session_id = ? AND number = ?", (session_id, number)
    )
    if not row:
        raise UsageError(
            f"session {quote_for_message(session_id)} was never sent a command {number}; ask for a number that "
            "`send` gave"
        )
    end, refusal = row
    return Settlement(number=number, refused=refusal) if end else None


def _serialize(order: Command) -> str:
    try:
        return serialize_command(order)
    except PydanticSerializationError as error:
        raise UsageError(
            f"the order {quote_for_message(repr(order))} cannot be stored: it is not valid Unicode"
        ) from error


def _parse_entry(session_id: str, row: ResultRow) -> InboxEntry:
    number, at, body = row
    try:
        return InboxEntry(session_id=session_id, number=number, at=parse_timestamp(at), order=parse_command(body))
    except ValueError as error:
        raise StoreCorrupt(
            f"command {number} of session {quote_for_message(session_id)} cannot be read: {error}. It is left as "
            "it is; "
            "use the release of Quaestor that sent it, or restore a backup"
        ) from error
