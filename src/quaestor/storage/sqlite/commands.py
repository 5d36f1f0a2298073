"""The table `commands`: the inbox of every session. Anybody adds a row; it is settled once, and stays."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from quaestor.contracts.command import Command, Order, Settled
from quaestor.contracts.errors import StoreCorrupt, UsageError
from quaestor.storage.sqlite.connection import Columns, Database
from quaestor.storage.sqlite.instant import moment, stamp
from quaestor.storage.sqlite.naming import shown

_ORDER: TypeAdapter[Order] = TypeAdapter(Order)

WAITING = "SELECT number, at, body FROM commands WHERE session_id = ? AND settled IS NULL ORDER BY number"
"""Answered from the index `commands_waiting`, which holds no settled command, however many there were."""


def send(database: Database, session_id: str, order: Order, at: datetime) -> Command:
    """Add a command to the inbox of a session that exists, inside the caller's transaction."""
    [[number]] = database.rows(
        "INSERT INTO commands (session_id, number, at, body) "
        "SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM commands WHERE session_id = ?1 RETURNING number",
        (session_id, stamp(at), _body(order)),
    )
    return Command(session_id=session_id, number=number, at=at, order=order)


def waiting(database: Database, session_id: str) -> list[Command]:
    """Give the commands of a session that are not settled, in order. Raises StoreCorrupt for one beyond reading."""
    return [_command(session_id, row) for row in database.rows(WAITING, (session_id,))]


def settle(database: Database, session_id: str, settled: Sequence[Settled]) -> None:
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
                f"no command {end.number} waits in the inbox of session {shown(session_id)}; "
                "settle each command that waits there, and each once"
            )


def settled(database: Database, session_id: str, number: int) -> Settled | None:
    """Give what became of a command of a session that exists, None while it waits.

    Raises UsageError for a number that no command of the session has.
    """
    row = database.row(
        "SELECT settled, refusal FROM commands WHERE session_id = ? AND number = ?", (session_id, number)
    )
    if not row:
        raise UsageError(
            f"session {shown(session_id)} was never sent a command {number}; ask for a number that `send` gave"
        )
    end, refusal = row
    return Settled(number=number, refused=refusal) if end else None


def _body(order: Order) -> str:
    try:
        return order.model_dump_json()
    except PydanticSerializationError as error:
        raise UsageError(f"the order {shown(repr(order))} cannot be stored: it is not valid Unicode") from error


def _command(session_id: str, row: Columns) -> Command:
    number, at, body = row
    try:
        return Command(session_id=session_id, number=number, at=moment(at), order=_ORDER.validate_json(body))
    except ValueError as error:
        raise StoreCorrupt(
            f"command {number} of session {shown(session_id)} cannot be read: {error}. It is left as it is; "
            "use the release of Quaestor that sent it, or restore a backup"
        ) from error
