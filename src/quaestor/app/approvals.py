"""What a person approved for good: in a session, by its log, and for sessions to come, in the user's own settings."""

from collections.abc import Sequence
from pathlib import Path

from quaestor.app.settings.configuration import FileChange, changed_settings, write_settings
from quaestor.app.settings.environment import own_settings_file
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.command import RevokeApproval
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Answered, ApprovalRevoked
from quaestor.contracts.host import send_command
from quaestor.contracts.settings import Settings
from quaestor.runtime.settings import read_settings_file, validate_layers

_SETTING = "approved"
_GIVEN_BY = frozenset({"answered", "approval_revoked"})
"""The events that approve for good, and take that back."""


def remembered_approvals() -> Sequence[StandingApproval]:
    """Return what the user's own settings file approves for every session that begins."""
    own = own_settings_file()
    return validate_layers({str(own): read_settings_file(own).values}).approved if own.exists() else Settings().approved


async def remember_answer(quaestor: Quaestor, session_id: str) -> tuple[StandingApproval, Path] | None:
    """Keep what the last answer in a session approved for good, for sessions to come.

    Returns it with the file where it was written; None for what holds for the session alone, and what the file has
    already.
    """
    answered = await quaestor.latest(session_id, {"answered"})
    standing = answered.payload.standing if answered and isinstance(answered.payload, Answered) else None
    known = remembered_approvals()
    if standing is None or standing.tool is None or standing in known:
        return None
    return standing, _write((*known, standing))


def revoke_remembered(number: int) -> StandingApproval:
    """Take one approval out of the user's own settings; sessions that have begun keep it. Raises UsageError."""
    known = remembered_approvals()
    revoked = _numbered(known, number)
    _write([each for each in known if each != revoked])
    return revoked


async def session_approvals(quaestor: Quaestor, session_id: str) -> Sequence[StandingApproval]:
    """Return what a session does without asking: what it began with and what was approved since, less what was revoked.

    It is in the order in which it was approved.
    """
    approved = dict.fromkeys(getattr(await quaestor.options(session_id), _SETTING, ()))
    async for event in quaestor.read_events_of(session_id, _GIVEN_BY):
        match event.payload:
            case Answered(standing=StandingApproval() as standing):
                approved[standing] = None
            case ApprovalRevoked(standing=standing):
                approved.pop(standing, None)
            case _:
                pass
    return tuple(approved)


async def revoke_in_session(quaestor: Quaestor, session_id: str, number: int) -> StandingApproval:
    """Revoke an approval of a session by its place in the list. Raises UsageError for another number."""
    revoked = _numbered(await session_approvals(quaestor, session_id), number)
    await send_command(quaestor, session_id, RevokeApproval(standing=revoked))
    return revoked


def _numbered(known: Sequence[StandingApproval], number: int) -> StandingApproval:
    if not 1 <= number <= len(known):
        raise UsageError(f"there is no approval {number}; there are {len(known)}, counted from 1")
    return known[number - 1]


def _write(approved: Sequence[StandingApproval]) -> Path:
    values = [each.model_dump(mode="json", exclude_none=True) for each in approved]
    return write_settings(changed_settings([FileChange((_SETTING,), [*values])]))
