"""The tool that asks a database: its tables, or one statement that only reads."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from typing_extensions import override

from quaestor.contracts.database import Database, DatabaseInput, DatabaseResults, Truncation
from quaestor.contracts.errors import MissingExtra, ToolFailed, UsageError
from quaestor.contracts.tools import SearchInput, SearchResults, Tool
from quaestor.tools.database import protocol
from quaestor.tools.database.connection import AskWorker, DatabaseAddress, ask_worker, resolve_address
from quaestor.tools.database.protocol import DatabaseKind, Failure, QueryRows, Request, TableCatalog
from quaestor.tools.database.statement import NotSql, Statement, StatementRefused, parse_statement

CORPUS_NAME = "corpus"
"""The name under which the documents of a session are searched."""
_EMPTY_STATEMENT = Statement("", frozenset(), frozenset())


class SearchDatabase(Tool[DatabaseInput, DatabaseResults]):
    """A `Tool` that reads databases and searches the documents.

    `documents` searches the corpus of the session, if it has one. Raises MissingExtra when a package is not installed,
    UsageError or SetupError for a database that cannot be reached as it is written.
    """

    name = "search_database"
    description = (
        "Reads a database: give it one SELECT statement, or nothing to see the tables. For the documents, "
        "give it a few telling words."
    )
    repeatable = True

    def __init__(
        self,
        databases: Mapping[str, Database],
        documents: Tool[SearchInput, SearchResults] | None,
        environment: Mapping[str, str],
        seconds: float,
        *,
        folder: Path = Path(),
        asking: AskWorker = ask_worker,
        installed: Callable[[str], bool] = lambda package: find_spec(package) is not None,
    ) -> None:
        if CORPUS_NAME in databases:
            raise UsageError(
                f"no database can be named {CORPUS_NAME}, which is what the documents are called; rename it"
            )
        self._addresses = {
            name: resolve_address(name, database, environment, folder) for name, database in databases.items()
        }
        for name, where in self._addresses.items():
            _require_driver(name, where.kind, installed)
        self._documents = documents
        self._environment = environment
        self._seconds = seconds
        self._asking = asking

    @override
    async def run(self, given: DatabaseInput) -> DatabaseResults:
        """Return rows, passages, or the tables there are. Raises ToolFailed when a database cannot be asked."""
        name = given.database or self._infer_database(given.query)
        if name == CORPUS_NAME and self._documents:
            return await self._search_documents(self._documents, given)
        if name is None:
            return await self._list_databases(given)
        if name not in self._addresses:
            raise ToolFailed(f"there is no database {name}; there is {self._names()}")
        return await self._asked(name, given)

    def _infer_database(self, query: str) -> str | None:
        """Return the database a query can only mean, or None."""
        names = [*self._addresses, *([CORPUS_NAME] if self._documents else [])]
        if len(names) == 1:
            return names[0]
        if not query.strip():
            return None
        try:
            parse_statement(query, "sqlite")
        except NotSql:
            return CORPUS_NAME if self._documents else None
        except StatementRefused:
            pass
        return next(iter(self._addresses)) if len(self._addresses) == 1 else None

    async def _search_documents(
        self, documents: Tool[SearchInput, SearchResults], given: DatabaseInput
    ) -> DatabaseResults:
        if not given.query.strip():
            fault = "give a few words that the documents may hold"
            return DatabaseResults(database=CORPUS_NAME, fault=fault, text=fault)
        limit = min(given.limit, 50)
        found = await documents.run(SearchInput(query=given.query, limit=limit))
        return DatabaseResults(database=CORPUS_NAME, hits=found.hits, text=protocol.format_passages(found.hits))

    async def _list_databases(self, given: DatabaseInput) -> DatabaseResults:
        """Return which databases there are, with the tables of each."""
        parts: list[str] = []
        for name in self._addresses:
            try:
                parts.append(f"{name}:\n{(await self._asked(name, DatabaseInput())).text}")
            except ToolFailed as failed:
                parts.append(str(failed))
        if self._documents:
            parts.append(f"{CORPUS_NAME}: documents; give a few words that they may hold")
        fault = f"name one of the databases: {self._names()}" if given.query.strip() else None
        return DatabaseResults(database="", fault=fault, text="\n\n".join([*([fault] if fault else []), *parts]))

    async def _asked(self, name: str, given: DatabaseInput) -> DatabaseResults:
        where = self._addresses[name]
        statement, fault = _EMPTY_STATEMENT, None
        try:
            statement = parse_statement(given.query, where.kind) if given.query.strip() else _EMPTY_STATEMENT
        except StatementRefused as refused:
            return DatabaseResults(database=name, fault=str(refused), text=str(refused))
        except NotSql:
            fault = "a database is asked with one SELECT statement"
        request = Request(
            kind=where.kind,
            url=where.url,
            sql=statement.sql,
            names=statement.names,
            called=statement.called,
            limit=given.limit,
            seconds=self._seconds,
        )
        match await self._asking(request, self._environment):
            case QueryRows(columns=columns, rows=rows, cut=cut):
                text = protocol.append_notes(protocol.format_rows(columns, rows), _ordered_cuts(cut))
                return DatabaseResults(database=name, columns=columns, rows=rows, cut=_ordered_cuts(cut), text=text)
            case TableCatalog(tables=tables, cut=cut, fault=worker_fault):
                return _table_results(name, TableCatalog(tables=tables, cut=cut, fault=fault or worker_fault), where)
            case Failure(reason=reason):
                raise ToolFailed(where.hide(f"the database {name} gave no answer: {reason}"))

    def _names(self) -> str:
        return ", ".join([*self._addresses, *([CORPUS_NAME] if self._documents else [])]) or "none"


def _table_results(name: str, found: TableCatalog, where: DatabaseAddress) -> DatabaseResults:
    fault = None if found.fault is None else where.hide(found.fault)
    text = protocol.append_notes(protocol.format_tables(found.tables), _ordered_cuts(found.cut))
    return DatabaseResults(
        database=name,
        tables=found.tables,
        cut=_ordered_cuts(found.cut),
        fault=fault,
        text=text if fault is None else f"{fault}\nthe tables are:\n{text}",
    )


def _ordered_cuts(cut: frozenset[Truncation]) -> tuple[Truncation, ...]:
    return tuple(each for each in Truncation if each in cut)


def _require_driver(name: str, kind: DatabaseKind, installed: Callable[[str], bool]) -> None:
    if kind != "sqlite" and not installed("sqlalchemy"):
        raise MissingExtra(f"the database {name} needs an extra", "database")
    if kind == "postgresql" and not installed("psycopg"):
        raise MissingExtra(f"the database {name} needs an extra", "database,postgres")
