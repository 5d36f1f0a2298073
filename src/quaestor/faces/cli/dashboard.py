"""A run as a live tree, drawn for a terminal of any size."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from rich.console import Group
from rich.text import Text
from rich.tree import Tree

from quaestor.app.text import format_amount, one_line
from quaestor.contracts.cost import LimitUsage
from quaestor.contracts.progress import ItemStatus, ProgressItem, SessionProgress

_STYLES: Mapping[ItemStatus, str] = {
    "pending": "dim",
    "in_progress": "cyan",
    "done": "green",
    "blocked": "yellow",
    "failed": "red",
}
_DISPLAY_ORDER: tuple[ItemStatus, ...] = ("in_progress", "failed", "blocked", "pending", "done")
"""Which rows are shown first where there is no room for all."""

_BAR_WIDTH = 20
"""Cells of the bar of a limit."""

_INDENT_WIDTH = 4
"""Cells by which a row is drawn further right than the one it belongs to."""

_WARNING_SHARE = Decimal("0.8")
"""The used share of a limit from which its bar is yellow."""


def render(progress: SessionProgress, height: int) -> Group:
    """Draw a session within `height` lines; lines are cut at the width of the terminal.

    The head has the question a person is asked, the forecast, the last problem and the limits; below it are the tree
    of items and what was found last.
    """
    head = list(_head(progress))[: max(height // 2, 1)]
    room = max(height - 2 - len(head), 1)
    items, news = progress.workflow.items, progress.workflow.news
    shown = min(len(news), max(room // 4, room - len(items)))
    lines = [_line(f"+ {found.item}  {one_line(found.text)}", style="green") for found in news[len(news) - shown :]]
    return Group(_tree(items, head, room - shown), *lines)


def _head(progress: SessionProgress) -> Iterator[Text]:
    first = _line(f"{_format_clock(progress.seconds)}  {progress.state}")
    for figure in progress.workflow.figures:
        first.append(f"  {figure.text}", style="red" if figure.alert else None)
    yield first
    if progress.question:
        yield _line(f"asks: {one_line(progress.question)}", style="yellow")
    if progress.workflow.forecast:
        yield _line(progress.workflow.forecast, style="dim")
    if progress.problem:
        seconds, text = progress.problem
        yield _line(f"! {_format_clock(seconds)}  {one_line(text)}", style="yellow")
    yield from _spend_lines(progress)


def _tree(items: Sequence[ProgressItem], head: list[Text], room: int) -> Tree:
    tree = Tree(Text("\n", no_wrap=True, overflow="ellipsis").join(head), guide_style="dim", highlight=False)
    shown = _visible_items(items, room)
    activity_width = max((len(item.activity) for item in shown), default=0)
    note_width = max((len(item.note) for item in shown), default=0)
    by_id = {item.id: item for item in shown}
    indents = {item.id: _INDENT_WIDTH * _depth(item, by_id) for item in shown}
    column = max((indents[item.id] + len(item.id) for item in shown), default=0)
    branches: dict[str, Tree] = {}
    for item in shown:
        row = Text(no_wrap=True, overflow="ellipsis").append(f"{item.id:<{column - indents[item.id]}}  ")
        row.append(f"{item.activity:<{activity_width}}", style=_STYLES[item.status])
        row.append(f"  {item.note:<{note_width}}" if note_width else "", style="dim").append(f"  {one_line(item.text)}")
        branches[item.id] = branches.get(item.parent or "", tree).add(row)
    hidden = Counter(item.status for item in items if item.id not in by_id)
    if hidden:
        kinds = (f"{hidden[status]:,} {status.replace('_', ' ')}" for status in _DISPLAY_ORDER if hidden[status])
        tree.add(_line(f"... and {hidden.total():,} more: {', '.join(kinds)}", style="dim"))
    return tree


def _visible_items(items: Sequence[ProgressItem], room: int) -> list[ProgressItem]:
    """Choose the items there is room for, those that matter most now, in their own order."""
    ranked = sorted(items, key=lambda item: _DISPLAY_ORDER.index(item.status))[:room]
    chosen = {item.id for item in ranked}
    return [item for item in items if item.id in chosen]


def _depth(item: ProgressItem, shown: Mapping[str, ProgressItem]) -> int:
    """Count the rows that one is drawn below; where its parent is not shown, none."""
    parent = shown.get(item.parent or "")
    return 1 + _depth(parent, shown) if parent else 0


def _spend_lines(progress: SessionProgress) -> Iterator[Text]:
    """Yield a bar for each limit, and on one line the tokens and dollars that have none."""
    for limit in progress.limits:
        yield _progress_bar(limit).append(f"  {_describe_limit(limit)}")
    limited = {limit.name for limit in progress.limits}
    unlimited = (("tokens", progress.spent.tokens), ("dollars", progress.spent.dollars))
    if parts := [f"{format_amount(used)} {name}" for name, used in unlimited if used and name not in limited]:
        yield _line(", ".join(parts))


def _describe_limit(limit: LimitUsage) -> str:
    if limit.name == "seconds":
        return f"{_format_clock(float(limit.used))} of {_format_clock(float(limit.allowed))}"
    return f"{format_amount(limit.used)} of {format_amount(limit.allowed)} {limit.name.replace('_', ' ')}"


def _progress_bar(limit: LimitUsage) -> Text:
    share = min(limit.used / limit.allowed, Decimal(1)) if limit.allowed else Decimal(1)
    full = int(share * _BAR_WIDTH)
    style = "green" if share < _WARNING_SHARE else "yellow" if share < 1 else "red"
    return _line("█" * full, style=style).append("░" * (_BAR_WIDTH - full), style="dim")


def _format_clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _line(text: str, style: str = "") -> Text:
    return Text(no_wrap=True, overflow="ellipsis").append(text, style=style or None)
