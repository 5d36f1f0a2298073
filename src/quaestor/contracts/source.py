"""Sources and the exact words in them: passages, quotes, hits."""

from bisect import bisect_right
from datetime import date, datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from quaestor.contracts.base import Contract

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 in lower-case hexadecimal; of a source, the hash of its stored text in UTF-8."""


class DateRange(Contract):
    """The days within which sources are used, both included; what has no date is within every range."""

    first: date | None = None
    last: date | None = None

    def holds(self, published: date | None) -> bool:
        """Return whether a source that is dated so may be used."""
        return published is None or (self.first or date.min) <= published <= (self.last or date.max)

    @property
    def is_open(self) -> bool:
        """Whether no day bounds it."""
        return self.first is None and self.last is None

    @property
    def bounds(self) -> tuple[str, str]:
        """Both days as ISO 8601, which are in the order of their texts."""
        return (self.first or date.min).isoformat(), (self.last or date.max).isoformat()


ANY_DATE = DateRange()


class Source(Contract):
    """One stored text that can be cited, named by the hash of that text."""

    sha256: Sha256
    title: str
    uri: str = Field(description="An absolute path, or a URL.")
    media_type: str
    characters: int = Field(ge=0)
    retrieved_at: datetime
    published: date | None = Field(default=None, description="When the source says it was last changed; None: unknown.")
    pages: tuple[int, ...] = Field(default=(), description="Where each page starts in the text, for what has pages.")

    def page(self, place: int) -> int | None:
        """Return the number of the page that contains a character, counted from 1; None without pages."""
        return bisect_right(self.pages, place) or None


class Quote(Contract):
    """The exact words of a source: `text` equals the characters from `start` up to `end`."""

    source: Sha256
    start: int = Field(ge=0)
    end: int
    text: str = Field(min_length=1)

    @model_validator(mode="after")
    def _spans_its_text(self) -> Self:
        if self.end - self.start != len(self.text):
            raise ValueError(
                f"the span {self.start}..{self.end} is not as long as its text of {len(self.text)} characters"
            )
        return self


class TableCell(Contract):
    """A cell of a row: the name of its column, what it holds, and whether the quote has words of it."""

    column: str
    value: str
    quoted: bool


class TablePlace(Contract):
    """The row of a table that holds a quote."""

    sheet: str = Field(default="", description="Of a workbook; empty in other files.")
    row: int = Field(ge=1, description="Counted from 1 below the names of the columns.")
    cells: tuple[TableCell, ...] = Field(description="Of a long row the first, and those that are quoted.")

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are quoted; none for a whole row, whose empty cells have no words to quote."""
        if all(cell.quoted for cell in self.cells if cell.value):
            return ()
        return tuple(cell.column for cell in self.cells if cell.quoted)


class Passage(Quote):
    """A part of a source small enough to rank and to read, with the headings above it."""

    heading: str = ""


class Hit(Contract):
    """A passage that a search returned, with its place in the ranking."""

    passage: Passage
    title: str
    uri: str
    score: float

    @property
    def place(self) -> tuple[str, int]:
        """Its source and where it begins there, the same in every ranking."""
        return self.passage.source, self.passage.start
