"""What the process that reads a database is asked and what it answers."""

from typing import Literal

from pydantic import Field, JsonValue

from quaestor.contracts.database import Cut, Table
from quaestor.contracts.noun import Noun

LARGEST_ANSWER = 4_000_000
"""Bytes."""

Kind = Literal["sqlite", "postgresql", "other"]


class Request(Noun):
    """One statement for one database, or none: then it lists its tables."""

    kind: Kind
    url: str = Field(repr=False, description="Of SQLite, the absolute path of the file.")
    sql: str = ""
    names: frozenset[str] = Field(default=frozenset(), description="Names in the statement, in lower case.")
    called: frozenset[str] = Field(default=frozenset(), description="Those that stand before a bracket.")
    limit: int
    seconds: float


class Rows(Noun):
    """What a statement gave."""

    columns: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]
    cut: frozenset[Cut] = frozenset()


class Catalogue(Noun):
    """The tables of a database, those a statement names first; and what was wrong with that statement."""

    tables: tuple[Table, ...]
    cut: frozenset[Cut] = frozenset()
    fault: str | None = None


class Failure(Noun):
    """Why the database could not be asked at all."""

    reason: str


Answer = Rows | Catalogue | Failure
