"""What becomes of a report: its format and the place it goes to."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.faces.cli.output import write_stdout
from quaestor.research.contracts.report import Report
from quaestor.research.views.report_html import render_html
from quaestor.research.views.report_json import render_json
from quaestor.research.views.report_markdown import render_markdown

ReportFormat = Literal["md", "html", "json"]

FORMATS: Mapping[ReportFormat, Callable[[Report], str]] = {
    "md": render_markdown,
    "html": render_html,
    "json": render_json,
}


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ReportOutput:
    """How a report is handed over."""

    form: Annotated[ReportFormat, Parameter(name="--format", help="How the report is written.")] = "md"
    out: Annotated[Path | None, Parameter(name="--out", help="Write it to this file, not to stdout.")] = None

    def check(self) -> None:
        """Refuse a file that cannot be written. Raises UsageError; to be asked before any work is done."""
        check_output_path("--out", self.out)

    def hand_over(self, report: Report) -> None:
        """Write a report to its file, whole or not at all, or to stdout. Raises SetupError when it cannot be kept."""
        write_output(FORMATS[self.form](report), self.out)


def check_output_path(option: str, out: Path | None) -> None:
    """Refuse a file that cannot be written. Raises UsageError; to be asked before any work is done."""
    if out is None:
        return
    if out.is_dir():
        raise UsageError(f"{option} {out} is a folder; name a file in it")
    if not out.parent.is_dir():
        raise UsageError(f"{option} {out}: there is no folder {out.parent}; make it first")
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise UsageError(f"{option} {out} may not be written; choose another place")


def write_output(text: str, out: Path | None) -> None:
    """Give a text, or write it to a file. Raises SetupError when it cannot be kept there."""
    if out is None:
        write_stdout(text)
        return
    try:
        _write_atomically(out.resolve(), text)
    except OSError as error:
        raise SetupError(f"{out} cannot be written: {error.strerror}; choose another place") from error


def _write_atomically(file: Path, text: str) -> None:
    if file.exists() and not file.is_file():  # a device or a pipe is not replaced
        file.write_text(text, encoding="utf-8", newline="\n")
        return
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
