"""The SQL of a list of sessions."""

from quaestor.contracts.session import RELEASED_AT, SessionQuery
from quaestor.storage.encoding import format_timestamp
from quaestor.storage.sql.database import Bindings

_RELEASED_AT = format_timestamp(RELEASED_AT)

RUNNABLE = f"""
(
  SELECT due.id AS due_id, due.queued_at AS since,
         row_number() OVER (PARTITION BY due.tenant ORDER BY due.queued_at, due.id) + coalesce(carried.running, 0)
         AS turn
  FROM (
    SELECT id, tenant, coalesce(queued_at, created_at) AS queued_at FROM sessions
    WHERE status IN ('running', 'stopped') AND outcome IS NULL
    UNION
    SELECT id, tenant, coalesce(queued_at, created_at) FROM sessions
    WHERE outcome IS NULL AND id IN (SELECT session_id FROM commands WHERE settled IS NULL)
    UNION
    SELECT id, tenant, coalesce(queued_at, created_at) FROM sessions
    WHERE status = 'paused' AND due_at IS NOT NULL AND outcome IS NULL AND due_at <= ?
  ) AS due
  LEFT JOIN (
    SELECT held.tenant AS of_tenant, count(*) AS running FROM leases CROSS JOIN sessions AS held
    WHERE held.id = leases.session_id AND leases.expires_at <> '{_RELEASED_AT}' GROUP BY held.tenant
  ) AS carried ON of_tenant = due.tenant
  LEFT JOIN leases ON leases.session_id = due.id
  WHERE leases.expires_at IS NULL OR leases.expires_at = '{_RELEASED_AT}'
) AS runnable CROSS JOIN sessions WHERE id = due_id AND turn <= ?
ORDER BY turn, since, due_id LIMIT ?
"""  # noqa: S608 -- a constant
"""What is behind FROM to select the sessions that a worker may run, by partial indexes that hold no others.

Its values are the time, the most sessions of one tenant that run at once, and the most that are selected.
"""


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
