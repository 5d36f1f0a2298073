from typing import Literal

from pydantic import Field

from quaestor.contracts.event import Outcome, PauseKind, QuestionAsked
from quaestor.contracts.noun import Noun
from quaestor.contracts.report import Report


class Result(Noun):
    """Where a session stands when a run of it ends."""

    session_id: str
    status: Literal["finished", "paused", "waiting"]
    outcome: Outcome | None = None
    statement: str = ""
    pause: PauseKind | None = Field(default=None, description="What made it pause, if it is paused.")
    asked: QuestionAsked | None = Field(default=None, description="What it waits for a person for.")
    report: Report | None = Field(default=None, description="Of the newest cycle.")
