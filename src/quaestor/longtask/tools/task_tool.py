"""What a long task knows of a tool: the input that a call means, what the worker is shown of a result, its effects."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from quaestor.contracts.context import RunContext
from quaestor.contracts.tools import AnyTool, InputT, OutputT, TypedTool
from quaestor.contracts.workspace import MAX_SHOWN_CHARACTERS, FileState, WorkspaceFingerprints
from quaestor.longtask.contracts import TaskOptions, TaskToolCall
from quaestor.longtask.state import WorkspaceState

_MAX_ERROR_CHARACTERS = 300
_HEAD_CHARACTERS = 500


class ResultSummary(NamedTuple):
    """What the worker is shown of a result, and the error in it on one line."""

    text: str
    error: str | None = None


class WorkspaceChange(NamedTuple):
    """The files that a run made or changed, and what was in the workspace before and after it."""

    files: tuple[FileState, ...]
    seen: WorkspaceFingerprints


class TaskTool(TypedTool[InputT, OutputT]):
    """A tool as long tasks use it."""

    required_arguments: str
    """Completes "NAME takes ..." when a call lacks something."""
    has_side_effects: bool = False
    """A person may have to approve a call, and after one the content of the workspace is looked at again."""

    @abstractmethod
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> InputT | None:
        """Return the input that a call means, or None when something is missing in it.

        `folder` is where in the workspace it works, `seconds` the time limit for a program.
        """

    @abstractmethod
    def summarize(self, result: OutputT) -> ResultSummary:
        """Return what the worker is shown of a result."""

    @abstractmethod
    async def build(self, context: RunContext, options: TaskOptions) -> AnyTool:
        """Return the tool that runs."""

    def is_available(self, options: TaskOptions) -> bool:
        """Return whether a task with these options has something to use it on."""
        del options
        return True

    def workspace_change(self, result: OutputT) -> WorkspaceChange | None:
        """Return what a run changed in the workspace; None when the result does not contain it."""
        del result
        return None

    def written_content(self, call: TaskToolCall) -> str | None:
        """Return the whole content that a call gives a file; None when the call does not contain it."""
        del call
        return None

    def untrusted_source(self, result: OutputT | None, workspace: WorkspaceState, round_number: int) -> str | None:
        """Return which foreign text a call read, None for none; `result` is None when the call has failed."""
        del result, workspace, round_number
        return None


def named(tools: Sequence[AnyTool], name: str) -> AnyTool:
    """Return the one of several tools that has this name."""
    return next(tool for tool in tools if tool.name == name)


def truncate_middle(text: str, whole: str = "") -> str:
    """Return at most 1,200 characters of an output: its beginning and its end, and the path of the whole of it."""
    if len(text) <= MAX_SHOWN_CHARACTERS:
        return text
    note = f"\n[... {len(text):,} characters in all{f'; read {whole} for the rest' if whole else ''} ...]\n"
    return text[:_HEAD_CHARACTERS] + note + text[-(MAX_SHOWN_CHARACTERS - _HEAD_CHARACTERS - len(note)) :]


def one_line(text: str) -> str:
    """Return the beginning of a text on one line."""
    return " ".join(text.split())[:_MAX_ERROR_CHARACTERS]


def format_file(state: FileState) -> str:
    """Return the path of a file and its size."""
    return f"{state.path} ({state.size:,} byte{'' if state.size == 1 else 's'})"
