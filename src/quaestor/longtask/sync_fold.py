"""The fold of what the files of a task lead to: they were written, or a person edited the plan in one."""

from dataclasses import replace

from quaestor.contracts.event import Event, ToolResponded
from quaestor.contracts.workspace import DumpResult
from quaestor.longtask import task_plan, workspace_sync
from quaestor.longtask.contracts import EditRefused, PlanAdopted
from quaestor.longtask.state import PlannedTask, SyncStatus, log_progress
from quaestor.longtask.steps import Ended, ReviewingEdit, Syncing, TaskEnding, Working

RESTORED_PLAN = "task_plan.md was changed since a program began that was cut off, so it was put back; the text is in"


def apply_dump(task: PlannedTask, step: Syncing, outcome: ToolResponded, event: Event) -> PlannedTask:
    """Go on once the files are written; that they cannot be is logged once, for the log of events has it all."""
    count, result = task.sync.count + 1, outcome.result
    if not isinstance(result, DumpResult):
        if task.sync.error is None:
            error = f"the files of the workspace could not be written: {outcome.error}"
            task = log_progress(task, event, "error", error)
        return _go_on(replace(task, sync=replace(task.sync, count=count, error=outcome.error)), step)
    sync = SyncStatus(
        count=count,
        plan_sha256=result.plan_sha256,
        findings=len(task.logs.findings),
        progress=len(task.logs.progress),
        damaged=frozenset(result.damaged),
    )
    task = replace(task, sync=sync, workspace=workspace_sync.record_dump(task.workspace, result))
    if result.put_aside:
        task = log_progress(task, event, "note", f"{RESTORED_PLAN} {result.put_aside}")
    if result.edited is not None:
        return replace(task, step=ReviewingEdit(result.edited, step.then))
    return task if result.damaged else _go_on(task, step)


def _go_on(task: PlannedTask, step: Syncing) -> PlannedTask:
    match step.then:
        case TaskEnding() as ending:
            return replace(task, step=Ended(ending))
        case next_round:
            return replace(task, step=Working(), round=next_round)


def adopt_plan_edit(task: PlannedTask, step: ReviewingEdit, adopted: PlanAdopted, event: Event) -> PlannedTask:
    """Go on by the plan as a person edited it."""
    resolutions = {error.error: error.resolution for error in adopted.plan.errors if error.resolution}
    return replace(
        log_progress(task, event, "note", "a person edited the plan in task_plan.md"),
        step=Syncing(step.then),
        plan=task_plan.with_errors(adopted.plan, ()),
        failures=task.failures.resolve_errors(resolutions),
        hints=(*task.hints, "a person edited the plan; work by it as it is now"),
    )


def reject_plan_edit(task: PlannedTask, step: ReviewingEdit, refused: EditRefused, event: Event) -> PlannedTask:
    """Go on by the plan as it was, and restore its file."""
    error = f"a person's edit of task_plan.md cannot be used, so the file is restored: {refused.reason}"
    task = log_progress(task, event, "error", error)
    return replace(task, step=Syncing(step.then), hints=(*task.hints, error))
