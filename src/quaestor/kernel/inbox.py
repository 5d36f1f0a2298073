"""What people tell a session, obeyed by whoever holds it."""

from typing import TypeVar

from quaestor.contracts.budget import Budget
from quaestor.contracts.command import AddBudget, Pause
from quaestor.contracts.event import BudgetRaised, Paused
from quaestor.kernel.journal import Journal

S = TypeVar("S")

_REASON = "paused; resume to go on"
_FINISHED = "the session is finished; it cannot be paused, and spends no more"


async def attend(journal: Journal[S], budget: Budget) -> Paused | None:
    """Obey every command in the inbox; give the pause, if a person wants one. `budget` is what holds unless raised."""
    pause: Paused | None = None
    for command in await journal.inbox():
        match command.order:
            case Pause() | AddBudget() if journal.run.status == "finished":
                journal.settle(command, _FINISHED)
            case Pause():
                pause = Paused(kind="person", reason=_REASON)
                journal.settle(command)
            case AddBudget() as more:
                raised = _raised(journal.run.budget or budget, more)
                if isinstance(raised, str):
                    journal.settle(command, raised)
                else:
                    journal.note(journal.here, None, [BudgetRaised(budget=raised)])
                    journal.settle(command)
            case _:
                journal.obey(command)
    return pause


def _raised(budget: Budget, more: AddBudget) -> Budget | str:
    """Give the raised budget, or why it cannot be raised."""
    names = ("dollars", "tokens", "model_calls", "tool_calls", "seconds")
    added = {name: getattr(more, name) for name in names if getattr(more, name)}
    if not added:
        return "nothing is added; say how many dollars, tokens, calls or seconds"
    unlimited = [name for name in added if getattr(budget, name) is None]
    if unlimited:
        return f"the session has no limit of {', '.join(unlimited)}, so none can be raised"
    return budget.model_copy(update={name: getattr(budget, name) + amount for name, amount in added.items()})
