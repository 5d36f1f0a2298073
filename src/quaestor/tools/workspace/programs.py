"""Programs that run in the workspace, in a sandbox."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from typing_extensions import override

from quaestor.contracts.base import sanitize_text
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import (
    KILLED_EXIT_CODE,
    TIMEOUT_EXIT_CODE,
    CommandResult,
    ResourceLimits,
    Sandbox,
    SnippetRunner,
)
from quaestor.contracts.tools import Tool
from quaestor.contracts.workspace import (
    MAX_SHOWN_CHARACTERS,
    OUTPUT_FOLDER,
    ProgramResult,
    PythonInput,
    ShellInput,
    StoredOutput,
    WorkspaceFingerprints,
)
from quaestor.tools.workspace.folder import WorkspaceFolder

MAX_CHANGED_FILES = 100
"""Changed files that are recorded of one run."""
_OVERHEAD_SECONDS = 60
"""For setting the sandbox up, ending everything in it, and looking at what changed."""
_MAX_NAMED = 10
_SHELL = ("sh", "-c")
_PYTHON = ("python3", "-")


class _ProgramTool:
    """What running a command line and running Python have in common."""

    def __init__(
        self,
        folder: WorkspaceFolder,
        sandbox: Sandbox | None,
        refusal: str = "",
    ) -> None:
        self._folder = folder
        self._sandbox = sandbox
        self._refusal = refusal

    async def _run(self, argv: Sequence[str], stdin: bytes, given: ShellInput | PythonInput) -> ProgramResult:
        """Run a program in the sandbox, and report what it changed."""
        sandbox = self._sandbox
        if sandbox is None:
            raise ToolFailed(
                f"programs are refused, because no sandbox works here: {self._refusal or 'none is set up'}"
            )
        return await self._run_and_compare(
            given, lambda workspace, allowed: sandbox.run(argv, workspace, stdin, allowed)
        )

    async def _run_and_compare(
        self, given: ShellInput | PythonInput, start: Callable[[Path, ResourceLimits], Awaitable[CommandResult]]
    ) -> ProgramResult:
        """Start a program and report what it changed; the files that are folds of the log are put back."""
        folder = self._folder.below(given.folder)
        workspace = await asyncio.to_thread(folder.ensure_exists)
        seen, before, own = await asyncio.to_thread(lambda: (folder.fingerprint(), folder.marks(), folder.own()))
        obeyed = await asyncio.to_thread(folder.obeyed_files)
        written = tuple(name for name, content in own.items() if content is not None)
        allowed = ResourceLimits(seconds=given.seconds, read_only=written)
        kept: tuple[str, ...] = ()
        try:
            ran = await start(workspace, allowed)
            kept = written if ran.kept_read_only else ()  # a person has changed them then, not the program
        finally:
            to_restore = {name: content for name, content in own.items() if name not in kept}
            restored = await asyncio.to_thread(folder.restore, to_restore)  # a mount that hangs holds nobody else up
        changed = await asyncio.to_thread(folder.changed, before)
        left = await asyncio.to_thread(folder.obeyed_files)
        planted = sorted(path for path, mark in left.items() if obeyed.get(path) != mark)
        kept_stdout = await asyncio.to_thread(_store_long_output, folder, ran.stdout)
        kept_stderr = await asyncio.to_thread(_store_long_output, folder, ran.stderr)
        return ProgramResult(
            exit_code=ran.exit_code,
            stdout=sanitize_text(ran.stdout),
            stderr=sanitize_text(ran.stderr),
            kept_stdout=kept_stdout,
            kept_stderr=kept_stderr,
            changed=changed[:MAX_CHANGED_FILES],
            notes=tuple(_notes(ran, given.seconds, restored, planted, len(changed))),
            seen=WorkspaceFingerprints(before=seen, after=await asyncio.to_thread(folder.fingerprint)),
        )

    @property
    def keeps_own_files(self) -> bool:
        """Whether no program can change the task's own files, so that a change is a person's."""
        return self._sandbox is None or self._sandbox.name == "bubblewrap"

    def time_limit(self, given: ShellInput | PythonInput) -> float:
        """Return the longest that a run takes: the program's own limit, and some for the sandbox and the files."""
        return given.seconds + _OVERHEAD_SECONDS


class RunShell(_ProgramTool, Tool[ShellInput, ProgramResult]):
    """A `Tool` that runs one command line."""

    name = "shell"
    description = "Runs a command line in the workspace."
    repeatable = False

    @override
    async def run(self, given: ShellInput) -> ProgramResult:
        """Run it. Raises ToolFailed where no sandbox works; a command that fails has an exit code."""
        return await self._run((*_SHELL, given.command), b"", given)


class RunPython(_ProgramTool, Tool[PythonInput, ProgramResult]):
    """A `Tool` that runs a program in Python."""

    name = "python"
    description = "Runs a program in Python in the workspace."
    repeatable = False

    def __init__(
        self,
        folder: WorkspaceFolder,
        sandbox: Sandbox | None,
        refusal: str = "",
        *,
        snippets: SnippetRunner | None = None,
    ) -> None:
        super().__init__(folder, sandbox, refusal)
        self._snippets = snippets

    @override
    async def run(self, given: PythonInput) -> ProgramResult:
        """Run it; where no sandbox works, as a snippet that reaches no file.

        Raises ToolFailed where that cannot be done either; a program that fails has an exit code.
        """
        snippets = self._snippets
        if self._sandbox is None and snippets:
            return await self._run_and_compare(given, lambda _, allowed: _run_snippet(snippets, given.code, allowed))
        return await self._run(_PYTHON, given.code.encode(), given)


async def _run_snippet(snippets: SnippetRunner, code: str, allowed: ResourceLimits) -> CommandResult:
    """Run a snippet and report it as a program; the value of its last expression is printed."""
    glued = await snippets.run(code, allowed)
    value = "" if glued.value in {None, "None"} else f"{glued.value}\n"
    lacks = "\nno sandbox works here, so Python has no files and few modules" if glued.unsupported else ""
    ended = {"time": TIMEOUT_EXIT_CODE, None: int(glued.error is not None)}.get(glued.limit, KILLED_EXIT_CODE)
    return CommandResult(
        exit_code=ended,
        stdout=glued.stdout + value,
        stdout_cut=glued.stdout_cut,
        stderr=f"{glued.error or ''}{lacks}",
        seconds=glued.seconds,
        limit=glued.limit,
    )


def _store_long_output(folder: WorkspaceFolder, text: str) -> StoredOutput | None:
    """Keep an output that is too long for a prompt as a file that can be read in parts."""
    if len(text) <= MAX_SHOWN_CHARACTERS:
        return None
    content = sanitize_text(text).encode()
    digest = sha256(content).hexdigest()
    path = f"{OUTPUT_FOLDER}/{digest[:16]}.txt"
    folder.write(path, content)
    return StoredOutput(path=path, sha256=digest, characters=len(text))


def _notes(
    ran: CommandResult, seconds: float, restored: Sequence[str], planted: Sequence[str], changed: int
) -> Iterator[str]:
    if ran.exit_code == TIMEOUT_EXIT_CODE and ran.limit == "time":
        yield f"it was ended after {seconds:g} s, its time limit"
    elif ran.limit:
        yield f"it was ended because it used too much: {ran.limit}"
    if ran.stdout_cut or ran.stderr_cut:
        yield "it wrote more than is kept"
    if restored:
        yield f"put back, because they are written from the log: {', '.join(restored)}; use the writeback instead"
    if planted:
        more = f" and {len(planted) - _MAX_NAMED:,} more" if len(planted) > _MAX_NAMED else ""
        yield f"CAUTION: it left what other programs run or obey: {', '.join(planted[:_MAX_NAMED])}{more}"
    if changed > MAX_CHANGED_FILES:
        yield f"it changed {changed:,} files, of which the first {MAX_CHANGED_FILES} are recorded"
