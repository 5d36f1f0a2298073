"""When the todos of a session ran, as a Gantt chart in SVG, without any style of its own."""

from collections.abc import Iterator, Sequence

from quaestor.views.escaping import Fragment, element
from quaestor.views.todo_board import BoardTodo

_LABELS, _MARGIN = 16.0, 5.0
"""Per cent of the width left of the bars, for the ids, and right of them: a narrow window shows all of it."""
_ROW, _BAR, _HEAD = 26, 14, 24
_MIN_BAR = 0.6
"""Per cent."""
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400)
"""Seconds between two lines of the scale."""
_MAX_LINES = 7
_MINUTE, _HOUR = 60, 3600


def draw_timeline(todos: Sequence[BoardTodo], now: float) -> Fragment | None:
    """Return a row with a bar for each todo that began, over the seconds of running up to now; None for none."""
    begun = [todo for todo in todos if todo.started is not None]
    if not begun:
        return None
    start = min(todo.started or 0.0 for todo in begun)
    length = max(now - start, 1.0)
    height = _HEAD + len(begun) * _ROW
    return element(
        "svg",
        *_scale(length, height),
        *(_draw_row(todo, number, start, now, length) for number, todo in enumerate(begun)),
        class_="timeline",
        width="100%",
        height=str(height),
        role="img",
        aria_label=f"When {len(begun)} todos ran, over {_format_span(length)} of running",
    )


def _scale(length: float, height: int) -> Iterator[Fragment]:
    step = next((step for step in _STEPS if length / step <= _MAX_LINES), length / _MAX_LINES)
    for number in range(int(length / step) + 1):
        x = f"{_x(number * step, length):.2f}%"
        yield element("line", class_="scale", x1=x, x2=x, y1=str(_HEAD - 4), y2=str(height))
        yield element("text", _format_span(number * step), class_="scale", x=x, y="13", text_anchor="middle")


def _draw_row(todo: BoardTodo, number: int, start: float, now: float, length: float) -> Fragment:
    began = todo.started or 0.0
    ended = now if todo.ended is None else todo.ended
    x = _x(began - start, length)
    y = _HEAD + number * _ROW
    width = max(_x(ended - start, length) - x, _MIN_BAR)
    return element(
        "g",
        element("title", f"{todo.id}, {todo.status.replace('_', ' ')}, {_format_span(ended - began)}: {todo.task}"),
        element("text", todo.id, class_="id", x="0", y=str(y + 17)),
        element("rect", x=f"{x:.2f}%", y=str(y + 6), width=f"{width:.2f}%", height=str(_BAR), rx="4"),
        class_=f"bar {todo.status}",
    )


def _x(seconds: float, length: float) -> float:
    """Return a place in per cent of the width."""
    return _LABELS + seconds / length * (100 - _LABELS - _MARGIN)


def _format_span(seconds: float) -> str:
    """Format seconds by one unit, as a scale has it: 40 s, 5 min, 2.5 h."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    unit, name = (_MINUTE, "min") if seconds < _HOUR else (_HOUR, "h")
    return f"{seconds / unit:.1f}".removesuffix(".0") + f" {name}"
