"""The terminal of the commands of workflows: it prints and runs sessions as the program's own commands do."""

import asyncio
import os
import shlex
import subprocess
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from pydantic import JsonValue

from quaestor.app import ProgressCallback, Quaestor, open_home
from quaestor.app.text import truncate_line
from quaestor.contracts.errors import UsageError, WorkflowError
from quaestor.contracts.lazy import deferred
from quaestor.contracts.library import CorpusState
from quaestor.contracts.result import Result
from quaestor.contracts.terminal import ReportOutput, ShowEvent
from quaestor.faces.cli import exit as conclusion
from quaestor.faces.cli import output
from quaestor.faces.cli.background import run_detached
from quaestor.faces.cli.display import immediate_interrupt, run_session
from quaestor.faces.cli.indexing import index_documents, indexing_progress
from quaestor.faces.cli.interactive import confirm, is_interactive, run_interactively

# The estimate reads research sessions, which most commands spare.
_approve_cost: Callable[[Quaestor, Callable[[str], bool] | None], Awaitable[bool]] = deferred(
    "quaestor.faces.cli.approval:approve_cost"
)
_DEFAULT_EDITOR = "vi"


class CliTerminal:
    """The command line of one command; a `Terminal`."""

    def __init__(self, home: Path | None) -> None:
        self._home = home
        self._opened: Quaestor | None = None

    @asynccontextmanager
    async def open(self, **settings: JsonValue) -> AsyncIterator[Quaestor]:
        """Open the home that the command line names, with settings that beat all others."""
        async with open_home(self._home, **settings) as self._opened:
            yield self._opened

    @property
    def _quaestor(self) -> Quaestor:
        if self._opened is None:
            raise WorkflowError("a command carried a session on before it opened the home; call terminal.open first")
        return self._opened

    def write_stdout(self, text: str) -> None:
        """Write data as it is."""
        output.write_stdout(text)

    def write_stderr(self, line: str) -> None:
        """Write a line for a person; nothing in it can move the cursor or hide."""
        output.write_stderr(line)

    def write_table_line(self, line: str) -> None:
        """Write a line of a table, cut at the width of the terminal."""
        output.write_table_line(line)

    def truncate(self, text: str, width: int) -> str:
        """Return a text on one line that takes at most `width` cells."""
        return truncate_line(text, width)

    def command_line(self, *words: str) -> str:
        """Return a command line for this home that can be pasted."""
        return output.command_line(self._home, *words)

    def check_output_path(self, option: str, out: Path | None) -> None:
        """Raise UsageError when a file named by an option cannot be written."""
        output.check_output_path(option, out)

    def write_output(self, text: str, out: Path | None) -> None:
        """Write a text to a file, whole or not at all, or to stdout."""
        output.write_output(text, out)

    def edit_text(self, prefix: str, text: str) -> tuple[Path, str]:
        """Open a text in the person's editor; return its file and what it holds then."""
        return edit_text(prefix, text)

    def confirm(self, question: str) -> bool:
        """Ask a person for a yes, which an empty line is, too; False where nobody can be asked."""
        return confirm(question)

    async def approve_cost(self, *, yes: bool) -> bool:
        """Print what research may cost; return whether a person lets it start."""
        return await _approve_cost(self._quaestor, confirm if is_interactive() and not yes else None)

    async def index(self, docs: Sequence[str | Path]) -> CorpusState:
        """Index what changed in these files and folders, show the progress, and print what was read and skipped."""
        return await index_documents(self._quaestor, docs)

    @contextmanager
    def indexing(self) -> Iterator[ProgressCallback]:
        """Return what shows the progress of an indexing, which a signal ends at once."""
        with immediate_interrupt(), indexing_progress() as progress:
            yield progress

    async def carry_on(
        self,
        session_id: str,
        report: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
        *,
        json: bool = False,
        after: int = 0,
        stop: asyncio.Event | None = None,
    ) -> int:
        """Carry a session on to its end or its next rest, show it, and ask what it asks; return the exit code."""
        return await run_interactively(
            self._quaestor, session_id, report, self._home, json=json, after=after, stop=stop
        )

    async def carry_on_detached(self, session_id: str, report: ReportOutput, *, json: bool = False) -> int:
        """Start a process that carries a session on, and print the session's id; return the exit code."""
        return await run_detached(self._quaestor, session_id, report, self._home, json=json)

    async def run(self, session_id: str, show: ShowEvent) -> Result:
        """Carry a session on with every event given to `show`, from the first."""
        return await run_session(self._quaestor, session_id, show, after=0)

    def conclude(self, result: Result) -> int:
        """Print what a run ended with, or what it waits for; return the exit code."""
        return conclusion.conclude_run(result, ReportOutput(), self._home, json=False)

    def conclude_interrupted(self, session_id: str) -> int:
        """Print that a run was interrupted and how to continue it; return the exit code."""
        return conclusion.conclude_interrupted(session_id, self._home)


def edit_text(prefix: str, text: str) -> tuple[Path, str]:
    """Open a text in $VISUAL or $EDITOR; return its file, whose name begins with `prefix`, and what it holds then.

    Raises UsageError when the editor cannot be started or fails, or the text is not UTF-8 any more.
    """
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=".txt")
    os.close(handle)
    file = Path(name)
    file.write_text(text, encoding="utf-8")
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or _DEFAULT_EDITOR)
    try:
        code = subprocess.run([*editor, name], check=False).returncode  # noqa: S603 -- the person's own editor
    except OSError as error:
        raise UsageError(f"the editor {' '.join(editor)} cannot be started: {error}; set EDITOR") from error
    if code:
        raise UsageError(f"the editor {' '.join(editor)} ended with code {code}; what you wrote is in {file}")
    try:
        return file, file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"what you wrote in {file} is not valid UTF-8; save it so") from error
