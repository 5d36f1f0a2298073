"""Where commands that a model has chosen are run: what they may use, how they ended, and who runs them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from pydantic import Field

from quaestor.contracts.base import Contract

SandboxLimit = Literal["time", "memory", "processes", "disk", "output"]
"""What a command can have too much of."""

SandboxTier = Literal["bubblewrap", "launcher"]
"""How commands are confined: in namespaces of their own, or by what the kernel refuses them where they are."""

TIMEOUT_EXIT_CODE = 124
"""The exit code of a command whose time was over, as of timeout(1)."""

KILLED_EXIT_CODE = 137
"""The exit code of a command that another limit has ended: 128 and the number of SIGKILL."""


class ResourceLimits(Contract):
    """What one command may use, together with everything it starts."""

    seconds: float = Field(default=60, gt=0, le=86_400, description="From start to end, by the clock on the wall.")
    memory_bytes: int = Field(default=2**30, ge=2**26, description="Memory of all its processes together.")
    processes: int = Field(default=256, ge=1, description="Processes and threads that live at the same time.")
    disk_bytes: int = Field(
        default=2**30,
        ge=2**16,
        description="What the workspace and the temporary files may hold, at least 4,096 bytes a file; what holds more "
        "already may not grow.",
    )
    output_bytes: int = Field(default=2**20, ge=1, description="Of standard output, and as much of standard error.")
    read_only: tuple[str, ...] = Field(
        default=(), description="Files of the workspace that it may only read, where the sandbox can see to that."
    )


class CommandResult(Contract):
    """How a command ended. Text that is no UTF-8 has U+FFFD in its place."""

    exit_code: int = Field(
        ge=0,
        le=255,
        description="124 when its time was over, 137 when another limit ended it, 128 and the number of a signal that "
        "ended it, 126 or 127 when it could not be started.",
    )
    stdout: str = ""
    stderr: str = ""
    stdout_cut: bool = Field(default=False, description="More was written than is kept.")
    stderr_cut: bool = False
    seconds: float = Field(ge=0, description="From start to end, by the clock on the wall.")
    limit: SandboxLimit | None = Field(default=None, description="The limit that ended it.")
    kept_read_only: bool = Field(default=False, description="It could not change the files that it may only read.")


class SnippetResult(Contract):
    """How a snippet of Python ended that ran in an interpreter with no system below it."""

    stdout: str = ""
    stdout_cut: bool = False
    value: str | None = Field(default=None, description="What the last expression gave, as repr() writes it.")
    error: str | None = Field(default=None, description="The traceback, when it ended with an error.")
    unsupported: bool = Field(
        default=False, description="It needs something this interpreter does not have; real Python may run it."
    )
    limit: SandboxLimit | None = None
    seconds: float = Field(ge=0)


class Sandbox(Protocol):
    """A sandbox, in which commands have no network, no secrets, and no files outside a workspace.

    When `run` returns, or is cancelled, no process of the command is left.
    """

    name: SandboxTier
    """A bubblewrap keeps files of the workspace read-only; the launcher alone cannot."""

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: ResourceLimits) -> CommandResult:
        """Run a command in a folder, which is its working directory and its home.

        Raises ToolFailed when the sandbox could not be set up; a command that fails is no error.
        """


class SnippetRunner(Protocol):
    """A runner for snippets of Python, in an interpreter without access to the system."""

    async def run(self, code: str, allowance: ResourceLimits) -> SnippetResult:
        """Run a snippet; its result includes its error. Raises ToolFailed when the interpreter itself fails."""


class SandboxStatus(Contract):
    """Which sandbox this machine has, for a person to read."""

    tier: SandboxTier | None = Field(description="The one commands run in; none: commands are refused.")
    snippets: bool = Field(description="Whether snippets of Python can run without a sandbox of the system.")
    reasons: tuple[str, ...] = Field(
        default=(), description="For every tier that is not used, why; the best one first."
    )
