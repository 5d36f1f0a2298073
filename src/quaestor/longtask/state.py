"""The state of a task: a fold of the events whose keys begin with its prefix."""

from collections.abc import Mapping
from typing import Literal

from quaestor.contracts.event import Event, QuestionAsked
from quaestor.contracts.immutable import Immutable, field, replace
from quaestor.contracts.workspace import EMPTY_WORKSPACE_SHA256
from quaestor.longtask import task_plan
from quaestor.longtask.contracts import Artifact, TaskOptions, TaskPlan
from quaestor.longtask.logs import FailureLog, TaskLogs
from quaestor.longtask.steps import (
    Approving,
    Ended,
    Escalating,
    Planning,
    ReviewingEdit,
    RoundStep,
    Syncing,
    TaskEnding,
    Working,
)


class TaskSetup(Immutable):
    """The setup of a task; all keys of its actions begin with `prefix`."""

    task: str
    task_key: str
    options: TaskOptions
    prefix: str = ""
    todo_id: str | None = None
    known_findings: tuple[str, ...] = ()


class WorkspaceState(Immutable):
    """What is known of the workspace.

    `fingerprint` is that of all files but the task's own when they were last looked at; None when a call may have
    changed them since. `has_foreign_files`: something is in it that no tool of this task made. `unconfirmed`: the
    SHA-256 of each content that a call was to write of which nobody knows whether it did.
    """

    fingerprint: str | None = EMPTY_WORKSPACE_SHA256
    has_foreign_files: bool = False
    artifacts: Mapping[str, Artifact] = field(default_factory=dict[str, Artifact])
    unconfirmed: frozenset[str] = frozenset()


class SyncStatus(Immutable):
    """How the files were last written: the entries of each log, and `damaged` logs, which are to be written whole."""

    count: int = 0
    plan_sha256: str | None = None
    findings: int = 0
    progress: int = 0
    damaged: frozenset[str] = frozenset()
    error: str | None = None
    cut_off: bool = False
    """A program was cut off since, which may have changed the files."""


class UnplannedTask(Immutable):
    """A task before it has a plan, or one that ended without."""

    setup: TaskSetup
    step: Planning | Ended = field(default_factory=Planning)
    untrusted_source: str | None = None

    @property
    def round_key(self) -> str:
        """The prefix of the keys of this round."""
        return f"{self.setup.prefix}round/0"


class PlannedTask(Immutable):
    """A task that is carried out in rounds.

    `actions` counts the tool calls since findings were written. `hints` are for the worker: what was wrong with its
    last reply, or a person's answer. `untrusted_source` names the foreign text that was read, and when.
    """

    setup: TaskSetup
    plan: TaskPlan
    step: RoundStep
    round: int = 0
    logs: TaskLogs = field(default_factory=TaskLogs)
    failures: FailureLog = field(default_factory=FailureLog)
    workspace: WorkspaceState = field(default_factory=WorkspaceState)
    sync: SyncStatus = field(default_factory=SyncStatus)
    answer: str = ""
    last_result: str = ""
    last_call_failed: bool = False
    hints: tuple[str, ...] = ()
    actions: int = 0
    untrusted_source: str | None = None

    @property
    def round_key(self) -> str:
        """The prefix of the keys of this round."""
        return f"{self.setup.prefix}round/{self.round}"

    @property
    def plan_with_errors(self) -> TaskPlan:
        """The plan with the errors so far, as its file has it."""
        return task_plan.with_errors(self.plan, self.failures.errors)


TaskState = UnplannedTask | PlannedTask


def with_options(task: TaskState, options: TaskOptions) -> TaskState:
    """Return a task that continues with other options."""
    return replace(task, setup=replace(task.setup, options=options))


def log_progress(task: PlannedTask, event: Event, kind: Literal["action", "note", "error"], text: str) -> PlannedTask:
    """Return a task with one more line in its log of progress."""
    return replace(task, logs=task.logs.add_progress(event.at, task.round, kind, text))


def mark_untrusted(task: TaskState, source: str) -> TaskState:
    """Return a task that knows that untrusted text was read; the first source is kept."""
    return task if task.untrusted_source else replace(task, untrusted_source=source)


def open_question(task: TaskState) -> QuestionAsked | None:
    """Return the question that a person has not answered yet."""
    match task.step:
        case Approving(question=question) | Escalating(question=question):
            return question
        case _:
            return None


def rejected_objections(task: TaskState) -> tuple[str, ...]:
    """Return the objections to the last of three unusable replies, while the task waits because of them."""
    match task.step:
        case Planning(rejected=objections) | Working(rejected=objections):
            return objections
        case _:
            return ()


def is_ending(task: TaskState) -> bool:
    """Return whether a task ended, or will end once its files are written."""
    match task.step:
        case Ended() | Syncing(then=TaskEnding()) | ReviewingEdit(then=TaskEnding()):
            return True
        case _:
            return False


def task_ending(task: TaskState) -> TaskEnding | None:
    """Return how a task ended; None while it runs or still writes its files."""
    return task.step.ending if isinstance(task.step, Ended) else None
