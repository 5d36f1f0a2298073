"""A run as a live tree of todos, for a terminal: a small fold of its events, and how it is drawn."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal

from rich.console import Group
from rich.text import Text
from rich.tree import Tree

from quaestor.cli import estimate
from quaestor.cli.estimate import Pace
from quaestor.cli.narration import told
from quaestor.cli.phrase import counted
from quaestor.contracts.budget import Budget
from quaestor.contracts.event import (
    BudgetReached,
    BudgetWarned,
    CycleStarted,
    Error,
    Event,
    Forked,
    ModelResponded,
    PlanCreated,
    SessionStarted,
    StateEntered,
    TodoFailed,
    TodoRecorded,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.options import shared
from quaestor.contracts.plan import Plan, Todo, TodoStatus
from quaestor.contracts.tools import Proof
from quaestor.contracts.workflow import SESSION_SCOPE
from quaestor.kernel.fold import Run, fold
from quaestor.views.spend import amount
from quaestor.views.visible import one_line
from quaestor.workflows.parts import plan

_STYLES: Mapping[TodoStatus, str] = {
    TodoStatus.PENDING: "dim",
    TodoStatus.IN_PROGRESS: "cyan",
    TodoStatus.DONE: "green",
    TodoStatus.BLOCKED: "yellow",
    TodoStatus.FAILED: "red",
}
_IN_SIGHT = (
    TodoStatus.IN_PROGRESS,
    TodoStatus.FAILED,
    TodoStatus.BLOCKED,
    TodoStatus.PENDING,
    TodoStatus.DONE,
)
"""Which todos are shown first where there is no room for all."""

_NEWS = 8
"""The most findings that are shown, those that came last."""

_BAR = 20
"""Cells of the bar of a limit."""

_GUIDE = 4
"""Cells by which a todo is drawn further right than the one it belongs to."""

_WAITS = 2
"""The most todos that are named which another one waits for."""

_WORKING = "EXECUTING"
"""The state in which todos are worked on."""


@dataclass(frozen=True, slots=True)
class Board:
    """What a watcher sees; `doing`, `loops` and `findings` are by todo id, `news` are todos with what they found.

    `trouble` is what went wrong last, and after how many seconds of running.
    """

    run: Run = field(default_factory=Run)
    budget: Budget = field(default_factory=Budget)
    plan: Plan = field(default_factory=Plan)
    state: str = ""
    doing: Mapping[str, str] = field(default_factory=dict)
    loops: Mapping[str, int] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    news: tuple[tuple[str, str], ...] = ()
    searches: int = 0
    pace: Pace = field(default_factory=Pace)
    trouble: tuple[float, str] | None = None


def advance(board: Board, event: Event) -> Board:
    """Give the board after one more event."""
    run, plan_ = fold(board.run, event), plan.apply(board.plan, event)
    pace = estimate.advance(board.pace, event, plan_, run.elapsed)
    trouble = (run.elapsed, told(event)[0]) if _is_trouble(event) else board.trouble
    board = replace(board, run=run, plan=plan_, pace=pace, trouble=trouble)
    match event.payload:
        case CycleStarted():
            return replace(board, trouble=None)
        case SessionStarted(options=options) | Forked(options=options):
            return replace(board, budget=shared(options).budget)
        case StateEntered(scope=scope) if scope == SESSION_SCOPE:
            return replace(board, state=event.state)
        case StateEntered(scope=scope):
            loops = {**board.loops, scope: board.loops.get(scope, 0) + (event.state == "QUERYING")}
            return replace(board, doing={**board.doing, scope: event.state}, loops=loops)
        case ToolRequested(tool="search"):
            return replace(board, searches=board.searches + 1)
        case ToolResponded(tool="prove", todo_id=str(todo_id), result=result, error=None):
            found = Proof.model_validate(result).findings
            findings = {**board.findings, todo_id: board.findings.get(todo_id, 0) + len(found)}
            news = (*board.news, *((todo_id, finding.claim) for finding in found))[-_NEWS:]
            return replace(board, findings=findings, news=news)
        case TodoRecorded(entry=entry):
            return replace(board, findings={**board.findings, entry.todo_id: len(entry.findings)})
        case _:
            return board


def draw(board: Board, elapsed: timedelta, height: int) -> Group:
    """Draw the board within `height` lines; lines are cut at the width of the terminal.

    Head, the question that stands open, how long it may take, what went wrong last, limits, the tree of todos, and
    below it what was found last.
    """
    head = [_head(board, elapsed), *_asked(board), *_left(board, elapsed), *_troubled(board), *_spent(board, elapsed)]
    head = head[: max(height // 2, 1)]
    room = max(height - 2 - len(head), 1)
    told = min(len(board.news), max(room // 4, room - len(board.plan.todos)))
    news = [_line(f"+ {todo_id}  {one_line(claim)}", style="green") for todo_id, claim in board.news[-told or _NEWS :]]
    return Group(_tree(board, head, room - told), *(news if told else ()))


def _tree(board: Board, head: list[Text], room: int) -> Tree:
    tree = Tree(Text("\n", no_wrap=True, overflow="ellipsis").join(head), guide_style="dim", highlight=False)
    shown = _shown(board.plan, room)
    words = max((len(_word(board, todo)) for todo in shown), default=0)
    extras = max((len(_extras(board, todo)) for todo in shown), default=0)
    ids = {todo.id for todo in shown}
    indents = {todo.id: _GUIDE * len(_above(todo.id, ids)) for todo in shown}
    column = max((indents[todo.id] + len(todo.id) for todo in shown), default=0)
    branches: dict[str, Tree] = {}
    for todo in shown:
        row = Text(no_wrap=True, overflow="ellipsis").append(f"{todo.id:<{column - indents[todo.id]}}  ")
        parent = next((branches[other] for other in _above(todo.id, ids)), tree)
        branches[todo.id] = parent.add(row.append(_row(board, todo, words, extras)))
    hidden = Counter(todo.status for todo in board.plan.todos if todo.id not in ids)
    if hidden:
        kinds = ", ".join(f"{hidden[status]:,} {status.replace('_', ' ')}" for status in _IN_SIGHT if hidden[status])
        tree.add(_line(f"... and {hidden.total():,} more: {kinds}", style="dim"))
    return tree


def _above(todo_id: str, shown: Collection[str]) -> Sequence[str]:
    """Give the todos below which one is drawn, the nearest first; where its parent is out of sight, none."""
    parent = todo_id.rpartition(".")[0]
    return (parent, *_above(parent, shown)) if parent in shown else ()


def _shown(plan_: Plan, room: int) -> list[Todo]:
    """Choose the todos there is room for, those that matter most now, in plan order."""
    ranked = sorted(plan_.todos, key=lambda todo: _IN_SIGHT.index(todo.status))[:room]
    chosen = {todo.id for todo in ranked}
    return [todo for todo in plan_.todos if todo.id in chosen]


def _head(board: Board, elapsed: timedelta) -> Text:
    paused = board.run.status == "paused"
    state = "paused" if paused else board.state.lower().replace("_", " ") or "starting"
    todos = board.plan.todos
    done = sum(todo.status is TodoStatus.DONE for todo in todos)
    searched = counted(board.searches, "search", "searches")
    found = counted(sum(board.findings.values()), "finding")
    head = _line(f"{_clock(elapsed)}  {state}  {done}/{len(todos)} todos")
    if failed := sum(todo.status is TodoStatus.FAILED for todo in todos):
        head.append(f"  {failed} failed", style="red")
    return head.append(f"  {searched}  {found}")


def _left(board: Board, elapsed: timedelta) -> Iterator[Text]:
    """Say how long the todos may still take, as long as they are worked on."""
    if board.run.status != "running" or board.run.waiting or board.state != _WORKING:
        return
    limit = (board.run.budget or board.budget).seconds
    pending = sum(todo.status is TodoStatus.PENDING for todo in board.plan.todos)
    if said := estimate.told(board.pace, pending, elapsed.total_seconds(), limit):
        yield _line(said, style="dim")


def _troubled(board: Board) -> Iterator[Text]:
    if board.trouble:
        seconds, what = board.trouble
        yield _line(f"! {_clock(timedelta(seconds=seconds))}  {what}", style="yellow")


def _is_trouble(event: Event) -> bool:
    match event.payload:
        case TodoFailed() | Error() | BudgetWarned() | BudgetReached():
            return True
        case ModelResponded(error=str()) | PlanCreated(fallback=str()):
            return True
        case _:
            return False


def _clock(elapsed: timedelta) -> str:
    minutes, seconds = divmod(int(elapsed.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _spent(board: Board, elapsed: timedelta) -> Iterator[Text]:
    """Say what was spent: a bar for each limit, and on one line the tokens and dollars that have none."""
    spent, budget = board.run.spent, board.run.budget or board.budget
    free: list[str] = []
    for name, used, allowed in (
        ("tokens", spent.tokens, budget.tokens),
        ("dollars", spent.dollars, budget.dollars),
        ("model calls", spent.model_calls, budget.model_calls),
        ("tool calls", spent.tool_calls, budget.tool_calls),
    ):
        if allowed is not None:
            limit = Decimal(str(allowed))
            yield _bar(Decimal(used), limit).append(f"  {amount(used)} of {amount(limit)} {name}")
        elif used and name in {"tokens", "dollars"}:
            free.append(f"{amount(used)} {name}")
    if budget.seconds is not None:
        bar = _bar(Decimal(int(elapsed.total_seconds())), Decimal(str(budget.seconds)))
        yield bar.append(f"  {_clock(elapsed)} of {_clock(timedelta(seconds=budget.seconds))}")
    if free:
        yield _line(", ".join(free))


def _bar(used: Decimal, allowed: Decimal) -> Text:
    share = min(used / allowed, Decimal(1)) if allowed else Decimal(1)
    full = int(share * _BAR)
    style = "green" if share < Decimal("0.8") else "yellow" if share < 1 else "red"
    return _line("█" * full, style=style).append("░" * (_BAR - full), style="dim")


def _asked(board: Board) -> Iterator[Text]:
    if board.run.waiting:
        yield _line(f"asks: {one_line(' '.join(board.run.waiting.questions))}", style="yellow")


def _row(board: Board, todo: Todo, words: int, extras: int) -> Text:
    """Say what a todo does in `words` cells, more of that in `extras` cells, and its task."""
    row = Text().append(f"{_word(board, todo):<{words}}", style=_STYLES[todo.status])
    row.append(f"  {_extras(board, todo):<{extras}}" if extras else "", style="dim")
    return row.append(f"  {one_line(todo.task)}")


def _extras(board: Board, todo: Todo) -> str:
    """Say in which loop a todo is or what it waits for, and what it found."""
    loop, found = board.loops.get(todo.id, 0), board.findings.get(todo.id, 0)
    again = f"loop {loop}" if loop > 1 and todo.status is TodoStatus.IN_PROGRESS else ""
    return "  ".join(filter(None, (again, _after(board, todo), f"{found} found" if found else "")))


def _after(board: Board, todo: Todo) -> str:
    waits = [other for other in todo.dependencies if not _is_done(board.plan, other)]
    if not waits or todo.status is not TodoStatus.PENDING:
        return ""
    more = len(waits) - _WAITS
    return f"after {', '.join((*waits[:_WAITS], *([f'{more} more'] if more > 0 else [])))}"


def _is_done(plan_: Plan, todo_id: str) -> bool:
    todo = plan_.todo(todo_id)
    return todo is not None and todo.status is TodoStatus.DONE


def _word(board: Board, todo: Todo) -> str:
    doing = board.doing.get(todo.id, "starting") if todo.status is TodoStatus.IN_PROGRESS else todo.status.value
    return doing.lower().replace("_", " ")


def _line(text: str, style: str = "") -> Text:
    return Text(no_wrap=True, overflow="ellipsis").append(text, style=style or None)
