"""The log of a session for a person who looks something up: rows page by page, and one event whole."""

from datetime import datetime

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.progress import Importance
from quaestor.runtime.progress import build_narrator
from quaestor.views.escaping import escape_hidden_json, one_line
from quaestor.views.event_description import Describe

_READ_EVENTS = 500
_MAX_SCANNED = 3_000
"""Events read for one page: a filter that little passes shows how far it came, and goes on there."""
_MAX_JSON_CHARACTERS = 200_000
_MAX_TEXT_CHARACTERS = 240


class EventRow(Immutable):
    """An event of the log for a person who looks for one."""

    seq: int
    at: datetime
    state: str
    type: str
    todo_id: str | None
    text: str
    importance: Importance


class LogFilter(Immutable):
    """What rows are shown; None is any."""

    state: str | None = None
    type: str | None = None
    todo_id: str | None = None


class LogPage(Immutable):
    """Rows of the log, up to the event `seen` of `events`."""

    rows: tuple[EventRow, ...]
    seen: int
    events: int

    @property
    def next(self) -> int | None:
        """The number behind which the next page begins; None at the end."""
        return self.seen if self.seen < self.events else None


async def read_log_page(
    quaestor: Quaestor, session_id: str, chosen: LogFilter, after: int = 0, limit: int = 100
) -> LogPage:
    """Return at most `limit` rows behind an event. Raises UnknownSession."""
    session = await quaestor.session(session_id)
    describe = build_narrator(session.workflow)
    rows: list[EventRow] = []
    seen, read = after, 0
    while len(rows) < limit and seen < session.events and read < _MAX_SCANNED:
        most = _READ_EVENTS if chosen.state or chosen.todo_id else limit - len(rows)
        if chosen.type is None:
            page = await quaestor.events(session_id, seen, most)
        else:
            page = await quaestor.events_of(session_id, {chosen.type}, seen, most)
        read += len(page)
        for event in page:
            row = event_row(event, describe) if _matches(chosen, event.state, event.type, event.todo_id) else None
            if row and len(rows) == limit:
                break
            seen = event.seq
            if row:
                rows.append(row)
        else:
            seen = seen if len(page) == most else session.events
    return LogPage(tuple(rows), min(seen, session.events), session.events)


async def read_event_json(quaestor: Quaestor, session_id: str, seq: int) -> str:
    """Return an event as indented JSON, cut where it is very long. Raises UsageError for a number without an event."""
    found = await quaestor.events(session_id, seq - 1, 1)
    if not found or found[0].seq != seq:
        raise UsageError(f"session {session_id} has no event {seq}")
    text = escape_hidden_json(found[0].model_dump_json(indent=2))
    more = len(text) - _MAX_JSON_CHARACTERS
    return text if more <= 0 else f"{text[:_MAX_JSON_CHARACTERS]}\n… and {more:,} characters more; the log has them all"


def event_row(event: Event, describe: Describe) -> EventRow:
    """Return the row of an event, its description on one line of bounded length."""
    described = describe(event)
    text = one_line(described.text[: 4 * _MAX_TEXT_CHARACTERS])
    cut = text if len(text) <= _MAX_TEXT_CHARACTERS else f"{text[: _MAX_TEXT_CHARACTERS - 1].rstrip()}…"
    return EventRow(event.seq, event.at, event.state, event.type, event.todo_id, cut, described.importance)


def _matches(chosen: LogFilter, state: str, type_: str, todo_id: str | None) -> bool:
    return (
        chosen.state in {None, state}
        and chosen.type in {None, type_}
        and chosen.todo_id in {None, todo_id or "session"}
    )
