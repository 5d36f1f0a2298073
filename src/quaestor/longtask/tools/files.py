"""The tools read_file and write_file: the files of the workspace."""

from pathlib import Path

from typing_extensions import override

from quaestor.contracts.context import RunContext
from quaestor.contracts.tools import AnyTool, InputT, OutputT
from quaestor.contracts.workspace import FilePart, ReadFileInput, WriteFileInput, WriteFileResult
from quaestor.longtask.contracts import TaskOptions, TaskToolCall
from quaestor.longtask.state import WorkspaceState
from quaestor.longtask.tools.task_tool import ResultSummary, TaskTool, WorkspaceChange, format_file, named
from quaestor.longtask.workspace_sync import is_own_file


class _FileTool(TaskTool[InputT, OutputT]):
    """What reading and writing a file have in common."""

    @override
    async def build(self, context: RunContext, options: TaskOptions) -> AnyTool:
        """Return the tool for the workspace."""
        return named(context.files(Path(options.workspace)), self.name)


class _ReadFile(_FileTool[ReadFileInput, FilePart]):
    """The tool that reads a part of a file."""

    name = "read_file"
    required_arguments = "a `path`"

    @override
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> ReadFileInput | None:
        """Return the path and where to begin."""
        return ReadFileInput(folder=folder, path=call.path, offset=call.offset or 0) if call.path else None

    @override
    def summarize(self, result: FilePart) -> ResultSummary:
        """Return the part, and where the rest begins."""
        end = result.offset + len(result.text)
        rest = f"; continue with offset {end}" if end < result.characters else ""
        place = f"{result.path}, characters {result.offset:,} to {end:,} of {result.characters:,}{rest}"
        return ResultSummary(f"{place}:\n{result.text}")

    @override
    def untrusted_source(self, result: FilePart | None, workspace: WorkspaceState, round_number: int) -> str | None:
        """Return the file, unless the task wrote it."""
        if result is None or is_own_file(workspace, result):
            return None
        return f"the file {result.path} in round {round_number}"


class _WriteFile(_FileTool[WriteFileInput, WriteFileResult]):
    """The tool that writes a whole file."""

    name = "write_file"
    required_arguments = "a `path` and a `content`"
    has_side_effects = True

    @override
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> WriteFileInput | None:
        """Return the path and the content, which may be empty."""
        if not call.path or call.content is None:
            return None
        return WriteFileInput(folder=folder, path=call.path, content=call.content)

    @override
    def summarize(self, result: WriteFileResult) -> ResultSummary:
        """Return the file and its size."""
        return ResultSummary(f"written: {', '.join(map(format_file, result.changed))}")

    @override
    def workspace_change(self, result: WriteFileResult) -> WorkspaceChange:
        """Return the file."""
        return WorkspaceChange(result.changed, result.seen)

    @override
    def written_content(self, call: TaskToolCall) -> str | None:
        """Return the content of the file."""
        return call.content


READ_FILE = _ReadFile()
WRITE_FILE = _WriteFile()
