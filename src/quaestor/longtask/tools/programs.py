"""The tools shell and python: programs in the sandbox."""

from collections.abc import Sequence
from pathlib import Path

from typing_extensions import override

from quaestor.contracts.context import RunContext
from quaestor.contracts.tools import AnyTool, InputT
from quaestor.contracts.workspace import ProgramResult, PythonInput, ShellInput, StoredOutput
from quaestor.longtask.contracts import TaskOptions, TaskToolCall
from quaestor.longtask.state import WorkspaceState
from quaestor.longtask.tools.task_tool import (
    ResultSummary,
    TaskTool,
    WorkspaceChange,
    format_file,
    named,
    one_line,
    truncate_middle,
)

MAX_LISTED_FILES = 10
"""Changed files that a summary names."""


class _Program(TaskTool[InputT, ProgramResult]):
    """What running a command line and running Python have in common."""

    has_side_effects = True

    @override
    def summarize(self, result: ProgramResult) -> ResultSummary:
        """Return the exit code, both outputs and the changed files."""
        lines = [f"exit code {result.exit_code}", *result.notes]
        lines += _format_stream("stdout", result.stdout, result.kept_stdout)
        lines += _format_stream("stderr", result.stderr, result.kept_stderr)
        if result.changed:
            more = len(result.changed) - MAX_LISTED_FILES
            listed = [format_file(one) for one in result.changed[:MAX_LISTED_FILES]]
            lines.append(f"changed: {', '.join(listed)}{f' and {more} more' if more > 0 else ''}")
        return ResultSummary("\n".join(lines), _error(result))

    @override
    def workspace_change(self, result: ProgramResult) -> WorkspaceChange:
        """Return the changed files."""
        return WorkspaceChange(result.changed, result.seen)

    @override
    def untrusted_source(
        self, result: ProgramResult | None, workspace: WorkspaceState, round_number: int
    ) -> str | None:
        """Return the run where there are files of others, as a program may have read every file."""
        if result is None or not workspace.has_foreign_files:
            return None
        return f"{self.name} in round {round_number}, where files lie that this task did not make"

    @override
    async def build(self, context: RunContext, options: TaskOptions) -> AnyTool:
        """Return the program in the workspace."""
        return named(await context.programs(Path(options.workspace)), self.name)


class _Shell(_Program[ShellInput]):
    """The tool that runs one command line."""

    name = "shell"
    input_type, output_type = ShellInput, ProgramResult
    required_arguments = "a `command`"

    @override
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> ShellInput | None:
        """Return the command line."""
        return ShellInput(folder=folder, command=call.command, seconds=seconds) if call.command else None


class _Python(_Program[PythonInput]):
    """The tool that runs a program in Python."""

    name = "python"
    input_type, output_type = PythonInput, ProgramResult
    required_arguments = "a `code`"

    @override
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> PythonInput | None:
        """Return the program."""
        return PythonInput(folder=folder, code=call.code, seconds=seconds) if call.code else None


SHELL = _Shell()
PYTHON = _Python()


def _error(result: ProgramResult) -> str | None:
    if result.exit_code == 0:
        return None
    lines = [line.strip() for line in (result.stderr or result.stdout).splitlines() if line.strip()]
    return one_line(f"exit code {result.exit_code}{f': {lines[-1]}' if lines else ''}")


def _format_stream(name: str, text: str, kept: StoredOutput | None) -> Sequence[str]:
    if not text:
        return ()
    return (f"{name} ({len(text):,} characters):", truncate_middle(text.rstrip("\n"), kept.path if kept else ""))
