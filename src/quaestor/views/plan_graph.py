"""A plan as a graph in SVG: what waits for what, from left to right, without any style of its own."""

from collections.abc import Mapping, Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.views.escaping import Fragment, element, join
from quaestor.views.text import count_noun, truncate
from quaestor.views.todo_board import BoardTodo

_WIDTH, _HEIGHT = 216, 76
"""Of a todo, in pixels."""
_GAP_X, _GAP_Y = 48, 16
_MARGIN = 2
_MAX_ROWS = 6
"""Todos below one another; more of one depth continue in the next column."""
_MAX_COLUMNS = 3
"""Of a plan in which nothing waits for anything."""
_LINE_CELLS = 30
"""Characters of a line of a task."""


class _Place(Immutable):
    x: int
    y: int


def draw_plan(todos: Sequence[BoardTodo]) -> Fragment:
    """Return the graph of a plan: a box for each todo, and a line from each to those that wait for it.

    A dashed line leads from a todo to its follow-ups. Boxes and lines have the status of their todo as a class.
    """
    places = _places(todos)
    width = max((place.x for place in places.values()), default=0) + _WIDTH + _MARGIN
    height = max((place.y for place in places.values()), default=0) + _HEIGHT + _MARGIN
    done = sum(todo.status == "done" for todo in todos)
    return element(
        "svg",
        *(_draw_edges(todo, places) for todo in todos),
        *(_draw_todo(todo, places[todo.id]) for todo in todos),
        class_="plan",
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
        role="img",
        aria_label=f"The plan: {count_noun(len(todos), 'todo')}, {done} done",
    )


def _places(todos: Sequence[BoardTodo]) -> Mapping[str, _Place]:
    """Place each todo to the right of all that it waits for."""
    depths: dict[str, int] = {}
    by_id = {todo.id: todo for todo in todos}
    for todo in todos:
        _find_depth(todo, by_id, depths)
    places: dict[str, _Place] = {}
    column, rows = 0, _MAX_ROWS if any(depths.values()) else max(1, -(-len(todos) // _MAX_COLUMNS))
    for depth in range(max(depths.values(), default=-1) + 1):
        layer = [todo.id for todo in todos if depths[todo.id] == depth]
        layer.sort(key=lambda own: _mean_height(_predecessors(by_id[own], places), places))  # few lines cross then
        for number, todo_id in enumerate(layer):
            x = _MARGIN + (column + number // rows) * (_WIDTH + _GAP_X)
            places[todo_id] = _Place(x, _MARGIN + number % rows * (_HEIGHT + _GAP_Y))
        column += -(-len(layer) // rows)
    return places


def _mean_height(todos: Sequence[str], places: Mapping[str, _Place]) -> float:
    return sum(places[todo].y for todo in todos) / len(todos) if todos else 0.0


def _find_depth(todo: BoardTodo, by_id: Mapping[str, BoardTodo], depths: dict[str, int]) -> int:
    if todo.id not in depths:
        depths[todo.id] = 0  # a circle, which no plan has, ends here
        before = (by_id[other] for other in _predecessors(todo, by_id))
        depths[todo.id] = max((_find_depth(other, by_id, depths) + 1 for other in before), default=0)
    return depths[todo.id]


def _predecessors(todo: BoardTodo, known: Mapping[str, object]) -> tuple[str, ...]:
    """Return what a todo is drawn behind: what it waits for, and the todo that it follows up."""
    return tuple(other for other in dict.fromkeys((*todo.dependencies, _parent(todo))) if other in known)


def _parent(todo: BoardTodo) -> str:
    return todo.id.rpartition(".")[0]


def _draw_edges(todo: BoardTodo, places: Mapping[str, _Place]) -> Fragment:
    end = places[todo.id]
    lines = []
    for other in _predecessors(todo, places):
        start = places[other]
        x, y, to_x, to_y = start.x + _WIDTH, start.y + _HEIGHT // 2, end.x, end.y + _HEIGHT // 2
        bend = x + (to_x - x) // 2
        kind = "edge" if other in todo.dependencies else "edge follow-up"
        lines.append(
            element("path", class_=f"{kind} {todo.status}", d=f"M{x} {y}C{bend} {y} {bend} {to_y} {to_x} {to_y}")
        )
    return join(*lines)


def _draw_todo(todo: BoardTodo, place: _Place) -> Fragment:
    note = f"{todo.found} found" if todo.found else "" if todo.kind == "research" else todo.kind
    first, second = _two_lines(todo.task)
    return element(
        "g",
        element("title", f"{todo.id}, {todo.status.replace('_', ' ')}: {todo.task}"),
        element("rect", width=str(_WIDTH), height=str(_HEIGHT), rx="8"),
        element("circle", cx="17", cy="18", r="5"),
        element("text", todo.id, class_="id", x="30", y="22"),
        element("text", note, class_="note", x=str(_WIDTH - 12), y="22", text_anchor="end"),
        element("text", first, x="12", y="44"),
        element("text", second, x="12", y="61"),
        class_=f"todo {todo.status}",
        transform=f"translate({place.x} {place.y})",
    )


def _two_lines(task: str) -> tuple[str, str]:
    """Return a task on two lines, broken between words where there are any."""
    words = " ".join(task.split())
    if len(words) <= _LINE_CELLS:
        return words, ""
    cut = words.rfind(" ", 1, _LINE_CELLS + 1)
    cut = cut if cut > 0 else _LINE_CELLS
    return truncate(words[:cut], _LINE_CELLS), truncate(words[cut:].strip(), _LINE_CELLS)
