"""What came of a tool call: its summary, its error, and its finding. Pure rules over the outcome."""

import re
from collections.abc import Iterator, Mapping, Sequence

from quaestor.contracts import mcp
from quaestor.contracts.database import DatabaseResults
from quaestor.contracts.event import ToolInterrupted, ToolResponded, Value
from quaestor.contracts.web import WebResults
from quaestor.contracts.workspace import (
    MAX_SHOWN_CHARACTERS,
    FilePart,
    FileState,
    ProgramResult,
    StoredOutput,
    WriteFileResult,
)
from quaestor.longtask import tool_calls, workspace_sync
from quaestor.longtask.contracts import Acted, Artifact, TaskToolCall
from quaestor.longtask.reply_evaluation import truncate_lines
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.steps import Declined, Summarizing

MAX_ACTIONS_WITHOUT_FINDINGS = 2
"""After so many actions without findings the last summary becomes one."""
MAX_LISTED_FILES = 10
"""Changed files that a summary names."""
INTERRUPTED_SUMMARY = (
    "interrupted: the process ended while it ran. Nobody knows how far it came, and it is not run again by itself; "
    "look at the workspace, then decide"
)
_MAX_ERROR_CHARACTERS = 300
_HEAD_CHARACTERS = 500
_DIGITS = re.compile(r"\d+")
_EXIT_CODE_ONLY = re.compile(r"exit code \d+")


def summarize_tool_outcome(task: PlannedTask, step: Summarizing) -> Acted:
    """Return what came of the call of this round."""
    call, outcome = step.call, step.outcome
    if isinstance(outcome, Declined):
        return _summarize_declined(task, call, outcome)
    described = tool_calls.describe_call(call)
    summary, error = _summarize_outcome(outcome)
    artifacts = tuple(_new_artifacts(task.workspace.artifacts, _changed_files(outcome)))
    finding = f"Noted by itself after {MAX_ACTIONS_WITHOUT_FINDINGS} actions without findings: {described}\n{summary}"
    return Acted(
        round=task.round,
        tool=call.tool,
        signature=tool_calls.call_signature(call),
        ran=True,
        summary=f"Round {task.round}, {described}\n{summary}",
        did=f"{described}: {error or 'done'}{_describe_artifacts(artifacts)}",
        error=f"round {task.round}, {described}: {error}" if error else None,
        strike=_error_signature(call, error) if error else None,
        finding=truncate_lines(finding) if task.actions + 1 >= MAX_ACTIONS_WITHOUT_FINDINGS else None,
        untrusted=_untrusted_source(task, call, outcome),
        artifacts=artifacts,
    )


def _summarize_declined(task: PlannedTask, call: TaskToolCall, declined: Declined) -> Acted:
    summary = f"{tool_calls.describe_call(call)}: not run; a person said: {declined.answer}"
    return Acted(
        round=task.round,
        tool=call.tool,
        signature=tool_calls.call_signature(call),
        ran=False,
        summary=truncate_middle(summary),
        did=summary,
    )


def truncate_middle(text: str, whole: str = "") -> str:
    """Return at most 1,200 characters of an output: its beginning and its end, and the path of the whole of it."""
    if len(text) <= MAX_SHOWN_CHARACTERS:
        return text
    note = f"\n[... {len(text):,} characters in all{f'; read {whole} for the rest' if whole else ''} ...]\n"
    return text[:_HEAD_CHARACTERS] + note + text[-(MAX_SHOWN_CHARACTERS - _HEAD_CHARACTERS - len(note)) :]


def _summarize_outcome(outcome: ToolResponded | ToolInterrupted) -> tuple[str, str | None]:
    """Return the summary of an outcome, and its error on one line."""
    match outcome:
        case ToolInterrupted() | ToolResponded(error=mcp.INTERRUPTED):  # the second is its form in a replay
            return INTERRUPTED_SUMMARY, None
        case ToolResponded(error=str(error)):
            return truncate_middle(f"failed: {error}"), _one_line(error)
        case ToolResponded(result=result):
            return _summarize_result(result)


def _summarize_result(result: Value) -> tuple[str, str | None]:
    match result:
        case ProgramResult() as ran:
            return _summarize_program(ran)
        case FilePart() as part:
            return _format_file_part(part), None
        case WriteFileResult(changed=changed):
            return f"written: {', '.join(map(_format_file, changed))}", None
        case WebResults(hits=hits):
            lines = (f"{hit.title} <{hit.url}>\n{hit.snippet[:200]}" for hit in hits[: tool_calls.SEARCH_RESULTS])
            return truncate_middle("\n".join(lines) or "nothing was found"), None
        case DatabaseResults(text=text, fault=fault):
            return truncate_middle(text), _one_line(fault) if fault else None
        case _:
            return "", None


def _summarize_program(ran: ProgramResult) -> tuple[str, str | None]:
    lines = [f"exit code {ran.exit_code}", *ran.notes]
    lines += _format_stream("stdout", ran.stdout, ran.kept_stdout)
    lines += _format_stream("stderr", ran.stderr, ran.kept_stderr)
    if ran.changed:
        more = len(ran.changed) - MAX_LISTED_FILES
        named = [_format_file(one) for one in ran.changed[:MAX_LISTED_FILES]]
        lines.append(f"changed: {', '.join(named)}{f' and {more} more' if more > 0 else ''}")
    return "\n".join(lines), _program_error(ran)


def _program_error(ran: ProgramResult) -> str | None:
    if ran.exit_code == 0:
        return None
    lines = [line.strip() for line in (ran.stderr or ran.stdout).splitlines() if line.strip()]
    return _one_line(f"exit code {ran.exit_code}{f': {lines[-1]}' if lines else ''}")


def _error_signature(call: TaskToolCall, error: str) -> str:
    """Return an error without its numbers; one that is nothing but an exit code equals that of the same call alone."""
    source = tool_calls.describe_call(call) if _EXIT_CODE_ONLY.fullmatch(error) else call.tool
    return _DIGITS.sub("#", f"{source}: {error}")


def _format_stream(name: str, text: str, kept: StoredOutput | None) -> Sequence[str]:
    if not text:
        return ()
    return (f"{name} ({len(text):,} characters):", truncate_middle(text.rstrip("\n"), kept.path if kept else ""))


def _format_file_part(part: FilePart) -> str:
    end = part.offset + len(part.text)
    rest = f"; go on with offset {end}" if end < part.characters else ""
    return f"{part.path}, characters {part.offset:,} to {end:,} of {part.characters:,}{rest}:\n{part.text}"


def _format_file(state: FileState) -> str:
    return f"{state.path} ({state.size:,} byte{'' if state.size == 1 else 's'})"


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_MAX_ERROR_CHARACTERS]


def _changed_files(outcome: ToolResponded | ToolInterrupted) -> Sequence[FileState]:
    match outcome:
        case ToolResponded(result=ProgramResult(changed=changed) | WriteFileResult(changed=changed)):
            return changed
        case _:
            return ()


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
    read = isinstance(outcome, ToolResponded) and outcome.error is None
    match tool_calls.known_tool(call), outcome:
        case "search_web" | "search_database", _:
            return f"{call.tool} in round {task.round}"
        case "read_file", ToolResponded(result=FilePart() as part) if read:
            own = workspace_sync.is_own_file(task.workspace, part)
            return None if own else f"the file {part.path} in round {task.round}"
        case "shell" | "python", _ if read and task.workspace.has_foreign_files:
            return f"{call.tool} in round {task.round}, where files lie that this task did not make"
        case _:
            return None
