"""The terminal port: what a workflow's commands print, how they run sessions, and the options they share."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Protocol

from cyclopts import Parameter
from pydantic import JsonValue

from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.host import Host
from quaestor.contracts.library import CorpusState, ProgressCallback
from quaestor.contracts.plugin import ReportFormat
from quaestor.contracts.result import Result

SessionId = Annotated[
    str, Parameter(name="SESSION", help="Its id, as `quaestor ps` lists it, the beginning or end of it, or `last`.")
]
"""The parameter that names a session; a command is called with the complete id."""

Json = Annotated[
    bool,
    Parameter(name="--json", negative="", show_default=False, help="Print the stream as JSON lines, as it comes."),
]

JsonLines = Annotated[
    bool, Parameter(name="--json", negative="", show_default=False, help="Print one JSON object a line, nothing cut.")
]

JsonObject = Annotated[bool, Parameter(name="--json", negative="", show_default=False, help="Print one JSON object.")]

Docs = Annotated[
    list[str],
    Parameter(
        name="--docs",
        consume_multiple=True,
        negative="",
        help="Files, folders and URLs of pages to research; may be given again.",
    ),
]
ChosenFormat = Annotated[
    ReportFormat | None,
    Parameter(name="--format", help="How it is written; as the suffix of --out says, else md, if left out."),
]

_FORMATS: Mapping[str, ReportFormat] = {
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}
_EXPORTED = frozenset({".docx", ".pdf", ".bib", ".ris", ".jsonld"})
"""Suffixes of files that `quaestor export` writes, none of which holds a report in one of these formats."""


def choose_format(form: ReportFormat | None, out: Path | None) -> ReportFormat:
    """Return the format that was named, else what the suffix of the file says, else Markdown.

    Raises UsageError for a suffix that names another format, or that says none where none was named.
    """
    suffix = out.suffix.lower() if out else ""
    if suffix in _EXPORTED:
        raise UsageError(
            f"--out {out}: a report is written here as md, html or json; `quaestor export SESSION --out {out}` writes "
            f"{suffix}"
        )
    said = _FORMATS.get(suffix)
    if said and form and said != form:
        raise UsageError(f"--out {out} would hold {form}; name a file that ends in .{form}, or leave out --format")
    if suffix and not said and not form:
        raise UsageError(
            f"--out {out}: the format does not follow from {suffix}; use .md, .html or .json, or --format; "
            "`quaestor export` writes other formats"
        )
    return form or said or "md"


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ReportOutput:
    """The format of a report, and where it is written. Raises UsageError when they contradict each other."""

    form: ChosenFormat = None
    out: Annotated[Path | None, Parameter(name="--out", help="Write it to this file, not to stdout.")] = None

    def __post_init__(self) -> None:
        """Refuse a contradiction before any work is done."""
        choose_format(self.form, self.out)

    @property
    def format(self) -> ReportFormat:
        """The format in which the report is written."""
        return choose_format(self.form, self.out)


def split_names(words: Sequence[str] | None) -> list[JsonValue] | None:
    """Return the names that an option has, apart or joined by commas, each once; None when it was not given."""
    if words is None:
        return None
    return [*dict.fromkeys(name for word in words for part in word.split(",") if (name := part.strip()))]


ShowEvent = Callable[[Event], None]


class Terminal(Protocol):
    """The terminal of a command: its output, and the running of sessions in the home it opened."""

    def open(self, **settings: JsonValue) -> AbstractAsyncContextManager[Host]:
        """Open the home that the command line names, with settings that beat all others; None: not given."""

    def write_stdout(self, text: str) -> None:
        """Write data as it is."""

    def write_stderr(self, line: str) -> None:
        """Write a line for a person."""

    def write_table_line(self, line: str) -> None:
        """Write a line of a table, cut at the width of the terminal."""

    def truncate(self, text: str, width: int) -> str:
        """Return a text on one line that takes at most `width` cells."""

    def command_line(self, *words: str) -> str:
        """Return a command line for this home that can be pasted."""

    def check_output_path(self, option: str, out: Path | None) -> None:
        """Raise UsageError when a file named by an option cannot be written."""

    def write_output(self, text: str, out: Path | None) -> None:
        """Write a text to a file, whole or not at all, or to stdout. Raises SetupError when it cannot be written."""

    def edit_text(self, prefix: str, text: str) -> tuple[Path, str]:
        """Open a text in the person's editor; return its file, whose name begins with `prefix`, and what it holds then.

        Raises UsageError when the editor fails, or the text is not UTF-8 any more.
        """

    def confirm(self, question: str) -> bool:
        """Ask a person for a yes, which an empty line is, too; False where nobody can be asked."""

    async def approve_cost(self, *, yes: bool) -> bool:
        """Print what research with the settings may cost; ask for a yes where that may be above what they let pass.

        `yes` was given before. True where nothing is to be paid, and where no person can be asked.
        """

    async def index(self, docs: Sequence[str | Path]) -> CorpusState:
        """Index what changed in these files and folders, show the progress, and print what was read and skipped."""

    def indexing(self) -> AbstractContextManager[ProgressCallback]:
        """Return what shows the progress of an indexing, which a signal ends at once."""

    async def carry_on(
        self,
        session_id: str,
        report: ReportOutput = ReportOutput(),
        *,
        json: bool = False,
        after: int = 0,
        stop: asyncio.Event | None = None,
    ) -> int:
        """Carry a session on to its end or its next rest, show it, and ask what it asks; return the exit code.

        As JSON the stream begins after the event with number `after`. `stop` is set when a signal asked for a pause.
        """

    async def carry_on_detached(self, session_id: str, report: ReportOutput, *, json: bool = False) -> int:
        """Start a process that carries a session on, and print the session's id; return the exit code."""

    async def run(self, session_id: str, show: ShowEvent) -> Result:
        """Carry a session on with every event given to `show`, from the first.

        A signal pauses it; the second one raises CancelledError.
        """

    def conclude(self, result: Result) -> int:
        """Print what a run ended with, or what it waits for; return the exit code."""

    def conclude_interrupted(self, session_id: str) -> int:
        """Print that a run was interrupted and how to continue it; return the exit code."""


AtTerminal = Annotated[Terminal, Parameter(parse=False)]
"""The parameter `terminal` of a command, which the program fills in."""
