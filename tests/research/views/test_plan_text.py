from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.views.plan_text import plan_lines, plan_summary

PLAN = Plan(
    todos=(
        Todo(id="t1", task="Find the builder", status=TodoStatus.DONE),
        Todo(id="t1.1", task="Find\nhis \x1b[2Joffice", depth=1, status=TodoStatus.IN_PROGRESS),
        Todo(id="t2", task="查找长度", status=TodoStatus.FAILED),
        Todo(id="t2.1", task="查找长度", retries="t2", retry_count=1),
        Todo(id="t3", task="Compare", dependencies=("t1", "t2.1"), status=TodoStatus.BLOCKED),
    )
)


def test_a_plan_is_a_tree_of_lines() -> None:
    assert plan_lines(PLAN, {"t1.1": "SEARCHING"}) == (
        "t1      done         Find the builder",
        "  t1.1  in progress  Find his \ufffd[2Joffice (SEARCHING)",
        "t2      failed       查找长度",
        "  t2.1  pending      查找长度 (does t2 again)",
        "t3      blocked      Compare (after t1, t2.1)",
    )


def test_a_plan_without_todos_has_no_lines() -> None:
    assert plan_lines(Plan(), {}) == ()


def test_the_digest_counts() -> None:
    assert plan_summary(PLAN) == "5 todos: 1 pending, 1 in progress, 1 done, 1 blocked, 1 failed"
    assert plan_summary(Plan(todos=PLAN.todos[:1])) == "1 todo: 1 done"
    assert plan_summary(Plan()) == "0 todos"
