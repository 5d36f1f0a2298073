"""How a task is kept in files: what they should hold, and what becomes of a person's edit."""

from hashlib import sha256

from quaestor.contracts.event import ToolInterrupted, ToolResponded
from quaestor.contracts.workspace import (
    FINDINGS_FILE,
    MANAGED_FILES,
    OUTPUT_FOLDER,
    PROGRESS_FILE,
    DumpInput,
    DumpResult,
    FilePart,
    LogAppend,
    ProgramResult,
    WorkspaceFingerprints,
    WriteFileResult,
)
from quaestor.longtask import task_plan
from quaestor.longtask.contracts import EditRefused, PlanAdopted
from quaestor.longtask.state import TaskState
from quaestor.longtask.tool_calls import SIDE_EFFECT_TOOLS
from quaestor.longtask.workspace_files import render_findings, render_plan, render_progress, render_state


def build_dump_input(rounds: TaskState) -> DumpInput | None:
    """Give what the files should hold; None before there is a plan.

    Of a log that is as it was left, only what is new is given: the log of events does not repeat it all every round.
    """
    plan = rounds.plan_with_errors
    if plan is None:
        return None
    written = rounds.written
    findings = 0 if FINDINGS_FILE in written.damaged else written.findings
    progress = 0 if PROGRESS_FILE in written.damaged else written.progress
    return DumpInput(
        folder=rounds.todo_id or "",
        plan=render_plan(plan),
        plan_before=written.plan_sha256,
        findings=_log_append(
            render_findings(rounds.findings), render_findings(rounds.findings[:findings]) if findings else ""
        ),
        progress=_log_append(
            render_progress(rounds.progress), render_progress(rounds.progress[:progress]) if progress else ""
        ),
        state=render_state(
            last_result=rounds.last_result,
            actions=rounds.actions,
            message=rounds.task,
            plan_created=True,
            task_key=rounds.task_key,
            round_number=rounds.round,
        ),
    )


def evaluate_plan_edit(rounds: TaskState) -> PlanAdopted | EditRefused | None:
    """Say what becomes of a person's edit of task_plan.md, if there is one."""
    if rounds.plan is None or rounds.edited is None:
        return None
    plan = task_plan.parse_edit(rounds.plan, rounds.edited)
    return EditRefused(reason=plan) if isinstance(plan, str) else PlanAdopted(plan=plan)


def _log_append(whole: str, before: str) -> LogAppend:
    """Give what a log grows by; `before` is how it begins."""
    known = before.encode()
    return LogAppend(start=len(known), before=sha256(known).hexdigest(), text=whole[len(before) :])


def record_call(rounds: TaskState, outcome: ToolResponded | ToolInterrupted) -> TaskState:
    """Give the task after a call; of one that came to no end nobody knows what it left."""
    if outcome.tool not in SIDE_EFFECT_TOOLS:
        return rounds
    match outcome:
        case ToolResponded(tool="write_file", result=result, error=None):
            return _record_fingerprints(rounds, WriteFileResult.model_validate(result).seen)
        case ToolResponded(result=result, error=None):
            return _record_fingerprints(rounds, ProgramResult.model_validate(result).seen)
        case _:
            return rounds.model_copy(update={"left": None})


def record_dump(rounds: TaskState, dumped: DumpResult) -> TaskState:
    """Give the task after its files were written, which changes nothing that counts."""
    return _record_fingerprints(rounds, WorkspaceFingerprints(before=dumped.seen, after=dumped.seen))


def is_own_file(rounds: TaskState, part: FilePart) -> bool:
    """Say whether a file is as the task wrote it, or written from its log."""
    made = rounds.artifacts.get(part.path)
    if made is not None and made.sha256 == part.sha256:
        return True
    return part.path in MANAGED_FILES or (part.path.startswith(f"{OUTPUT_FOLDER}/") and not rounds.has_foreign_files)


def _record_fingerprints(rounds: TaskState, seen: WorkspaceFingerprints) -> TaskState:
    strange = rounds.left is not None and rounds.left != seen.before
    return rounds.model_copy(update={"left": seen.after, "has_foreign_files": rounds.has_foreign_files or strange})
