"""What came of a tool call: its summary, its error, and what is noted by itself. Pure rules over the outcome."""

import re
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from quaestor.contracts import mcp
from quaestor.contracts.database import DatabaseResults
from quaestor.contracts.event import ToolInterrupted, ToolResponded
from quaestor.contracts.task import Acted, Artifact, Call
from quaestor.contracts.web import WebResults
from quaestor.contracts.workspace import (
    SHOWN_CHARACTERS,
    FilePart,
    FileState,
    FileWritten,
    Kept,
    ProgramResult,
)
from quaestor.workflows.parts import calls, presence
from quaestor.workflows.parts.judging import short
from quaestor.workflows.parts.rounds_state import Rounds

ACTIONS = 2
"""So many actions without findings, and the last summary becomes one by itself."""
STRIKES = 3
"""So often the same error, and a person is asked."""
MOST_CHANGED = 10
"""Changed files that a summary names."""
INTERRUPTED = (
    "interrupted: the process ended while it ran. Nobody knows how far it came, and it is not run again by itself; "
    "look at the workspace, then decide"
)
_LONGEST_ERROR = 300
_HEAD = 500
_DIGITS = re.compile(r"\d+")
_SILENT = re.compile(r"exit code \d+")


def acted(rounds: Rounds, call: Call) -> Acted:
    """Say what came of the call of this round."""
    told, signature = calls.told(call), calls.exactly(call)
    if rounds.declined is not None:
        summary = f"{told}: not run; a person said: {rounds.declined}"
        return Acted(
            round=rounds.round, tool=call.tool, signature=signature, ran=False, summary=clipped(summary), did=summary
        )
    summary, error = _outcome(rounds.outcome, call)
    changed = _changed(rounds.outcome, call)
    artifacts = tuple(_artifacts(rounds.artifacts, changed))
    return Acted(
        round=rounds.round,
        tool=call.tool,
        signature=signature,
        ran=True,
        summary=f"Round {rounds.round}, {told}\n{summary}",
        did=f"{told}: {error or 'done'}{_made(artifacts)}",
        error=f"round {rounds.round}, {told}: {error}" if error else None,
        strike=_strike(call, error) if error else None,
        finding=short(f"Noted by itself after {ACTIONS} actions without findings: {told}\n{summary}")
        if rounds.actions + 1 >= ACTIONS
        else None,
        untrusted=_untrusted(rounds, call),
        artifacts=artifacts,
    )


def clipped(text: str, whole: str = "") -> str:
    """Give at most 1,200 characters of an output: how it begins and how it ends, and where the whole of it is."""
    if len(text) <= SHOWN_CHARACTERS:
        return text
    note = f"\n[... {len(text):,} characters in all{f'; read {whole} for the rest' if whole else ''} ...]\n"
    return text[:_HEAD] + note + text[-(SHOWN_CHARACTERS - _HEAD - len(note)) :]


def _outcome(outcome: ToolResponded | ToolInterrupted | None, call: Call) -> tuple[str, str | None]:
    """Give the summary of an outcome, and its error on one line."""
    match outcome:
        case ToolInterrupted() | ToolResponded(error=mcp.INTERRUPTED):  # the second is how a replay tells it
            return INTERRUPTED, None
        case ToolResponded(error=str(error)):
            return clipped(f"failed: {error}"), _one_line(error)
        case ToolResponded(result=result):
            return _result(result, call)
        case None:
            return "it was not run", None


def _result(result: JsonValue, call: Call) -> tuple[str, str | None]:
    match calls.named(call):
        case "shell" | "python":
            return _program(ProgramResult.model_validate(result))
        case "read_file":
            return _part(FilePart.model_validate(result)), None
        case "write_file":
            return f"written: {', '.join(_file(one) for one in FileWritten.model_validate(result).changed)}", None
        case "search_web":
            hits = WebResults.model_validate(result).hits[: calls.RESULTS]
            lines = (f"{hit.title} <{hit.url}>\n{hit.snippet[:200]}" for hit in hits)
            return clipped("\n".join(lines) or "nothing was found"), None
        case "search_database":
            said = DatabaseResults.model_validate(result)
            return clipped(said.text), _one_line(said.fault) if said.fault else None
        case None:
            return "", None


def _program(ran: ProgramResult) -> tuple[str, str | None]:
    lines = [f"exit code {ran.exit_code}", *ran.notes]
    lines += _stream("stdout", ran.stdout, ran.kept_stdout)
    lines += _stream("stderr", ran.stderr, ran.kept_stderr)
    if ran.changed:
        more = len(ran.changed) - MOST_CHANGED
        named = [_file(one) for one in ran.changed[:MOST_CHANGED]]
        lines.append(f"changed: {', '.join(named)}{f' and {more} more' if more > 0 else ''}")
    return "\n".join(lines), _fault(ran)


def _fault(ran: ProgramResult) -> str | None:
    if ran.exit_code == 0:
        return None
    said = [line.strip() for line in (ran.stderr or ran.stdout).splitlines() if line.strip()]
    return _one_line(f"exit code {ran.exit_code}{f': {said[-1]}' if said else ''}")


def _strike(call: Call, error: str) -> str:
    """Give an error without its numbers; one that says nothing but its exit code is the same of the same call alone."""
    said = calls.told(call) if _SILENT.fullmatch(error) else call.tool
    return _DIGITS.sub("#", f"{said}: {error}")


def _stream(name: str, text: str, kept: Kept | None) -> Sequence[str]:
    if not text:
        return ()
    return (f"{name} ({len(text):,} characters):", clipped(text.rstrip("\n"), kept.path if kept else ""))


def _part(part: FilePart) -> str:
    end = part.offset + len(part.text)
    rest = f"; go on with offset {end}" if end < part.characters else ""
    return f"{part.path}, characters {part.offset:,} to {end:,} of {part.characters:,}{rest}:\n{part.text}"


def _file(state: FileState) -> str:
    return f"{state.path} ({state.size:,} byte{'' if state.size == 1 else 's'})"


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_ERROR]


def _changed(outcome: ToolResponded | ToolInterrupted | None, call: Call) -> Sequence[FileState]:
    if not isinstance(outcome, ToolResponded) or outcome.error is not None:
        return ()
    match calls.named(call):
        case "shell" | "python":
            return ProgramResult.model_validate(outcome.result).changed
        case "write_file":
            return FileWritten.model_validate(outcome.result).changed
        case _:
            return ()


def _artifacts(known: Mapping[str, Artifact], changed: Sequence[FileState]) -> Iterator[Artifact]:
    for state in changed:
        before = known.get(state.path)
        if before is None or before.sha256 != state.sha256:
            version = before.version + 1 if before else 1
            yield Artifact(path=state.path, sha256=state.sha256, size=state.size, version=version)


def _made(artifacts: Sequence[Artifact]) -> str:
    """Name every new version of a file, with the beginning of its hash."""
    if not artifacts:
        return ""
    return "; made " + ", ".join(f"{one.path} version {one.version} ({one.sha256[:12]})" for one in artifacts)


def _untrusted(rounds: Rounds, call: Call) -> str | None:
    """Say whose words a call brought, unless the task itself wrote all that it could read."""
    read = isinstance(rounds.outcome, ToolResponded) and rounds.outcome.error is None
    match calls.named(call), rounds.outcome:
        case "search_web" | "search_database", _:
            return f"{call.tool} in round {rounds.round}"
        case "read_file", ToolResponded(result=result) if read:
            part = FilePart.model_validate(result)
            return None if presence.is_own(rounds, part) else f"the file {part.path} in round {rounds.round}"
        case "shell" | "python", _ if read and rounds.shared:
            return f"{call.tool} in round {rounds.round}, where files lie that this task did not make"
        case _:
            return None
