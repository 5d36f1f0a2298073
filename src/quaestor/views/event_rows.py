"""An event of the log as a row of a table: when, where, what, and in words."""

from dataclasses import dataclass
from datetime import datetime

from quaestor.contracts.event import Event
from quaestor.contracts.progress import Importance
from quaestor.views.escaping import one_line
from quaestor.views.event_description import Describe

_MAX_TEXT_CHARACTERS = 240


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event of the log for a person who looks for one."""

    seq: int
    at: datetime
    state: str
    type: str
    todo_id: str | None
    text: str
    importance: Importance


def event_row(event: Event, describe: Describe) -> EventRow:
    """Return the row of an event, its description on one line of bounded length."""
    described = describe(event)
    text = one_line(described.text[: 4 * _MAX_TEXT_CHARACTERS])
    cut = text if len(text) <= _MAX_TEXT_CHARACTERS else f"{text[: _MAX_TEXT_CHARACTERS - 1].rstrip()}…"
    return EventRow(event.seq, event.at, event.state, event.type, event.todo_id, cut, described.importance)
