"""What a session spent, and its plan."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.cost import SpendReport
from quaestor.contracts.lazy import deferred
from quaestor.runtime.log_folds import SPEND_FOLD

if TYPE_CHECKING:
    from quaestor.research.contracts.plan import Plan

_plan_lines: "Callable[[Plan, Mapping[str, str]], tuple[str, ...]]" = deferred(
    "quaestor.research.views.plan_text:plan_lines"
)


async def read_spend(quaestor: Quaestor, session_id: str) -> SpendReport:
    """Return what a session spent, by state, role, todo and model."""
    _, spent = await quaestor.fold_log(session_id, SPEND_FOLD)
    return spent.report()


async def describe_plan(quaestor: Quaestor, session_id: str) -> tuple[str, ...]:
    """Return a line for each todo of a plan; none before there is one. Raises UsageError for another workflow."""
    return _plan_lines(await quaestor.plan(session_id), {})
