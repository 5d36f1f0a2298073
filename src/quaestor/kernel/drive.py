"""The reconciler.

    events --fold--> state --workflow.next (pure)--> actions --perform (effects)--> events
       ^                                                                             |
       +-----------------------------------------------------------------------------+

It is level-triggered: every turn asks the workflow which actions are due *now* and starts what is not in flight, so it
does not matter whether the last fact came from a model, a tool, a person or a crash. An outcome that cost something is
durable at once, or with the next intents where these are computed in a moment; in either case before an effect begins.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal, TypeVar

from quaestor.contracts.action import Action, Finish, Record
from quaestor.contracts.errors import ModelUnsuitable, ProviderUnavailable, SetupError, StoreUnavailable, WorkflowError
from quaestor.contracts.event import (
    BudgetReached,
    Paused,
    Resumed,
    SessionFinished,
    ToolInterrupted,
)
from quaestor.kernel.budget import seconds_left, time_limit_reached, warnings
from quaestor.kernel.executor import Executor
from quaestor.kernel.flights import (
    InFlight,
    Limits,
    admit_effects,
    cancel,
    cancel_tasks,
    cancel_unwanted,
    note_outcomes,
    record_outcomes,
    start_effects,
)
from quaestor.kernel.journal import Journal, handle_inbox
from quaestor.kernel.lease import LeaseRenewal
from quaestor.kernel.model_calls import ExhaustedCall, give_up
from quaestor.kernel.run_state import RunState

S = TypeVar("S")


_UNRENEWED = "the lease could not be renewed, so what was in flight was stopped; it goes on when the store answers"
INBOX_POLL_SECONDS = 0.25
"""How long a command can wait in the inbox of a running session."""
GATHERING_SECONDS = 0.002
"""How long the first of several outcomes waits for those that come close behind it."""


async def drive(journal: Journal[S], performer: Executor, limits: Limits, stop: asyncio.Event) -> RunState:
    """Run a session until it is finished, waits for a person, or `stop` is set; return the run as it then is.

    The journal is loaded and its lease held. Raises LeaseLost, StoreFull and the other store errors; what was in
    flight is then cancelled and, having no outcome in the log, done again by the next drive. A SetupError of an
    effect is raised too, after the run was paused with it as the reason.
    """
    flights: InFlight = {}
    halt = asyncio.create_task(stop.wait())
    renewal = None if performer.rerun else journal.renewal  # a replay reaches nothing
    if renewal:
        renewal.stop_effects_by(lambda: cancel(flights))
    try:
        # What the last process left open is settled before the first turn: a side effect without an outcome would be
        # begun a second time there, as `next` knows of outcomes alone.
        _recover(journal, performer)
        while not halt.done():
            try:
                if rested := await _take_turn(journal, flights, performer, limits, halt):
                    return rested
            except StoreUnavailable:
                # With a lease that is renewed the fault is of this one call and ends the run as any other; without one
                # the store is away for everybody, so nobody can have taken the session yet.
                if renewal is None or not renewal.in_doubt:
                    raise
                renewal.stopped = True  # what is recorded is appended once the store answers
            if renewal and renewal.stopped and (rested := await _suspend(journal, renewal, flights, performer, halt)):
                return rested
        await _drain(journal, flights, performer, limits)
        return await _pause(journal, Paused(kind="interrupt", reason="interrupted; resume to go on"))
    except SetupError as error:
        until = error.until if isinstance(error, ProviderUnavailable) else None
        paused = await _pause(journal, Paused(kind="setup", reason=str(error), until=until))
        error.session_id, error.paused_at = journal.session_id, paused.seq
        raise
    finally:
        try:
            await journal.flush_outcomes()  # a defect of the routing must not lose the answer that led to it
        finally:
            await cancel_tasks((halt, *flights))


async def _take_turn(
    journal: Journal[S], flights: InFlight, performer: Executor, limits: Limits, halt: asyncio.Task[Literal[True]]
) -> RunState | None:
    """Handle the inbox, start what is due, and record what ends first; return the run once it rests."""
    if pause := await handle_inbox(journal, performer.budget(limits.budget)):
        await _drain(journal, flights, performer, limits)
        return await _pause(journal, pause)
    _replay_person_events(journal, performer, followed=False)
    budget = performer.budget(journal.run.budget or limits.budget)
    limits = limits if budget == limits.budget else limits.revised(budget=budget)
    if warned := list(warnings(limits.budget, journal.run, journal.now())):
        journal.note(journal.current_state, None, warned)
    due = _apply_records(journal)
    if performer.misfit(due, journal.run):
        await _drain(journal, flights, performer, limits)
        if misfit := performer.misfit(journal.next(), journal.run):
            raise ModelUnsuitable(misfit)
        return None
    if exhausted := performer.exhausted(due, journal.run):
        await _settle_exhausted(journal, flights, exhausted, performer, limits)
        return None
    uses_reserve = any(action.uses_reserve for action in due)
    late = time_limit_reached(limits.budget, journal.run, journal.now(), uses_reserve=uses_reserve)
    if due and late:
        journal.note(journal.current_state, None, [late])
        return None
    # Before the finish is recorded: no event of an effect may come behind the last event of a session.
    await cancel_unwanted(journal, flights, due)
    _record_finish(journal, due)
    ready, refused = admit_effects(journal.run, flights, due, performer, limits)
    if refused and not ready and not flights:
        _record_budget_refusal(journal, refused, limits)
        return None
    await start_effects(journal, flights, ready, performer)
    if _replay_person_events(journal, performer, followed=True, resting=not flights):
        return None
    if not flights:
        return None if ready else journal.run
    left = seconds_left(limits.budget, journal.run, journal.now(), uses_reserve=uses_reserve)
    ended = await _wait_for_outcomes(flights, performer, halt, left)
    await record_outcomes(journal, flights, ended)
    return None


async def _suspend(
    journal: Journal[S],
    renewal: LeaseRenewal,
    flights: InFlight,
    performer: Executor,
    halt: asyncio.Task[Literal[True]],
) -> RunState | None:
    """Stop every effect, and go on once the lease is renewed; return the run where it rested already.

    What has ended is kept, and appended with what follows from it. Raises LeaseLost when another process took the
    session meanwhile: it does again what was stopped here.
    """
    await cancel_tasks(tuple(flights))
    with suppress(SetupError):  # of an effect that is done again
        note_outcomes(journal, flights, ())
    flights.clear()
    rests = journal.run.status != "running"  # only its last append is missing
    if not rests:
        journal.note(journal.current_state, None, [Paused(kind="interrupt", reason=_UNRENEWED)])
    with suppress(StoreUnavailable):  # any other fault of a store, as a full disk, ends the run with its own words
        await journal.flush()
    await renewal.regain(halt)
    if rests:
        await journal.flush()
        return journal.run
    if not halt.done():
        _recover(journal, performer)
    return None


async def _wait_for_outcomes(
    flights: InFlight, performer: Executor, halt: asyncio.Task[Literal[True]], left: float | None
) -> Sequence[str]:
    """Wait for an outcome, the bell or the halt; in a replay for all whose turn it is, and name these in order."""
    if ending := performer.ending([flight.action for flight in flights.values()]):
        await asyncio.wait([task for task, flight in flights.items() if flight.action.key in ending])
        return ending
    # Commands wake nobody up, as their senders are other processes: the inbox is looked into at every bell.
    bell = min(left, INBOX_POLL_SECONDS) if left and left > 0 else INBOX_POLL_SECONDS
    await asyncio.sleep(0)  # what needs no waiting has ended then
    if not any(task.done() for task in flights):
        ended, _ = await asyncio.wait((*flights, halt), timeout=bell, return_when=asyncio.FIRST_COMPLETED)
        # What was asked together is answered together: a turn for each answer would commit and route once for each,
        # and the last of them would wait for all these turns.
        if ended and halt not in ended:
            await asyncio.wait(flights, timeout=GATHERING_SECONDS)
    return ()


async def _drain(journal: Journal[S], flights: InFlight, performer: Executor, limits: Limits) -> None:
    """Wait some time for what is in flight, and record what ended; a replay cannot, as its outcomes wait for a turn."""
    await journal.flush_outcomes()
    if flights and performer.rerun is None:
        await asyncio.wait(flights, timeout=limits.grace_seconds)
    await record_outcomes(journal, flights, ())


def _recover(journal: Journal[S], performer: Executor) -> None:
    """Record what was in flight when the last process ended; what must not run twice is recorded as interrupted."""
    run = journal.run
    if performer.rerun:
        performer.rerun.skip_finished(run)
    if run.status != "paused" and not run.open:
        return
    after: Literal["pause", "crash"] = "pause" if run.status == "paused" else "crash"
    journal.note(journal.current_state, None, [Resumed(after=after, reopened=tuple(run.open))])
    # A program, a written file or an order may have happened although nobody heard of it. Only a person or the
    # workflow can judge that, so it is shown as interrupted; all else is begun again under the same key.
    for key, intent in run.open.items():
        if intent.tool is not None and not intent.repeatable:
            journal.note(journal.current_state, intent.todo_id, [ToolInterrupted(key=key, tool=intent.tool)])


def _replay_person_events(journal: Journal[S], performer: Executor, *, followed: bool, resting: bool = False) -> bool:
    """In a replay, record the events of people at this place of the earlier session; return whether there were any."""
    facts = performer.rerun.told(followed=followed, resting=resting) if performer.rerun else ()
    for todo_id, fact in facts:
        journal.note(journal.current_state, todo_id, [fact])
    return bool(facts)


def _apply_records(journal: Journal[S]) -> Sequence[Action]:
    """Record the facts that follow from the state alone, one at a time; return the other actions that are due then."""
    while journal.run.status != "finished":
        due = journal.next()
        # One at a time: each fact may change what else is due, so the list is computed again after each.
        record = next((action for action in due if isinstance(action, Record)), None)
        if record is None:
            return due
        journal.note(record.state, record.todo_id, record.facts)
    return ()


async def _settle_exhausted(
    journal: Journal[S], flights: InFlight, exhausted: Sequence[ExhaustedCall], performer: Executor, limits: Limits
) -> None:
    """Give up calls whose provider answers others; raise ProviderUnavailable where it answers nobody.

    Of such a call nothing is known, so an outage is no verdict: the run pauses, and asks again once it goes on.
    """
    if outages := [call for call in exhausted if call.is_outage]:
        await _drain(journal, flights, performer, limits)
        ends = [call.retry_at for call in outages if call.retry_at]
        raise ProviderUnavailable(outages[0].reason, max(ends, default=None))
    for call in exhausted:
        journal.note(call.action.state, call.action.todo_id, give_up(call.action, journal.run, call.reason))


def _record_finish(journal: Journal[S], due: Sequence[Action]) -> None:
    """Record the end, if it has come; what was in flight has been cancelled by then, so that it is the last event."""
    for finish in (action for action in due if isinstance(action, Finish)):
        finished = SessionFinished(outcome=finish.outcome, statement=finish.statement)
        journal.note(finish.state, finish.todo_id, [finished])


def _record_budget_refusal(journal: Journal[S], refused: BudgetReached, limits: Limits) -> None:
    if refused.refused_key in journal.run.refused:
        raise WorkflowError(f"{refused.refused_key} is wanted again although the budget refused it: {refused.limit}")
    warned = warnings(limits.budget, journal.run, journal.now(), refused.limit)
    journal.note(journal.current_state, None, [*warned, refused])


async def _pause(journal: Journal[S], paused: Paused) -> RunState:
    if journal.run.status == "running":
        journal.note(journal.current_state, None, [paused])
    await journal.flush()
    return journal.run
