"""How many calls of a model a research session takes, by role, before it starts: what `docs/models.md` lists."""

from collections import Counter
from collections.abc import Mapping

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.settings import Settings
from quaestor.research.setup import LOOPS_BY_EFFORT

USUAL_TODOS = (1, 3, 7)
"""Todos that a planner plans: the fewest, the usual number and the most."""


class PlannedWork(Immutable):
    """The size of a session: its todos, and the loops of each."""

    todos: float
    loops: float


def usual_work(settings: Settings) -> tuple[PlannedWork, PlannedWork, PlannedWork]:
    """Return the least, the usual and the most work: every todo suffices at once, or none before its last loop."""
    loops = settings.loops or LOOPS_BY_EFFORT[settings.effort]
    fewest, usual, most = (min(count, settings.max_todos) for count in USUAL_TODOS)
    return PlannedWork(fewest, 1), PlannedWork(usual, 1), PlannedWork(most, loops)


def planned_calls(work: PlannedWork, settings: Settings) -> Mapping[str, float]:
    """Return the calls of each role that such work takes."""
    looped = work.todos * work.loops
    checks = settings.effort != "low" if settings.check is None else settings.check
    return Counter(
        {
            "clarifier": float(settings.questions),
            "orchestrator" if settings.orchestrate else "planner": 1.0,
            "query_writer": looped - work.todos,
            "reader": looped,
            "reviewer": looped,
            "writer": 2.0,
            "checker": float(checks),
        }
    )
