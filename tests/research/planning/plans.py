"""Plans in every state a run can leave them in, with tasks that are hard to write down."""

from hypothesis import strategies as st

from quaestor.research.contracts.plan import Plan, Todo, TodoKind, TodoStatus

LOST = frozenset({TodoStatus.FAILED, TodoStatus.BLOCKED})
AGENTS = ("researcher", "fact_verifier", 'odd; "name" (1)\n', "名")
ODD = (
    "Compare the costs", "Prices (after 1990)", "(after t1)", "see (agent x)", 'see (agent "', 'a (after t1; agent "o',
    "[sic] and so on", "[research]", "# no comment", "t3", "t3 [tool] x", "t9 cells", '"quoted"', '"half', 'end"',
    "two\nlines", " blanks ", "tab\tin it", "back\\slash", "查找长度", "אמת", "\u202ereversed", "\x1b[2J\x00",
    "a\u2028b", "a\x85b", "\ufeffmark", "half (open", "closed)", "(in euros)", "-",
    "x (after t1)", "\u0646\u06cc\u0645\u200c\u0641",
    "\u00a0hard blank", "emoji 👩\u200d🚀", "a -> b", "after t1", ")", "(", '"', "\\", "Größe", "# t1 done",
)  # fmt: skip
TASKS = st.sampled_from(ODD) | st.text(st.sampled_from('ab ()[]#"\\;,t1\n') | st.characters(codec="utf-8"), min_size=1)
SOUND = TASKS.filter(lambda task: bool(task.strip()))
"""Tasks with a word or a sign in them; a task of blanks alone cannot be written."""


def folded(task: str) -> str:
    return " ".join(task.casefold().split())


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """A plan without circles: what began waits for what is done, a pending or blocked todo for anything."""
    tasks = draw(st.lists(SOUND, max_size=6, unique_by=folded))
    todos: list[Todo] = []
    for number, task in enumerate(tasks, 1):
        status = draw(st.sampled_from(TodoStatus) | st.just(TodoStatus.PENDING))
        waiting = status in {TodoStatus.PENDING, TodoStatus.BLOCKED}
        possible = [todo.id for todo in todos if waiting or todo.status is TodoStatus.DONE]
        todos.append(
            Todo(
                id=f"t{number}" if draw(st.booleans()) else f"t{number}.1",
                task=task,
                kind=draw(st.sampled_from(TodoKind)),
                agent=draw(st.none() | st.sampled_from(AGENTS)),
                status=status,
                dependencies=tuple(draw(st.lists(st.sampled_from(possible), unique=True))) if possible else (),
            )
        )
    return Plan(todos=tuple(draw(st.permutations(todos))))


def fixed(plan: Plan) -> list[Todo]:
    return [todo for todo in plan.todos if todo.status is not TodoStatus.PENDING]
