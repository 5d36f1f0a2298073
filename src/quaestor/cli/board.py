"""A run as a live tree of todos, for a terminal: a small fold of its events, and how it is drawn."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal

from rich.console import Group
from rich.text import Text
from rich.tree import Tree

from quaestor.cli.phrase import counted
from quaestor.contracts.budget import Budget
from quaestor.contracts.event import (
    Event,
    Forked,
    SessionStarted,
    StateEntered,
    TodoRecorded,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import Plan, Todo, TodoStatus
from quaestor.contracts.tools import Proof
from quaestor.contracts.workflow import SESSION_SCOPE
from quaestor.kernel.fold import Run, fold
from quaestor.views.spend import amount
from quaestor.views.visible import one_line
from quaestor.workflows.parts import plan, talk
from quaestor.workflows.parts.talk import Talk

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


@dataclass(frozen=True, slots=True)
class Board:
    """What a watcher sees; `doing`, `loops` and `findings` are by todo id, `news` are todos with what they found."""

    run: Run = field(default_factory=Run)
    budget: Budget = field(default_factory=Budget)
    plan: Plan = field(default_factory=Plan)
    talk: Talk = field(default_factory=Talk)
    state: str = ""
    doing: Mapping[str, str] = field(default_factory=dict)
    loops: Mapping[str, int] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    news: tuple[tuple[str, str], ...] = ()
    searches: int = 0


def advance(board: Board, event: Event) -> Board:
    """Give the board after one more event."""
    board = replace(
        board, run=fold(board.run, event), plan=plan.apply(board.plan, event), talk=talk.apply(board.talk, event)
    )
    match event.payload:
        case SessionStarted(options=options) | Forked(options=options):
            return replace(board, budget=ResearchOptions.model_validate(options).budget)
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

    Head, the question that stands open, limits, the tree of todos, and below it what was found last.
    """
    head = [_head(board, elapsed), *_asked(board), *_spent(board, elapsed)][: max(height // 2, 1)]
    room = max(height - 2 - len(head), 1)
    told = min(len(board.news), max(room // 4, room - len(board.plan.todos)))
    news = [_line(f"+ {todo_id}  {one_line(claim)}", style="green") for todo_id, claim in board.news[-told or _NEWS :]]
    return Group(_tree(board, head, room - told), *(news if told else ()))


def _tree(board: Board, head: list[Text], room: int) -> Tree:
    tree = Tree(Text("\n", no_wrap=True, overflow="ellipsis").join(head), guide_style="dim", highlight=False)
    shown = _shown(board.plan, room)
    wide = max((len(_extras(board, todo)) for todo in shown), default=0)
    branches: dict[str, Tree] = {}
    for todo in shown:
        parent = branches.get(todo.id.rpartition(".")[0], tree)
        branches[todo.id] = parent.add(_row(board, todo, wide))
    hidden = Counter(todo.status for todo in board.plan.todos if todo.id not in branches)
    if hidden:
        kinds = ", ".join(f"{hidden[status]:,} {status.replace('_', ' ')}" for status in _IN_SIGHT if hidden[status])
        tree.add(_line(f"... and {hidden.total():,} more: {kinds}", style="dim"))
    return tree


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
    return _line(f"{_clock(elapsed)}  {state}  {done}/{len(todos)} todos  {searched}  {found}")


def _clock(elapsed: timedelta) -> str:
    minutes, seconds = divmod(int(elapsed.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _spent(board: Board, elapsed: timedelta) -> Iterator[Text]:
    """Say what was spent: a bar for each limit, and on one line the tokens and dollars that have none."""
    spent, budget = board.run.spent, board.run.budget or board.budget
    seconds = int(elapsed.total_seconds())
    free: list[str] = []
    for name, used, allowed in (
        ("tokens", spent.tokens, budget.tokens),
        ("dollars", spent.dollars, budget.dollars),
        ("model calls", spent.model_calls, budget.model_calls),
        ("tool calls", spent.tool_calls, budget.tool_calls),
        ("seconds", seconds, budget.seconds),
    ):
        if allowed is not None:
            limit = Decimal(str(allowed))
            yield _bar(Decimal(used), limit).append(f"  {amount(used)} of {amount(limit)} {name}")
        elif used and name in {"tokens", "dollars"}:
            free.append(f"{amount(used)} {name}")
    if free:
        yield _line(", ".join(free))


def _bar(used: Decimal, allowed: Decimal) -> Text:
    share = min(used / allowed, Decimal(1)) if allowed else Decimal(1)
    full = int(share * _BAR)
    style = "green" if share < Decimal("0.8") else "yellow" if share < 1 else "red"
    return _line("█" * full, style=style).append("░" * (_BAR - full), style="dim")


def _asked(board: Board) -> Iterator[Text]:
    if board.talk.waiting:
        yield _line(f"asks: {one_line(' '.join(board.talk.waiting.questions))}", style="yellow")


def _row(board: Board, todo: Todo, wide: int) -> Text:
    """Give the line of a todo: its id, what it does, its loop and findings in `wide` cells, its task."""
    dots = todo.id.count(".")
    widest = max(len(other.id) for other in board.plan.todos if other.id.count(".") == dots)
    row = Text(no_wrap=True, overflow="ellipsis").append(f"{todo.id:<{widest}}  ")
    row.append(f"{_word(board, todo):<10}", style=_STYLES[todo.status])
    row.append(f"  {_extras(board, todo):<{wide}}" if wide else "", style="dim")
    row.append(f"  {one_line(todo.task)}")
    waits = [other for other in todo.dependencies if not _is_done(board.plan, other)]
    if waits and todo.status is TodoStatus.PENDING:
        row.append(f"  after {', '.join(waits)}", style="dim")
    return row


def _extras(board: Board, todo: Todo) -> str:
    loop, found = board.loops.get(todo.id, 0), board.findings.get(todo.id, 0)
    again = f"loop {loop}" if loop > 1 and todo.status is TodoStatus.IN_PROGRESS else ""
    return "  ".join(filter(None, (again, f"{found} found" if found else "")))


def _is_done(plan_: Plan, todo_id: str) -> bool:
    todo = plan_.todo(todo_id)
    return todo is not None and todo.status is TodoStatus.DONE


def _word(board: Board, todo: Todo) -> str:
    doing = board.doing.get(todo.id, "starting") if todo.status is TodoStatus.IN_PROGRESS else todo.status.value
    return doing.lower().replace("_", " ")


def _line(text: str, style: str = "") -> Text:
    return Text(no_wrap=True, overflow="ellipsis").append(text, style=style or None)
