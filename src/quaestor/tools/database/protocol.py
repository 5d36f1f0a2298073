"""What the process that reads a database is asked and what it answers."""

from typing import Literal

from pydantic import Field, JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.database import Table, Truncation

MAX_REQUEST_BYTES = 1_000_000
MAX_RESPONSE_BYTES = 4_000_000

DatabaseKind = Literal["sqlite", "postgresql", "other"]


class Request(Contract):
    """One statement for one database, or none: then it lists its tables."""

    kind: DatabaseKind
    url: str = Field(repr=False, description="Of SQLite, the absolute path of the file.")
    sql: str = ""
    names: frozenset[str] = Field(default=frozenset(), description="Names in the statement, in lower case.")
    called: frozenset[str] = Field(default=frozenset(), description="Those that stand before a bracket.")
    limit: int
    seconds: float


class QueryRows(Contract):
    """What a statement gave."""

    columns: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]
    cut: frozenset[Truncation] = frozenset()


class TableCatalog(Contract):
    """The tables of a database, those a statement names first; and what was wrong with that statement."""

    tables: tuple[Table, ...]
    cut: frozenset[Truncation] = frozenset()
    fault: str | None = None


class Failure(Contract):
    """Why the database could not be asked at all."""

    reason: str


Response = QueryRows | TableCatalog | Failure
