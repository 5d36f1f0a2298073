"""What an event costs does not depend on how many todos the plan has: counted in calls, the same on every machine."""

import pytest

from fakes.counting import calls
from fakes.plans import CarriedOut

FEW = 100
WARM, MEASURED = 12, 24
"""Todos that are carried out before the counting begins, and when it ends."""


def cost(count: int) -> float:
    """Return the calls an event, its fold and the next actions, in the middle of a plan of so many todos."""
    carried = CarriedOut(count)
    carried.go_on(WARM)
    before = carried.seq
    made = calls(lambda: carried.go_on(MEASURED))
    return made / (carried.seq - before)


@pytest.mark.parametrize("many", [1_000, 6_000])
def test_an_event_costs_as_much_in_a_plan_of_many_times_as_many_todos(many: int) -> None:
    assert cost(many) <= 1.25 * cost(FEW)
