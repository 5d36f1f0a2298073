"""What research may cost, printed before it starts, and the yes of a person where that is much."""

from collections.abc import Callable

from quaestor.app import Quaestor
from quaestor.app.costs import CostBook, describe_estimate, needs_yes
from quaestor.faces.cli.output import write_stderr

_FREE = frozenset({"offline", "script", "playbook", "replay"})
"""Kinds of models that cost nothing."""


async def approve_cost(quaestor: Quaestor, ask: Callable[[str], bool] | None) -> bool:
    """Print what research with the settings may cost; return whether it may start.

    A person is asked where the upper end of the estimate is above `confirm_dollars`; without `ask` nobody is.
    """
    settings = quaestor.settings
    models = (settings.model, *settings.models.values(), *settings.fallback)
    if all(name.partition(":")[0] in _FREE for name in models):
        return True
    estimate = await CostBook().estimate(quaestor, settings)
    write_stderr(describe_estimate(estimate))
    return ask is None or not needs_yes(estimate, settings) or ask("start it?")
