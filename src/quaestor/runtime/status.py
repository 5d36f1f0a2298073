"""Where a session is, for its lists and its watchers."""

from quaestor.contracts.event import Paused
from quaestor.contracts.session import SessionStatus
from quaestor.runtime.sessions import Sessions


async def read_status(sessions: Sessions, session_id: str) -> SessionStatus:
    """Return whether a session is carried on, rests, waits for a person or is finished."""
    session = await sessions.session(session_id)
    if session.outcome:
        return SessionStatus(state="finished", outcome=session.outcome)
    if holder := await sessions.holder(session_id):
        return SessionStatus(state="running", holder=holder)
    latest = await sessions.events(session_id, session.events - 1)
    if latest and isinstance(latest[-1].payload, Paused):
        return SessionStatus(state="paused")
    asked = (await sessions.result(session_id)).asked
    return SessionStatus(state="waiting" if asked else "interrupted")
