"""The result of a run, and of one turn of a conversation."""

from typing import Any, Generic, Literal

from pydantic import Field, SerializeAsAny
from typing_extensions import TypeVar

from quaestor.contracts.base import Contract
from quaestor.contracts.event import Outcome, PauseKind, QuestionAsked

DocumentT = TypeVar("DocumentT", bound=Contract, default=Any)
"""What a workflow ends its cycles with, as research with a report."""


class Result(Contract, Generic[DocumentT]):
    """The state of a session when a run of it ends."""

    session_id: str
    status: Literal["finished", "paused", "waiting"]
    outcome: Outcome | None = None
    statement: str = ""
    pause: PauseKind | None = Field(default=None, description="What made it pause, if it is paused.")
    asked: QuestionAsked | None = Field(default=None, description="What it waits for a person for.")
    report: SerializeAsAny[DocumentT] | None = Field(
        default=None, description="The document that the workflow's newest cycle ended with."
    )


NextAction = Literal[
    "processing",
    "awaiting_clarification",
    "awaiting_confirmation",
    "report_ready",
    "completed_no_report",
    "paused",
    "error",
]
"""What a client does next: wait, answer, confirm, read, resume, or look at the error."""


class Turn(Contract):
    """One turn with a session: a new question, a follow-up question, an answer, or simply more work.

    It holds what a client sends, whatever that is; `turn` answers an error for what makes no sense.
    """

    query: str | None = Field(default=None, description="A question; with a session, a follow-up.")
    session_id: str | None = None
    answer: str | None = Field(default=None, description="To the open question of the session.")
    model: str | None = Field(default=None, description="Another model than the settings name; for a new session.")
    tools: tuple[str, ...] | None = Field(
        default=None, description="Search engines of the web that a new session asks; None: as the settings say."
    )


class TurnResult(Contract, Generic[DocumentT]):
    """The status of a session after a turn."""

    session_id: str | None = Field(description="None when no session could be begun.")
    next_action: NextAction
    output: str | None = Field(default=None, description="The question that waits, or what the session ended with.")
    report: SerializeAsAny[DocumentT] | None = None
    error: str | None = None
