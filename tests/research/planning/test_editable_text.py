import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quaestor.contracts.errors import UsageError
from quaestor.research.contracts.plan import (
    AddTodo,
    ChangeTodo,
    DropTodo,
    MoveTodo,
    Plan,
    Todo,
    TodoKind,
    TodoStatus,
    dependency_errors,
)
from quaestor.research.planning.editable_text import parse_edits, render_plan
from quaestor.research.planning.edits import apply_edits, last_todo_number
from research.planning.plans import AGENTS, LOST, SOUND, fixed, folded, plans

PLAN = Plan(
    todos=(
        Todo(id="t1", task="Find A", status=TodoStatus.DONE),
        Todo(id="t2", task="Find B", agent="researcher"),
        Todo(id="t2.1", task="Look\nagain", dependencies=("t2",), status=TodoStatus.IN_PROGRESS),
        Todo(id="t3", task="Compare (in euros)", kind=TodoKind.ANALYSIS, dependencies=("t1", "t2"), agent="odd one"),
    )
)
T2 = "t2 [research] Find B  (agent researcher)"
T3 = 't3 [analysis] Compare (in euros)  (after t1, t2; agent "odd one")'

QUOTE_IT = "put the task in quotes if this belongs to it"
WHOLE = 'a task that begins with a quotation mark stands in quotes as a whole, with \\" for those inside'


def body(plan: Plan) -> list[str]:
    return render_plan(plan, 4).split("\n\n", 1)[1].splitlines()


def fault(*lines: str, plan: Plan = PLAN) -> str:
    with pytest.raises(UsageError) as caught:
        parse_edits("\n".join(lines), plan)
    head, *faults = str(caught.value).splitlines()
    assert head == "The plan cannot be read, so nothing in it is changed:"
    return "\n".join(faults)


def test_a_plan_is_one_todo_a_line_and_what_is_fixed_stands_in_comments() -> None:
    assert body(PLAN) == [
        "# t1 done [research] Find A",
        T2,
        '# t2.1 in progress [research] "Look\\nagain"  (after t2)',
        T3,
    ]


def test_the_text_explains_itself_in_comments() -> None:
    head = render_plan(PLAN, 4).split("\n\n")[0]
    assert all(line.startswith("# ") for line in head.splitlines())
    assert "the first becomes t4, the next t5" in head
    assert parse_edits(render_plan(Plan(), 1), Plan()) == ()


def test_lines_say_what_is_added_changed_moved_and_dropped() -> None:
    plan = Plan(todos=(*PLAN.todos, Todo(id="t4", task="Sum up"), Todo(id="t5", task="Tell")))
    lines = (
        "# t1 done [research] Find A",
        "t5 [tool] Tell  (agent fact_verifier)",
        "",
        "  Weigh it  (after t5)",
        "# a word to myself",
        "t2 Find B2",
        "# t2.1 in progress",
        T3,
        '[tool] "# count"(agent "a;b";after t1,t2)\r',
    )
    assert parse_edits("\n".join(lines), plan) == (
        DropTodo(todo_id="t4"),
        ChangeTodo(todo_id="t2", task="Find B2", agent=""),
        ChangeTodo(todo_id="t5", does=TodoKind.TOOL, agent="fact_verifier"),
        MoveTodo(todo_id="t5", before="t2"),
        AddTodo(task="Weigh it", dependencies=("t5",), before="t2"),
        AddTodo(task="# count", does=TodoKind.TOOL, agent="a;b", dependencies=("t1", "t2")),
    )


def test_comments_may_be_taken_away() -> None:
    assert parse_edits(f"{T2}\n{T3}", PLAN) == ()
    assert parse_edits(f"\ufeff{T3}\n{T2}", PLAN) == (MoveTodo(todo_id="t3", before="t2"),)
    assert parse_edits(f"{T2}\n#{T3}", PLAN) == (DropTodo(todo_id="t3"),)


def test_what_is_pending_in_the_plan_is_not_fixed_by_a_comment() -> None:
    assert parse_edits(f"# t2 done [research] Find B\n{T3}", PLAN) == (DropTodo(todo_id="t2"),)


def test_a_bracket_may_follow_the_id_at_once_and_a_tab_may_stand_in_quotes() -> None:
    edits = parse_edits(f't2[research] "Find\tB" (agent researcher)\n{T3}', PLAN)
    assert edits == (ChangeTodo(todo_id="t2", task="Find\tB"),)


def test_an_empty_text_drops_all_that_is_pending() -> None:
    assert parse_edits("", PLAN) == (DropTodo(todo_id="t2"), DropTodo(todo_id="t3"))


def test_the_place_among_what_is_fixed_is_kept() -> None:
    first, second, third, last = body(PLAN)
    assert parse_edits(f"{second}\n{first}\n{third}\n{last}", PLAN) == (MoveTodo(todo_id="t2", before="t1"),)
    assert parse_edits(f"{first}\n{second}\nNew\n{third}\n{last}", PLAN) == (AddTodo(task="New", before="t2.1"),)
    assert fault(third, first, second, last) == (
        "line 2: t1 has its place before t2.1; only lines without # can be moved"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("t9 Find it", "there is no todo t9; a new todo has no id, and a task that begins like one stands in quotes"),
        ("t1 [research] Find A", "t1 is done and stays as it is; begin its line with #"),
        ("t2.1 Look", "t2.1 is in progress and stays as it is; begin its line with #"),
        (T3, "t3 stands on line 1 already; a new todo has no id"),
        ("t2 [research]", "it has no task; say what is to be done, or take the line away"),
        ('t2 " "', "it has no task; say what is to be done, or take the line away"),
        ("[research] (after t1)", "it has no task; say what is to be done, or take the line away"),
        (
            "[reserch] Find it",
            "'reserch' is no kind (research, tool, analysis); a task that begins with a bracket stands in quotes",
        ),
        (
            "Find it (after t1 t2)",
            f"'t1 t2' in 'after' is no id of a todo; write ids with commas between them, and {QUOTE_IT}",
        ),
        (
            "Find it (agent one two)",
            f"'agent one two' is neither 'after' with ids nor 'agent' with a name; {QUOTE_IT}",
        ),
        ("Find it (after t1; by me)", f"'by me' is neither 'after' with ids nor 'agent' with a name; {QUOTE_IT}"),
        ("Find it (after t1; after t2)", "it says after twice in '(after t1; after t2)'"),
        ("Find it (agent a; agent a)", "it says agent twice in '(agent a; agent a)'"),
        (
            '"A" and B',
            f"after the quoted task comes 'and B'; {WHOLE}",
        ),
        (
            '"A',
            'its quotes cannot be read as a JSON string (Unterminated string starting at); write \\" and \\\\ inside',
        ),
        (
            'A (agent "\\x")',
            'its quotes cannot be read as a JSON string (Invalid \\escape); write \\" and \\\\ inside',
        ),
        ('"\\ud800"', "it holds half of a character (U+D800 to U+DFFF); write the whole one"),
        ("x" * 2001, "its task has 2,001 characters; 2,000 are the most"),
    ],
)
def test_a_line_that_cannot_be_meant_is_named(line: str, said: str) -> None:
    assert fault(T3, "", line) == f"line 3: {said}"


def test_all_lines_that_cannot_be_read_are_named_at_once() -> None:
    assert [line.split(":")[0] for line in fault("t9 x", T2, T2, "[x] y").splitlines()] == [
        "line 1",
        "line 3",
        "line 4",
    ]


def test_a_task_that_was_too_long_before_may_stay() -> None:
    plan = Plan(todos=(Todo(id="t1", task="x" * 2001),))
    assert parse_edits(render_plan(plan, 2).replace("[research]", "[tool]"), plan) == (
        ChangeTodo(todo_id="t1", does=TodoKind.TOOL),
    )


@given(plans())
def test_a_text_that_nobody_touched_gives_no_edits(plan: Plan) -> None:
    written = render_plan(plan, 9)
    assert parse_edits(written, plan) == ()
    lines = written.splitlines()
    assert len(lines) == 7 + len(plan.todos)
    assert max(map(len, lines[:7])) <= 80
    bare = "\n".join(line for line in written.splitlines() if not line.startswith("#"))
    assert parse_edits(bare, plan) == ()


@given(plans(), SOUND, st.none() | st.sampled_from(AGENTS) | SOUND)
def test_every_task_and_agent_can_be_written_as_a_new_line(plan: Plan, task: str, agent: str | None) -> None:
    todo = Todo(id="t9", task=task, kind=TodoKind.TOOL, dependencies=("t1", "t2.1"), agent=agent)
    line = body(Plan(todos=(todo,)))[0].removeprefix("t9 ")
    new = AddTodo(task=task, does=TodoKind.TOOL, dependencies=("t1", "t2.1"), agent=agent)
    assert parse_edits(render_plan(plan, 9) + line, plan) == (new,)


@given(
    plans(),
    st.lists(
        st.sampled_from(["t1", " ", "\n", "[tool]", "(after", "t2", "; agent", ")", '"', "\\", "# t2 done ", "#", "x"])
    ),
    st.text(),
)
def test_any_text_gives_edits_or_an_error_that_names_the_line(plan: Plan, parts: list[str], rest: str) -> None:
    refused = None
    try:
        parse_edits("".join(parts) + rest, plan)
    except UsageError as error:
        refused = str(error)
    assert refused is None or "\nline " in refused


@st.composite
def changes(draw: st.DrawFn) -> tuple[Plan, Plan, int]:
    """A plan, the plan that a person makes of it by valid changes of pending todos, and the highest number used."""
    before = draw(plans())
    used = last_todo_number(before) + draw(st.integers(0, 3))
    needed = {other for todo in fixed(before) for other in todo.dependencies}
    kept = [todo for todo in before.todos if todo.id in needed or draw(st.booleans())]
    pending = [todo for todo in kept if todo.status is TodoStatus.PENDING]
    drafts = [*pending, *(Todo(id="t0", task="new") for _ in range(draw(st.integers(0, 2))))]
    words = draw(
        st.lists(
            SOUND.map(str.strip).filter(lambda task: folded(task) not in {folded(todo.task) for todo in before.todos}),
            min_size=len(drafts),
            max_size=len(drafts),
            unique_by=folded,
        )
    )
    places = draw(st.permutations([*fixed(before), *drafts]))
    standing = iter(fixed(before))
    order = [todo if todo.status is TodoStatus.PENDING else next(standing) for todo in places]
    fresh = iter(range(used + 1, used + 3))
    named = [todo.model_copy(update={"id": f"t{next(fresh)}"}) if todo.id == "t0" else todo for todo in order]
    ranked = draw(st.permutations([todo.id for todo in named if todo.status is TodoStatus.PENDING]))
    begun = [todo.id for todo in fixed(before) if todo.status not in LOST | {TodoStatus.PENDING}]
    lost = {todo.id for todo in fixed(before) if todo.status in LOST}
    task = iter(words)
    made = [
        _changed(draw, todo, next(task), [*begun, *ranked[: ranked.index(todo.id)]], lost, stays=todo in pending)
        if todo.status is TodoStatus.PENDING
        else todo
        for todo in named
    ]
    assume(not dependency_errors({todo.id: todo.dependencies for todo in made}))
    return before, Plan(todos=tuple(made)), used


def _changed(draw: st.DrawFn, todo: Todo, task: str, possible: list[str], lost: set[str], *, stays: bool) -> Todo:
    waits = draw(st.lists(st.sampled_from(possible), unique=True)) if possible else []
    return todo.model_copy(
        update={
            "task": todo.task if stays and draw(st.booleans()) else task,
            "kind": draw(st.sampled_from(TodoKind)),
            "agent": draw(st.none() | st.sampled_from(AGENTS)),
            "dependencies": (*(other for other in todo.dependencies if other in lost), *waits),
        }
    )


@given(changes())
def test_the_edits_lead_to_the_plan_that_the_text_says(change: tuple[Plan, Plan, int]) -> None:
    before, after, used = change
    lines = render_plan(after, used + 1).splitlines()
    for todo in after.todos:
        if before.todo(todo.id) is None:
            lines = [line.removeprefix(f"{todo.id} ") for line in lines]
    edits = parse_edits("\n".join(lines), before)
    made = apply_edits(before, edits, len(after.todos), AGENTS, used)
    assert made.refused == ()
    assert made.plan == after
