"""The events of a long task in words, also of a todo that is carried out like one."""

from quaestor.contracts.event import SESSION_SCOPE, ContractAccepted, Event, FactRecorded, StateEntered
from quaestor.contracts.progress import EventDescription
from quaestor.longtask import reply_evaluation
from quaestor.longtask.contracts import Acted, EditRefused, Judged, PlanAdopted, TaskPlanDraft
from quaestor.longtask.routing import state_rows
from quaestor.views.text import count_noun

_ROUND_STATES = state_rows("").keys()
"""States of a round; its reply and its tool call are described instead."""


def describe_event(event: Event) -> EventDescription | None:
    """Describe an event of a task; None for one that the core describes."""
    match event.payload:
        case StateEntered(scope=scope) if scope == SESSION_SCOPE and event.state in _ROUND_STATES:
            return EventDescription(text=event.state.lower(), importance="detail")
        case ContractAccepted(output=TaskPlanDraft(phases=phases)):
            titles = [(f"Phase {number}", phase.title) for number, phase in enumerate(phases, 1)]
            return _describe_phases(f"{event.todo_id} plan" if event.todo_id else "plan", titles)
        case FactRecorded(value=Judged() as verdict):
            return _describe_verdict(verdict, event.todo_id)
        case FactRecorded(value=Acted() as outcome):
            return _describe_tool_outcome(outcome, event.todo_id)
        case FactRecorded(value=PlanAdopted(plan=plan)):
            return _describe_phases("task_plan.md was edited", [(phase.id, phase.title) for phase in plan.phases])
        case FactRecorded(value=EditRefused(reason=reason)):
            return EventDescription(text=f"the edit of task_plan.md cannot be used: {reason}", importance="problem")
        case _:
            return None


def _describe_verdict(verdict: Judged, todo_id: str | None) -> EventDescription:
    scope = f"{todo_id} " if todo_id else ""
    refusal = (f"not run: {verdict.refusal}",) if verdict.refusal else ()
    call = (reply_evaluation.describe_call(verdict.call),) if verdict.call else ()
    return EventDescription(
        text=f"{scope}round {verdict.round}: {verdict.answer}", details=(*verdict.faults, *refusal, *call)
    )


def _describe_tool_outcome(outcome: Acted, todo_id: str | None) -> EventDescription:
    scope = f"{todo_id}: " if todo_id else ""
    text = outcome.summary.partition("\n")[2] if outcome.ran else outcome.did
    made = tuple(f"{scope}made {file.path} version {file.version}" for file in outcome.artifacts)
    return EventDescription(text=f"{scope}{text}", details=made, continues=True)


def _describe_phases(subject: str, phases: list[tuple[str, str]]) -> EventDescription:
    return EventDescription(
        text=f"{subject}: {count_noun(len(phases), 'phase')}",
        details=tuple(f"{name} {title}" for name, title in phases),
    )
