"""What becomes of a report: its format and the place it goes to."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.cli.speech import give
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.report import Report
from quaestor.views.data import data
from quaestor.views.html import html
from quaestor.views.markdown import markdown

Form = Literal["md", "html", "json"]

FORMATS: Mapping[Form, Callable[[Report], str]] = {"md": markdown, "html": html, "json": data}


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Delivery:
    """How a report is handed over."""

    form: Annotated[Form, Parameter(name="--format", help="How the report is written.")] = "md"
    out: Annotated[Path | None, Parameter(name="--out", help="Write it to this file, not to stdout.")] = None

    def check(self) -> None:
        """Refuse a file that cannot be written. Raises UsageError; to be asked before any work is done."""
        if self.out is None:
            return
        if self.out.is_dir():
            raise UsageError(f"--out {self.out} is a folder; name a file in it")
        if not self.out.parent.is_dir():
            raise UsageError(f"--out {self.out}: there is no folder {self.out.parent}; make it first")
        if not os.access(self.out if self.out.exists() else self.out.parent, os.W_OK):
            raise UsageError(f"--out {self.out} may not be written; choose another place")

    def hand_over(self, report: Report) -> None:
        """Write a report to its file, whole or not at all, or to stdout. Raises SetupError when it cannot be kept."""
        text = FORMATS[self.form](report)
        if self.out is None:
            give(text)
            return
        try:
            _write(self.out.resolve(), text)
        except OSError as error:
            raise SetupError(f"the report cannot be written to {self.out}: {error.strerror}") from error


def _write(file: Path, text: str) -> None:
    if file.exists() and not file.is_file():  # a device or a pipe is not replaced
        file.write_text(text, encoding="utf-8", newline="\n")
        return
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
