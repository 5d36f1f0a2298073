"""Copies of a whole store into another database, row for row, as the store is at one moment.

Each page of a table, each session, and each corpus with its index is one transaction at the target, and what is there
already is left as it is, so that a copy that was cut off is taken up by beginning it again.
"""

from collections.abc import Callable, Iterator, Sequence

from quaestor.contracts.errors import UsageError
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.session import RELEASED_AT
from quaestor.storage.encoding import format_timestamp
from quaestor.storage.errors import quote_for_message
from quaestor.storage.sql.database import Database, ResultRow
from quaestor.storage.sql.dialect import Dialect

_PAGE = 1_000
_BLOBS_PAGE = 50
"""A blob can have megabytes."""


class _Table(Immutable):
    name: str
    key: tuple[str, ...]
    others: tuple[str, ...]
    page: int = _PAGE

    @property
    def columns(self) -> str:
        return ", ".join((*self.key, *self.others))

    @property
    def insertion(self) -> str:
        places = ", ".join("?" * (len(self.key) + len(self.others)))
        return f"INSERT INTO {self.name} ({self.columns}) VALUES ({places})"  # noqa: S608 -- names below


_SHARED = (
    _Table("blobs", ("sha256",), ("size", "data"), _BLOBS_PAGE),
    _Table("texts", ("sha256",), ("characters",)),
    _Table("vectors", ("model", "sha256"), ("vector",)),
    _Table("replies", ("call",), ("reply",)),
    _Table("tokens", ("sha256",), ("name", "kind", "scope", "tenant", "created_at", "expires_at", "revoked_at")),
    _Table("requests", ("tenant", "key"), ("body", "session_id", "anchor", "at")),
    _Table("signatures", ("session_id", "events", "head", "key"), ("signed_at", "signature")),
    _Table(
        "tombstones",
        ("session_id",),
        ("tenant", "created_at", "erased_at", "events", "head", "corpora", "workspaces", "finished_at"),
    ),
    _Table("session_corpora", ("session_id", "corpus"), ()),
    _Table("session_workspaces", ("session_id", "name"), ()),
    _Table(
        "session_sources",
        ("session_id", "source"),
        ("title", "uri", "media_type", "retrieved_at", "published", "pages"),
    ),
)
_SESSIONS = _Table(
    "sessions",
    ("id",),
    (
        *("task_key", "workflow", "question", "tenant", "created_at"),
        *("events", "cycle", "last_at", "outcome", "head", "status", "progress"),
        *("queued_at", "due_at", "dollars", "folder"),
    ),
)
_EVENTS = _Table(
    "events",
    ("session_id", "seq"),
    ("cycle", "at", "state", "type", "version", "body", "blob", "previous", "hash", "todo_id"),
)
_LEASES = _Table("leases", ("session_id",), ("epoch", "host", "pid", "started", "expires_at"))
_COMMANDS = _Table("commands", ("session_id", "number"), ("at", "body", "settled", "refusal"))
_DOCUMENTS = _Table(
    "documents",
    ("corpus", "uri"),
    (
        *("title", "size", "modified_ns", "form", "source", "skipped"),
        *("media_type", "retrieved_at", "published", "pages"),
    ),
)
_PASSAGES = _Table("passages", ("corpus", "id"), ("source", "start", '"end"', "heading"))
# What is not copied is a cache: the generations of an index in memory, and snapshots of folded states.


def copy_rows(
    source: Database, origin: Dialect, target: Database, dialect: Dialect, copied: Callable[[str], None]
) -> None:
    """Copy everything from one database into another, on the thread that calls; `copied` is called for each session.

    The copy holds no lease: no process carries its sessions on. Raises UsageError where the target has a session with
    another log, or other documents under the number of a corpus; what was copied before stays.
    """
    with source.reading():
        for table in _SHARED:
            _copy_table(source, target, table)
        for number, roots, generation in source.rows("SELECT number, roots, generation FROM corpora ORDER BY number"):
            if _is_due(target, number, roots, generation):
                _copy_corpus(source, origin, target, dialect, (number, roots, generation))
        for page in _pages(source, _SESSIONS):
            for row in page:
                _copy_session(source, target, row)
                copied(row[0])


def _copy_table(source: Database, target: Database, table: _Table) -> None:
    """Copy the rows that the target does not have by their key."""
    keys, places = ", ".join(table.key), ", ".join("?" * len(table.key))
    between = f"SELECT {keys} FROM {table.name} WHERE ({keys}) >= ({places}) AND ({keys}) <= ({places})"  # noqa: S608
    for page in _pages(source, table):
        first, last = page[0][: len(table.key)], page[-1][: len(table.key)]
        there = set(target.rows(between, (*first, *last)))
        with target.writing():
            rows = [row for row in page if row[: len(table.key)] not in there]
            target.execute_many(f"{table.insertion} ON CONFLICT DO NOTHING", rows)


def _copy_session(source: Database, target: Database, row: ResultRow) -> None:
    session_id = row[0]
    with target.writing():
        after = _common_events(source, target, session_id)
        changes = ", ".join(f"{column} = excluded.{column}" for column in _SESSIONS.others)
        target.run(f"{_SESSIONS.insertion} ON CONFLICT (id) DO UPDATE SET {changes}", row)
        for page in _pages(source, _EVENTS, session_id, after):
            target.execute_many(_EVENTS.insertion, page)
        for table in (_LEASES, _COMMANDS):
            target.run(f"DELETE FROM {table.name} WHERE session_id = ?", (session_id,))  # noqa: S608 -- named above
            for page in _pages(source, table, session_id):
                target.execute_many(table.insertion, page)
        target.run("UPDATE leases SET expires_at = ? WHERE session_id = ?", (format_timestamp(RELEASED_AT), session_id))


def _common_events(source: Database, target: Database, session_id: str) -> int:
    """Return how many events the target has of a session. Raises UsageError where they are not those of the source."""
    found = target.row(f"SELECT events, head FROM sessions WHERE id = ?{target.row_lock}", (session_id,))  # noqa: S608
    if found is None or found[0] == 0:
        return 0
    events, head = found
    if source.row("SELECT hash FROM events WHERE session_id = ? AND seq = ?", (session_id, events)) != (head,):
        raise UsageError(
            f"session {quote_for_message(session_id)} is in {target.path} with other events than in {source.path}; "
            "copy into an empty store, or into one that an earlier copy was made to"
        )
    return int(events)


def _is_due(target: Database, number: int, roots: str, generation: int) -> bool:
    """Return whether a corpus is not yet at the target. Raises UsageError where its number is that of another one."""
    found = target.rows("SELECT number, roots, generation FROM corpora WHERE number = ? OR roots = ?", (number, roots))
    if any((other, place) != (number, roots) for other, place, _ in found):
        raise UsageError(f"{target.path} has documents of its own; copy into an empty store")
    return found != [(number, roots, generation)]


def _copy_corpus(
    source: Database, origin: Dialect, target: Database, dialect: Dialect, corpus: tuple[int, str, int]
) -> None:
    number = corpus[0]
    index = dialect.term_index(target, number)
    with target.writing():
        for table in ("passages", "documents"):
            target.run(f"DELETE FROM {table} WHERE corpus = ?", (number,))  # noqa: S608 -- named above
        if target.run("DELETE FROM corpora WHERE number = ?", (number,)):
            index.drop()
        target.run("INSERT INTO corpora (number, roots, generation) VALUES (?, ?, ?)", corpus)
        index.create()
        for page in _pages(source, _DOCUMENTS, number):
            target.execute_many(_DOCUMENTS.insertion, page)
        terms = origin.term_index(source, number).contents()
        upcoming = next(terms, None)
        for page in _pages(source, _PASSAGES, number):
            target.execute_many(_PASSAGES.insertion, page)
            held = dict.fromkeys((row[1] for row in page), "")
            while upcoming and upcoming[0] <= page[-1][1]:
                held[upcoming[0]] = upcoming[1]
                upcoming = next(terms, None)
            index.add(held.items())


def _pages(
    source: Database, table: _Table, scope: str | int | None = None, after: int | None = None
) -> Iterator[list[ResultRow]]:
    """Iterate over the rows of a table in order of their key, page by page.

    With `scope` the first column of the key has this value, with `after` the second one is above that.
    """
    last: Sequence[str | int] = () if scope is None or after is None else (scope, after)
    keys, places = ", ".join(table.key), ", ".join("?" * len(table.key))
    while True:
        conditions = [] if scope is None else [f"{table.key[0]} = ?"]
        conditions += [f"({keys}) > ({places})"] if last else []
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        page = source.rows(
            f"SELECT {table.columns} FROM {table.name} {where}ORDER BY {keys} LIMIT ?",  # noqa: S608 -- named above
            (*(() if scope is None else (scope,)), *last, table.page),
        )
        if not page:
            return
        yield page
        last = page[-1][: len(table.key)]
