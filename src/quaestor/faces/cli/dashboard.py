"""A run as a live tree of todos, for a terminal: a small fold of its events, and how it is drawn."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal

from rich.console import Group
from rich.text import Text
from rich.tree import Tree

from quaestor.app.text import count_noun, format_amount, one_line
from quaestor.contracts.cost import Budget
from quaestor.contracts.event import (
    SESSION_SCOPE,
    BudgetReached,
    BudgetWarned,
    CycleStarted,
    ErrorRecorded,
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
from quaestor.contracts.options import parse_common_options
from quaestor.faces.cli import time_estimate
from quaestor.faces.cli.event_lines import describe_event
from quaestor.faces.cli.time_estimate import TodoTimings
from quaestor.kernel.run_state import RunState, fold
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.tools import Proof
from quaestor.research.planning import todo_graph

_STYLES: Mapping[TodoStatus, str] = {
    TodoStatus.PENDING: "dim",
    TodoStatus.IN_PROGRESS: "cyan",
    TodoStatus.DONE: "green",
    TodoStatus.BLOCKED: "yellow",
    TodoStatus.FAILED: "red",
}
_DISPLAY_ORDER = (
    TodoStatus.IN_PROGRESS,
    TodoStatus.FAILED,
    TodoStatus.BLOCKED,
    TodoStatus.PENDING,
    TodoStatus.DONE,
)
"""Which todos are shown first where there is no room for all."""

_MAX_RECENT_FINDINGS = 8
"""The most findings that are shown, those that came last."""

_BAR_WIDTH = 20
"""Cells of the bar of a limit."""

_INDENT_WIDTH = 4
"""Cells by which a todo is drawn further right than the one it belongs to."""

_MAX_NAMED_DEPENDENCIES = 2
"""The most todos that are named which another one waits for."""

_EXECUTING_STATE = "EXECUTING"
"""The state in which todos are worked on."""


@dataclass(frozen=True, slots=True)
class Dashboard:
    """What a watcher sees; `doing`, `loops` and `findings` are by todo id, `news` are todos with what they found.

    `trouble` is what went wrong last, and after how many seconds of running.
    """

    run: RunState = field(default_factory=RunState)
    budget: Budget = field(default_factory=Budget)
    plan: Plan = field(default_factory=Plan)
    state: str = ""
    todo_states: Mapping[str, str] = field(default_factory=dict)
    loops: Mapping[str, int] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    recent_findings: tuple[tuple[str, str], ...] = ()
    searches: int = 0
    pace: TodoTimings = field(default_factory=TodoTimings)
    last_problem: tuple[float, str] | None = None


def fold_dashboard(board: Dashboard, event: Event) -> Dashboard:
    """Give the board after one more event."""
    run, plan_ = fold(board.run, event), todo_graph.fold(board.plan, event)
    pace = time_estimate.fold(board.pace, event, plan_, run.elapsed)
    trouble = (run.elapsed, describe_event(event)[0]) if _is_problem(event) else board.last_problem
    board = replace(board, run=run, plan=plan_, pace=pace, last_problem=trouble)
    match event.payload:
        case CycleStarted():
            return replace(board, last_problem=None)
        case SessionStarted(options=options) | Forked(options=options):
            return replace(board, budget=parse_common_options(options).budget)
        case StateEntered(scope=scope) if scope == SESSION_SCOPE:
            return replace(board, state=event.state)
        case StateEntered(scope=scope):
            loops = {**board.loops, scope: board.loops.get(scope, 0) + (event.state == "QUERYING")}
            return replace(board, todo_states={**board.todo_states, scope: event.state}, loops=loops)
        case ToolRequested(tool="search"):
            return replace(board, searches=board.searches + 1)
        case ToolResponded(result=Proof(findings=found)) if event.todo_id:
            todo_id = event.todo_id
            findings = {**board.findings, todo_id: board.findings.get(todo_id, 0) + len(found)}
            news = (*board.recent_findings, *((todo_id, finding.claim) for finding in found))[-_MAX_RECENT_FINDINGS:]
            return replace(board, findings=findings, recent_findings=news)
        case TodoRecorded(entry=entry):
            return replace(board, findings={**board.findings, entry.todo_id: len(entry.findings)})
        case _:
            return board


def render(board: Dashboard, elapsed: timedelta, height: int) -> Group:
    """Draw the board within `height` lines; lines are cut at the width of the terminal.

    Head, the question that stands open, how long it may take, what went wrong last, limits, the tree of todos, and
    below it what was found last.
    """
    head = [
        _header(board, elapsed),
        *_open_question(board),
        *_time_left(board, elapsed),
        *_last_problem(board),
        *_budget_lines(board, elapsed),
    ]
    head = head[: max(height // 2, 1)]
    room = max(height - 2 - len(head), 1)
    told = min(len(board.recent_findings), max(room // 4, room - len(board.plan.todos)))
    news = [
        _line(f"+ {todo_id}  {one_line(claim)}", style="green")
        for todo_id, claim in board.recent_findings[-told or _MAX_RECENT_FINDINGS :]
    ]
    return Group(_tree(board, head, room - told), *(news if told else ()))


def _tree(board: Dashboard, head: list[Text], room: int) -> Tree:
    tree = Tree(Text("\n", no_wrap=True, overflow="ellipsis").join(head), guide_style="dim", highlight=False)
    shown = _visible_todos(board.plan, room)
    words = max((len(_todo_state(board, todo)) for todo in shown), default=0)
    extras = max((len(_todo_details(board, todo)) for todo in shown), default=0)
    ids = {todo.id for todo in shown}
    indents = {todo.id: _INDENT_WIDTH * len(_ancestors(todo.id, ids)) for todo in shown}
    column = max((indents[todo.id] + len(todo.id) for todo in shown), default=0)
    branches: dict[str, Tree] = {}
    for todo in shown:
        row = Text(no_wrap=True, overflow="ellipsis").append(f"{todo.id:<{column - indents[todo.id]}}  ")
        parent = next((branches[other] for other in _ancestors(todo.id, ids)), tree)
        branches[todo.id] = parent.add(row.append(_todo_row(board, todo, words, extras)))
    hidden = Counter(todo.status for todo in board.plan.todos if todo.id not in ids)
    if hidden:
        kinds = ", ".join(
            f"{hidden[status]:,} {status.replace('_', ' ')}" for status in _DISPLAY_ORDER if hidden[status]
        )
        tree.add(_line(f"... and {hidden.total():,} more: {kinds}", style="dim"))
    return tree


def _ancestors(todo_id: str, shown: Collection[str]) -> Sequence[str]:
    """Give the todos below which one is drawn, the nearest first; where its parent is out of sight, none."""
    parent = todo_id.rpartition(".")[0]
    return (parent, *_ancestors(parent, shown)) if parent in shown else ()


def _visible_todos(plan_: Plan, room: int) -> list[Todo]:
    """Choose the todos there is room for, those that matter most now, in plan order."""
    ranked = sorted(plan_.todos, key=lambda todo: _DISPLAY_ORDER.index(todo.status))[:room]
    chosen = {todo.id for todo in ranked}
    return [todo for todo in plan_.todos if todo.id in chosen]


def _header(board: Dashboard, elapsed: timedelta) -> Text:
    paused = board.run.status == "paused"
    state = "paused" if paused else board.state.lower().replace("_", " ") or "starting"
    todos = board.plan.todos
    done = sum(todo.status is TodoStatus.DONE for todo in todos)
    searched = count_noun(board.searches, "search", "searches")
    found = count_noun(sum(board.findings.values()), "finding")
    head = _line(f"{_format_clock(elapsed)}  {state}  {done}/{len(todos)} todos")
    if failed := sum(todo.status is TodoStatus.FAILED for todo in todos):
        head.append(f"  {failed} failed", style="red")
    return head.append(f"  {searched}  {found}")


def _time_left(board: Dashboard, elapsed: timedelta) -> Iterator[Text]:
    """Say how long the todos may still take, as long as they are worked on."""
    if board.run.status != "running" or board.run.waiting or board.state != _EXECUTING_STATE:
        return
    limit = (board.run.budget or board.budget).seconds
    pending = sum(todo.status is TodoStatus.PENDING for todo in board.plan.todos)
    if said := time_estimate.describe_remaining(board.pace, pending, elapsed.total_seconds(), limit):
        yield _line(said, style="dim")


def _last_problem(board: Dashboard) -> Iterator[Text]:
    if board.last_problem:
        seconds, what = board.last_problem
        yield _line(f"! {_format_clock(timedelta(seconds=seconds))}  {what}", style="yellow")


def _is_problem(event: Event) -> bool:
    match event.payload:
        case TodoFailed() | ErrorRecorded() | BudgetWarned() | BudgetReached():
            return True
        case ModelResponded(error=str()) | PlanCreated(fallback=str()):
            return True
        case _:
            return False


def _format_clock(elapsed: timedelta) -> str:
    minutes, seconds = divmod(int(elapsed.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _budget_lines(board: Dashboard, elapsed: timedelta) -> Iterator[Text]:
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
            yield _progress_bar(Decimal(used), limit).append(
                f"  {format_amount(used)} of {format_amount(limit)} {name}"
            )
        elif used and name in {"tokens", "dollars"}:
            free.append(f"{format_amount(used)} {name}")
    if budget.seconds is not None:
        bar = _progress_bar(Decimal(int(elapsed.total_seconds())), Decimal(str(budget.seconds)))
        yield bar.append(f"  {_format_clock(elapsed)} of {_format_clock(timedelta(seconds=budget.seconds))}")
    if free:
        yield _line(", ".join(free))


def _progress_bar(used: Decimal, allowed: Decimal) -> Text:
    share = min(used / allowed, Decimal(1)) if allowed else Decimal(1)
    full = int(share * _BAR_WIDTH)
    style = "green" if share < Decimal("0.8") else "yellow" if share < 1 else "red"
    return _line("█" * full, style=style).append("░" * (_BAR_WIDTH - full), style="dim")


def _open_question(board: Dashboard) -> Iterator[Text]:
    if board.run.waiting:
        yield _line(f"asks: {one_line(' '.join(board.run.waiting.questions))}", style="yellow")


def _todo_row(board: Dashboard, todo: Todo, words: int, extras: int) -> Text:
    """Say what a todo does in `words` cells, more of that in `extras` cells, and its task."""
    row = Text().append(f"{_todo_state(board, todo):<{words}}", style=_STYLES[todo.status])
    row.append(f"  {_todo_details(board, todo):<{extras}}" if extras else "", style="dim")
    return row.append(f"  {one_line(todo.task)}")


def _todo_details(board: Dashboard, todo: Todo) -> str:
    """Say in which loop a todo is or what it waits for, and what it found."""
    loop, found = board.loops.get(todo.id, 0), board.findings.get(todo.id, 0)
    again = f"loop {loop}" if loop > 1 and todo.status is TodoStatus.IN_PROGRESS else ""
    return "  ".join(filter(None, (again, _waiting_for(board, todo), f"{found} found" if found else "")))


def _waiting_for(board: Dashboard, todo: Todo) -> str:
    waits = [other for other in todo.dependencies if not _is_done(board.plan, other)]
    if not waits or todo.status is not TodoStatus.PENDING:
        return ""
    more = len(waits) - _MAX_NAMED_DEPENDENCIES
    return f"after {', '.join((*waits[:_MAX_NAMED_DEPENDENCIES], *([f'{more} more'] if more > 0 else [])))}"


def _is_done(plan_: Plan, todo_id: str) -> bool:
    todo = plan_.todo(todo_id)
    return todo is not None and todo.status is TodoStatus.DONE


def _todo_state(board: Dashboard, todo: Todo) -> str:
    doing = board.todo_states.get(todo.id, "starting") if todo.status is TodoStatus.IN_PROGRESS else todo.status.value
    return doing.lower().replace("_", " ")


def _line(text: str, style: str = "") -> Text:
    return Text(no_wrap=True, overflow="ellipsis").append(text, style=style or None)
