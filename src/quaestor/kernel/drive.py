"""The reconciler.

    events --fold--> state --workflow.next (pure)--> actions --perform (effects)--> events
       ^                                                                             |
       +-----------------------------------------------------------------------------+

It is level-triggered: every turn asks the workflow which actions are due *now* and starts what is not in flight, so it
does not matter whether the last fact came from a model, a tool, a person or a crash. An outcome that cost something is
durable at once, or with the next intents where these are computed in a moment; in either case before an effect begins.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

from quaestor.contracts.action import Action, Effect, Finish, OutputPass, Record, ToolPass, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Budget
from quaestor.contracts.errors import ProviderUnavailable, SetupError, WorkflowError
from quaestor.contracts.event import (
    ActionCancelled,
    BudgetReached,
    KnownPayload,
    Paused,
    Resumed,
    SessionFinished,
    ToolInterrupted,
)
from quaestor.kernel.budget import exceeded_limit, seconds_left, time_limit_reached, warnings
from quaestor.kernel.executor import Executor
from quaestor.kernel.journal import Journal, handle_inbox
from quaestor.kernel.model_calls import ExhaustedCall, give_up
from quaestor.kernel.run_state import RunState

S = TypeVar("S")


class Flight(NamedTuple):
    """An action that was started, and whether its outcome may be lost because doing it again costs nothing."""

    action: Effect
    pure: bool


InFlight = dict[asyncio.Task[tuple[KnownPayload, ...]], Flight]

INBOX_POLL_SECONDS = 0.25
"""How long a command can wait in the inbox of a running session."""


class Limits(Contract):
    """How many actions of each kind may be in flight, the budget, and how long an interrupt waits for actions."""

    in_flight: Mapping[Literal["output_pass", "tool_pass", "tool_run"], int]
    budget: Budget = Budget()
    grace_seconds: float = 5


async def drive(journal: Journal[S], performer: Executor, limits: Limits, stop: asyncio.Event) -> RunState:
    """Run a session until it is finished, waits for a person, or `stop` is set; return the run as it then is.

    The journal is loaded and its lease held. Raises LeaseLost, StoreFull and the other store errors; what was in
    flight is then cancelled and, having no outcome in the log, done again by the next drive. A SetupError of an
    effect is raised too, after the run was paused with it as the reason.
    """
    flights: InFlight = {}
    halt = asyncio.create_task(stop.wait())
    _recover(journal, performer)
    try:
        while not halt.done():
            if pause := await handle_inbox(journal, limits.budget):
                await _drain(journal, flights, performer, limits)
                return await _pause(journal, pause)
            _replay_person_events(journal, performer, followed=False)
            limits = limits.model_copy(update={"budget": performer.budget(journal.run.budget or limits.budget)})
            if warned := list(warnings(limits.budget, journal.run, journal.now())):
                journal.note(journal.current_state, None, warned)
            due = _apply_records(journal)
            if exhausted := performer.exhausted(due, journal.run):
                await _settle_exhausted(journal, flights, exhausted, performer, limits)
                continue
            uses_reserve = any(action.uses_reserve for action in due)
            late = time_limit_reached(limits.budget, journal.run, journal.now(), uses_reserve=uses_reserve)
            if due and late:
                journal.note(journal.current_state, None, [late])
                continue
            await _cancel_unwanted(journal, flights, due)
            _record_finish(journal, due)
            ready, refused = _admit(journal.run, flights, due, performer, limits)
            if refused and not ready and not flights:
                _record_budget_refusal(journal, refused, limits)
                continue
            await _start_effects(journal, flights, ready, performer)
            if _replay_person_events(journal, performer, followed=True, resting=not flights):
                continue
            if not flights:
                return journal.run
            left = seconds_left(limits.budget, journal.run, journal.now(), uses_reserve=uses_reserve)
            ended = await _wait_for_outcomes(flights, performer, halt, left)
            await _record_outcomes(journal, flights, ended)
        await _drain(journal, flights, performer, limits)
        return await _pause(journal, Paused(kind="interrupt", reason="interrupted; resume to go on"))
    except SetupError as error:
        until = error.until if isinstance(error, ProviderUnavailable) else None
        await _pause(journal, Paused(kind="setup", reason=str(error), until=until))
        raise
    finally:
        try:
            await journal.flush_outcomes()  # a defect of the routing must not lose the answer that led to it
        finally:
            await _cancel_tasks((halt, *flights))


async def _wait_for_outcomes(
    flights: InFlight, performer: Executor, halt: asyncio.Task[Literal[True]], left: float | None
) -> Sequence[str]:
    """Wait for an outcome, the bell or the halt; in a replay for all whose turn it is, and name these in order."""
    if ending := performer.ending([flight.action for flight in flights.values()]):
        await asyncio.wait([task for task, flight in flights.items() if flight.action.key in ending])
        return ending
    bell = min(left, INBOX_POLL_SECONDS) if left and left > 0 else INBOX_POLL_SECONDS
    await asyncio.sleep(0)  # what needs no waiting has ended then
    if not any(task.done() for task in flights):
        await asyncio.wait((*flights, halt), timeout=bell, return_when=asyncio.FIRST_COMPLETED)
    return ()


async def _drain(journal: Journal[S], flights: InFlight, performer: Executor, limits: Limits) -> None:
    """Wait some time for what is in flight, and record what ended; a replay cannot, as its outcomes wait for a turn."""
    await journal.flush_outcomes()
    if flights and performer.rerun is None:
        await asyncio.wait(flights, timeout=limits.grace_seconds)
    await _record_outcomes(journal, flights, ())


def _recover(journal: Journal[S], performer: Executor) -> None:
    """Record what was in flight when the last process ended; what must not run twice is recorded as interrupted."""
    run = journal.run
    if performer.rerun:
        performer.rerun.skip_finished(run)
    if run.status != "paused" and not run.open:
        return
    after: Literal["pause", "crash"] = "pause" if run.status == "paused" else "crash"
    journal.note(journal.current_state, None, [Resumed(after=after, reopened=tuple(run.open))])
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


async def _cancel_unwanted(journal: Journal[S], flights: InFlight, due: Sequence[Action]) -> None:
    keys = {action.key for action in due}
    unwanted = [task for task, flight in flights.items() if flight.action.key not in keys]
    if unwanted:  # whose end may take its time
        await journal.flush_outcomes()
        await _cancel_tasks(unwanted)
    for task in unwanted:
        action = flights.pop(task).action
        journal.note(journal.current_state, action.todo_id, [ActionCancelled(key=action.key)])


def _admit(
    run: RunState, flights: InFlight, due: Sequence[Action], performer: Executor, limits: Limits
) -> tuple[list[Effect], BudgetReached | None]:
    """Choose what may start now, and return the limit that refused the first action it does not allow."""
    flying = {flight.action.key for flight in flights.values()}
    room = {kind: most - _count_in_flight(flights, kind) for kind, most in limits.in_flight.items()}
    committed = run.committed
    ready: list[Effect] = []
    refused: BudgetReached | None = None
    for action in due:
        if not isinstance(action, OutputPass | ToolPass | ToolRun) or action.key in flying or not room[action.kind]:
            continue
        cost = performer.ceiling(action, run)
        limit = performer.refusal(action, run) or exceeded_limit(
            limits.budget, committed, cost, uses_reserve=action.uses_reserve
        )
        if limit is None:
            ready.append(action)
            room[action.kind] -= 1
            committed += cost
        elif refused is None:
            refused = BudgetReached(limit=limit, spent=run.spent, refused_key=action.key)
    return ready, refused


async def _start_effects(journal: Journal[S], flights: InFlight, ready: Sequence[Effect], performer: Executor) -> None:
    """Make everything that was noted durable together with the intents, and only then begin.

    Pure actions may start before: a crash loses nothing that was observed, reached or paid.
    """
    pure = {action.key for action in ready if performer.is_pure(action, journal.run)}
    for action in ready:
        journal.record_intent(action, performer.intent(action, journal.run))
    journal.end_turn()
    if not ready or len(pure) < len(ready) or journal.needs_flush:
        await journal.flush()
    begun = [*ready, *(flight.action for flight in flights.values())]
    apart = not all(performer.computes(action, journal.run) for action in begun)
    for action in ready:
        task = asyncio.create_task(performer.execute(action, journal.run, apart=apart))
        flights[task] = Flight(action, action.key in pure)


def _record_budget_refusal(journal: Journal[S], refused: BudgetReached, limits: Limits) -> None:
    if refused.refused_key in journal.run.refused:
        raise WorkflowError(f"{refused.refused_key} is wanted again although the budget refused it: {refused.limit}")
    warned = warnings(limits.budget, journal.run, journal.now(), refused.limit)
    journal.note(journal.current_state, None, [*warned, refused])


async def _record_outcomes(journal: Journal[S], flights: InFlight, ending: Sequence[str]) -> None:
    """Record the outcomes that have come, in the order of `ending`, else in the order of their starts.

    What cost something or reached something outside must not be lost to a kill while this process folds, routes or
    searches: it is durable before that, unless the turns before show that it takes a moment only.
    """
    done = [task for task in flights if task.done()]
    if not done:
        return
    unready: SetupError | None = None
    paid = False
    journal.begin_turn()
    for task in sorted(done, key=lambda task: ending.index(flights[task].action.key)) if ending else done:
        action, pure = flights.pop(task)
        paid = paid or not pure
        try:
            journal.note(action.state, action.todo_id, task.result())
        except SetupError as error:
            unready = error
    if paid:
        await journal.secure_outcomes()
    if unready:
        raise unready


async def _pause(journal: Journal[S], paused: Paused) -> RunState:
    if journal.run.status == "running":
        journal.note(journal.current_state, None, [paused])
    await journal.flush()
    return journal.run


async def _cancel_tasks(tasks: Sequence[asyncio.Task[object]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _count_in_flight(flights: InFlight, kind: str) -> int:
    return sum(flight.action.kind == kind for flight in flights.values())
