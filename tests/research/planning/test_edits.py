import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.research.contracts.plan import (
    AddTodo,
    ChangeTodo,
    DropTodo,
    EditResult,
    MoveTodo,
    Plan,
    PlanEdit,
    Todo,
    TodoKind,
    TodoStatus,
    dependency_errors,
)
from quaestor.research.planning.edits import apply_edits, last_todo_number
from research.planning.plans import AGENTS, fixed, folded, plans

CAP = 8
PLAN = Plan(
    todos=(
        Todo(id="t1", task="Find A", status=TodoStatus.DONE),
        Todo(id="t2", task="Find B", dependencies=("t1",), source_hint="b.txt"),
        Todo(id="t3", task="Find C", status=TodoStatus.IN_PROGRESS),
        Todo(id="t4", task="Compare", kind=TodoKind.ANALYSIS, dependencies=("t2", "t3")),
        Todo(id="t5", task="Ask", status=TodoStatus.FAILED),
        Todo(id="t6", task="Tell", dependencies=("t5",), status=TodoStatus.BLOCKED),
        Todo(id="t7", task="Sum up", dependencies=("t4",), agent="summarizer"),
    )
)


def after(*edits: PlanEdit, plan: Plan = PLAN, used: int = 7, cap: int = 20) -> EditResult:
    return apply_edits(plan, edits, cap, ("researcher", "fact_verifier"), used)


def refusal(*edits: PlanEdit, plan: Plan = PLAN, cap: int = 20) -> tuple[str, ...]:
    made = after(*edits, plan=plan, cap=cap)
    assert made.plan == plan
    return made.refused


def ids(made: EditResult) -> list[str]:
    assert made.refused == ()
    return [todo.id for todo in made.plan.todos]


def todo_of(made: EditResult, todo_id: str) -> Todo:
    assert made.refused == ()
    todo = made.plan.todo(todo_id)
    assert todo is not None
    return todo


def test_a_new_todo_has_the_next_number_and_the_place_it_was_given() -> None:
    made = after(
        AddTodo(task=" Find D\n", does=TodoKind.TOOL, agent="researcher", dependencies=("t2", "t1", "t2"), before="t4"),
        AddTodo(task="Find E", dependencies=("t8",), agent=""),
    )
    assert ids(made) == ["t1", "t2", "t3", "t8", "t4", "t5", "t6", "t7", "t9"]
    assert todo_of(made, "t8") == Todo(
        id="t8", task="Find D", kind=TodoKind.TOOL, agent="researcher", dependencies=("t2", "t1"), depth=0
    )
    assert todo_of(made, "t9").agent is None
    assert made.used == 9


def test_the_number_of_a_dropped_todo_is_never_given_again() -> None:
    dropped = after(DropTodo(todo_id="t7"))
    assert dropped.used == 7
    assert last_todo_number(dropped.plan) == 6
    assert ids(after(AddTodo(task="New"), plan=dropped.plan, used=dropped.used))[-1] == "t8"
    both = after(AddTodo(task="New"), DropTodo(todo_id="t8"), AddTodo(task="Newer"))
    assert ids(both)[-1] == "t9"


def test_follow_ups_count_as_numbers_of_their_family() -> None:
    assert last_todo_number(Plan(todos=(Todo(id="t2", task="a"), Todo(id="t12.3.1", task="b")))) == 12
    assert last_todo_number(Plan()) == 0


def test_a_pending_todo_changes_and_keeps_what_the_edit_does_not_name() -> None:
    made = after(
        ChangeTodo(
            todo_id="t2", task=" Find B2 ", does=TodoKind.TOOL, agent="researcher", dependencies=("t3", "t1", "t3")
        ),
        ChangeTodo(todo_id="t7", agent=""),
    )
    assert todo_of(made, "t2") == Todo(
        id="t2",
        task="Find B2",
        kind=TodoKind.TOOL,
        agent="researcher",
        dependencies=("t3", "t1"),
        source_hint="b.txt",
    )
    assert todo_of(made, "t7") == Todo(id="t7", task="Sum up", dependencies=("t4",))


def test_a_pending_todo_moves_before_any_other_or_to_the_end() -> None:
    assert ids(after(MoveTodo(todo_id="t4", before="t1"))) == ["t4", "t1", "t2", "t3", "t5", "t6", "t7"]
    assert ids(after(MoveTodo(todo_id="t2"))) == ["t1", "t3", "t4", "t5", "t6", "t7", "t2"]
    assert ids(after(MoveTodo(todo_id="t2", before="t2"))) == [todo.id for todo in PLAN.todos]


@pytest.mark.parametrize(
    ("todo_id", "standing"), [("t1", "is done"), ("t3", "is in progress"), ("t5", "failed"), ("t6", "is blocked")]
)
def test_what_is_not_pending_is_fixed(todo_id: str, standing: str) -> None:
    edits: tuple[tuple[PlanEdit, str], ...] = (
        (ChangeTodo(todo_id=todo_id, task="x"), "changed"),
        (ChangeTodo(todo_id=todo_id, dependencies=("t4",)), "changed"),
        (MoveTodo(todo_id=todo_id), "moved"),
        (DropTodo(todo_id=todo_id), "dropped"),
        (DropTodo(todo_id=todo_id, force=True), "dropped"),
    )
    for edit, done in edits:
        assert refusal(edit) == (f"{todo_id} {standing} and cannot be {done}; only pending todos can",)


def test_ids_that_are_not_in_the_plan_are_named() -> None:
    assert refusal(
        ChangeTodo(todo_id="t9", task="x"),
        MoveTodo(todo_id="t10"),
        DropTodo(todo_id="t11"),
        MoveTodo(todo_id="t2", before="t12"),
        AddTodo(task="x", before="t13"),
    ) == (
        "t9 is not in the plan, so it cannot be changed",
        "t10 is not in the plan, so it cannot be moved",
        "t11 is not in the plan, so it cannot be dropped",
        "t12 is not in the plan, so nothing can be put before it",
        "t13 is not in the plan, so nothing can be put before it",
    )
    assert refusal(ChangeTodo(todo_id="t2", dependencies=("t9",)), AddTodo(task="x", dependencies=("t90",))) == (
        "t2 cannot depend on t9, which is not in the plan",
        "the new t8 cannot depend on t90, which is not in the plan",
    )


def test_edits_hold_together_or_not_at_all() -> None:
    made = after(ChangeTodo(todo_id="t2", task="x"), AddTodo(task="y"), DropTodo(todo_id="t1"))
    assert made.plan == PLAN
    assert made.used == 7
    assert len(made.refused) == 1


def test_circles_are_named_in_full() -> None:
    assert refusal(ChangeTodo(todo_id="t2", dependencies=("t4",))) == ("a circle: t2 -> t4 -> t2",)
    assert refusal(ChangeTodo(todo_id="t2", dependencies=("t1", "t7"))) == ("a circle: t2 -> t7 -> t4 -> t2",)
    assert refusal(ChangeTodo(todo_id="t2", dependencies=("t2",))) == ("a circle: t2 -> t2",)
    assert refusal(AddTodo(task="x", dependencies=("t8",))) == ("a circle: t8 -> t8",)
    both = refusal(AddTodo(task="x", dependencies=("t9",)), AddTodo(task="y", dependencies=("t8",)))
    assert both == ("a circle: t8 -> t9 -> t8",)


def test_a_circle_between_two_edits_is_none_when_both_are_made() -> None:
    made = after(ChangeTodo(todo_id="t2", dependencies=("t4",)), ChangeTodo(todo_id="t4", dependencies=("t3",)))
    assert todo_of(made, "t2").dependencies == ("t4",)


def test_nothing_new_can_depend_on_what_failed_or_is_blocked() -> None:
    assert refusal(ChangeTodo(todo_id="t2", dependencies=("t5", "t6"))) == (
        "t2 cannot depend on t5, which failed",
        "t2 cannot depend on t6, which is blocked",
    )
    waiting = Plan(todos=(Todo(id="t1", task="a", status=TodoStatus.FAILED), Todo(id="t2", task="b"))).todos
    plan = Plan(todos=(*waiting, Todo(id="t3", task="c", dependencies=("t1",))))
    kept = after(ChangeTodo(todo_id="t3", dependencies=("t1", "t2")), plan=plan)
    assert todo_of(kept, "t3").dependencies == ("t1", "t2")


def test_what_others_depend_on_is_dropped_only_by_force() -> None:
    plan = Plan(todos=(*PLAN.todos, Todo(id="t8", task="Check", dependencies=("t2",))))
    why = "take t2 out of their dependencies, or drop it by force"
    assert refusal(DropTodo(todo_id="t2"), plan=plan) == (f"t2 cannot be dropped: t4, t8 depend on it; {why}",)
    forced = after(DropTodo(todo_id="t2", force=True), plan=plan)
    assert todo_of(forced, "t4").dependencies == ("t3",)
    assert todo_of(forced, "t8").dependencies == ()
    changed = after(ChangeTodo(todo_id="t4", dependencies=("t3",)), DropTodo(todo_id="t2"))
    assert "t2" not in ids(changed)
    assert ids(after(DropTodo(todo_id="t7"), DropTodo(todo_id="t4"), DropTodo(todo_id="t2"))) == [
        "t1",
        "t3",
        "t5",
        "t6",
    ]


def test_what_is_dropped_is_nothing_to_depend_on() -> None:
    late = ChangeTodo(todo_id="t7", dependencies=("t2",))
    assert refusal(DropTodo(todo_id="t2", force=True), late) == ("t7 cannot depend on t2, which is not in the plan",)
    unforced = "t2 cannot be dropped: t4, t7 depend on it; take t2 out of their dependencies, or drop it by force"
    assert refusal(DropTodo(todo_id="t2"), late) == (unforced,)


def test_what_a_fixed_todo_depends_on_stays_even_against_force() -> None:
    stuck = Todo(id="t8", task="Stuck", dependencies=("t5", "t2"), status=TodoStatus.BLOCKED)
    plan = Plan(todos=(*PLAN.todos, stuck))
    reason = "t2 cannot be dropped: t8 depends on it, is blocked and stays as it is"
    assert refusal(DropTodo(todo_id="t2"), plan=plan) == (reason,)
    assert refusal(DropTodo(todo_id="t2", force=True), plan=plan) == (reason,)


def test_a_task_that_stands_is_not_added_again() -> None:
    assert refusal(AddTodo(task="find  a")) == (
        "the new t8 would do what t1 does: 'find  a' stands in the plan already",
    )
    assert refusal(ChangeTodo(todo_id="t2", task="COMPARE")) == (
        "t2 would do what t4 does: 'COMPARE' stands in the plan already",
    )
    assert len(refusal(AddTodo(task="x"), AddTodo(task="X"))) == 1
    swapped = after(ChangeTodo(todo_id="t2", task="Compare"), ChangeTodo(todo_id="t4", task="Find B"))
    assert todo_of(swapped, "t4").task == "Find B"
    assert todo_of(after(ChangeTodo(todo_id="t2", task="Find b")), "t2").task == "Find b"


def test_a_retry_changes_though_it_has_the_task_of_what_failed() -> None:
    retry = Todo(id="t5.1", task="Ask", retries="t5", retry_count=1)
    made = after(ChangeTodo(todo_id="t5.1", agent="researcher"), plan=Plan(todos=(*PLAN.todos, retry)))
    assert todo_of(made, "t5.1") == retry.model_copy(update={"agent": "researcher"})


def test_an_agent_that_the_run_does_not_have_is_refused_with_those_it_has() -> None:
    assert refusal(AddTodo(task="x", agent="poet"), ChangeTodo(todo_id="t2", agent="Researcher")) == (
        "the new 'x' cannot go to the agent 'poet'; this run has fact_verifier, researcher",
        "t2 cannot go to the agent 'Researcher'; this run has fact_verifier, researcher",
    )
    kept = after(ChangeTodo(todo_id="t7", task="x", agent="summarizer"))
    assert todo_of(kept, "t7").agent == "summarizer"
    assert apply_edits(PLAN, [AddTodo(task="x", agent="poet")], 20, (), 7).refused[0].endswith("this run has none")


def test_a_task_of_blanks_is_empty() -> None:
    assert refusal(AddTodo(task=" \n")) == ("the new '' has an empty task; say what is to be done, or drop it",)
    assert refusal(ChangeTodo(todo_id="t2", task="\t")) == ("t2 has an empty task; say what is to be done, or drop it",)


def test_a_plan_grows_up_to_the_cap_and_may_change_beyond_it() -> None:
    assert refusal(AddTodo(task="x"), cap=7) == ("8 todos are too many: the session has room for 7",)
    assert "t8" in ids(after(AddTodo(task="x"), DropTodo(todo_id="t7"), cap=7))
    assert todo_of(after(ChangeTodo(todo_id="t2", task="x"), cap=3), "t2").task == "x"


@given(plans())
def test_an_edit_that_changes_nothing_is_no_refusal(plan: Plan) -> None:
    for place, todo in enumerate(plan.todos):
        following = plan.todos[place + 1].id if place + 1 < len(plan.todos) else None
        same = ChangeTodo.model_construct(
            todo_id=todo.id, task=todo.task, does=todo.kind, agent=todo.agent, dependencies=todo.dependencies
        )
        nothing: tuple[PlanEdit, ...] = (same, ChangeTodo(todo_id=todo.id), MoveTodo(todo_id=todo.id, before=following))
        assert apply_edits(plan, nothing, 1, (), 0) == EditResult(plan=plan, used=last_todo_number(plan))


NAMES = st.sampled_from([f"t{number}" for number in range(1, 10)] + ["t1.1", "t2.1", "t3.1"])
WAITS = st.lists(NAMES, max_size=3).map(tuple)
WORDS = st.sampled_from(["a", "A ", "b", "c", " ", "Compare the costs", "new", "newer"])
EDITS = st.one_of(
    st.builds(AddTodo, task=WORDS, dependencies=WAITS, before=st.none() | NAMES, agent=st.sampled_from([None, "x"])),
    st.builds(ChangeTodo, todo_id=NAMES, task=st.none() | WORDS, dependencies=st.none() | WAITS),
    st.builds(MoveTodo, todo_id=NAMES, before=st.none() | NAMES),
    st.builds(DropTodo, todo_id=NAMES, force=st.booleans()),
)


@given(plans(), st.lists(st.lists(EDITS, min_size=1, max_size=3), max_size=8))
def test_no_edits_make_a_circle_an_unknown_dependency_or_an_old_id_or_touch_what_is_fixed(
    plan: Plan, batches: list[list[PlanEdit]]
) -> None:
    seen = {todo.id for todo in plan.todos}
    used = last_todo_number(plan)
    for batch in batches:
        made = apply_edits(plan, batch, CAP, AGENTS, used)
        assert made.used >= used
        if made.refused:
            assert (made.plan, made.used) == (plan, used)
            continue
        fresh = [todo for todo in made.plan.todos if plan.todo(todo.id) is None]
        assert not seen & {todo.id for todo in fresh}
        assert all(todo.depth == 0 and todo.task == todo.task.strip() != "" for todo in fresh)
        assert fixed(made.plan) == fixed(plan)
        assert dependency_errors({todo.id: todo.dependencies for todo in made.plan.todos}) == ()
        tasks = [folded(todo.task) for todo in made.plan.todos]
        assert len(set(tasks)) == len(tasks) <= CAP
        assert len({todo.id for todo in made.plan.todos}) == len(made.plan.todos)
        seen |= {todo.id for todo in fresh}
        plan, used = made.plan, made.used
