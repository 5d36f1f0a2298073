from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.database import Cut, Database, DatabaseGiven, DatabaseResults
from quaestor.contracts.errors import MissingExtra, ToolFailed, UsageError
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Tool
from quaestor.contracts.tools import SearchGiven, SearchResults
from quaestor.tools.database import told
from quaestor.tools.database.address import Address, address
from quaestor.tools.database.asking import Catalogue, Failure, Kind, Request, Rows
from quaestor.tools.database.process import Asking, ask
from quaestor.tools.database.statement import NoStatement, Refused, Statement, read

CORPUS = "corpus"
"""The name under which the documents of a session are searched."""
_NOTHING = Statement("", frozenset(), frozenset())


class SearchDatabase:
    """Reads databases, and searches the documents; a `Tool`.

    `documents` searches the corpus of the session, if it has one. Raises MissingExtra when a package is not installed,
    UsageError or SetupError for a database that cannot be reached as it is written.
    """

    name: ClassVar[str] = "search_database"
    description: ClassVar[str] = (
        "Reads a database: give it one SELECT statement, or nothing to see the tables. For the documents, "
        "give it a few telling words."
    )
    takes: ClassVar[type[Noun]] = DatabaseGiven
    gives: ClassVar[type[Noun]] = DatabaseResults
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(
        self,
        databases: Mapping[str, Database],
        documents: Tool | None,
        environment: Mapping[str, str],
        seconds: float,
        *,
        folder: Path = Path(),
        asking: Asking = ask,
        installed: Callable[[str], bool] = lambda package: find_spec(package) is not None,
    ) -> None:
        if CORPUS in databases:
            raise UsageError(f"no database can be named {CORPUS}, which is what the documents are called; rename it")
        self._addresses = {name: address(name, database, environment, folder) for name, database in databases.items()}
        for name, where in self._addresses.items():
            _require(name, where.kind, installed)
        self._documents = documents
        self._environment = environment
        self._seconds = seconds
        self._asking = asking

    async def run(self, given: Noun) -> DatabaseResults:
        """Give rows, passages, or the tables there are. Raises ToolFailed when a database cannot be asked."""
        if not isinstance(given, DatabaseGiven):
            raise ToolFailed(f"search_database takes a DatabaseGiven, not a {type(given).__name__}; give it a query")
        name = given.database or self._meant(given.query)
        if name == CORPUS and self._documents:
            return await self._searched(self._documents, given)
        if name is None:
            return await self._overview(given)
        if name not in self._addresses:
            raise ToolFailed(f"there is no database {name}; there is {self._names()}")
        return await self._asked(name, given)

    def _meant(self, query: str) -> str | None:
        """Give the database a query can only mean, or None."""
        names = [*self._addresses, *([CORPUS] if self._documents else [])]
        if len(names) == 1:
            return names[0]
        if not query.strip():
            return None
        try:
            read(query, "sqlite")
        except NoStatement:
            return CORPUS if self._documents else None
        except Refused:
            pass
        return next(iter(self._addresses)) if len(self._addresses) == 1 else None

    async def _searched(self, documents: Tool, given: DatabaseGiven) -> DatabaseResults:
        if not given.query.strip():
            fault = "give a few words that the documents may hold"
            return DatabaseResults(database=CORPUS, fault=fault, text=fault)
        limit = min(given.limit, 50)
        found = await documents.run(SearchGiven(query=given.query, limit=limit))
        hits = found.hits if isinstance(found, SearchResults) else ()
        return DatabaseResults(database=CORPUS, hits=hits, text=told.passages(hits))

    async def _overview(self, given: DatabaseGiven) -> DatabaseResults:
        """Say which databases there are, with the tables of each."""
        parts: list[str] = []
        for name in self._addresses:
            try:
                parts.append(f"{name}:\n{(await self._asked(name, DatabaseGiven())).text}")
            except ToolFailed as failed:
                parts.append(str(failed))
        if self._documents:
            parts.append(f"{CORPUS}: documents; give a few words that they may hold")
        fault = f"say which database is meant: {self._names()}" if given.query.strip() else None
        return DatabaseResults(database="", fault=fault, text="\n\n".join([*([fault] if fault else []), *parts]))

    async def _asked(self, name: str, given: DatabaseGiven) -> DatabaseResults:
        where = self._addresses[name]
        statement, fault = _NOTHING, None
        try:
            statement = read(given.query, where.kind) if given.query.strip() else _NOTHING
        except Refused as refused:
            return DatabaseResults(database=name, fault=str(refused), text=str(refused))
        except NoStatement:
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
            case Rows(columns=columns, rows=rows, cut=cut):
                text = told.noted(told.rows(columns, rows), _ordered(cut))
                return DatabaseResults(database=name, columns=columns, rows=rows, cut=_ordered(cut), text=text)
            case Catalogue(tables=tables, cut=cut, fault=said):
                return _listed(name, Catalogue(tables=tables, cut=cut, fault=fault or said), where)
            case Failure(reason=reason):
                raise ToolFailed(where.hide(f"the database {name} gave no answer: {reason}"))

    def _names(self) -> str:
        return ", ".join([*self._addresses, *([CORPUS] if self._documents else [])]) or "none"


def _listed(name: str, found: Catalogue, where: Address) -> DatabaseResults:
    fault = None if found.fault is None else where.hide(found.fault)
    text = told.noted(told.tables(found.tables), _ordered(found.cut))
    return DatabaseResults(
        database=name,
        tables=found.tables,
        cut=_ordered(found.cut),
        fault=fault,
        text=text if fault is None else f"{fault}\nthe tables are:\n{text}",
    )


def _ordered(cut: frozenset[Cut]) -> tuple[Cut, ...]:
    return tuple(each for each in Cut if each in cut)


def _require(name: str, kind: Kind, installed: Callable[[str], bool]) -> None:
    if kind != "sqlite" and not installed("sqlalchemy"):
        raise MissingExtra(f"the database {name} needs an extra: pip install 'quaestor[database]'")
    if kind == "postgresql" and not installed("psycopg"):
        raise MissingExtra(f"the database {name} needs an extra: pip install 'quaestor[database,postgres]'")
