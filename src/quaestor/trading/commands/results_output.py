"""How the results of a decision session are handed over: as text, as a page or as data, and their picture."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.contracts.errors import UsageError
from quaestor.contracts.terminal import AtTerminal
from quaestor.trading.contracts.results import DecisionResults
from quaestor.trading.performance.chart import render_chart
from quaestor.trading.performance.html_report import render_html
from quaestor.trading.performance.json_report import render_json
from quaestor.trading.performance.markdown_report import render_markdown

_MAX_ANNUAL_RATE = 10.0
"""A return of a year above this is a number of percent."""


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ResultsOutput:
    """What becomes of results."""

    form: Annotated[Literal["md", "html", "json"], Parameter(name="--format", help="How they are written.")] = "md"
    out: Annotated[Path | None, Parameter(name="--out", help="Write them to this file, not to stdout.")] = None
    picture: Annotated[Path | None, Parameter(help="Draw equity and drawdown into this SVG file.")] = None
    risk_free: Annotated[float, Parameter(help="Return of a year without risk, for Sharpe's ratio: 0.04 is 4 %.")] = 0.0
    target: Annotated[float, Parameter(help="Return of a year that is aimed at, for Sortino's ratio.")] = 0.0

    def check(self, terminal: AtTerminal) -> None:
        """Refuse files and rates that cannot be meant. Raises UsageError; to be asked before any work is done."""
        terminal.check_output_path("--out", self.out)
        terminal.check_output_path("--picture", self.picture)
        for option, rate in (("--risk-free", self.risk_free), ("--target", self.target)):
            if not -1 < rate < _MAX_ANNUAL_RATE:
                raise UsageError(f"{option} {rate:g} is no return of a year; 0.04 stands for 4 %")

    def write(self, record: DecisionResults, terminal: AtTerminal) -> None:
        """Draw the picture, if one is wanted, and write the results. Raises SetupError when they cannot be kept."""
        drawn = self._draw(record, terminal)
        match self.form:
            case "md":
                terminal.write_output(render_markdown(record, drawn), self.out)
            case "html":
                terminal.write_output(render_html(record), self.out)
            case "json":
                terminal.write_output(render_json(record), self.out)
        for made in filter(None, (self.out, self.picture if drawn else None)):
            terminal.write_stderr(f"written: {made}")

    def _draw(self, record: DecisionResults, terminal: AtTerminal) -> str | None:
        """Draw the picture; give where it is found from the results. No picture is made of what lasted no time."""
        if self.picture is None:
            return None
        measured = record.performance
        if measured is None or measured.basis.begins == measured.basis.ends:
            terminal.write_stderr(f"no picture: {self.picture} would show less than two cycles")
            return None
        terminal.write_output(render_chart(measured, record.mandate.objective, record.mandate.currency), self.picture)
        if self.out and self.out.resolve().parent == self.picture.resolve().parent:
            return self.picture.name
        return str(self.picture.resolve())
