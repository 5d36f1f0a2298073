"""How the results of a decision session are handed over: as text, as a page or as data, and their picture."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.cli.handover import check, hand_over
from quaestor.cli.speech import say
from quaestor.contracts.cycle import DecisionRecord
from quaestor.contracts.errors import UsageError
from quaestor.views.performance.data import data
from quaestor.views.performance.html import html
from quaestor.views.performance.markdown import markdown
from quaestor.views.performance.picture import picture

_MOST = 10.0
"""A return of a year above this is a number of percent."""


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Results:
    """What becomes of results."""

    form: Annotated[Literal["md", "html", "json"], Parameter(name="--format", help="How they are written.")] = "md"
    out: Annotated[Path | None, Parameter(name="--out", help="Write them to this file, not to stdout.")] = None
    picture: Annotated[Path | None, Parameter(help="Draw equity and drawdown into this SVG file.")] = None
    risk_free: Annotated[float, Parameter(help="Return of a year without risk, for Sharpe's ratio: 0.04 is 4 %.")] = 0.0
    target: Annotated[float, Parameter(help="Return of a year that is aimed at, for Sortino's ratio.")] = 0.0

    def check(self) -> None:
        """Refuse files and rates that cannot be meant. Raises UsageError; to be asked before any work is done."""
        check("--out", self.out)
        check("--picture", self.picture)
        for option, rate in (("--risk-free", self.risk_free), ("--target", self.target)):
            if not -1 < rate < _MOST:
                raise UsageError(f"{option} {rate:g} is no return of a year; 0.04 stands for 4 %")

    def hand_over(self, record: DecisionRecord) -> None:
        """Draw the picture, if one is wanted, and write the results. Raises SetupError when they cannot be kept."""
        drawn = self._draw(record)
        match self.form:
            case "md":
                hand_over(markdown(record, drawn), self.out)
            case "html":
                hand_over(html(record), self.out)
            case "json":
                hand_over(data(record), self.out)
        for made in filter(None, (self.out, self.picture if drawn else None)):
            say(f"written: {made}")

    def _draw(self, record: DecisionRecord) -> str | None:
        """Draw the picture; give where it is found from the results. No picture is made of what lasted no time."""
        if self.picture is None:
            return None
        measured = record.performance
        if measured is None or measured.basis.begins == measured.basis.ends:
            say(f"no picture: {self.picture} would show less than two cycles")
            return None
        hand_over(picture(measured, record.mandate.objective, record.mandate.currency), self.picture)
        if self.out and self.out.resolve().parent == self.picture.resolve().parent:
            return self.picture.name
        return str(self.picture.resolve())
