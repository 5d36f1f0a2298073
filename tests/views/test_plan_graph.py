"""A plan as a graph: where its todos are drawn, with what class, and that text stays text."""

import re
from xml.etree import ElementTree as ET

from quaestor.views.escaping import Fragment
from quaestor.views.plan_graph import draw_plan
from quaestor.views.todo_board import BoardTodo


def todo(todo_id: str, *after: str, task: str = "Look.", **more: object) -> BoardTodo:
    return BoardTodo(id=todo_id, task=task, kind="research", agent=None, dependencies=after, **more)  # type: ignore[arg-type]


def drawn(fragment: Fragment | None) -> ET.Element:
    assert fragment is not None
    return ET.fromstring(fragment.markup)  # noqa: S314 -- made by the function under test


def places(graph: ET.Element) -> dict[str, tuple[int, int]]:
    found = {}
    for group in graph.iter("g"):
        [x, y] = map(int, re.findall(r"\d+", group.attrib["transform"]))
        found[next(group.iter("text")).text or ""] = (x, y)
    return found


def test_a_todo_is_drawn_right_of_all_that_it_waits_for() -> None:
    at = places(drawn(draw_plan([todo("t1"), todo("t2"), todo("t3", "t1", "t2"), todo("t4", "t3"), todo("t1.1")])))
    assert at["t1"][0] == at["t2"][0] < at["t3"][0] < at["t4"][0]
    assert at["t1"][0] < at["t1.1"][0]  # a follow-up stands behind what it follows
    assert len(set(at.values())) == 5


def test_todos_stand_beside_what_they_wait_for() -> None:
    at = places(drawn(draw_plan([todo("t1"), todo("t2"), todo("t3", "t2"), todo("t4", "t1")])))
    assert (at["t3"][1], at["t4"][1]) == (at["t2"][1], at["t1"][1])


def test_a_line_leads_from_a_todo_to_each_that_waits_for_it_and_a_dashed_one_to_follow_ups() -> None:
    graph = drawn(draw_plan([todo("t1"), todo("t2", "t1", "t9"), todo("t1.1")]))
    assert [path.attrib["class"] for path in graph.iter("path")] == ["edge pending", "edge follow-up pending"]


def test_independent_todos_stand_in_three_columns() -> None:
    at = places(drawn(draw_plan([todo(f"t{number}") for number in range(1, 8)])))
    assert len({x for x, _ in at.values()}) == 3


def test_the_status_is_a_class_and_a_text_and_nothing_is_styled_in_line() -> None:
    graph = draw_plan([todo("t1", status="failed", task='<script>"x" & \u202ey', found=2)])
    group = next(drawn(graph).iter("g"))
    assert group.attrib["class"] == "todo failed"
    assert [each.text for each in group.iter("title")] == ['t1, failed: <script>"x" & \ufffdy']
    assert "2 found" in [each.text for each in group.iter("text")]
    assert not re.search(r"style|<script", graph.markup)


def test_a_long_task_is_drawn_on_two_lines_and_its_title_has_all_of_it() -> None:
    task = "Compare the cost of every lighthouse on the coast with the tolls of its harbour " * 3
    group = next(drawn(draw_plan([todo("t1", task=task)])).iter("g"))
    lines = [each.text or "" for each in group.iter("text")][2:]
    assert (len(lines), lines[0], lines[1][-1]) == (2, "Compare the cost of every", "…")
    assert task in (next(group.iter("title")).text or "")
