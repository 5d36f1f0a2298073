"""What happened in a session since somebody last looked, in lines for a person."""

import asyncio
from collections.abc import Collection
from time import monotonic

from pydantic import Field

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.session import SessionStatus
from quaestor.runtime.progress import build_narrator
from quaestor.runtime.session_reader import POLL_SECONDS
from quaestor.views.event_description import description_lines

_PAGE_EVENTS = 1_000
"""Events of the log read at a time."""
_MOVING: Collection[str] = ("queued", "running", "interrupted")
"""Statuses in which news may come; an interrupted session is carried on by whoever asks for its news."""
_MAX_LINES = 100
"""Lines returned at once; what follows is returned by the next look."""


class SessionNews(Contract):
    """What a session did, and how it is now."""

    session_id: str
    status: SessionStatus
    progress: str = Field(description="As 3/5 todos, in a few words.")
    statement: str = Field(description="How it ended, why it is paused, or what it asks.")
    questions: tuple[str, ...] = Field(description="What a person is to answer now.")
    lines: tuple[str, ...] = Field(description="What happened after the event `after` of the request.")
    after: int = Field(description="The number of the last event that the lines cover, for the next request.")


async def read_news(quaestor: Quaestor, session_id: str, after: int, wait_seconds: float) -> SessionNews:
    """Return what happened after an event; wait for it up to `wait_seconds` while a session is carried on.

    Raises UnknownSession.
    """
    begun = monotonic()
    while True:
        status = await quaestor.status(session_id)  # before the look at the log, so that nothing is missed
        lines, seen = await _read_lines(quaestor, session_id, after)
        if lines or status.state not in _MOVING or monotonic() - begun >= wait_seconds:
            break
        after = seen
        await asyncio.sleep(POLL_SECONDS)
    result = await quaestor.result(session_id)
    return SessionNews(
        session_id=session_id,
        status=status,
        progress=await quaestor.progress(session_id),
        statement=result.statement,
        questions=result.asked.questions if result.asked else (),
        lines=lines,
        after=seen,
    )


async def _read_lines(quaestor: Quaestor, session_id: str, after: int) -> tuple[tuple[str, ...], int]:
    """Return the lines of the events after a number, and the number of the last event that they cover."""
    describe = build_narrator((await quaestor.session(session_id)).workflow)
    lines: list[str] = []
    while events := await quaestor.events(session_id, after, _PAGE_EVENTS):
        for event in events:
            more = description_lines(describe(event))
            if lines and len(lines) + len(more) > _MAX_LINES:
                return tuple(lines), after
            lines += more
            after = event.seq
    return tuple(lines), after
