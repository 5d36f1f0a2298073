"""The turns of sessions, read from their logs: found, looked at, followed and waited for."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from quaestor.app.shorthands import Quaestor
from quaestor.app.turns.turn_state import TURNS_FOLD, TurnState, fold_turn
from quaestor.app.watching.following import StreamHub
from quaestor.contracts.errors import UnknownSession
from quaestor.contracts.event import Event, QuestionAsked, SessionFinished


class TurnRef(NamedTuple):
    """A turn of a session, by the number of the event that ended the turn before; 0 for the first."""

    session_id: str
    anchor: int = 0


async def open_turn(quaestor: Quaestor, ref: TurnRef) -> TurnState:
    """Return a turn before its first event. Raises UnknownSession where no turn has this anchor."""
    await quaestor.session(ref.session_id)
    if ref.anchor == 0:
        return TurnState()
    before = await quaestor.events(ref.session_id, ref.anchor - 1, 1)
    match before[0].payload if before else None:
        case QuestionAsked() as asked:
            return TurnState(answers=asked)
        case SessionFinished():
            return TurnState()
        case _:
            raise _no_turn(ref)


async def read_turn(quaestor: Quaestor, ref: TurnRef) -> TurnState:
    """Return what a turn has come to. Raises UnknownSession for one that there is not."""
    _, known = await quaestor.fold_log(ref.session_id, TURNS_FOLD)
    turn = known.turns.get(ref.anchor)
    if turn is None or turn.begun_at is None:
        raise _no_turn(ref)
    return turn


async def newest_turn(quaestor: Quaestor, session_id: str) -> tuple[TurnRef, TurnState]:
    """Return the turn of a session that began last. Raises UnknownSession."""
    _, known = await quaestor.fold_log(session_id, TURNS_FOLD)
    return TurnRef(session_id, known.newest), known.turns[known.newest]


async def follow_turn(
    quaestor: Quaestor, hub: StreamHub, ref: TurnRef, pulse_seconds: float, after: int | None = None
) -> AsyncIterator[Sequence[Event]]:
    """Iterate over the events behind the anchor of a turn, or behind event `after`, in pages.

    An empty page comes where all that there is was read, and then after every `pulse_seconds` without an event. It goes
    on behind the end of the turn: the caller folds the events, and stops there.
    """
    seq, is_caught_up = ref.anchor if after is None else after, False
    while not hub.is_closed:
        count = (await quaestor.session(ref.session_id)).events
        if page := await hub.read_page(ref.session_id, seq):
            seq = page[-1].seq
            yield page
            await asyncio.sleep(0)  # other readers and runs go on, however long the log is
        elif not is_caught_up:
            is_caught_up = True
            yield ()
        elif not await hub.wait_for_news(ref.session_id, count, pulse_seconds):
            yield ()


async def wait_for_turn(quaestor: Quaestor, hub: StreamHub, ref: TurnRef, seconds: float, since: int = 0) -> TurnState:
    """Return a turn at its end, or as it is after some time.

    It is not waited for while only a person can resume the session: where it was paused by an event above `since`.
    """
    seq, known = await quaestor.fold_log(ref.session_id, TURNS_FOLD)
    turn = known.turns[ref.anchor] if ref.anchor in known.turns else await open_turn(quaestor, ref)
    try:
        async with asyncio.timeout(seconds):
            async for page in follow_turn(quaestor, hub, ref, seconds, seq):
                for event in page:
                    turn = fold_turn(turn, event)
                if turn.is_at_rest(since):
                    break
    except TimeoutError:
        pass
    return turn


def _no_turn(ref: TurnRef) -> UnknownSession:
    return UnknownSession(f"session {ref.session_id} has no turn behind event {ref.anchor}; name one that it has")
