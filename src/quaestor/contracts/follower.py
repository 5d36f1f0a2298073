"""What copies the log elsewhere. A copy is one row an event, from which the events themselves can be had again."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol, runtime_checkable

from pydantic import AwareDatetime, Field, JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.codec import parse_payload, serialize_payload
from quaestor.contracts.event import Event, UnknownPayload
from quaestor.contracts.source import Sha256


class ReplicaRow(Contract):
    """One event as a copy holds it."""

    session_id: str
    seq: int = Field(ge=1)
    cycle: int = Field(ge=1)
    at: AwareDatetime
    state: str
    type: str
    version: int = Field(description="Of the type.")
    todo_id: str | None = None
    hash: Sha256 | None = Field(
        default=None, description="Of the event in its chain; None: copied by an older release."
    )
    payload: dict[str, JsonValue] | str = Field(
        description="The fields of the payload; JSON text where it is of a newer version and written in its own way."
    )

    @property
    def identity(self) -> tuple[str, int, int, datetime, str, str]:
        """The identity of the event: every field but its payload and its todo, which old copies do not have."""
        return self.session_id, self.seq, self.cycle, self.at, self.state, self.type


class ReplicaPosition(NamedTuple):
    """How far a copy of one session is."""

    seq: int
    """The number up to which it has every event; 0 when it has none."""
    hash: Sha256 | None
    """Of the event with that number; None where there is none, or where an older release copied it."""


NOTHING_COPIED = ReplicaPosition(0, None)


class FollowerUnavailable(Exception):
    """A target cannot be reached, or cannot take more for now. The copying is tried again; the run is not affected."""


class Follower(Protocol):
    """A target that the log is sent to; one suite tests every implementation.

    Everything raises FollowerUnavailable when trying again may help, and SetupError when a person has to act first.
    """

    name: str
    """The target as it may be shown: without a user, a password or options."""

    async def position(self, session_id: str) -> ReplicaPosition:
        """Return how far the copy of a session is."""

    async def copy(self, rows: Sequence[ReplicaRow]) -> None:
        """Add rows, in order of their numbers; they are durable when this returns.

        An event that the copy already has is not written twice, whichever process wrote it.
        """

    async def close(self) -> None:
        """Close the connection."""


@runtime_checkable
class Replica(Follower, Protocol):
    """A follower whose target holds the events themselves, so that they can be read back."""

    async def rows(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[ReplicaRow]:
        """Return the rows of a session with a number above `after`, in order."""


def event_to_row(event: Event, event_hash: str | None = None) -> ReplicaRow:
    """Return the row of an event, with its hash in the chain of its session."""
    kind, version, body = serialize_payload(event.payload)
    own = isinstance(event.payload, UnknownPayload)
    return ReplicaRow(
        session_id=event.session_id,
        seq=event.seq,
        cycle=event.cycle,
        at=event.at,
        state=event.state,
        type=kind,
        version=version,
        todo_id=event.todo_id,
        hash=event_hash,
        payload=parse_row_payload(body) if own else json.loads(body),
    )


def row_to_event(row: ReplicaRow) -> Event:
    """Return the event of a row, equal to the one in the log. Raises ValueError for a row that is no event."""
    payload, todo_id = parse_payload(row.type, row.version, serialize_row_payload(row.payload), row.todo_id)
    return Event(
        session_id=row.session_id,
        seq=row.seq,
        cycle=row.cycle,
        at=row.at,
        state=row.state,
        todo_id=todo_id,
        payload=payload,
    )


def serialize_row_payload(payload: dict[str, JsonValue] | str) -> str:
    """Return a row's payload as JSON text, without white space between its parts."""
    return payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False, separators=(",", ":"))


def parse_row_payload(text: str) -> dict[str, JsonValue] | str:
    """Return the payload whose JSON is this text; the text itself where `serialize_row_payload` would not return it."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) and serialize_row_payload(value) == text else text
