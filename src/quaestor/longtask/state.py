"""Where a task stands: a fold of the events whose keys begin with its prefix.

    planning -> dumping -> working -> judging (-> asking) (-> acting -> weighing) (-> escalating) -> dumping ...
                  |  ^                                                                                  |
                  v  |                                                                                  v
                comparing                                                                             ended

`round` is the one that is worked on, `upcoming` the one that begins once the files are written.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.event import Event, Outcome, QuestionAsked, ToolInterrupted, ToolResponded
from quaestor.contracts.workspace import EMPTY_WORKSPACE_SHA256
from quaestor.longtask import task_plan
from quaestor.longtask.contracts import Artifact, LogEntry, Round, TaskError, TaskOptions, TaskPlan, TaskToolCall
from quaestor.longtask.workspace_files import DEFAULT_HEADING, HEADINGS

TaskStep = Literal[
    "planning",
    "dumping",
    "comparing",
    "working",
    "judging",
    "asking",
    "acting",
    "weighing",
    "escalating",
    "ended",
]


class CallFailure(Contract):
    """A call that failed, and how that was resolved, if it was."""

    error: str
    signature: str
    phase_id: str
    resolution: str = ""


class SyncStatus(Contract):
    """How the files were last written."""

    plan_sha256: str | None = None
    findings: int = 0
    progress: int = 0
    damaged: frozenset[str] = Field(default=frozenset(), description="Logs that are to be written as a whole.")
    fault: str | None = Field(default=None, description="Why they could not be written.")


class TaskEnding(Contract):
    """How a task ends."""

    outcome: Outcome
    statement: str


class TaskState(Contract):
    """Everything that the life of one task looks at."""

    task: str
    task_key: str
    options: TaskOptions
    known: tuple[str, ...] = Field(default=(), description="What was found out before it began.")
    prefix: str = Field(default="", description="How all its keys begin.")
    todo_id: str | None = None
    step: TaskStep = "planning"
    plan: TaskPlan | None = None
    round: int = 0
    next_round: int = 1
    reply: Round | None = None
    repaired: bool = False
    call: TaskToolCall | None = Field(default=None, description="What runs in this round, once it is approved.")
    approval: str | None = Field(default=None, description="Why a person is asked before it runs.")
    outcome: ToolResponded | ToolInterrupted | None = None
    decline_reason: str | None = Field(default=None, description="What a person said who did not approve.")
    findings: tuple[LogEntry, ...] = ()
    progress: tuple[LogEntry, ...] = ()
    answer: str = ""
    last_result: str = ""
    failed: bool = False
    hints: tuple[str, ...] = ()
    actions: int = Field(default=0, description="Since findings were written.")
    failures: tuple[CallFailure, ...] = ()
    standing: Mapping[str, int] = Field(
        default={}, description="Calls that failed and since which nothing has changed, with the round."
    )
    error_counts: Mapping[str, int] = Field(default={}, description="How often each error came.")
    untrusted: str | None = Field(default=None, description="Whose words were read, and when.")
    left: str | None = Field(
        default=EMPTY_WORKSPACE_SHA256, description="What lay in the workspace when it was last looked at."
    )
    has_foreign_files: bool = Field(
        default=False, description="Something lies in the workspace that no tool of this task made."
    )
    artifacts: Mapping[str, Artifact] = {}
    asked: QuestionAsked | None = None
    repeated_error: str | None = Field(default=None, description="The error that a person is to be asked about.")
    edited: str | None = Field(default=None, description="What a person wrote into task_plan.md.")
    dumps: int = 0
    written: SyncStatus = SyncStatus()
    broken: tuple[str, ...] = Field(default=(), description="What was wrong with the last of three useless replies.")
    ending: TaskEnding | None = None

    @property
    def key(self) -> str:
        """How the keys of this round begin."""
        return f"{self.prefix}round/{self.round}"

    @property
    def errors(self) -> tuple[TaskError, ...]:
        """What went wrong, in order."""
        return tuple(TaskError(error=one.error, resolution=one.resolution) for one in self.failures)

    @property
    def plan_with_errors(self) -> TaskPlan | None:
        """The plan with what went wrong, as the file has it."""
        return task_plan.with_errors(self.plan, self.errors) if self.plan else None


_HEADING_PREFIX = re.compile(rf"\s*({'|'.join(HEADINGS)})\s*:\s*", re.IGNORECASE)


def append_findings(rounds: TaskState, event: Event, findings: Iterable[str]) -> TaskState:
    """Append to the findings, each under the heading that it begins with, if it does."""
    entries = tuple(_parse_entry(event, rounds.round, text) for text in findings)
    return rounds.model_copy(update={"findings": (*rounds.findings, *entries)})


def append_progress(rounds: TaskState, event: Event, kind: Literal["action", "note", "error"], text: str) -> TaskState:
    """Append to the progress."""
    entry = LogEntry(at=event.at, round=rounds.round, heading=kind, text=text)
    return rounds.model_copy(update={"progress": (*rounds.progress, entry)})


def _parse_entry(event: Event, number: int, text: str) -> LogEntry:
    named = _HEADING_PREFIX.match(text)
    if named is None:
        return LogEntry(at=event.at, round=number, heading=DEFAULT_HEADING, text=text)
    heading = next(each for each in HEADINGS if each.casefold() == named[1].casefold())
    return LogEntry(at=event.at, round=number, heading=heading, text=text[named.end() :])
