"""Where a task stands: a fold of the events whose keys begin with its prefix.

    planning -> dumping -> working -> judging (-> asking) (-> acting -> weighing) (-> escalating) -> dumping ...
                  |  ^                                                                                  |
                  v  |                                                                                  v
                comparing                                                                             ended

`round` is the one that is worked on, `upcoming` the one that begins once the files are written.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from quaestor.contracts.event import Outcome, QuestionAsked, ToolInterrupted, ToolResponded
from quaestor.contracts.noun import Noun
from quaestor.contracts.task import Artifact, Call, Entry, Round, TaskError, TaskOptions, TaskPlan
from quaestor.contracts.workspace import NOTHING_THERE
from quaestor.workflows.parts import taskplan

Step = Literal[
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


class Failure(Noun):
    """A call that failed, and how that was resolved, if it was."""

    error: str
    signature: str
    phase_id: str
    resolution: str = ""


class Written(Noun):
    """How the files were last written."""

    plan_sha256: str | None = None
    findings: int = 0
    progress: int = 0
    damaged: frozenset[str] = Field(default=frozenset(), description="Logs that are to be written as a whole.")
    fault: str | None = Field(default=None, description="Why they could not be written.")


class Ending(Noun):
    """How a task ends."""

    outcome: Outcome
    statement: str


class Rounds(Noun):
    """Everything that the life of one task looks at."""

    task: str
    task_key: str
    options: TaskOptions
    known: tuple[str, ...] = Field(default=(), description="What was found out before it began.")
    prefix: str = Field(default="", description="How all its keys begin.")
    todo_id: str | None = None
    step: Step = "planning"
    plan: TaskPlan | None = None
    round: int = 0
    upcoming: int = 1
    reply: Round | None = None
    repaired: bool = False
    call: Call | None = Field(default=None, description="What runs in this round, once it is approved.")
    approval: str | None = Field(default=None, description="Why a person is asked before it runs.")
    outcome: ToolResponded | ToolInterrupted | None = None
    declined: str | None = Field(default=None, description="What a person said who did not approve.")
    findings: tuple[Entry, ...] = ()
    progress: tuple[Entry, ...] = ()
    answer: str = ""
    last_result: str = ""
    failed: bool = False
    hints: tuple[str, ...] = ()
    actions: int = Field(default=0, description="Since findings were written.")
    failures: tuple[Failure, ...] = ()
    standing: Mapping[str, int] = Field(
        default={}, description="Calls that failed and since which nothing has changed, with the round."
    )
    strikes: Mapping[str, int] = Field(default={}, description="How often each error came.")
    untrusted: str | None = Field(default=None, description="Whose words were read, and when.")
    left: str | None = Field(default=NOTHING_THERE, description="What lay in the workspace when it was last looked at.")
    shared: bool = Field(default=False, description="Something lies in the workspace that no tool of this task made.")
    artifacts: Mapping[str, Artifact] = {}
    asked: QuestionAsked | None = None
    struck: str | None = Field(default=None, description="The error that a person is to be asked about.")
    edited: str | None = Field(default=None, description="What a person wrote into task_plan.md.")
    dumps: int = 0
    written: Written = Written()
    broken: tuple[str, ...] = Field(default=(), description="What was wrong with the last of three useless replies.")
    ending: Ending | None = None

    @property
    def key(self) -> str:
        """How the keys of this round begin."""
        return f"{self.prefix}round/{self.round}"

    @property
    def errors(self) -> tuple[TaskError, ...]:
        """What went wrong, in order."""
        return tuple(TaskError(error=one.error, resolution=one.resolution) for one in self.failures)

    @property
    def whole_plan(self) -> TaskPlan | None:
        """The plan with what went wrong, as the file has it."""
        return taskplan.with_errors(self.plan, self.errors) if self.plan else None
