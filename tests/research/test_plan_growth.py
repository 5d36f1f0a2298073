"""What an event costs does not depend on how many todos the plan has: counted in calls, the same on every machine."""

from fakes.counting import calls
from fakes.plans import CarriedOut

FEW, MANY = 100, 1_000
WARM, MEASURED = 12, 24
"""Todos that are carried out before the counting begins, and when it ends."""


def cost(count: int) -> float:
    """Return the calls an event, its fold and the next actions, in the middle of a plan of so many todos."""
    carried = CarriedOut(count)
    carried.go_on(WARM)
    before = carried.seq
    made = calls(lambda: carried.go_on(MEASURED))
    return made / (carried.seq - before)


def test_an_event_costs_as_much_in_a_plan_of_ten_times_as_many_todos() -> None:
    assert cost(MANY) <= 1.25 * cost(FEW)
