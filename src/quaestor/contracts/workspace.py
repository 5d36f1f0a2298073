"""The workspace of a task: what its tools are given and what they give back."""

from hashlib import sha256

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Sha256

PLAN_FILE = "task_plan.md"
FINDINGS_FILE = "findings.md"
PROGRESS_FILE = "progress.md"
STATE_FILE = ".pwf_state.json"
MANAGED_FILES = (PLAN_FILE, FINDINGS_FILE, PROGRESS_FILE, STATE_FILE)
"""Folds of the log: the tools of a task cannot change them."""

OUTPUT_FOLDER = ".outputs"
"""The folder of whole outputs, each named by its hash."""

MAX_SHOWN_CHARACTERS = 1_200
"""Of each stream, in a prompt; a file is read in parts of as many."""

EMPTY_WORKSPACE_SHA256 = sha256().hexdigest()
"""The fingerprint of a folder that holds only the task's own files."""


class WorkspaceInput(Contract):
    """Where a tool works."""

    folder: str = Field(
        default="",
        pattern=r"^([A-Za-z0-9_-][A-Za-z0-9._-]*)?$",
        description="Below the workspace, for a todo that has a folder of its own; else the workspace itself.",
    )


class ShellInput(WorkspaceInput):
    """For the tool shell."""

    command: str = Field(min_length=1, max_length=20_000)
    seconds: float = Field(default=60, gt=0, le=3600)


class PythonInput(WorkspaceInput):
    """For the tool python."""

    code: str = Field(min_length=1, max_length=60_000)
    seconds: float = Field(default=60, gt=0, le=3600)


class ReadFileInput(WorkspaceInput):
    """For the tool read_file."""

    path: str = Field(min_length=1, max_length=1_000, description="Inside the workspace.")
    offset: int = Field(default=0, ge=0, description="The character to begin at.")


class WriteFileInput(WorkspaceInput):
    """For the tool write_file."""

    path: str = Field(min_length=1, max_length=1_000, description="Inside the workspace.")
    content: str = Field(max_length=60_000)


class StoredOutput(Contract):
    """An output that is too long for a prompt, whole, as a file of the workspace."""

    path: str
    sha256: Sha256
    characters: int = Field(ge=0)


class FileState(Contract):
    """A file that a tool made or changed."""

    path: str = Field(description="Inside the workspace, with slashes.")
    sha256: Sha256
    size: int = Field(ge=0)


class WorkspaceFingerprints(Contract):
    """The contents of the workspace before a tool and after it, as `WorkspaceFolder` fingerprints them."""

    before: Sha256 = EMPTY_WORKSPACE_SHA256
    after: Sha256 = EMPTY_WORKSPACE_SHA256


class ProgramResult(Contract):
    """What a program gave."""

    exit_code: int = Field(description="124 when it ran out of time.")
    stdout: str = ""
    stderr: str = ""
    kept_stdout: StoredOutput | None = None
    kept_stderr: StoredOutput | None = None
    changed: tuple[FileState, ...] = ()
    notes: tuple[str, ...] = Field(default=(), description="What was cut, restored or left out.")
    seen: WorkspaceFingerprints = WorkspaceFingerprints()


class FilePart(Contract):
    """A part of a file."""

    path: str
    text: str
    offset: int = Field(ge=0)
    characters: int = Field(ge=0, description="Of the whole file.")
    sha256: Sha256


class WriteFileResult(Contract):
    """A file that was written."""

    changed: tuple[FileState, ...]
    seen: WorkspaceFingerprints = WorkspaceFingerprints()


class LogAppend(Contract):
    """What a log grows by: the text from byte `start` on, after bytes whose SHA-256 is `before`."""

    start: int = Field(ge=0)
    before: Sha256
    text: str


class DumpInput(WorkspaceInput):
    """For the tool dump: the files as they should be."""

    plan: str
    plan_before: Sha256 | None = Field(default=None, description="Of the file as it was last written or adopted.")
    findings: LogAppend
    progress: LogAppend
    state: str
    cut_off: bool = Field(default=False, description="A program was cut off that may have changed these files.")


class DumpResult(Contract):
    """What was found while the files were written."""

    plan_sha256: Sha256 = Field(description="Of task_plan.md as it is now, edited or not.")
    edited: str | None = Field(
        default=None, description="The text a person gave task_plan.md; then it was not written."
    )
    put_aside: str | None = Field(
        default=None, description="Where the text of task_plan.md is that a program may have written that was cut off."
    )
    damaged: tuple[str, ...] = Field(
        default=(), description="Logs whose earlier bytes are not those that were written."
    )
    seen: Sha256 = Field(
        default=EMPTY_WORKSPACE_SHA256, description="What lies in the workspace, as `Folder.look` says it."
    )
