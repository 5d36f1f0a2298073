"""What becomes of a report: its format and the place it goes to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.cli import handover
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
        handover.check("--out", self.out)

    def hand_over(self, report: Report) -> None:
        """Write a report to its file, whole or not at all, or to stdout. Raises SetupError when it cannot be kept."""
        handover.hand_over(FORMATS[self.form](report), self.out)
