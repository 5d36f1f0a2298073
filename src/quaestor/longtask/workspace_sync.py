"""The files of a task: what they should hold, how the task goes on once they are written, and who else writes there."""

from hashlib import sha256
from typing import TYPE_CHECKING

from quaestor.contracts.event import Event, ToolInterrupted, ToolResponded
from quaestor.contracts.immutable import replace
from quaestor.contracts.workspace import (
    FINDINGS_FILE,
    MANAGED_FILES,
    OUTPUT_FOLDER,
    PROGRESS_FILE,
    DumpInput,
    DumpResult,
    FilePart,
    LogAppend,
    WorkspaceFingerprints,
)
from quaestor.longtask import task_plan
from quaestor.longtask.contracts import EditRefused, PlanAdopted, TaskPlan, TaskToolCall
from quaestor.longtask.state import PlannedTask, SyncStatus, WorkspaceState, log_progress
from quaestor.longtask.steps import Ended, ReviewingEdit, Syncing, TaskEnding, Working
from quaestor.longtask.tools.registry import find_tool
from quaestor.longtask.workspace_files import render_findings, render_plan, render_progress, render_state

if TYPE_CHECKING:
    from quaestor.longtask.tools.task_tool import WorkspaceChange


def dump_key(task: PlannedTask) -> str:
    """Return the key of the run that writes the files next."""
    return f"{task.setup.prefix}dump/{task.sync.count + 1}"


def build_dump_input(task: PlannedTask) -> DumpInput:
    """Return what the files should hold.

    Of a log that is as it was left, only the new entries: the log of events does not repeat all of them every round.
    """
    logs, sync = task.logs, task.sync
    findings = 0 if FINDINGS_FILE in sync.damaged else sync.findings
    progress = 0 if PROGRESS_FILE in sync.damaged else sync.progress
    return DumpInput(
        folder=task.setup.todo_id or "",
        plan=render_plan(task.plan_with_errors),
        plan_before=sync.plan_sha256,
        findings=_log_append(
            render_findings(logs.findings), render_findings(logs.findings[:findings]) if findings else ""
        ),
        progress=_log_append(
            render_progress(logs.progress), render_progress(logs.progress[:progress]) if progress else ""
        ),
        state=render_state(
            last_result=task.last_result,
            actions=task.actions,
            message=task.setup.task,
            plan_created=True,
            task_key=task.setup.task_key,
            round_number=task.round,
        ),
        cut_off=sync.cut_off,
    )


def evaluate_plan_edit(plan: TaskPlan, text: str) -> PlanAdopted | EditRefused:
    """Return what becomes of a person's edit of task_plan.md: a plan, or the reason why it is none."""
    edited = task_plan.parse_edit(plan, text)
    return EditRefused(reason=edited) if isinstance(edited, str) else PlanAdopted(plan=edited)


def _log_append(whole: str, before: str) -> LogAppend:
    """Return what a log grows by; `before` is its beginning."""
    known = before.encode()
    return LogAppend(start=len(known), before=sha256(known).hexdigest(), text=whole[len(before) :])


def record_call(
    workspace: WorkspaceState, call: TaskToolCall, outcome: ToolResponded | ToolInterrupted
) -> WorkspaceState:
    """Return what is known of the workspace after a call; after one that came to no end, its content is unknown."""
    tool = find_tool(outcome.tool)
    if tool is None or not tool.has_side_effects:
        return workspace
    if change := workspace_change(outcome):
        return _record_fingerprints(workspace, change.seen)
    content = tool.written_content(call)
    ordered = frozenset() if content is None else {sha256(content.encode()).hexdigest()}
    return replace(workspace, fingerprint=None, unconfirmed=workspace.unconfirmed | ordered)


def workspace_change(outcome: ToolResponded | ToolInterrupted) -> "WorkspaceChange | None":
    """Return what a call changed in the workspace; None when it changed nothing or when that is not known."""
    tool = find_tool(outcome.tool)
    if tool is None or not isinstance(outcome, ToolResponded) or not isinstance(outcome.result, tool.output_type):
        return None
    return tool.workspace_change(outcome.result)


def record_dump(workspace: WorkspaceState, dumped: DumpResult) -> WorkspaceState:
    """Return what is known of the workspace after the task's own files were written, which no fingerprint covers."""
    return _record_fingerprints(workspace, WorkspaceFingerprints(before=dumped.seen, after=dumped.seen))


def is_own_file(workspace: WorkspaceState, part: FilePart) -> bool:
    """Return whether a file is as the task wrote it, or was to write it, or written from its log."""
    made = workspace.artifacts.get(part.path)
    if (made is not None and made.sha256 == part.sha256) or part.sha256 in workspace.unconfirmed:
        return True
    return part.path in MANAGED_FILES or (part.path.startswith(f"{OUTPUT_FOLDER}/") and not workspace.has_foreign_files)


def _record_fingerprints(workspace: WorkspaceState, seen: WorkspaceFingerprints) -> WorkspaceState:
    """Return what is known after a look at the files; a change between two looks was made by no tool of this task."""
    foreign = workspace.fingerprint is not None and workspace.fingerprint != seen.before
    return replace(workspace, fingerprint=seen.after, has_foreign_files=workspace.has_foreign_files or foreign)


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
    task = replace(task, sync=sync, workspace=record_dump(task.workspace, result))
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
