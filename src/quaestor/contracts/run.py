from typing import Literal

from quaestor.contracts.event import Outcome
from quaestor.contracts.noun import Noun
from quaestor.contracts.report import Report


class Result(Noun):
    """Where a session stands when a run of it ends."""

    session_id: str
    status: Literal["finished", "paused", "waiting"]
    outcome: Outcome | None = None
    statement: str = ""
    report: Report | None = None
