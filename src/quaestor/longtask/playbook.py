"""A model for tasks: its reply and its call in each round, from a YAML file that a person can read.

    - goal: The words are counted.
      plan:
        Look: [List the files]
        Count: [Count the words]
    - say: I look what is there.
      shell: ls
      progress: Listed the files.
      tick: {Phase 1: [List the files]}
      phases: {Phase 1: complete}
    - say: There are 42 words.
      findings: There are 42 words.
      done: The words are counted.

The n-th step answers round n, whichever process asks, so a killed task continues where it was. After the last
step the task is done. Every other role is answered by the offline model.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from quaestor.contracts.base import Contract, Texts
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import UsageError
from quaestor.contracts.faults import describe_faults
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall
from quaestor.contracts.ports import Model
from quaestor.files import read_yaml
from quaestor.longtask.contracts import (
    ChecklistItemUpdate,
    DraftPhase,
    PhaseStatus,
    PhaseStatusUpdate,
    Round,
    RoundInput,
    TaskPlanDraft,
    TaskPlanInput,
    TaskPlanUpdates,
    TaskToolCall,
    Writeback,
)

_ONE_CALL = Spend(model_calls=1)
_PLAYBOOK_ENDED = "The playbook has no further step."


def _path_as_mapping(value: object) -> object:
    return {"path": value} if isinstance(value, str) else value


class FileRead(Contract):
    """What a step reads."""

    path: str
    offset: int | None = None


class FileWrite(Contract):
    """What a step writes."""

    path: str
    content: str


class Step(Contract):
    """One step: the reply of a round, its one call, and its findings."""

    say: str = ""
    call: TaskToolCall | None = Field(default=None, description="Of any tool; the fields below are short for some.")
    shell: str | None = None
    python: str | None = None
    search_web: str | None = None
    search_database: str | None = None
    read_file: Annotated[FileRead, BeforeValidator(_path_as_mapping)] | None = None
    write_file: FileWrite | None = None
    seconds: float | None = Field(default=None, gt=0, description="The time limit of the call.")
    findings: Texts = ()
    progress: Texts = ()
    tick: Mapping[str, Texts] = Field(default={}, description="Items that are done, by phase.")
    phases: Mapping[str, PhaseStatus] = Field(default={}, description="What phases come to be.")
    done: str | None = Field(default=None, description="Why the task is done.")


class PlanItem(Contract):
    """The first item of a playbook, when it plans: phases with their checklists."""

    goal: str
    plan: Mapping[str, Texts] = Field(min_length=1)


class Playbook(Contract):
    """A plan, if there is one, and the steps in order."""

    plan: PlanItem | None = None
    steps: tuple[Step, ...]


_STEPS: TypeAdapter[tuple[Step, ...]] = TypeAdapter(tuple[Step, ...])


def load(path: Path) -> Playbook:
    """Read a playbook. Raises UsageError that names the file and the place of every fault."""
    items = read_yaml(path, "playbook")
    if not isinstance(items, list):
        raise UsageError(f"the playbook {path} is no list of steps; begin each step with a dash")
    planned = bool(items) and isinstance(items[0], dict) and "plan" in items[0]
    try:
        opening = PlanItem.model_validate(items[0]) if planned else None
        return Playbook(plan=opening, steps=_STEPS.validate_python(items[1:] if planned else items))
    except ValidationError as error:
        raise UsageError(f"the playbook {path} has steps that cannot be used: {describe_faults(error)}") from error


def open_playbook(path: Path, otherwise: Model) -> Model:
    """Return the model of a playbook. Raises UsageError as `load` does."""
    return PlaybookModel(f"playbook:{path.name}", load(path), otherwise)


class PlaybookModel:
    """A model that answers from a playbook; a `Model`."""

    def __init__(self, name: str, playbook: Playbook, otherwise: Model) -> None:
        self.name = name
        self._playbook = playbook
        self._otherwise = otherwise

    def prepare(self, request: ModelRequest) -> PreparedCall:
        """Return what a call is; a playbook costs no money."""
        return self._otherwise.prepare(request).revised(model=self.name, pure=False)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        """Return the plan, or the step of the round that is asked for."""
        match request.given:
            case TaskPlanInput(task=task):
                return _reply(_plan_draft(self._playbook, task))
            case RoundInput(round=number):
                steps = self._playbook.steps
                return _reply(
                    _task_round(steps[number - 1])
                    if number <= len(steps)
                    else _task_round(Step(say=_PLAYBOOK_ENDED, done=_PLAYBOOK_ENDED))
                )
            case _:
                return await self._otherwise.answer(request, prepared)


def _plan_draft(playbook: Playbook, task: str) -> TaskPlanDraft:
    if playbook.plan is None:
        return TaskPlanDraft(goal=task[:2_000], phases=(DraftPhase(title="Carry out the playbook"),))
    phases = tuple(DraftPhase(title=title, checklist=items) for title, items in playbook.plan.plan.items())
    return TaskPlanDraft(goal=playbook.plan.goal, phases=phases)


def _task_round(step: Step) -> Round:
    updates = TaskPlanUpdates(
        phase_status=tuple(PhaseStatusUpdate(phase_id=phase, status=status) for phase, status in step.phases.items()),
        checklist_set=tuple(
            ChecklistItemUpdate(phase_id=phase, item_text=text, done=True)
            for phase, texts in step.tick.items()
            for text in texts
        ),
    )
    calls = tuple(_calls(step))
    return Round(
        assistant_answer=step.say,
        done=step.done is not None,
        done_reason=step.done,
        tool_call=calls[0] if calls else None,
        more_calls=tuple(call.tool for call in calls[1:]),
        writeback=Writeback(findings_append=step.findings, progress_append=step.progress, task_plan_updates=updates),
    )


def _calls(step: Step) -> Sequence[TaskToolCall]:
    written, read = step.write_file, step.read_file
    calls = (
        step.call,
        step.shell and TaskToolCall(tool="shell", command=step.shell, seconds=step.seconds),
        step.python and TaskToolCall(tool="python", code=step.python, seconds=step.seconds),
        step.search_web and TaskToolCall(tool="search_web", query=step.search_web),
        step.search_database and TaskToolCall(tool="search_database", query=step.search_database),
        read and TaskToolCall(tool="read_file", path=read.path, offset=read.offset),
        written and TaskToolCall(tool="write_file", path=written.path, content=written.content),
    )
    return tuple(call for call in calls if call)


def _reply(reply: Contract) -> ModelReply:
    return ModelReply(text=reply.model_dump_json(), spend=_ONE_CALL)
