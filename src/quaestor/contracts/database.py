"""Databases that may be read: how they are reached, what they are asked, what they answer."""

from enum import StrEnum
from typing import Self

from pydantic import Field, JsonValue, model_validator

from quaestor.contracts.base import Contract
from quaestor.contracts.model import VARIABLE_NAME
from quaestor.contracts.source import Hit

MAX_ROWS = 100


class Database(Contract):
    """One database, by a SQLAlchemy URL or by the variable of the environment that holds one."""

    url: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z][A-Za-z0-9_+]*://",
        repr=False,
        description="As sqlite:///ships.db or postgresql://reader@127.0.0.1/ships.",
    )
    url_env: str | None = Field(
        default=None, pattern=VARIABLE_NAME, description="Keeps a password out of the settings; in capitals."
    )
    read_only_account: bool = Field(
        default=False, description="The user's word that this account can change nothing; some databases need it."
    )

    @model_validator(mode="after")
    def _is_reached_in_one_way(self) -> Self:
        if (self.url is None) == (self.url_env is None):
            raise ValueError("a database has a url or a url_env; give one of them")
        return self


class DatabaseInput(Contract):
    """For the tool search_database."""

    query: str = Field(
        default="",
        max_length=20_000,
        description="One SELECT statement for a database, or a few words for the documents; empty shows the tables.",
    )
    database: str = Field(default="", description="Its name; not needed where there is only one.")
    limit: int = Field(default=5, ge=1, le=MAX_ROWS, description="Rows, or passages.")


class Column(Contract):
    """A column of a table, its name as it is written in SQL."""

    name: str
    type: str


class Table(Contract):
    """A table or a view, its name as it is written in SQL."""

    name: str
    columns: tuple[Column, ...] = ()


class Truncation(StrEnum):
    """What was left out of an answer."""

    ROWS = "there are more rows than were asked for"
    SIZE = "rows were left out because the answer was long enough"
    COLUMNS = "columns were left out"
    CELLS = "long cells were cut"
    TABLES = "tables or columns were left out of the list"


class DatabaseResults(Contract):
    """The response of a database; all of its text is untrusted.

    A query that failed has a fault; `tables` then lists what can be queried.
    """

    database: str = Field(description="Who answered; empty for a list of all there is.")
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[JsonValue, ...], ...] = Field(
        default=(), description="Numbers, truth values and null as such; all else as text."
    )
    hits: tuple[Hit, ...] = Field(default=(), description="Passages of the documents, best first.")
    tables: tuple[Table, ...] = ()
    cut: tuple[Truncation, ...] = ()
    fault: str | None = Field(default=None, description="Why there is no answer, and what to do.")
    text: str = Field(description="All of it in plain text, as a model is shown it.")
