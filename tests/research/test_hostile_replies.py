"""Replies that a model under somebody else's control could give: each ends in an honest end, within the limits."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.sittings import LIGHTHOUSE, ONE_SOURCE_EACH, PLANNED, sit
from quaestor.contracts.command import AddBudget, Answer, OpenCycle
from quaestor.research.contracts.commands import EditPlan, RetryTodo
from quaestor.research.contracts.plan import AddTodo, ChangeTodo, DropTodo, MoveTodo
from quaestor.research.contracts.report import Report
from quaestor.research.views.document import render_html

Reply = Mapping[str, JsonValue]
CLAIM = "The Aldmouth lighthouse was built in 1831 by the engineer Henrike Vos."


def todos(*tasks: Mapping[str, JsonValue]) -> Reply:
    return {"todos": [dict(task) for task in tasks]}


def finding(claim: str, quote: str = CLAIM, source: str = "p1") -> Reply:
    return {"findings": [{"claim": claim, "quotes": [{"source": source, "text": quote}]}]}


ATTACKS: Mapping[str, tuple[str, Reply]] = {
    "ten thousand todos": ("planner", todos(*(dict[str, JsonValue](task=f"Find {n}") for n in range(10_000)))),
    "a todo that waits for itself": ("planner", todos({"task": LIGHTHOUSE, "dependencies": ["t1"]})),
    "a circle of todos": (
        "planner",
        todos({"task": "a", "dependencies": ["t2"]}, {"task": "b", "dependencies": ["t1"]}),
    ),
    "a todo after one of nobody": ("planner", todos({"task": LIGHTHOUSE, "dependencies": ["../../t9"]})),
    "a todo of a kind that runs programs": ("planner", todos({"task": "rm -rf ~", "kind": "tool"})),
    "an agent of nobody": ("planner", todos({"task": LIGHTHOUSE, "agent": "../root"})),
    "a task of controls": ("planner", todos({"task": "\x1b[2J\u202e\x00Find it"})),
    "no todo": ("planner", todos()),
    "a query of a hundred thousand signs": ("query_writer", {"queries": ["fog " * 25_000]}),
    "search operators": ("query_writer", {"queries": ['NEAR("a" "b", 5) OR -x * ^y :', '"', "AND"]}),
    "a quote that is nowhere": ("reader", finding("It was built by a dragon.", "It was built by a dragon.")),
    "a source that is nowhere": ("reader", finding(CLAIM, CLAIM, "p999")),
    "a source outside": ("reader", finding(CLAIM, CLAIM, "../../etc/passwd")),
    "an empty quote": ("reader", finding(CLAIM, "")),
    "a claim with a script": ("reader", finding("<script>alert(1)</script> [x](javascript:alert(1)) built in 1831.")),
    "a claim of a million signs": ("reader", finding("x" * 1_000_000)),
    "a thousand follow-ups": (
        "reviewer",
        {"is_sufficient": False, "follow_up_queries": [f"q{n}" for n in range(1_000)], "new_todos": ["More"] * 1_000},
    ),
    "a review that is never content": (
        "reviewer",
        {"is_sufficient": False, "knowledge_gap": "all", "status": "failed"},
    ),
    "a section that cites nobody": (
        "writer",
        {"heading": "H", "sentences": [{"text": "It is so.", "findings": ["t9/9"]}]},
    ),
}


@pytest.mark.parametrize(("role", "reply"), ATTACKS.values(), ids=ATTACKS)
async def test_a_hostile_reply_leads_to_an_honest_end(tmp_path: Path, role: str, reply: Reply) -> None:
    script: dict[str, Sequence[Mapping[str, object]]] = {"planner": PLANNED, "reader": ONE_SOURCE_EACH}
    sitting = await sit(tmp_path, {**script, role: [{"reply": reply, "times": 40}]}, questions=False, max_todos=8)
    result = await sitting.run()
    assert result.outcome in {"done", "partial", "no_result"}
    assert len((await sitting.state()).plan.todos) <= 8
    if isinstance(result.report, Report):
        assert all(claim.citations for claim in result.report.claims())
        assert "dragon" not in str(result.report.claims())
        assert "<script" not in render_html(result.report)


COMMANDS = {
    "an answer of controls": Answer(text="\x1b[2J\u202e" + "x" * 19_000),
    "a plan of one todo that waits for itself": EditPlan(edits=(ChangeTodo(todo_id="t1", dependencies=("t1",)),)),
    "a circle": EditPlan(
        edits=(ChangeTodo(todo_id="t1", dependencies=("t2",)), ChangeTodo(todo_id="t2", dependencies=("t1",)))
    ),
    "all todos dropped": EditPlan(edits=tuple(DropTodo(todo_id=f"t{n}", force=True) for n in (1, 2, 3))),
    "a move before nobody": EditPlan(edits=(MoveTodo(todo_id="t1", before="../t9"),)),
    "a program": EditPlan(edits=(AddTodo(task="rm -rf ~", does="tool"),)),
    "a thousand todos": EditPlan(edits=tuple(AddTodo(task=f"Find {n}") for n in range(1_000))),
    "a retry of nobody": RetryTodo(todo_id="../../t1"),
    "a cycle of no kind": OpenCycle(why="\x1b[2J"),
    "a budget of nothing": AddBudget(),
    "a budget without end": AddBudget(tokens=10**40),
}


@pytest.mark.parametrize("order", COMMANDS.values(), ids=COMMANDS)
async def test_a_hostile_command_is_refused_or_harmless(
    tmp_path: Path, order: Answer | EditPlan | RetryTodo | OpenCycle | AddBudget
) -> None:
    sitting = await sit(tmp_path, {"planner": PLANNED}, LIGHTHOUSE, review_plan=True)
    await sitting.run()
    assert await sitting.tell(order) is not None
    assert await sitting.tell(Answer(text="/confirm_plan")) is None
    assert (await sitting.run()).outcome == "done"
