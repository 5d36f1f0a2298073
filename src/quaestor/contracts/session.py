from datetime import datetime

from pydantic import Field

from quaestor.contracts.noun import Noun


class Session(Noun):
    """One session as the store lists it."""

    id: str
    task_key: str = Field(description="SHA-1 of the trimmed text with white space collapsed, case kept.")
    workflow: str
    question: str
    created_at: datetime
    events: int = Field(default=0, ge=0)
    last_at: datetime | None = None
    outcome: str | None = Field(default=None, description="The outcome of the last cycle, if it finished.")


class Owner(Noun):
    """The process that holds a lease; `started` tells a process from a later one with the same number."""

    host: str
    pid: int
    started: str


class Lease(Noun):
    """The right to append to one session until `expires_at`; a higher epoch ends every lower one."""

    session_id: str
    epoch: int = Field(ge=1)
    owner: Owner
    expires_at: datetime
