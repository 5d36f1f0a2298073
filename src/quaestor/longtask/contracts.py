"""The long task: its plan, what a round is given and answers, and what a session of it runs with."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import override

from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.base import Contract
from quaestor.contracts.report_settings import ANY_SOURCE, SourceBounds
from quaestor.contracts.roles import RoleInput
from quaestor.contracts.settings import MAX_ROUNDS, RunOptions
from quaestor.longtask.tools.names import BUILT_IN_TOOLS, TOOLS

PhaseStatus = Literal["todo", "in_progress", "complete"]
MAX_PHASES = 12
MAX_CHECKLIST_ITEMS = 20
MAX_APPENDS = 20
"""What one reply may append to each of the two logs."""

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class TaskOptions(RunOptions):
    """What one long task runs with."""

    identity: ClassVar[frozenset[str]] = RunOptions.identity | {"workspace", "engines", "databases", "corpus"}

    workspace: str = Field(default="", description="The folder in which it works, as a whole path.")
    tools: tuple[str, ...] = Field(default=BUILT_IN_TOOLS, description="What it may call, where there is such a thing.")
    engines: tuple[str, ...] = Field(default=(), description="Search engines of the web that are asked.")
    databases: tuple[str, ...] = Field(default=(), description="Databases that may be read, by name.")
    corpus: str = Field(default="", description="The id of the corpus that is searched.")
    sources: SourceBounds = Field(default=ANY_SOURCE, description="What searches leave out.")
    rounds: int = Field(default=MAX_ROUNDS, ge=1, le=MAX_ROUNDS, description="Rounds in all, restarts included.")
    seconds: float = Field(default=60, gt=0, le=3600, description="For a program, when a call names no limit.")
    approve: tuple[str, ...] = Field(default=(), description="Calls of these need a person's yes, always.")
    approved: tuple[StandingApproval, ...] = Field(default=(), description="Calls that need no yes any more.")
    approve_after_untrusted: bool = Field(
        default=True, description="Calls with side effects need a yes once words of others were read."
    )

    @property
    @override
    def folder(self) -> str:
        return self.workspace


class ChecklistItem(Contract):
    """One thing to be done in a phase."""

    text: Title
    done: bool = False


class Phase(Contract):
    """A part of the plan; phases are numbered from 1."""

    id: str = Field(pattern=r"^Phase [1-9][0-9]?$")
    title: Title
    status: PhaseStatus = "todo"
    checklist: tuple[ChecklistItem, ...] = Field(default=(), max_length=MAX_CHECKLIST_ITEMS)


class PlanMeta(Contract):
    """When the plan was made, and for which task."""

    created: datetime
    task_key: str


class TaskError(Contract):
    """What went wrong, and how it was resolved, if it was."""

    error: str
    resolution: str = ""


class TaskPlan(Contract):
    """The plan of a task: what `task_plan.md` holds."""

    meta: PlanMeta
    goal: str = Field(min_length=1, max_length=20_000)
    current_phase: str
    phases: tuple[Phase, ...] = Field(min_length=1, max_length=MAX_PHASES)
    errors: tuple[TaskError, ...] = ()

    @model_validator(mode="after")
    def _validate_phases(self) -> Self:
        ids = [phase.id for phase in self.phases]
        if len(set(ids)) < len(ids):
            raise ValueError(f"each phase has an id of its own, but these are given: {', '.join(ids)}")
        if self.current_phase not in ids:
            raise ValueError(f"current_phase is {self.current_phase!r}; it is one of {', '.join(ids)}")
        return self

    def phase(self, phase_id: str) -> Phase | None:
        """Return one phase, or None."""
        return next((phase for phase in self.phases if phase.id == phase_id), None)


class DraftPhase(Contract):
    """A phase as the planner writes it."""

    title: Title
    checklist: tuple[Title, ...] = Field(default=(), max_length=MAX_CHECKLIST_ITEMS)


class TaskPlanDraft(Contract):
    """The first plan of a task."""

    goal: str = Field(min_length=1, max_length=2_000, description="What is true when the task is done.")
    phases: tuple[DraftPhase, ...] = Field(min_length=1, max_length=MAX_PHASES)


class TaskPlanInput(RoleInput):
    """For the planner of a task."""

    gives: ClassVar[type[Contract]] = TaskPlanDraft

    task: str
    tools: tuple[str, ...] = Field(default=(), description="What may be called while it is carried out.")
    max_phases: int = Field(default=7, ge=1, le=MAX_PHASES)


class PhaseStatusUpdate(Contract):
    """A phase gets another status."""

    phase_id: str
    status: PhaseStatus


class ChecklistItemUpdate(Contract):
    """An item of a checklist is done, or is not."""

    phase_id: str
    item_text: str
    done: bool


class TaskPlanUpdates(Contract):
    """What a round changes in the plan."""

    phase_status: tuple[PhaseStatusUpdate, ...] = ()
    checklist_set: tuple[ChecklistItemUpdate, ...] = ()


class Writeback(Contract):
    """What a round writes down."""

    findings_append: tuple[str, ...] = Field(default=(), max_length=MAX_APPENDS)
    progress_append: tuple[str, ...] = Field(default=(), max_length=MAX_APPENDS)
    task_plan_updates: TaskPlanUpdates = TaskPlanUpdates()


def _drop_fields_of_unknown_tool(value: object) -> object:
    """Keep only the name of a call to an unknown tool: it is refused by that name, whatever its arguments."""
    if isinstance(value, dict) and value.get("tool") not in TOOLS and "tool" in value:
        return {"tool": value["tool"]}
    return value


class TaskToolCall(Contract):
    """One tool call; each tool takes some of the fields."""

    tool: str = Field(min_length=1)
    command: str | None = Field(default=None, max_length=20_000, description="shell: one command line.")
    code: str | None = Field(default=None, max_length=60_000, description="python: a program.")
    query: str | None = Field(default=None, max_length=20_000, description="search_web, search_database.")
    database: str | None = Field(default=None, description="search_database: its name, where there are several.")
    path: str | None = Field(default=None, max_length=1_000, description="read_file, write_file.")
    content: str | None = Field(default=None, max_length=60_000, description="write_file: the whole file.")
    offset: int | None = Field(default=None, ge=0, description="read_file: the character to begin at.")
    seconds: float | None = Field(default=None, gt=0, le=3600, description="shell, python: the time limit.")


class Round(Contract):
    """What a round answers."""

    assistant_answer: str = Field(max_length=40_000)
    done: bool = False
    done_reason: str | None = None
    tool_call: Annotated[TaskToolCall, BeforeValidator(_drop_fields_of_unknown_tool)] | None = None
    writeback: Writeback | None = None
    more_calls: SkipJsonSchema[tuple[str, ...]] = Field(
        default=(), description="Tools of further calls, which are not run; a reply has one."
    )

    @model_validator(mode="before")
    @classmethod
    def _keep_first_call(cls, value: object) -> object:
        """Take the first of several calls, whether they are a list or the value of `tool_calls`."""
        if not isinstance(value, dict) or not ("tool_calls" in value or isinstance(value.get("tool_call"), list)):
            return value
        calls = [call for name in ("tool_call", "tool_calls") for call in _as_sequence(value.get(name))]
        rest = {name: field for name, field in value.items() if name not in {"tool_call", "tool_calls"}}
        names = [str(call.get("tool", "?")) if isinstance(call, dict) else "?" for call in calls[1:]]
        return {**rest, "tool_call": calls[0] if calls else None, "more_calls": names}


def _as_sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else () if value is None else (value,)


class RoundInput(RoleInput):
    """For the worker: the state of the task. Its size does not grow with the rounds."""

    gives: ClassVar[type[Contract]] = Round

    task: str
    goal: str
    phases: tuple[str, ...] = Field(default=(), description="Id, status and title.")
    current_phase: str
    checklist: tuple[str, ...] = Field(default=(), description="Of the current phase.")
    tools: tuple[str, ...] = Field(default=(), description="What may be called, with what it takes.")
    errors: tuple[str, ...] = Field(default=(), description="The last that are not resolved.")
    failed: bool = Field(default=False, description="Whether the last tool call failed.")
    findings_tail: str = Field(default="", description="The last lines of findings.md.")
    progress_tail: str = Field(default="", description="The last lines of progress.md.")
    last_result: str = Field(default="", description="What the last tool call gave.")
    hints: tuple[str, ...] = Field(default=(), description="What was wrong with the last reply, or what a person said.")
    actions: int = Field(default=0, ge=0, description="Tool calls since findings were written.")
    round: int = Field(ge=1)
    rounds_left: int = Field(ge=0, description="Rounds that may follow this one.")


class LogEntry(Contract):
    """One append to a log of the workspace."""

    at: datetime
    round: int = Field(ge=0)
    heading: str
    text: str


class Judged(Contract):
    """What a reply leads to: what is written down, what is wrong with it, and the call that may run."""

    round: int
    plan: TaskPlan | None = Field(default=None, description="After the updates; None when nothing changed.")
    findings: tuple[str, ...] = ()
    progress: tuple[str, ...] = ()
    faults: tuple[str, ...] = Field(default=(), description="Protocol errors, and what of the plan is unknown.")
    call: TaskToolCall | None = None
    approval: str | None = Field(default=None, description="Why a person is asked before the call runs.")
    refusal: str | None = Field(default=None, description="Why the call does not run.")
    answer: str
    done: str | None = Field(default=None, description="Why the task is done, if it is.")


class Artifact(Contract):
    """A file that the task made, in one of its versions."""

    path: str
    sha256: str
    size: int = Field(ge=0)
    version: int = Field(ge=1)


class Acted(Contract):
    """The outcome of a call, also of one that was not run."""

    round: int
    tool: str
    signature: str = Field(description="Equal calls have an equal one.")
    ran: bool = Field(description="False when a person said no.")
    summary: str = Field(description="What the model is shown.")
    did: str = Field(description="One line for progress.md.")
    error: str | None = Field(default=None, description="What failed, in one line.")
    interrupted: bool = Field(default=False, description="Nobody knows how far it came.")
    strike: str | None = Field(default=None, description="The error without its numbers: equal errors are counted.")
    finding: str | None = Field(default=None, description="Noted by itself after two actions without findings.")
    untrusted: str | None = Field(default=None, description="Whose words were read.")
    artifacts: tuple[Artifact, ...] = ()


class PlanAdopted(Contract):
    """A person edited `task_plan.md`, and the plan is now as given."""

    plan: TaskPlan


class EditRefused(Contract):
    """A person's edit of `task_plan.md` is no plan; the file is restored."""

    reason: str
