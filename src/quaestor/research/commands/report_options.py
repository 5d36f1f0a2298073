"""The options of a command line that bound the sources of a report and say how it is written."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from pydantic import JsonValue

from quaestor.contracts.errors import UsageError
from quaestor.contracts.report_settings import Length
from quaestor.contracts.terminal import split_names

_MAX_TEMPLATE_BYTES = 64 * 1024
_BULLETS = "#*-+•0123456789.) \t"


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Bounds of the sources, and the form of the report; None is an option that was not given."""

    allowed_domains: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="Read pages of these domains alone, as example.org."),
    ] = None
    denied_domains: Annotated[
        list[str] | None, Parameter(consume_multiple=True, negative="", help="Read no page of these domains.")
    ] = None
    only_named: Annotated[
        bool | None, Parameter(negative="", help="Read what --docs names and nothing else: no web, no servers.")
    ] = None
    as_of: Annotated[date | None, Parameter(help="Use no source that is dated later.")] = None
    since: Annotated[date | None, Parameter(help="Use no source that is dated earlier.")] = None
    language: Annotated[
        str | None, Parameter(help="Write in this language, as en or pt; else in that of the question.")
    ] = None
    length: Annotated[Length | None, Parameter(help="How long the report of a model is.")] = None
    audience: Annotated[str | None, Parameter(help="For whom a model writes it, as 'a lawyer new to the field'.")] = (
        None
    )
    sections: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="The headings under which a model writes, in order."),
    ] = None
    template: Annotated[Path | None, Parameter(help="A file with these headings, one a line.")] = None

    def given(self) -> dict[str, JsonValue]:
        """Return the settings by their own names. Raises UsageError for a template that cannot be used."""
        if self.sections and self.template:
            raise UsageError("--sections and --template both name the headings; give one of them")
        headings = read_template(self.template) if self.template else self.sections
        return {
            "allowed_domains": split_names(self.allowed_domains),
            "denied_domains": split_names(self.denied_domains),
            "only_named": self.only_named,
            "as_of": None if self.as_of is None else self.as_of.isoformat(),
            "since": None if self.since is None else self.since.isoformat(),
            "language": self.language,
            "length": self.length,
            "audience": self.audience,
            "sections": None if headings is None else [*headings],
        }


def read_template(file: Path) -> list[str]:
    """Return the headings of a file: its Markdown headings below the title, or else its lines without their bullets.

    Raises UsageError for a file that cannot be read or has none.
    """
    try:
        with file.open("rb") as opened:
            text = opened.read(_MAX_TEMPLATE_BYTES).decode("utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"--template {file} cannot be read: {error}") from error
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith("##")] or [line for line in lines if line.startswith("#")]
    headings = [heading for line in marked or lines if (heading := line.lstrip(_BULLETS).strip())]
    if not headings:
        raise UsageError(f"--template {file} has no headings; write one a line")
    return headings
