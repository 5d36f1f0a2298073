"""The SQL of a list of sessions."""

from quaestor.contracts.session import SessionQuery
from quaestor.storage.encoding import format_timestamp
from quaestor.storage.sql.database import Bindings


def select_clause(query: SessionQuery) -> tuple[str, Bindings]:
    """Return the clauses behind FROM that select and order what a query asks for, with their values."""
    conditions: list[str] = []
    values: list[str | int] = []
    for column, wanted in (("tenant", query.tenant), ("workflow", query.workflow), ("task_key", query.task_key)):
        if wanted is not None:
            conditions.append(f"{column} = ?")
            values.append(wanted)
    if query.text:
        conditions.append("lower(question) LIKE lower(?) ESCAPE '\\'")
        values.append(f"%{_escape_pattern(query.text)}%")
    if query.finished is not None:
        conditions.append(f"outcome IS {'NOT ' if query.finished else ''}NULL")
    if query.before is not None:
        created_at, session_id = query.before
        conditions.append("(created_at, id) < (?, ?)")
        values += [format_timestamp(created_at), session_id]
    where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
    return f"{where}ORDER BY created_at DESC, id DESC LIMIT ?", (*values, query.limit)


def _escape_pattern(text: str) -> str:
    """Return a text whose wildcards of LIKE stand for themselves."""
    return "".join(f"\\{character}" if character in "\\%_" else character for character in text)
