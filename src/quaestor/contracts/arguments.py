"""Arguments that several commands of the command line have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from pydantic import JsonValue

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


def split_names(words: Sequence[str] | None) -> list[JsonValue] | None:
    """Return the names that an option has, apart or joined by commas, each once; None when it was not given."""
    if words is None:
        return None
    return [*dict.fromkeys(name for word in words for part in word.split(",") if (name := part.strip()))]
