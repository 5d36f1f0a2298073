"""A session, its status, its lease and its verification."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha1
from typing import Literal

from pydantic import Field
from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.contracts.signature import SignatureState, SignedHead

NEWEST_SESSION = "last"
"""The name by which a person refers to the newest session."""

LOCAL_TENANT = "local"
"""The tenant of the user of this machine, and of tokens that name no other."""

PRIORITY_STEP = timedelta(minutes=10)
"""How much longer a session seems to have waited for each step of its priority: so every one has its turn some time."""


LogState = Literal["running", "stopped", "paused", "waiting", "finished"]


class LogStatus(Contract):
    """Where a session is after its last event, whether or not a process runs it."""

    state: LogState = Field(
        description="`waiting` is for a person; `stopped` was paused by its process, which any other may make good."
    )
    progress: str = Field(description="In a few words, as 3/5: as its workflow counts, else its number of cycles.")
    due_at: datetime | None = Field(default=None, description="When a paused session goes on by itself.")
    dollars: Decimal | None = Field(default=None, description="Spent so far; None: not known without its events.")


class Session(Contract):
    """One session as the store lists it."""

    id: str
    task_key: str = Field(description="SHA-1 of the trimmed text with white space collapsed, case kept.")
    workflow: str
    question: str
    tenant: str = Field(default=LOCAL_TENANT, description="To whom it belongs; others do not see it over a network.")
    created_at: datetime
    queued_at: datetime | None = Field(
        default=None, description="By which it is ordered in the queue, which its priority moves; None: `created_at`."
    )
    folder: str | None = Field(
        default=None, description="What it reads or works in; empty: nothing. None: not known without its events."
    )
    events: int = Field(default=0, ge=0)
    last_at: datetime | None = None
    outcome: str | None = Field(default=None, description="The outcome of the last cycle, if it finished.")
    status: LogStatus | None = Field(
        default=None, description="None: not known without its events, as they were written by an earlier release."
    )


class SessionQuery(Contract):
    """Which sessions are listed, the newest first."""

    tenant: str | None = Field(default=None, description="None: those of all.")
    workflow: str | None = None
    task_key: str | None = None
    text: str | None = Field(default=None, description="In the question; letters in either case.")
    finished: bool | None = Field(default=None, description="None: both those that are and those that are not.")
    before: tuple[datetime, str] | None = Field(
        default=None, description="Time and id of the session behind which the list goes on."
    )
    limit: int = Field(default=50, ge=1)


class Tombstone(Contract):
    """What is kept of a session that was erased: nothing of its content."""

    session_id: str
    tenant: str
    created_at: datetime
    erased_at: datetime
    events: int = Field(ge=0)
    head: str = Field(description="The hash of its last event.")


class Remains(Contract):
    """A session that is being erased, and the folders in the home's workspaces that it alone worked in."""

    session_id: str
    workspaces: tuple[str, ...]


class SessionStatus(Contract):
    """The status of a session: run by a process, idle, or ended."""

    state: Literal["queued", "running", "interrupted", "paused", "waiting", "finished"] = Field(
        description="`queued` until a process runs it for the first time; `waiting` is for a person; `interrupted` "
        "when its process ended before the session did."
    )
    holder: str | None = Field(default=None, description="The process that carries it on, if one does.")
    outcome: str | None = Field(default=None, description="Of the last cycle, if it is finished.")


class SessionListing(Contract):
    """One session as a list of all sessions shows it."""

    session: Session
    status: SessionStatus | None = Field(description="None: its log cannot be read.")
    progress: str
    error: str | None = Field(default=None, description="Why its log cannot be read.")


class LeaseOwner(Contract):
    """The process that holds a lease; `started` distinguishes it from a later process with the same number."""

    host: str
    pid: int
    started: str

    @override
    def __str__(self) -> str:
        return f"process {self.pid} on {self.host.partition('/')[0]}"


RELEASED_AT = datetime(1970, 1, 1, tzinfo=UTC)
"""When a lease that was given back counts as expired."""


class Lease(Contract):
    """The right to append to one session. A higher epoch ends every lower one; others may take it once it expires."""

    session_id: str
    epoch: int = Field(ge=1)
    owner: LeaseOwner
    expires_at: datetime

    @property
    def is_released(self) -> bool:
        """Whether it was given back."""
        return self.expires_at == RELEASED_AT


MAX_QUESTION_CHARACTERS = 20_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""What prints nothing; a NUL among it, which Postgres keeps in no text."""
_CREDENTIALS = re.compile(r"(?P<before>[a-z0-9+.-]:[/\\]{2,})[^\s/?#\\\"'<>@]+@", re.IGNORECASE)
_QUERY_KEY = re.compile(
    r"(?P<before>://[^\s\"'<>]*[?&;](?:api[_-]?key|access[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret"
    r"|password|passwd|secret|sig|signature|x-(?:amz|goog)-signature)=)[^\s&;#\"'<>\\]{8,}",
    re.IGNORECASE,
)
"""A parameter by whose name its value is known to be a secret."""


def task_key(text: str) -> str:
    """Return the key of a text, by which its session is found: SHA-1 of it with normalized blanks."""
    return sha1(" ".join(text.split()).encode(), usedforsecurity=False).hexdigest()


def reject_credentials(text: str) -> None:
    """Raise UsageError, which does not show it, for a text with a URL that has credentials or a key in its query."""
    if _CREDENTIALS.search(text):
        raise UsageError("a URL has credentials before its host, which would stay in the log; give it without them")
    if _QUERY_KEY.search(text):
        raise UsageError(
            "a URL has credentials in its query, a key, password or signature, which would stay in the log; give it "
            "without them, or save the page and name its file"
        )


def redact_credentials(text: str) -> str:
    """Return the text with `[key]` for the credentials and keys of the URLs in it."""
    return _QUERY_KEY.sub(r"\g<before>[key]", _CREDENTIALS.sub(r"\g<before>[key]@", text))


def normalize_question(question: str, noun: str = "question") -> str:
    """Return the question, or what `noun` calls it, as it is stored. Raises UsageError for one that cannot be asked."""
    folded = " ".join(_CONTROL.sub(" ", question).split())
    if not folded:
        raise UsageError(f"the {noun} is empty; write one")
    if len(folded) > MAX_QUESTION_CHARACTERS:
        raise UsageError(f"the {noun} has {len(folded):,} characters; at most {MAX_QUESTION_CHARACTERS:,} can be asked")
    if any("\ud800" <= character <= "\udfff" for character in folded):
        raise UsageError(f"the {noun} is not valid Unicode; set the terminal to UTF-8 and ask again")
    reject_credentials(folded)
    return folded


class Verification(Contract):
    """What a check of a session found; nothing is counted where there are faults."""

    faults: tuple[str, ...] = ()
    events: int = Field(default=0, ge=0)
    quotes: int = Field(default=0, ge=0, description="Different quotes of the ledger and of the reports.")
    sources: int = Field(default=0, ge=0, description="That these quotes are from.")
    head: str | None = Field(default=None, description="The hash of the last event.")
    signature: SignatureState = Field(default="missing", description="Of the newest head that was signed.")
    signed: SignedHead | None = Field(default=None, description="That head.")
    erased: Tombstone | None = Field(default=None, description="What is left of a session that was erased.")
