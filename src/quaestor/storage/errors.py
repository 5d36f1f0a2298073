"""The errors that every store raises, in the same words."""

from quaestor.contracts.errors import LogCorrupt, SetupError, StoreCorrupt, UnknownSession, UsageError
from quaestor.contracts.session import Tombstone
from quaestor.version import __version__

_MAX_QUOTED_CHARACTERS = 80


def quote_for_message(text: str) -> str:
    """Return a text as an error message may echo it: quoted, escaped, and not longer than 80 characters."""
    return ascii(text[:_MAX_QUOTED_CHARACTERS])


def unknown_session(session_id: str) -> UnknownSession:
    """Return the error for an id that no session has."""
    return UnknownSession(f"there is no session {quote_for_message(session_id)}; list the sessions to find its id")


def erased_session(grave: Tombstone) -> UnknownSession:
    """Return the error for a session of which only the tombstone is left."""
    return UnknownSession(
        f"session {quote_for_message(grave.session_id)} was erased on {grave.erased_at:%Y-%m-%d %H:%M:%S} UTC; only "
        "the head of its log is kept"
    )


def session_exists(session_id: str) -> UsageError:
    """Return the error for a new session with the id of another one."""
    return UsageError(f"there is a session {quote_for_message(session_id)} already; give the new one another id")


def nothing_to_append(session_id: str) -> UsageError:
    """Return the error for an append of neither events nor settled commands."""
    return UsageError(
        f"nothing to append to session {quote_for_message(session_id)}; give at least one event, or settle a command"
    )


def event_unreadable(session_id: str, seq: int, reason: Exception) -> StoreCorrupt:
    """Return the error for an event whose row or body cannot be parsed."""
    return StoreCorrupt(
        f"event {seq} of session {quote_for_message(session_id)} cannot be read: {reason}. The file is left as it is; "
        "verify the session, and restore a backup"
    )


def no_such_prefix(session_id: str, events: int, upto: int) -> UsageError:
    """Return the error for a copy of more events than a session has."""
    return UsageError(
        f"session {quote_for_message(session_id)} has the events 1 to {events}, so it cannot be copied up to event "
        f"{upto}; name one of these"
    )


def newer_release(place: str, name: str, version: str) -> SetupError:
    """Return the error for a store with a migration that this release does not know."""
    return SetupError(
        f"{place} was written by Quaestor {version} (step {name}), which is newer than this {__version__}; install "
        f"quaestor>={version}, or use another home"
    )


def broken_origin(session_id: str, fault: str, place: str) -> LogCorrupt:
    """Return the error for a copy of a session whose chain does not hold."""
    return LogCorrupt(f"session {quote_for_message(session_id)} cannot be copied: {fault}; restore a backup of {place}")
