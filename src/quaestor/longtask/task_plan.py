"""What happens to the plan of a task: made from a draft, changed by a round, edited by a person."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue, ValidationError

from quaestor.evidence.normalization import fold_case_and_blanks
from quaestor.longtask.contracts import (
    ChecklistItem,
    Phase,
    PhaseStatus,
    PlanMeta,
    TaskError,
    TaskPlan,
    TaskPlanDraft,
    TaskPlanUpdates,
)
from quaestor.replies import strict_json
from quaestor.replies.strict_json import JsonError

MAX_ERRORS = 20
"""Errors in the plan, the last ones; all of them are in progress.md."""
_MAX_QUOTED_CHARACTERS = 80


def plan_from_draft(draft: TaskPlanDraft, created: datetime, task_key: str) -> TaskPlan:
    """Return the first plan; its first phase is in progress."""
    phases = tuple(
        Phase(
            id=f"Phase {number}",
            title=phase.title,
            status="in_progress" if number == 1 else "todo",
            checklist=tuple(ChecklistItem(text=text) for text in dict.fromkeys(phase.checklist)),
        )
        for number, phase in enumerate(draft.phases, 1)
    )
    meta = PlanMeta(created=created, task_key=task_key)
    return TaskPlan(meta=meta, goal=draft.goal, current_phase=current_phase(phases), phases=phases)


def current_phase(phases: Sequence[Phase]) -> str:
    """Return the id of the first phase in progress, else of the first to be done, else of the last."""
    for status in ("in_progress", "todo"):
        for phase in phases:
            if phase.status == status:
                return phase.id
    return phases[-1].id


def apply_updates(plan: TaskPlan, updates: TaskPlanUpdates) -> tuple[TaskPlan, tuple[str, ...]]:
    """Return the plan after the updates of known phases and items, and a line for each that is unknown."""
    phases = {phase.id: phase for phase in plan.phases}
    unknown: list[str] = []
    for each in updates.phase_status:
        if known := _find_phase(phases, each.phase_id):
            phases[known.id] = known.revised(status=each.status)
        else:
            unknown.append(f"the plan has no phase {_quote(each.phase_id)}; it has {', '.join(phases)}")
    for item in updates.checklist_set:
        known = _find_phase(phases, item.phase_id)
        if known is None:
            unknown.append(f"the plan has no phase {_quote(item.phase_id)}; it has {', '.join(phases)}")
        elif fold_case_and_blanks(item.item_text) not in {fold_case_and_blanks(one.text) for one in known.checklist}:
            unknown.append(f"the checklist of {known.id} has no item {_quote(item.item_text)}")
        else:
            phases[known.id] = _set_item(known, item.item_text, done=item.done)
    return with_phases(plan, tuple(phases.values())), tuple(unknown)


def without_completions(updates: TaskPlanUpdates) -> tuple[TaskPlanUpdates, tuple[str, ...]]:
    """Return updates without what they call done, and a line for each; for a reply whose call is not run."""
    kept = TaskPlanUpdates(
        phase_status=tuple(one for one in updates.phase_status if one.status != "complete"),
        checklist_set=tuple(one for one in updates.checklist_set if not one.done),
    )
    done = (
        *(one.phase_id for one in updates.phase_status if one.status == "complete"),
        *(one.item_text for one in updates.checklist_set if one.done),
    )
    return kept, tuple(f"not ticked, for the call was not run: {_quote(text)}" for text in done)


def parse_edit(plan: TaskPlan, text: str) -> TaskPlan | str:
    """Return the plan as a person wrote it, or why it cannot be used; what only the log knows stays as it is."""
    try:
        written = strict_json.parse_json(text)
    except JsonError as error:
        return str(error)
    if not isinstance(written, dict):
        return "it is JSON, but no object"
    if _belongs_to_other_task(written.get("meta"), plan.meta):
        return "it is the plan of another task"
    try:
        edited = TaskPlan.model_validate(_restore_fixed_fields(written, plan))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return f"{'.'.join(map(str, fault['loc'])) or 'plan'}: {fault['msg']}"
    return with_phases(edited, edited.phases)


def with_phases(plan: TaskPlan, phases: tuple[Phase, ...]) -> TaskPlan:
    """Return the plan with these phases; the current one follows from them."""
    return plan.revised(phases=phases, current_phase=current_phase(phases))


def with_errors(plan: TaskPlan, errors: Sequence[TaskError]) -> TaskPlan:
    """Return the plan with the last of these errors."""
    return plan.revised(errors=tuple(errors[-MAX_ERRORS:]))


def newly_completed(before: TaskPlan, after: TaskPlan) -> frozenset[str]:
    """Return the ids of the phases that were completed between two versions of a plan."""
    return _phases_with_status(after, "complete") - _phases_with_status(before, "complete")


def _phases_with_status(plan: TaskPlan, status: PhaseStatus) -> frozenset[str]:
    return frozenset(phase.id for phase in plan.phases if phase.status == status)


def _belongs_to_other_task(meta: JsonValue, own: PlanMeta) -> bool:
    """Return whether an edit names another task; in a replay the time differs, and the edit still counts."""
    try:
        return PlanMeta.model_validate(meta).task_key != own.task_key
    except ValidationError:
        return False


def _restore_fixed_fields(written: Mapping[str, JsonValue], plan: TaskPlan) -> Mapping[str, object]:
    """Return the edit with the fields that it cannot change: the meta data, and a current phase, which is set later."""
    phases = written.get("phases")
    first = phases[0] if isinstance(phases, list) and phases else None
    named = first.get("id") if isinstance(first, dict) else None
    return {**written, "meta": plan.meta, "current_phase": named or plan.current_phase}


def _find_phase(phases: dict[str, Phase], phase_id: str) -> Phase | None:
    return next(
        (phase for phase in phases.values() if fold_case_and_blanks(phase.id) == fold_case_and_blanks(phase_id)), None
    )


def _set_item(phase: Phase, text: str, *, done: bool) -> Phase:
    items = (
        item.revised(done=done) if fold_case_and_blanks(item.text) == fold_case_and_blanks(text) else item
        for item in phase.checklist
    )
    return phase.revised(checklist=tuple(items))


def _quote(text: str) -> str:
    return repr(text if len(text) <= _MAX_QUOTED_CHARACTERS else f"{text[:_MAX_QUOTED_CHARACTERS]}[...]")
