"""Arguments that several commands of the command line have in common."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

SessionId = Annotated[str, Parameter(name="SESSION", help="Its id, as `quaestor ps` lists it.")]

Json = Annotated[
    bool,
    Parameter(name="--json", negative="", show_default=False, help="Print the stream as JSON lines, as it comes."),
]

Docs = Annotated[
    list[str],
    Parameter(
        name="--docs",
        consume_multiple=True,
        negative="",
        help="Files, folders and URLs of pages to research; may be given again.",
    ),
]

ReportFormat = Literal["md", "html", "json"]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ReportOutput:
    """The format of a report, and where it is written."""

    form: Annotated[ReportFormat, Parameter(name="--format", help="How the report is written.")] = "md"
    out: Annotated[Path | None, Parameter(name="--out", help="Write it to this file, not to stdout.")] = None
