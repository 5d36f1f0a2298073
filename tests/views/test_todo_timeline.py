"""The todos of a run over time: a bar for each that began, from its start to its end."""

from xml.etree import ElementTree as ET

from quaestor.views.todo_board import BoardTodo
from quaestor.views.todo_timeline import draw_timeline


def todo(todo_id: str, **more: object) -> BoardTodo:
    return BoardTodo(id=todo_id, task="Look.", kind="research", agent=None, dependencies=(), **more)  # type: ignore[arg-type]


def test_a_bar_is_as_long_as_its_todo_ran_and_an_open_one_reaches_now() -> None:
    todos = [
        todo("t1", started=10.0, ended=20.0, status="done"),
        todo("t2", started=10.0, status="in_progress"),
        todo("t3"),
    ]
    drawn = draw_timeline(todos, 50.0)
    assert drawn is not None
    # made by the function under test
    bars = [next(group.iter("rect")) for group in ET.fromstring(drawn.markup).iter("g")]  # noqa: S314
    widths = [float(bar.attrib["width"].removesuffix("%")) for bar in bars]
    assert len(widths) == 2
    assert round(widths[1] / widths[0]) == 4
    assert draw_timeline([todo("t1")], 9.0) is None
