"""The head of a log, what links its events, and the signature of its owner."""

import json
from datetime import datetime
from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Sha256


class ChainLink(Contract):
    """The place of one event in the chain of its session."""

    seq: int = Field(ge=1)
    previous: Sha256
    hash: Sha256


class LogRecord(Contract):
    """One event word for word as it is stored and hashed, whatever version of the program wrote it."""

    session_id: str
    seq: int = Field(ge=1)
    cycle: int
    at: str
    state: str
    type: str
    version: int
    todo_id: str | None = None
    body: str = Field(description="The fields of the payload as JSON text; its hash is part of what is hashed.")
    previous: Sha256
    hash: Sha256


class LogHead(Contract):
    """Where the log of a session ends."""

    session_id: str
    events: int = Field(ge=0)
    hash: Sha256


class SignedHead(Contract):
    """A head that was signed with Ed25519. Key and signature are hexadecimal."""

    head: LogHead
    key: Sha256 = Field(description="The public key.")
    signed_at: datetime
    signature: str = Field(pattern=r"^[0-9a-f]{128}$")


SignatureState = Literal["valid", "foreign", "missing"]
"""By the key of this user; by another key; none yet. One that does not fit its head is a fault."""


def signed_message(head: LogHead, at: datetime) -> bytes:
    """Return the bytes that are signed: what they are, and a JSON array of session, events, hash and time."""
    content = [head.session_id, head.events, head.hash, at.isoformat()]
    return b"quaestor log head 1\n" + json.dumps(content, separators=(",", ":")).encode()
