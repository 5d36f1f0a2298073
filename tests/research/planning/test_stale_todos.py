from collections.abc import Collection, Mapping
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from fakes.findings import entry, source
from quaestor.contracts.ledger import LedgerEntry
from quaestor.research.contracts.plan import Plan, Todo, TodoKind, TodoStatus, dependency_errors
from quaestor.research.planning.edits import last_todo_number
from quaestor.research.planning.stale_todos import cited_sources, replace_stale_todos, stale_todos

LIGHT, BELL, GUILD = (source(text).sha256 for text in ("It was built in 1831.", "It was cast in 1844.", "From 1829."))
TEXTS = {LIGHT: "It was built in 1831.", BELL: "It was cast in 1844.", GUILD: "From 1829."}
DONE = TodoStatus.DONE


def planned(*todos: Todo) -> Plan:
    return Plan(todos=todos)


def done(todo_id: str, *waits: str, status: TodoStatus = DONE, retries: str | None = None, depth: int = 0) -> Todo:
    return Todo(id=todo_id, task=f"Task of {todo_id}", status=status, dependencies=waits, retries=retries, depth=depth)


def quoting(**sources: str) -> Mapping[str, LedgerEntry]:
    """Return a ledger in which todos, by their ids, each quote one source."""
    return {todo_id: entry(todo_id, TEXTS[own]) for todo_id, own in sources.items()}


def ids(plan: Plan) -> list[str]:
    return [todo.id for todo in plan.todos]


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """A plan as a run leaves it: todos wait for earlier ones, and some that failed were tried again."""
    todos: list[Todo] = []
    for number in range(1, draw(st.integers(1, 7)) + 1):
        waits = tuple(draw(st.lists(st.sampled_from([one.id for one in todos]), unique=True))) if todos else ()
        status = draw(st.sampled_from(TodoStatus))
        depth, kind = draw(st.integers(0, 3)), draw(st.sampled_from(TodoKind))
        todo = Todo(id=f"t{number}", task=f"Task {number}", kind=kind, status=status, dependencies=waits, depth=depth)
        todos.append(todo)
        while status is TodoStatus.FAILED and draw(st.booleans()):
            status = draw(st.sampled_from((DONE, TodoStatus.FAILED)))
            todo = todo.model_copy(update={"id": f"{todo.id}.1", "status": status, "retries": todo.id})
            todos.append(todo)
    return Plan(todos=tuple(todos))


@st.composite
def renewals(draw: st.DrawFn) -> tuple[Plan, Mapping[str, LedgerEntry], frozenset[str], int]:
    """A plan, what its todos recorded, the sources that changed, and the highest number that was ever used."""
    plan = draw(plans())
    recorded = [todo.id for todo in plan.todos if todo.status is DONE or draw(st.booleans())]
    ledger = {own: entry(own, TEXTS[draw(st.sampled_from(sorted(TEXTS)))]) for own in recorded}
    changed = draw(st.frozensets(st.sampled_from(sorted(TEXTS))))
    return plan, ledger, changed, last_todo_number(plan) + draw(st.integers(0, 4))


@given(renewals())
def test_whoever_rests_on_what_changed_is_gone_and_nobody_else(
    renewal: tuple[Plan, Mapping[str, LedgerEntry], frozenset[str], int],
) -> None:
    plan, ledger, changed, _ = renewal
    gone = stale_todos(plan, ledger, changed)
    known = {todo.id: todo for todo in plan.todos}

    def rests(todo_id: str) -> bool:
        own = cited_sources([ledger[todo_id]]) if todo_id in ledger else frozenset[str]()
        return bool(own & changed) or any(map(rests, known[todo_id].dependencies))

    assert gone == {todo_id for todo_id in known if rests(todo_id)}


@given(renewals())
def test_a_renewed_plan_has_fresh_ids_no_circle_and_waits_for_nothing_that_is_gone(
    renewal: tuple[Plan, Mapping[str, LedgerEntry], frozenset[str], int],
) -> None:
    plan, ledger, changed, used = renewal
    gone = stale_todos(plan, ledger, changed)
    after = replace_stale_todos(plan, gone, used)
    fresh = [todo for todo in after.todos if todo not in plan.todos]
    assert [todo.id for todo in fresh] == [f"t{used + place}" for place in range(1, len(fresh) + 1)]
    assert dependency_errors({todo.id: todo.dependencies for todo in after.todos}) == ()
    assert not gone & {*ids(after), *(other for todo in after.todos for other in todo.dependencies)}
    assert [todo for todo in after.todos if todo in plan.todos] == [one for one in plan.todos if one.id not in gone]
    assert {todo.status for todo in fresh} <= {TodoStatus.PENDING}


@given(renewals())
def test_every_task_that_is_gone_is_done_again_once_however_often_it_was_tried(
    renewal: tuple[Plan, Mapping[str, LedgerEntry], frozenset[str], int],
) -> None:
    plan, ledger, changed, used = renewal
    gone = stale_todos(plan, ledger, changed)
    after = replace_stale_todos(plan, gone, used)
    fresh = [todo.task for todo in after.todos if todo not in plan.todos]
    last_tries = [todo for todo in plan.todos if all(other.retries != todo.id for other in plan.todos)]
    assert fresh == [todo.task for todo in last_tries if todo.id in gone]


def test_an_untouched_plan_is_the_same_plan() -> None:
    plan = planned(done("t1"), done("t2", "t1"))
    assert stale_todos(plan, quoting(t1=LIGHT, t2=BELL), [GUILD]) == frozenset()
    assert replace_stale_todos(plan, (), 2) == plan


def test_what_depends_on_a_todo_is_done_again_with_it_and_waits_for_it() -> None:
    plan = planned(done("t1"), done("t2"), done("t3", "t1", "t2"), done("t4", "t3"), done("t5", "t2"))
    gone = stale_todos(plan, quoting(t1=LIGHT, t2=BELL, t3=GUILD, t4=GUILD, t5=GUILD), [LIGHT])
    assert gone == {"t1", "t3", "t4"}
    after = replace_stale_todos(plan, gone, 7)
    assert [(todo.id, todo.dependencies) for todo in after.todos] == [
        ("t8", ()),
        ("t2", ()),
        ("t9", ("t8", "t2")),
        ("t10", ("t9",)),
        ("t5", ("t2",)),
    ]


def test_a_todo_that_is_done_again_is_as_it_was_before_it_began() -> None:
    begun = Todo(
        id="t1.1",
        task="What did it cost?",
        kind=TodoKind.ANALYSIS,
        agent="scholar",
        status=DONE,
        depth=2,
        retry_count=1,
        loop_count=3,
        source_hint="guild.rst",
        result="310 crowns",
        gaps=("since when",),
        tools_used=("search",),
    )
    [again] = replace_stale_todos(planned(begun), {"t1.1"}, 4).todos
    assert again == Todo(
        id="t5", task=begun.task, kind=TodoKind.ANALYSIS, agent="scholar", depth=2, source_hint="guild.rst"
    )


def test_what_succeeded_at_its_second_try_is_not_said_to_have_failed() -> None:
    plan = planned(done("t1", status=TodoStatus.FAILED), done("t1.1", retries="t1"), done("t2", "t1.1"))
    after = replace_stale_todos(plan, stale_todos(plan, quoting(**{"t1.1": LIGHT, "t2": BELL}), [LIGHT]), 2)
    assert [(todo.id, todo.retries, todo.dependencies) for todo in after.todos] == [
        ("t1", None, ()),
        ("t3", "t1", ()),
        ("t4", None, ("t3",)),
    ]


def test_tries_that_are_gone_with_what_they_waited_for_leave_one_todo_behind() -> None:
    plan = planned(done("t1"), done("t2", "t1", status=TodoStatus.FAILED), done("t2.1", "t1", retries="t2"))
    after = replace_stale_todos(plan, stale_todos(plan, quoting(t1=LIGHT, **{"t2.1": BELL}), [LIGHT]), 2)
    assert [(todo.id, todo.task, todo.dependencies) for todo in after.todos] == [
        ("t3", "Task of t1", ()),
        ("t4", "Task of t2.1", ("t3",)),
    ]


def test_what_a_todo_recorded_before_it_was_judged_to_have_failed_is_gone_where_its_source_changed() -> None:
    plan = planned(done("t1", status=TodoStatus.FAILED), done("t1.1", retries="t1"), done("t2", "t1"))
    ledger = quoting(t1=LIGHT, t2=GUILD, **{"t1.1": BELL})
    after = replace_stale_todos(plan, stale_todos(plan, ledger, [LIGHT]), 2)
    assert [(todo.id, todo.dependencies) for todo in after.todos] == [("t1.1", ()), ("t3", ("t1.1",))]


def test_what_is_cited_is_what_is_quoted() -> None:
    ledger: Collection[LedgerEntry] = quoting(t1=LIGHT, t2=BELL, t3=LIGHT).values()
    assert cited_sources(ledger) == {LIGHT, BELL}
    assert cited_sources([]) == frozenset()
    assert sha256(TEXTS[LIGHT].encode()).hexdigest() == LIGHT
