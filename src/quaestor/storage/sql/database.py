"""What the statements need of a database: one dialect of SQL that SQLite and Postgres share, and transactions.

Placeholders are `?` and `?1`; a list is one JSON text, unpacked by `json_each`. Text is compared by code point.
"""

from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

ResultRow = tuple[Any, ...]
"""One row of a query."""

Bindings = Sequence[str | int | float | bytes | None]

P = ParamSpec("P")
T = TypeVar("T")


class Database(Protocol):
    """A database whose every method raises in the words of the error tree."""

    path: str
    """Where it is, as messages name it: without a password."""
    row_lock: str
    """The clause by which a query locks its rows until the transaction ends, where `writing` locks not everything."""

    def rows(self, sql: str, bindings: Bindings = ()) -> list[ResultRow]:
        """Return every row of a query."""
        ...

    def row(self, sql: str, bindings: Bindings = ()) -> ResultRow | None:
        """Return the only row of a query, or None."""
        ...

    def run(self, sql: str, bindings: Bindings = ()) -> int:
        """Run a statement that gives no rows; the number of rows it changed."""
        ...

    def execute_many(self, sql: str, rows: Iterable[Bindings]) -> None:
        """Run one statement for each of the rows."""
        ...

    def writing(self, *, durable: bool = True) -> AbstractContextManager[None]:
        """Hold one transaction: committed at the end, undone when anything is raised.

        One that is not `durable` need not wait for the disk: a failure that ends this process too may take it back
        until a durable one is committed, and never takes it back alone.
        """
        ...

    def reading(self) -> AbstractContextManager[None]:
        """See the database as it is now, in every query until the end."""
        ...

    def lock(self, name: str) -> None:
        """Hold a name against other transactions until this one ends."""
        ...

    async def perform(self, work: Callable[[], T]) -> T:
        """Do work where statements may run; once begun it is carried to its end, also when the caller is cancelled."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class HasDatabase(Protocol):
    """A part of a store, over one database."""

    _database: Database


StoreT = TypeVar("StoreT", bound=HasDatabase)


def performed(
    method: Callable[Concatenate[StoreT, P], T],
) -> Callable[Concatenate[StoreT, P], Coroutine[Any, Any, T]]:
    """Make a method of a store awaitable: its statements run where its database lets them run."""

    @wraps(method)
    async def perform(self: StoreT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.perform(partial(method, self, *args, **kwargs))

    return perform
