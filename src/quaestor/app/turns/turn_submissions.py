"""Turns as clients over a network take them: with a new session, or behind the newest turn of one that there is."""

from collections.abc import Callable, Mapping

from quaestor.app.erasure import erase
from quaestor.app.network.person_commands import AskOn, PersonCommand, Refresh, perform_command
from quaestor.app.network.submissions import NewSession, Submitter, begin_session
from quaestor.app.shorthands import Quaestor
from quaestor.app.turns.turn_state import TurnState
from quaestor.app.turns.turns import TurnRef, newest_turn, read_turn
from quaestor.contracts.command import Answer, Cancel, Label
from quaestor.contracts.errors import CommandRefused, UsageError
from quaestor.contracts.session import MAX_QUESTION_CHARACTERS

Carry = Callable[[str], None]
REFRESH_WORD = "/refresh"
"""What a person says to have the cited sources looked at again."""


async def begin_conversation(quaestor: Quaestor, new: NewSession, submitter: Submitter, carry: Carry) -> TurnRef:
    """Start a session, or find the unfinished one of the same request; return the turn that it is in.

    Raises as `begin_session` does.
    """
    session_id = await begin_session(quaestor, new, submitter)
    ref, _ = await newest_turn(quaestor, session_id)
    carry(session_id)
    return ref


async def continue_conversation(
    quaestor: Quaestor, session_id: str, text: str, submitter: Submitter, carry: Carry, *, behind: TurnRef | None = None
) -> TurnRef:
    """Answer the open question of a session, or ask a finished one on; return the turn that begins so.

    Raises UsageError where `behind` is not the newest turn, CommandRefused while that one is going on, and
    UnknownSession.
    """
    ref, turn = await newest_turn(quaestor, session_id)
    if behind is not None and behind != ref:
        raise UsageError(
            f"another turn of session {session_id} is newer; continue behind that one, or fork the session"
        )
    if turn.end is None:
        why = f"is paused ({turn.paused.reason}); resume it" if turn.paused else "is still running; wait for it"
        raise CommandRefused(f"session {session_id} {why}, or cancel it, before you say more")
    await perform_command(quaestor, session_id, _command(turn, text), submitter, carry)
    return TurnRef(session_id, turn.end.anchor)


async def label_turn(quaestor: Quaestor, ref: TurnRef, labels: Mapping[str, str]) -> None:
    """Attach labels to a turn that has just begun; one that has ended meanwhile takes none."""
    if labels and (await read_turn(quaestor, ref)).end is None:
        await quaestor.tell(ref.session_id, Label(labels=labels))


async def cancel_turn(quaestor: Quaestor, ref: TurnRef, submitter: Submitter, carry: Carry) -> None:
    """End the session of a turn that is going on, without a report; a turn that has ended stays as it is."""
    if (await read_turn(quaestor, ref)).end is None:
        await perform_command(quaestor, ref.session_id, Cancel(), submitter, carry)


async def erase_only_turn(quaestor: Quaestor, ref: TurnRef) -> None:
    """Erase the session of a turn. Raises CommandRefused where it has other turns, which would be lost with it."""
    await read_turn(quaestor, ref)
    newest, _ = await newest_turn(quaestor, ref.session_id)
    if ref.anchor or newest != ref:
        raise CommandRefused(
            f"session {ref.session_id} has other turns, which would be lost as well; delete the whole conversation"
        )
    await erase(quaestor, [ref.session_id])


def _command(turn: TurnState, text: str) -> PersonCommand:
    said = text.strip()
    if not said or len(said) > MAX_QUESTION_CHARACTERS:
        raise UsageError(f"the text has {len(said):,} characters; say 1 to {MAX_QUESTION_CHARACTERS:,}")
    if turn.end and turn.end.question:
        return Answer(text=said)
    return Refresh() if said == REFRESH_WORD else AskOn(question=said)
