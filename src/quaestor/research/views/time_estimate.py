"""How long the todos of a run may still take, estimated from the durations of those that ended."""

from collections.abc import Mapping, Sequence
from math import sqrt

from quaestor.contracts.event import CycleStarted, Event
from quaestor.contracts.immutable import Immutable, field, replace
from quaestor.research.contracts.plan import Plan, TodoStatus
from quaestor.research.events import TodoStarted

_MIN_SAMPLES = 2
"""Todos that must have ended before their pace says anything."""
_MINUTE, _HOUR = 60, 3600
_HOURS_THRESHOLD = 2 * _HOUR


class TodoTimings(Immutable):
    """When the todos of this cycle started and what they took, in seconds of running.

    `began` is when the first one started, `starts` when those in progress did; `took` is of those that ended.
    """

    began: float = 0.0
    running_since: Mapping[str, float] = field(default_factory=dict)
    durations: tuple[float, ...] = ()


def fold(pace: TodoTimings, event: Event, plan: Plan, now: float) -> TodoTimings:
    """Return the timings after one more event, which left the plan like this."""
    match event.payload:
        case CycleStarted():
            return TodoTimings()
        case TodoStarted() if event.todo_id:
            began = pace.began if pace.running_since or pace.durations else now
            return replace(pace, began=began, running_since={**pace.running_since, event.todo_id: now})
        case _ if pace.running_since:
            flying = {todo.id for todo in plan.todos if todo.status is TodoStatus.IN_PROGRESS}
            ended = [todo_id for todo_id in pace.running_since if todo_id not in flying]
            if not ended:
                return pace
            took = (*pace.durations, *(now - pace.running_since[todo_id] for todo_id in ended))
            return replace(
                pace, durations=took, running_since={id_: at for id_, at in pace.running_since.items() if id_ in flying}
            )
        case _:
            return pace


def describe_remaining(pace: TodoTimings, pending: int, now: float, limit: float | None) -> str | None:
    """Describe how long the todos may still take, and what that is based on; None where nothing is known.

    `pending` todos have not started; `limit` is the time limit of the run, if it has one.
    """
    flying = [now - start for start in pace.running_since.values()]
    span = estimate_remaining(pace.durations, flying, pending)
    if span is None:
        return None
    least, most = span
    ended = len(pace.durations)
    grounds = f"{ended:,} of {ended + len(flying) + pending:,} took {format_duration(now - pace.began)}"
    if limit is not None and limit - now < least:
        return f"the time limit comes before the last todo, in {format_duration(limit - now)}: {grounds}"
    return f"{format_range(least, most)} left if no todo is added: {grounds}; the writing follows"


def estimate_remaining(took: Sequence[float], flying: Sequence[float], pending: int) -> tuple[float, float] | None:
    """Return the least and the most seconds that todos may still take; None if that is not known.

    `took` are the seconds of those that ended, `flying` those that others have been in progress for. What a todo takes
    is all that time by the number that ended, as for times that are cut off. At the least, those in progress are about
    to end. At the most they take as long again, at random, so that the last of k takes 1 + 1/2 + ... + 1/k times that.
    Either is wrong by one part in the root of the number that ended, which is the error of a count.
    """
    if len(took) < _MIN_SAMPLES or not pending + len(flying):
        return None
    one = (sum(took) + sum(flying)) / len(took)
    streams = max(len(flying), 1)
    least = one * pending / streams
    most = least + one * sum(1 / place for place in range(1, streams + 1))
    doubt = 1 + 1 / sqrt(len(took))
    return least / doubt, most * doubt


def format_range(least: float, most: float) -> str:
    """Format a range of seconds as roughly as it is known."""
    unit, name = (_HOUR, "h") if most >= _HOURS_THRESHOLD else (_MINUTE, "min")
    low, high = round(least / unit), max(round(most / unit), 1)
    if most < _MINUTE:
        return "less than a minute"
    if low == high:
        return f"about {low} {name}"
    return f"about {low} to {high} {name}" if low else f"up to {high} {name}"


def format_duration(seconds: float) -> str:
    """Format a time in its largest unit, rounded."""
    if round(seconds) < 1:
        return "less than 1 s"
    if round(seconds) < _MINUTE:
        return f"{round(seconds)} s"
    if seconds < _HOURS_THRESHOLD:
        return f"{round(seconds / _MINUTE)} min"
    return f"{round(seconds / _HOUR)} h"
