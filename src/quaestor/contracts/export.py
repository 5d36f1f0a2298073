"""What is exported of a session, and what writes it in the format of another program."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.signature import LogHead, SignedHead
from quaestor.contracts.source import Quote, Sha256, Source


class ExportedQuote(Quote):
    """Words of a source, and where a person finds them in it."""

    place: str = Field(default="", description="Its page, or the sheet, row and columns of its table, in words.")


class ExportedStatement(Contract):
    """One claim of a report, or one passage of a brief, with the words that it rests on."""

    number: int = Field(ge=1)
    text: str = Field(min_length=1)
    standing: str = Field(description="Whether it is quoted and supported, in words; empty where nothing is wrong.")
    quotes: tuple[ExportedQuote, ...] = ()


class ExportMaterial(Contract):
    """A report with what proves it, as every exporter takes it."""

    session_id: str
    workflow: str
    version: int = Field(ge=1, description="Of the report.")
    question: str
    title: str
    begun_at: datetime
    written_at: datetime = Field(description="When the last event of the log was recorded.")
    program: str = Field(description="Name and version of the program that writes the export.")
    model: str
    markdown: str
    html: str
    json_text: str
    statements: tuple[ExportedStatement, ...] = ()
    sources: tuple[Source, ...] = Field(default=(), description="Every cited source, in order of first citation.")
    texts: Mapping[Sha256, str] = Field(default_factory=dict, description="The stored text of every cited source.")

    def around(self, quote: Quote, characters: int) -> tuple[str, str]:
        """Return the text before and the text after a quote in its source, each of at most so many characters."""
        text = self.texts.get(quote.source, "")
        return text[max(quote.start - characters, 0) : quote.start], text[quote.end : quote.end + characters]


class ExportKind(StrEnum):
    """What an exporter writes."""

    FILE = "file"
    FOLDER = "folder"


ExportedFiles = Mapping[str, bytes]
"""The content of files by their paths below the target, with `/` between parts."""


class Exporter(Immutable):
    """A format of exports; found by its name in the entry points `quaestor.exporters`.

    `write` returns the files; of kind `file` exactly one, whatever its path is. It reaches nothing outside, and raises
    SetupError where something that it needs is not installed. May be `deferred`.
    """

    kind: ExportKind
    suffix: str
    """By which the format is recognised, as `.bib`; empty for a folder."""
    media_type: str
    description: str
    write: Callable[[ExportMaterial], ExportedFiles]


class BundleManifest(Contract):
    """What a bundle holds: the first thing that is read of it, and the last that is written."""

    kind: Literal["quaestor bundle"] = "quaestor bundle"
    format: Literal[1] = 1
    program: str
    session_id: str
    workflow: str
    report_version: int = Field(ge=1)
    head: LogHead
    signed: SignedHead | None = None
    files: Mapping[str, Sha256] = Field(description="The SHA-256 of every other file.")
