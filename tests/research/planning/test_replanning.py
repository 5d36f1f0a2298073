from datetime import UTC, datetime
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.event import Event
from quaestor.research.contracts.plan import DraftTodo, Plan, PlanDraft, PlanUpdate, Todo, TodoStatus, dependency_errors
from quaestor.research.events import PlanUpdated
from quaestor.research.planning.replanning import GrowthLimits, grow, insert_retry, insert_todos, retry_on_request
from quaestor.research.planning.todo_graph import (
    fallback_plan,
    find_blocked,
    fold,
    is_finished,
    plan_from_draft,
    ready_todos,
    without_repeats,
)

CAPS = GrowthLimits(todos=12, depth=2, retries=2)


def plan_of(*tasks: str | DraftTodo) -> Plan:
    drafts = tuple(task if isinstance(task, DraftTodo) else DraftTodo(task=task) for task in tasks)
    return plan_from_draft(PlanDraft(todos=drafts), len(drafts))


def update(todo_id: str, status: str = "done", *new: str | DraftTodo) -> PlanUpdate:
    return PlanUpdate.model_validate(
        {"completed_todo_id": todo_id, "outcome": "", "status": status, "new_todos": list(new)}
    )


def grown(plan: Plan, change: PlanUpdate, caps: GrowthLimits = CAPS) -> tuple[Plan, tuple[str, ...]]:
    parent = plan.todo(change.completed_todo_id)
    assert parent is not None
    growth = grow(plan, parent, change, caps)
    return insert_todos(plan, parent.id, growth.added), growth.refused


def with_status(plan: Plan, todo_id: str, status: TodoStatus, result: str | None = None) -> Plan:
    todo = plan.todo(todo_id)
    assert todo is not None
    return plan.replaced(todo.revised(status=status, result=result))


def ids(plan: Plan) -> list[str]:
    return [todo.id for todo in plan.todos]


def test_a_draft_gets_ids_in_its_order() -> None:
    plan = plan_of("a", DraftTodo(task="b", dependencies=("t1",)))
    assert [(todo.id, todo.dependencies) for todo in plan.todos] == [("t1", ()), ("t2", ("t1",))]
    assert fallback_plan("why?").todos == (Todo(id="t1", task="why?"),)


def test_what_a_changed_plan_carries_over_is_that_of_a_fresh_plan() -> None:
    plan = plan_of(*"abcde")
    for number, status in ((4, "done"), (2, "failed"), (1, "done"), (2, "pending"), (3, "done"), (3, "done")):
        plan = with_status(plan, f"t{number}", TodoStatus(status))
        fresh = Plan(todos=plan.todos)
        assert (plan.places, plan.by_status) == (fresh.places, fresh.by_status)


@pytest.mark.parametrize(
    ("before", "verdict", "after"),
    [
        ((TodoStatus.DONE, "found much"), "done", (TodoStatus.DONE, "found much")),
        (
            (TodoStatus.DONE, "found much"),
            "failed",
            (TodoStatus.FAILED, "Its reviewer judged that it failed: all of it is about another town"),
        ),
        (
            (TodoStatus.FAILED, "the reader is out of order"),
            "failed",
            (TodoStatus.FAILED, "the reader is out of order"),
        ),
    ],
)
def test_what_a_reviewer_calls_failed_has_failed_and_says_so(
    before: tuple[TodoStatus, str], verdict: Literal["done", "failed"], after: tuple[TodoStatus, str]
) -> None:
    plan = with_status(plan_of("a", "b"), "t1", *before)
    review = PlanUpdate(completed_todo_id="t1", outcome="all of it is about another town", status=verdict)
    event = Event(
        session_id="s",
        seq=1,
        cycle=1,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        state="review",
        payload=PlanUpdated(update=review),
    )
    reviewed, other = fold(plan, event).todos
    assert (reviewed.status, reviewed.result) == after
    assert other.status is TodoStatus.PENDING


def test_a_draft_is_cut_to_the_room_of_the_session() -> None:
    drafts = (DraftTodo(task="a", dependencies=("t3",)), DraftTodo(task="b"), DraftTodo(task="c"))
    plan = plan_from_draft(PlanDraft(todos=drafts), 2, used=4)
    assert [(todo.id, todo.task, todo.dependencies) for todo in plan.todos] == [("t5", "a", ()), ("t6", "b", ())]


def test_a_repeat_stands_for_no_todo_and_takes_no_room() -> None:
    drafts = (
        DraftTodo(task="When?"),
        DraftTodo(task="WHEN? ", dependencies=("t4",)),
        DraftTodo(task="When?", agent="fact_verifier"),
        DraftTodo(task="By whom?", dependencies=("t2", "t3", "t9")),
    )
    kept = without_repeats(PlanDraft(todos=drafts)).todos
    assert [(todo.task, todo.agent, todo.dependencies) for todo in kept] == [
        ("When?", None, ()),
        ("When?", "fact_verifier", ()),
        ("By whom?", None, ("t1", "t2", "t9")),
    ]


REVIEWED = frozenset({"t1", "t2"})


def test_only_what_has_its_dependencies_done_and_reviewed_is_ready() -> None:
    plan = plan_of("a", "b", DraftTodo(task="c", dependencies=("t1", "t2")))
    assert [todo.id for todo in ready_todos(plan, REVIEWED)] == ["t1", "t2"]
    plan = with_status(with_status(plan, "t1", TodoStatus.DONE), "t2", TodoStatus.IN_PROGRESS)
    assert ready_todos(plan, REVIEWED) == ()
    plan = with_status(plan, "t2", TodoStatus.DONE)
    assert [todo.id for todo in ready_todos(plan, REVIEWED)] == ["t3"]
    assert ready_todos(plan, {"t1"}) == ()
    assert is_finished(with_status(plan, "t3", TodoStatus.BLOCKED))


def test_what_waits_for_a_final_failure_is_blocked_and_so_is_what_waits_for_that() -> None:
    plan = plan_of("a", DraftTodo(task="b", dependencies=("t1",)), DraftTodo(task="c", dependencies=("t2",)))
    plan = with_status(plan, "t1", TodoStatus.FAILED)
    assert find_blocked(plan, reviewed=()) == ()
    assert [(todo.id, waits) for todo, waits in find_blocked(plan, {"t1"})] == [("t2", ("t1",))]
    plan = with_status(plan, "t2", TodoStatus.BLOCKED)
    assert [(todo.id, waits) for todo, waits in find_blocked(plan, {"t1"})] == [("t3", ("t2",))]


def test_follow_ups_stand_after_their_family_with_ids_of_their_own() -> None:
    plan, _ = grown(plan_of("a", "b"), update("t1", "done", "more of a", "even more"))
    assert ids(plan) == ["t1", "t1.1", "t1.2", "t2"]
    plan, _ = grown(plan, update("t1.1", "done", "deep"))
    assert ids(plan) == ["t1", "t1.1", "t1.1.1", "t1.2", "t2"]
    deep = plan.todo("t1.1.1")
    assert deep is not None
    assert deep.depth == 2


def test_ids_do_not_depend_on_which_todo_ended_first() -> None:
    one, _ = grown(grown(plan_of("a", "b"), update("t1", "done", "x"))[0], update("t2", "done", "y"))
    other, _ = grown(grown(plan_of("a", "b"), update("t2", "done", "y"))[0], update("t1", "done", "x"))
    assert one == other


def test_a_failed_todo_is_tried_again_at_most_twice_after_what_it_needs_first() -> None:
    plan = plan_of("a", DraftTodo(task="b", dependencies=("t1",)))
    plan, refused = grown(with_status(plan, "t1", TodoStatus.FAILED), update("t1", "failed", "first this"))
    retry = plan.todo("t1.2")
    assert retry is not None
    assert (retry.task, retry.retry_count, retry.retries, retry.dependencies) == ("a", 1, "t1", ("t1.1",))
    waiting = plan.todo("t2")
    assert waiting is not None
    assert waiting.dependencies == ("t1.2",)
    assert refused == ()
    plan, _ = grown(plan, update("t1.2", "failed"))
    plan, refused = grown(plan, update("t1.2.1", "failed"))
    assert ids(plan) == ["t1", "t1.1", "t1.2", "t1.2.1", "t2"]
    assert refused == ("t1.2.1 is not tried again: it failed 3 times",)


def failing(plan: Plan, *todo_ids: str) -> Plan:
    """Return a plan in which these failed for good and what waits for them is blocked."""
    for todo_id in todo_ids:
        plan = with_status(plan, todo_id, TodoStatus.FAILED)
    while stuck := find_blocked(plan, ids(plan)):
        plan = with_status(plan, stuck[0][0].id, TodoStatus.BLOCKED, "waits in vain")
    return plan


def retried(plan: Plan, todo_id: str) -> Plan:
    failed = plan.todo(todo_id)
    assert failed is not None
    return insert_retry(plan, retry_on_request(plan, failed))


def standing(plan: Plan) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {todo.id: (todo.status.value, todo.dependencies) for todo in plan.todos}


def test_a_retry_that_a_person_wants_frees_all_that_waits_for_it_in_the_end() -> None:
    chain = plan_of("a", DraftTodo(task="b", dependencies=("t1",)), DraftTodo(task="c", dependencies=("t2",)))
    assert standing(retried(failing(chain, "t1"), "t1")) == {
        "t1": ("failed", ()),
        "t1.1": ("pending", ()),
        "t2": ("pending", ("t1.1",)),
        "t3": ("pending", ("t2",)),
    }


def test_what_two_failures_block_is_free_when_both_are_tried_again() -> None:
    plan = failing(plan_of("a", "b", DraftTodo(task="c", dependencies=("t1", "t2"))), "t1", "t2")
    once = retried(plan, "t1")
    assert standing(once)["t3"][0] == "blocked"
    assert standing(retried(once, "t2"))["t3"] == ("pending", ("t1.1", "t2.1"))


def test_what_is_being_tried_again_is_not_tried_once_more_by_its_review() -> None:
    plan, refused = grown(retried(failing(plan_of("a", "b"), "t1"), "t1"), update("t1", "failed", "x"))
    assert [todo.id for todo in plan.todos if todo.retries == "t1"] == ["t1.1"]
    assert refused == ()


def test_growth_ends_at_the_caps_with_the_reason() -> None:
    plan, refused = grown(plan_of("a", "b"), update("t1", "done", "x", "y"), GrowthLimits(todos=3, depth=2, retries=2))
    assert ids(plan) == ["t1", "t1.1", "t2"]
    assert refused == ("'y' is not added: the session's 3 todos are used up",)
    _, refused = grown(plan, update("t1.1", "done", "z"), GrowthLimits(todos=9, depth=1, retries=2))
    assert refused == ("'z' is not added: the depth of 1 is reached",)
    _, refused = grown(plan, update("t1", "failed"), GrowthLimits(todos=3, depth=1, retries=2))
    assert refused == ("t1 is not tried again: the session's 3 todos are used up",)


def test_what_stands_already_is_not_added_again() -> None:
    plan, refused = grown(plan_of("Find  A", "b"), update("t2", "done", "find a", "new", "NEW"))
    assert ids(plan) == ["t1", "t2", "t2.1"]
    assert len(refused) == 2


def test_a_follow_up_of_unknown_dependencies_is_refused_with_the_ids() -> None:
    _, refused = grown(plan_of("a", "b"), update("t1", "done", DraftTodo(task="x", dependencies=("t9",))))
    assert refused == ("'x' is not added: t1.1 depends on t9, which is not in the plan",)


REVIEWS = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.sampled_from(["done", "failed"]),
        st.lists(st.tuples(st.sampled_from("abcdefgh"), st.lists(st.sampled_from(["t1", "t2", "t9", "t1.1"])))),
    ),
    max_size=12,
)


@given(REVIEWS)
def test_growth_never_makes_a_circle_a_double_id_or_too_many(
    reviews: list[tuple[int, str, list[tuple[str, list[str]]]]],
) -> None:
    plan = plan_of("one", DraftTodo(task="two", dependencies=("t1",)))
    seen: set[str] = set(ids(plan))
    for place, status, new in reviews:
        parent = plan.todos[place % len(plan.todos)]
        drafts = [DraftTodo(task=task, dependencies=tuple(needs)) for task, needs in new[:5]]
        before = ids(plan)
        plan, _ = grown(plan, update(parent.id, status, *drafts))
        assert [todo_id for todo_id in ids(plan) if todo_id in before] == before
        fresh = set(ids(plan)) - set(before)
        assert not fresh & seen
        seen |= fresh
        assert dependency_errors({todo.id: todo.dependencies for todo in plan.todos}) == ()
        assert len(set(ids(plan))) == len(plan.todos) <= CAPS.todos
