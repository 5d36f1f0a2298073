"""Todos that were proposed and are not in the plan: a line each in the log, a line for each reason in a report."""

from collections.abc import Iterable

_NOT_ADDED = " is not added: "
_MAX_NAMED = 3
"""A reviewer may propose todos as often as it is asked, whatever it was told of the room."""


def refuse_todo(task: str, reason: str) -> str:
    """Return the line of a proposed todo that is not added."""
    return f"{task!r}{_NOT_ADDED}{reason}"


def describe_full_plan(todos: int) -> str:
    """Return why nothing is added to a plan that has as many todos as it may."""
    return f"the session's {todos} todos are used up"


def list_refusals(refused: Iterable[str]) -> tuple[str, ...]:
    """Return the lines with those of one reason joined: their number, and the first few tasks."""
    tasks_by_reason: dict[str, list[str]] = {}
    for line in refused:
        task, separator, reason = line.rpartition(_NOT_ADDED)
        tasks_by_reason.setdefault(reason, []).extend([task] if separator else ())
    return tuple(_join(tasks, reason) for reason, tasks in tasks_by_reason.items())


def _join(tasks: list[str], reason: str) -> str:
    if not tasks:
        return reason
    if len(tasks) == 1:
        return f"{tasks[0]}{_NOT_ADDED}{reason}"
    more = len(tasks) - _MAX_NAMED
    named = f"{', '.join(tasks[:_MAX_NAMED])} and {more:,} more" if more > 0 else ", ".join(tasks)
    return f"{len(tasks):,} todos are not added: {reason}: {named}"
