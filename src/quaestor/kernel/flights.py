"""Effects in flight: which may start, what their outcomes are, and how they are cancelled."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

from quaestor.contracts.action import Action, Effect, OutputPass, ToolPass, ToolRun
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Budget
from quaestor.contracts.errors import SetupError
from quaestor.contracts.event import ActionCancelled, BudgetReached, KnownPayload
from quaestor.kernel.budget import exceeded_limit
from quaestor.kernel.executor import Executor
from quaestor.kernel.journal import Journal
from quaestor.kernel.run_state import RunState

S = TypeVar("S")


class Flight(NamedTuple):
    """An action that was started, and whether its outcome may be lost because doing it again costs nothing."""

    action: Effect
    pure: bool


InFlight = dict[asyncio.Task[tuple[KnownPayload, ...]], Flight]


class Limits(Contract):
    """How many actions of each kind may be in flight, the budget, and how long an interrupt waits for actions."""

    in_flight: Mapping[Literal["output_pass", "tool_pass", "tool_run"], int]
    budget: Budget = Budget()
    grace_seconds: float = 5


def admit_effects(
    run: RunState, flights: InFlight, due: Sequence[Action], performer: Executor, limits: Limits
) -> tuple[list[Effect], BudgetReached | None]:
    """Choose what may start now, and return the limit that refused the first action it does not allow."""
    flying = {flight.action.key for flight in flights.values()}
    room = {kind: most - _count_in_flight(flights, kind) for kind, most in limits.in_flight.items()}
    # With what is reserved for calls in flight: several calls that each stay below a limit could exceed it together.
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


async def start_effects(journal: Journal[S], flights: InFlight, ready: Sequence[Effect], performer: Executor) -> None:
    """Make everything that was noted durable together with the intents, and only then begin.

    Pure actions may start before: a crash loses nothing that was observed, reached or paid.
    """
    pure = {action.key for action in ready if performer.is_pure(action, journal.run)}
    for action in ready:
        journal.record_intent(action, performer.intent(action, journal.run))
    journal.end_turn()
    # The order is what recovery rests on. An intent without an effect costs a repetition at most; an effect without an
    # intent would be an order or a program that no log knows of.
    if not ready or len(pure) < len(ready) or journal.needs_flush:
        await journal.flush()
    begun = [*ready, *(flight.action for flight in flights.values())]
    apart = performer.crowded() or not all(performer.computes(action, journal.run) for action in begun)
    if journal.is_suspended:  # while the intents waited for the store
        return
    for action in ready:
        task = asyncio.create_task(performer.execute(action, journal.run, apart=apart))
        flights[task] = Flight(action, action.key in pure)


async def record_outcomes(journal: Journal[S], flights: InFlight, ending: Sequence[str]) -> None:
    """Record the outcomes that have come, in the order of `ending`, else in the order of their starts.

    What cost something or reached something outside must not be lost to a kill while this process folds, routes or
    searches: it is durable before that, unless the turns before show that it takes a moment only.
    """
    if any(task.done() for task in flights):
        journal.begin_turn()
        if note_outcomes(journal, flights, ending):
            await journal.secure_outcomes()


def note_outcomes(journal: Journal[S], flights: InFlight, ending: Sequence[str]) -> bool:
    """Fold the outcomes that have come; return whether one of them cost something. Raises SetupError of an effect."""
    done = [task for task in flights if task.done() and not (task.cancelled() and journal.is_suspended)]
    unready: SetupError | None = None
    paid = False
    # In the order of a replayed session where there is one, else in that of their starts: the order in which sockets
    # became ready would make the log of equal runs differ.
    for task in sorted(done, key=lambda task: ending.index(flights[task].action.key)) if ending else done:
        action, pure = flights.pop(task)
        paid = paid or not pure
        try:
            journal.note(action.state, action.todo_id, task.result())
        except SetupError as error:
            unready = error
    if unready:
        raise unready
    return paid


async def cancel_unwanted(journal: Journal[S], flights: InFlight, due: Sequence[Action]) -> None:
    """Cancel what is in flight and no longer due, and record that."""
    keys = {action.key for action in due}
    unwanted = [task for task, flight in flights.items() if flight.action.key not in keys]
    if unwanted:  # whose end may take its time
        await journal.flush_outcomes()
        await cancel_tasks(unwanted)
    for task in unwanted:
        action = flights.pop(task).action
        journal.note(journal.current_state, action.todo_id, [ActionCancelled(key=action.key)])


async def cancel_tasks(tasks: Sequence[asyncio.Task[object]]) -> None:
    """Cancel tasks and wait for their end, whatever it is."""
    cancel(tasks)
    await asyncio.gather(*tasks, return_exceptions=True)


def cancel(tasks: Iterable[asyncio.Task[object]]) -> None:
    """Cancel tasks without waiting."""
    for task in tasks:
        task.cancel()


def _count_in_flight(flights: InFlight, kind: str) -> int:
    return sum(flight.action.kind == kind for flight in flights.values())
