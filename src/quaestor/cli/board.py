"""A run as a live tree of todos, for a terminal: a small fold of its events, and how it is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from rich.text import Text
from rich.tree import Tree

from quaestor.cli.phrase import counted
from quaestor.contracts.budget import Budget
from quaestor.contracts.event import Event, SessionStarted, StateEntered, TodoRecorded, ToolRequested, ToolResponded
from quaestor.contracts.options import ResearchOptions
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


@dataclass(frozen=True, slots=True)
class Board:
    """What a watcher sees; `doing`, `loops` and `findings` are by todo id."""

    run: Run = field(default_factory=Run)
    budget: Budget = field(default_factory=Budget)
    plan: Plan = field(default_factory=Plan)
    state: str = ""
    doing: Mapping[str, str] = field(default_factory=dict)
    loops: Mapping[str, int] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    searches: int = 0


def advance(board: Board, event: Event) -> Board:
    """Give the board after one more event."""
    board = replace(board, run=fold(board.run, event), plan=plan.apply(board.plan, event))
    match event.payload:
        case SessionStarted(options=options):
            return replace(board, budget=ResearchOptions.model_validate(options).budget)
        case StateEntered(scope=scope) if scope == SESSION_SCOPE:
            return replace(board, state=event.state)
        case StateEntered(scope=scope):
            loops = {**board.loops, scope: board.loops.get(scope, 0) + (event.state == "QUERYING")}
            return replace(board, doing={**board.doing, scope: event.state}, loops=loops)
        case ToolRequested(tool="search"):
            return replace(board, searches=board.searches + 1)
        case ToolResponded(tool="prove", todo_id=str(todo_id), result=result, error=None):
            found = board.findings.get(todo_id, 0) + len(Proof.model_validate(result).findings)
            return replace(board, findings={**board.findings, todo_id: found})
        case TodoRecorded(entry=entry):
            return replace(board, findings={**board.findings, entry.todo_id: len(entry.findings)})
        case _:
            return board


def draw(board: Board, elapsed: timedelta, height: int) -> Tree:
    """Draw the board within `height` lines; lines are cut at the width of the terminal."""
    head = (_head(board, elapsed), *_spent(board))
    tree = Tree(_line("\n".join(head)), guide_style="dim", highlight=False)
    shown = _shown(board.plan, max(height - 2 - len(head), 1))
    branches: dict[str, Tree] = {}
    for todo in shown:
        parent = branches.get(todo.id.rpartition(".")[0], tree)
        branches[todo.id] = parent.add(_row(board, todo))
    hidden = len(board.plan.todos) - len(shown)
    if hidden:
        tree.add(_line(f"... and {hidden:,} more", style="dim"))
    return tree


def _shown(plan_: Plan, room: int) -> list[Todo]:
    """Choose the todos there is room for, those that matter most now, in plan order."""
    ranked = sorted(plan_.todos, key=lambda todo: _IN_SIGHT.index(todo.status))[:room]
    chosen = {todo.id for todo in ranked}
    return [todo for todo in plan_.todos if todo.id in chosen]


def _head(board: Board, elapsed: timedelta) -> str:
    minutes, seconds = divmod(int(elapsed.total_seconds()), 60)
    state = board.state.lower().replace("_", " ") or "starting"
    todos = board.plan.todos
    done = sum(todo.status is TodoStatus.DONE for todo in todos)
    searched = counted(board.searches, "search", "searches")
    found = counted(sum(board.findings.values()), "finding")
    return f"{minutes}:{seconds:02}  {state}  {done}/{len(todos)} todos  {searched}  {found}"


def _spent(board: Board) -> tuple[str, ...]:
    """Say in one line what was spent of the tokens and dollars; nothing where none were and none are limited."""
    spent, budget = board.run.spent, board.budget
    both = (("tokens", spent.tokens, budget.tokens), ("dollars", spent.dollars, budget.dollars))
    said = [
        f"{amount(used)} {name}" if allowed is None else f"{amount(used)} of {amount(allowed)} {name}"
        for name, used, allowed in both
        if used or allowed is not None
    ]
    return (", ".join(said),) if said else ()


def _row(board: Board, todo: Todo) -> Text:
    widest = max(len(other.id) for other in board.plan.todos if other.depth == todo.depth)
    row = _line(f"{todo.id:<{widest}}  ")
    row.append(f"{_word(board, todo):<10}", style=_STYLES[todo.status])
    loop, found = board.loops.get(todo.id, 0), board.findings.get(todo.id, 0)
    extras = (f"  loop {loop}" if loop > 1 else "", f"  {found} found" if found else "")
    row.append("".join(extras), style="dim")
    row.append(f"  {one_line(todo.task)}")
    return row


def _word(board: Board, todo: Todo) -> str:
    doing = board.doing.get(todo.id, "starting") if todo.status is TodoStatus.IN_PROGRESS else todo.status.value
    return doing.lower().replace("_", " ")


def _line(text: str, style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")
