"""A snapshot: what the events of a session up to a number were folded to, in the words of one release."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Sha256

FoldName = Literal["session", "run", "stream", "spend", "live", "panels", "turns"]
"""What a log is folded to: `session` is what a run goes on from, the others are what readers show."""


class Snapshot(Contract):
    """A folded state that saves folding the log again; the log stays the truth, and this can be thrown away."""

    session_id: str
    name: FoldName = "session"
    events: int = Field(ge=1, description="How many were folded.")
    head: Sha256 = Field(description="The hash of the last of them: the state is one of this log alone.")
    fold: str = Field(description="What folded them: the release, and the schema of its state.")
    state: str = Field(description="JSON, in a form that only the same fold reads.")
