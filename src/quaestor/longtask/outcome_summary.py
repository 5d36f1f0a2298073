"""The summary of a tool call's outcome: its text, its error, and its finding. Pure rules."""

import re
from collections.abc import Iterator, Mapping, Sequence

from quaestor.contracts import mcp
from quaestor.contracts.event import ToolInterrupted, ToolResponded
from quaestor.contracts.workspace import FileState
from quaestor.longtask import reply_evaluation
from quaestor.longtask.contracts import Acted, Artifact, TaskToolCall
from quaestor.longtask.reply_evaluation import truncate_lines
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.steps import Declined, Summarizing
from quaestor.longtask.tools.registry import find_tool
from quaestor.longtask.tools.task_tool import ResultSummary, one_line, truncate_middle
from quaestor.longtask.workspace_sync import workspace_change

MAX_ACTIONS_WITHOUT_FINDINGS = 2
"""After so many actions without findings the last summary becomes one."""
INTERRUPTED_SUMMARY = (
    "interrupted: the process ended while it ran. Nobody knows how far it came, and it is not run again by itself; "
    "look at the workspace, then decide"
)
_DIGITS = re.compile(r"\d+")
_EXIT_CODE_ONLY = re.compile(r"exit code \d+")


def summarize_tool_outcome(task: PlannedTask, step: Summarizing) -> Acted:
    """Return the outcome of the call of this round."""
    call, outcome = step.call, step.outcome
    if isinstance(outcome, Declined):
        return _summarize_declined(task, call, outcome)
    described = reply_evaluation.describe_call(call)
    summary, error = _summarize_outcome(outcome)
    interrupted = _is_interrupted(outcome)
    artifacts = tuple(_new_artifacts(task.workspace.artifacts, _changed_files(outcome)))
    finding = f"Noted by itself after {MAX_ACTIONS_WITHOUT_FINDINGS} actions without findings: {described}\n{summary}"
    return Acted(
        round=task.round,
        tool=call.tool,
        signature=reply_evaluation.call_signature(call),
        ran=True,
        summary=f"Round {task.round}, {described}\n{summary}",
        did=f"{described}: {error or ('interrupted' if interrupted else 'done')}{_describe_artifacts(artifacts)}",
        error=f"round {task.round}, {described}: {error}" if error else None,
        interrupted=interrupted,
        strike=_error_signature(call, error) if error else None,
        finding=truncate_lines(finding) if task.actions + 1 >= MAX_ACTIONS_WITHOUT_FINDINGS else None,
        untrusted=_untrusted_source(task, call, outcome),
        artifacts=artifacts,
    )


def _summarize_declined(task: PlannedTask, call: TaskToolCall, declined: Declined) -> Acted:
    summary = f"{reply_evaluation.describe_call(call)}: not run; a person said: {declined.answer}"
    return Acted(
        round=task.round,
        tool=call.tool,
        signature=reply_evaluation.call_signature(call),
        ran=False,
        summary=truncate_middle(summary),
        did=summary,
    )


def _summarize_outcome(outcome: ToolResponded | ToolInterrupted) -> ResultSummary:
    if isinstance(outcome, ToolInterrupted) or _is_interrupted(outcome):
        return ResultSummary(INTERRUPTED_SUMMARY)
    match outcome:
        case ToolResponded(error=str(error)):
            return ResultSummary(truncate_middle(f"failed: {error}"), one_line(error))
        case ToolResponded(tool=name, result=result):
            tool = find_tool(name)
            return tool.summarize(result) if tool and isinstance(result, tool.output_type) else ResultSummary("")


def _is_interrupted(outcome: ToolResponded | ToolInterrupted) -> bool:
    """Return whether a call was cut off; in a replay that is an error."""
    return isinstance(outcome, ToolInterrupted) or outcome.error == mcp.INTERRUPTED


def _error_signature(call: TaskToolCall, error: str) -> str:
    """Return an error without its numbers; one that is nothing but an exit code equals that of the same call alone."""
    source = reply_evaluation.describe_call(call) if _EXIT_CODE_ONLY.fullmatch(error) else call.tool
    return _DIGITS.sub("#", f"{source}: {error}")


def _changed_files(outcome: ToolResponded | ToolInterrupted) -> Sequence[FileState]:
    change = workspace_change(outcome)
    return change.files if change else ()


def _new_artifacts(known: Mapping[str, Artifact], changed: Sequence[FileState]) -> Iterator[Artifact]:
    for state in changed:
        before = known.get(state.path)
        if before is None or before.sha256 != state.sha256:
            version = before.version + 1 if before else 1
            yield Artifact(path=state.path, sha256=state.sha256, size=state.size, version=version)


def _describe_artifacts(artifacts: Sequence[Artifact]) -> str:
    """Return a list of the new versions of files, each with the beginning of its hash."""
    if not artifacts:
        return ""
    return "; made " + ", ".join(f"{one.path} version {one.version} ({one.sha256[:12]})" for one in artifacts)


def _untrusted_source(task: PlannedTask, call: TaskToolCall, outcome: ToolResponded | ToolInterrupted) -> str | None:
    """Return which foreign text a call read, or None when the task itself wrote all that it could read."""
    tool = find_tool(call.tool)
    if tool is None:
        return None
    result = outcome.result if isinstance(outcome, ToolResponded) else None
    return tool.untrusted_source(result if isinstance(result, tool.output_type) else None, task.workspace, task.round)
