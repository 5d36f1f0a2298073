"""Where a plan can go on: what failed for good, what may still change, and that it is looked up once."""

import pytest

from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.planning.frontier import frontier, remembered

FAILED = Todo(id="t1", task="Find the builder.", status=TodoStatus.FAILED)
RETRY = Todo(id="t1.1", task="Find the builder.", retries="t1")
DONE = Todo(id="t2", task="Find the date.", status=TodoStatus.DONE)
RUNNING = Todo(id="t3", task="Find the cost.", status=TodoStatus.IN_PROGRESS)
PENDING = Todo(id="t4", task="Find the height.")


@pytest.mark.parametrize(
    ("todos", "reviewed", "failed"),
    [
        ((FAILED, DONE), {"t1", "t2"}, (FAILED,)),
        ((FAILED, DONE), {"t2"}, ()),
        ((FAILED, RETRY), {"t1"}, ()),
    ],
    ids=["reviewed", "not reviewed yet", "tried again"],
)
def test_a_todo_failed_for_good_once_it_is_reviewed_and_not_tried_again(
    todos: tuple[Todo, ...], reviewed: set[str], failed: tuple[Todo, ...]
) -> None:
    assert frontier(Plan(todos=todos), frozenset(reviewed)).failed == failed


@pytest.mark.parametrize(
    ("todos", "reviewed", "settled"),
    [
        ((DONE, FAILED), {"t1", "t2"}, (DONE, FAILED)),
        ((DONE, FAILED), {"t2"}, (DONE,)),
        ((DONE, FAILED), {"t1"}, ()),
        ((FAILED, RUNNING, DONE), {"t1", "t2"}, (FAILED,)),
        ((FAILED, PENDING, DONE), {"t1", "t2"}, (FAILED,)),
    ],
)
def test_settled_are_the_todos_up_to_the_first_that_may_still_change(
    todos: tuple[Todo, ...], reviewed: set[str], settled: tuple[Todo, ...]
) -> None:
    assert frontier(Plan(todos=todos), frozenset(reviewed)).settled == settled


def test_what_is_remembered_is_computed_again_for_equal_values_that_are_not_the_same() -> None:
    computed: list[Plan] = []

    @remembered
    def count(plan: Plan) -> int:
        computed.append(plan)
        return len(plan.todos)

    plan, equal = Plan(todos=(DONE,)), Plan(todos=(DONE,))
    assert [count(plan), count(plan), count(equal), count(plan)] == [1, 1, 1, 1]
    assert [id(each) for each in computed] == [id(plan), id(equal)]
