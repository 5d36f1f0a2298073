"""The rounds of a task told in plain lines: what each said, what it called, and what came of that."""

from pydantic import JsonValue

from quaestor.cli.phrase import counted, cut, first
from quaestor.contracts.task import Acted, EditRefused, Judged, PlanAdopted, TaskPlanDraft
from quaestor.workflows.parts import calls


def planned(value: JsonValue, todo_id: str | None) -> tuple[str, ...]:
    """Tell the first plan of a task, or of a todo that is done like one."""
    phases = TaskPlanDraft.model_validate(value).phases
    return _phases(
        f"{todo_id} plan" if todo_id else "plan",
        [(f"Phase {number}", phase.title) for number, phase in enumerate(phases, 1)],
    )


def concluded(contract: str, value: JsonValue, todo_id: str | None) -> tuple[str, ...]:
    """Tell what a task concluded by itself; nothing of what no task concludes."""
    match contract:
        case "Judged":
            return _judged(Judged.model_validate(value), todo_id)
        case "Acted":
            return _acted(Acted.model_validate(value), todo_id)
        case "PlanAdopted":
            phases = PlanAdopted.model_validate(value).plan.phases
            return _phases("task_plan.md was edited", [(phase.id, phase.title) for phase in phases])
        case "EditRefused":
            return (f"the edit of task_plan.md cannot be used: {cut(EditRefused.model_validate(value).reason)}",)
        case _:
            return ()


def _judged(judged: Judged, todo_id: str | None) -> tuple[str, ...]:
    who = f"{todo_id} " if todo_id else ""
    refusal = (f"not run: {judged.refusal}",) if judged.refusal else ()
    call = (calls.told(judged.call),) if judged.call else ()
    return (f"{who}round {judged.round}: {cut(judged.answer)}", *_below(*judged.faults, *refusal, *call))


def _acted(acted: Acted, todo_id: str | None) -> tuple[str, ...]:
    who = f"{todo_id}: " if todo_id else ""
    came = acted.summary.partition("\n")[2] if acted.ran else acted.did
    made = (f"{who}made {one.path} version {one.version}" for one in acted.artifacts)
    return _below(f"{who}{came}", *made)


def _phases(what: str, phases: list[tuple[str, str]]) -> tuple[str, ...]:
    return (f"{what}: {counted(len(phases), 'phase')}", *_below(*(f"{name}  {title}" for name, title in phases)))


def _below(*lines: str) -> tuple[str, ...]:
    return first([f"  {cut(line)}" for line in lines])
