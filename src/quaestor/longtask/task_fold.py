"""The fold of the events of a task."""

from typing import Literal

from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.event import (
    Answered,
    ApprovalRevoked,
    BudgetReached,
    Cancelled,
    ContractAccepted,
    ContractRejected,
    Event,
    FactRecorded,
    FinishRequested,
    QuestionAsked,
    Resumed,
    ToolInterrupted,
    ToolResponded,
)
from quaestor.contracts.immutable import replace
from quaestor.longtask import task_plan, workspace_sync
from quaestor.longtask.contracts import Acted, EditRefused, Judged, PlanAdopted, Round, TaskPlanDraft
from quaestor.longtask.logs import MAX_EQUAL_ERRORS, FailureLog, TaskLogs
from quaestor.longtask.reply_evaluation import parse_approval, truncate_lines
from quaestor.longtask.state import (
    PlannedTask,
    TaskState,
    UnplannedTask,
    is_ending,
    log_progress,
    open_question,
    with_options,
)
from quaestor.longtask.steps import (
    Acting,
    Approving,
    Declined,
    Ended,
    Escalating,
    Evaluating,
    Planning,
    ReviewingEdit,
    Summarizing,
    Syncing,
    TaskEnding,
    Working,
)
from quaestor.longtask.tools.registry import has_side_effects
from quaestor.longtask.workspace_files import DEFAULT_HEADING, HEADINGS


def fold(task: TaskState, event: Event) -> TaskState:
    """Return the task after one more event; events of others leave it as it is."""
    match event.payload:
        case Answered(standing=StandingApproval() as standing):
            task = _with_approved(task, (*task.setup.options.approved, standing))
        case _:
            pass
    match event.payload:
        case FinishRequested():
            return stop_early(task, "partial", "a person asked to finish")
        case Cancelled():
            return stop_early(task, "cancelled", "a person cancelled it")
        case BudgetReached(limit=limit):
            return stop_early(task, "partial", f"the budget is reached ({limit})")
        case Resumed():
            return _resume(task)
        case ApprovalRevoked(standing=standing):
            return _with_approved(task, tuple(each for each in task.setup.options.approved if each != standing))
        case _ if isinstance(task, UnplannedTask):
            return _fold_unplanned(task, event)
        case _:
            return _fold_planned(task, event)


def _with_approved(task: TaskState, approved: tuple[StandingApproval, ...]) -> TaskState:
    """Return a task in which other calls are approved for good: by an answer to it, or to another todo."""
    return with_options(task, task.setup.options.revised(approved=approved))


def stop_early(task: TaskState, outcome: Literal["partial", "cancelled"], reason: str) -> TaskState:
    """Return a task that ends from outside, once its files are written; what it was about to do is not done."""
    if is_ending(task):
        return task
    statement = f"Ended early, because {reason}."
    match task:
        case UnplannedTask():
            return replace(task, step=Ended(TaskEnding(outcome, statement)))
        case PlannedTask():
            return _end_once_synced(task, TaskEnding(outcome, f"{task.answer}\n\n{statement}".strip()))


def _end_once_synced(task: PlannedTask, ending: TaskEnding) -> PlannedTask:
    match task.step:
        case ReviewingEdit(text=text):
            return replace(task, step=ReviewingEdit(text, ending))
        case _:
            return replace(task, step=Syncing(ending))


def _resume(task: TaskState) -> TaskState:
    """Request again what was given up; before a round begins, its files are written."""
    match task:
        case UnplannedTask(step=Planning(unusable=unusable)):
            return replace(task, step=Planning(unusable=unusable))
        case PlannedTask(step=Working()):
            return replace(task, step=Syncing(task.round))
        case _:
            return task


def _fold_unplanned(task: UnplannedTask, event: Event) -> TaskState:
    if isinstance(task.step, Ended):
        return task
    key = f"{task.setup.prefix}plan"
    match event.payload:
        case ContractAccepted(output=TaskPlanDraft() as draft) as accepted if accepted.key == key:
            return _apply_plan_draft(task, draft, event)
        case ContractRejected() as rejected if rejected.key == key:
            unusable = (*task.step.unusable, "; ".join(rejected.objections))
            return replace(task, step=Planning(unusable if rejected.final else (), unusable))
        case _:
            return task


def _apply_plan_draft(task: UnplannedTask, draft: TaskPlanDraft, event: Event) -> PlannedTask:
    plan = task_plan.plan_from_draft(draft, event.at, task.setup.task_key)
    known = (f"{DEFAULT_HEADING}: {truncate_lines(claim)}" for claim in task.setup.known_findings)
    logs = TaskLogs().add_findings(event.at, 0, (f"{HEADINGS[0]}: {task.setup.task}", *known))
    unusable = task.step.unusable if isinstance(task.step, Planning) else ()
    logs = logs.add_progress(event.at, 0, "error", *(f"a plan could not be used: {each}" for each in unusable))
    logs = logs.add_progress(event.at, 0, "action", f"planned: {len(plan.phases)} phases")
    return PlannedTask(task.setup, plan, Syncing(1), logs=logs, untrusted_source=task.untrusted_source)


def _fold_planned(task: PlannedTask, event: Event) -> PlannedTask:
    match event.payload, task.step:
        case ContractAccepted(key=key, output=Round() as reply, repaired=repaired), Working() if key == task.round_key:
            return replace(task, step=Evaluating(reply, repaired))
        case ContractRejected(key=key) as rejected, Working(unusable=unusable) if key == task.round_key:
            objections = "; ".join(rejected.objections)
            task = log_progress(task, event, "error", f"a reply could not be used: {objections}")
            unusable = (*unusable, objections)
            return replace(task, step=Working(unusable if rejected.final else (), unusable))
        case FactRecorded(key=key) as fact, _ if key.startswith(task.setup.prefix):
            return _apply_fact(task, fact, event)
        case QuestionAsked(ref=ref) as question, (Approving() | Escalating()) as step if ref.startswith(
            f"{task.round_key}/"
        ):
            return replace(task, step=replace(step, question=question))
        case Answered() as answered, _:
            return _apply_answer(task, answered, event)
        case (ToolResponded(key=key) | ToolInterrupted(key=key)) as outcome, Acting(call=call) if (
            key == f"{task.round_key}/tool"
        ):
            workspace = workspace_sync.record_call(task.workspace, call, outcome)
            sync = task.sync
            if isinstance(outcome, ToolInterrupted) and has_side_effects(outcome.tool):
                sync = replace(sync, cut_off=True)
            return replace(task, workspace=workspace, sync=sync, step=Summarizing(call, outcome))
        case ToolResponded(key=key) as outcome, Syncing() as step if key == workspace_sync.dump_key(task):
            return workspace_sync.apply_dump(task, step, outcome, event)
        case _:
            return task


def _apply_fact(task: PlannedTask, fact: FactRecorded, event: Event) -> PlannedTask:
    match fact.value, task.step:
        case Judged() as judged, Evaluating():
            return _apply_evaluation(task, judged, event)
        case Acted() as acted, Summarizing():
            return _apply_outcome(task, acted, event)
        case PlanAdopted() as adopted, ReviewingEdit() as step:
            return workspace_sync.adopt_plan_edit(task, step, adopted, event)
        case EditRefused() as refused, ReviewingEdit() as step:
            return workspace_sync.reject_plan_edit(task, step, refused, event)
        case _:
            return task


def _apply_evaluation(task: PlannedTask, judged: Judged, event: Event) -> PlannedTask:
    """Apply what a reply leads to: plan first, then what it writes down, then its call."""
    faults = (*judged.faults, *((f"not run: {judged.refusal}",) if judged.refusal else ()))
    logs = task.logs.add_findings(event.at, task.round, judged.findings)
    logs = logs.add_progress(event.at, task.round, "note", *judged.progress)
    logs = logs.add_progress(event.at, task.round, "error", *faults)
    failures, before = task.failures, task.plan
    if judged.plan:
        failures = failures.resolve_phases(task_plan.newly_completed(task.plan, judged.plan), judged.round)
    task = replace(
        task,
        plan=judged.plan or task.plan,
        failures=failures,
        logs=logs,
        answer=judged.answer,
        hints=faults,
        actions=0 if judged.findings else task.actions,
    )
    if judged.done:
        ending = TaskEnding("done", judged.answer or judged.done)
        return replace(log_progress(task, event, "action", f"done: {judged.done}"), step=Syncing(ending))
    if judged.call and judged.approval:
        return replace(task, step=Approving(judged.call, judged.approval, plan_before=before))
    if judged.call:
        return replace(task, step=Acting(judged.call))
    return _close_round(task)


def _apply_outcome(task: PlannedTask, acted: Acted, event: Event) -> PlannedTask:
    """Apply the outcome of a call: its summary, the errors it causes or resolves, and its finding, if any."""
    made = {artifact.path: artifact for artifact in acted.artifacts}
    task = replace(
        log_progress(task, event, "action" if _ended_well(acted) else "error", acted.did),
        last_result=acted.summary,
        last_call_failed=not _ended_well(acted),
        untrusted_source=task.untrusted_source or acted.untrusted,
        workspace=replace(task.workspace, artifacts={**task.workspace.artifacts, **made}),
    )
    if not acted.ran:
        return _close_round(task)
    task = replace(
        task,
        actions=0 if acted.finding else task.actions + 1,
        logs=task.logs.add_findings(event.at, task.round, (acted.finding,) if acted.finding else ()),
        failures=_record_failure(task, acted),
    )
    closed = _close_round(task)
    return _escalate_repeated_error(closed, acted, event) if task.failures.is_repeated(acted.strike) else closed


def _ended_well(acted: Acted) -> bool:
    return acted.ran and acted.error is None and not acted.interrupted


def _record_failure(task: PlannedTask, acted: Acted) -> FailureLog:
    """Return the failures after a call; one that was cut off neither failed nor succeeded."""
    if acted.interrupted:
        return task.failures
    if acted.error:
        return task.failures.add(acted, task.plan.current_phase)
    return task.failures.resolve_call(acted, has_side_effects=has_side_effects(acted.tool))


def _escalate_repeated_error(task: PlannedTask, acted: Acted, event: Event) -> PlannedTask:
    """Ask a person about an error that occurred three times; where nobody can be asked, show it to the model."""
    error = f"the same error came {MAX_EQUAL_ERRORS} times: {acted.error}"
    task = replace(log_progress(task, event, "error", error), failures=task.failures.reset_count(acted.strike))
    match task.step:
        case Syncing(then=int(next_round)) if task.setup.options.questions:
            return replace(task, step=Escalating(error, next_round))
        case Syncing(then=int()):
            return replace(task, hints=(*task.hints, f"{error}; nobody can be asked, so go another way"))
        case _:
            return task


def _apply_answer(task: PlannedTask, answered: Answered, event: Event) -> PlannedTask:
    question, text = open_question(task), answered.text
    if question is None or question.ref != answered.ref:
        return task
    task = log_progress(task, event, "note", f"a person said: {text}")
    match task.step:
        case Approving(call=call) if parse_approval(text):
            return replace(task, step=Acting(call))
        case Approving(call=call, plan_before=before):  # what was to be done by the call is not
            return replace(task, plan=before or task.plan, step=Summarizing(call, Declined(text)))
        case Escalating(next_round=next_round):
            return replace(task, step=Syncing(next_round), hints=(*task.hints, f"a person said: {text}"))
        case _:
            return task


def _close_round(task: PlannedTask) -> PlannedTask:
    """Close this round; after the last one that is allowed the task ends with what it has."""
    if task.round < task.setup.options.rounds:
        return replace(task, step=Syncing(task.round + 1))
    statement = f"{task.answer}\n\nEnded early, because its {task.setup.options.rounds} rounds are used up.".strip()
    return replace(task, step=Syncing(TaskEnding("partial", statement)))
