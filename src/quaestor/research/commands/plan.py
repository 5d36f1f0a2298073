"""The plan of a session: shown, edited and confirmed, also while it is carried out; a failed todo tried again."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Literal, assert_never

from cyclopts import Parameter
from pydantic import ValidationError

from quaestor.contracts.command import Command
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event, StateEntered
from quaestor.contracts.host import Host, send_command
from quaestor.contracts.session import NEWEST_SESSION
from quaestor.contracts.terminal import AtTerminal, JsonLines, SessionId, Terminal
from quaestor.research import operations
from quaestor.research.contracts.commands import EditPlan, RetryTodo, ReviewPlan
from quaestor.research.contracts.plan import (
    AddTodo,
    ChangeTodo,
    DropTodo,
    MoveTodo,
    Plan,
    PlanEdit,
    TodoKind,
    TodoStatus,
)
from quaestor.research.events import PlanEdited
from quaestor.research.planning import todo_graph as plan_part
from quaestor.research.planning.editable_text import parse_edits, render_plan
from quaestor.research.planning.edits import last_todo_number
from quaestor.research.views.diff import diff_plans
from quaestor.research.views.plan_text import plan_lines, plan_summary
from quaestor.views.escaping import escape_hidden_json
from quaestor.views.text import truncate_line

EditVerb = Literal["add", "edit", "move", "drop"]
PlanAction = Literal["show", "add", "edit", "move", "drop", "confirm", "auto"]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class TodoChange:
    """The fields of a new todo, or the changed fields of one; None where an option was not given."""

    task: Annotated[str | None, Parameter(help="The new task of a todo.")] = None
    kind: Annotated[str | None, Parameter(help="research, analysis, tool, or another kind that the session has.")] = (
        None
    )
    agent: Annotated[str | None, Parameter(help="Delegate it to this agent; '' to none.")] = None
    after: Annotated[
        tuple[str, ...] | None,
        Parameter(consume_multiple=True, negative="", help="Let it wait for these todos, by their ids."),
    ] = None
    before: Annotated[str | None, Parameter(help="Place it before the todo with this id; else at the end.")] = None
    force: Annotated[
        bool, Parameter(negative="", show_default=False, help="Drop it even where others wait for it.")
    ] = False


async def plan(
    session: SessionId = NEWEST_SESSION,
    verb: Annotated[PlanAction, Parameter(name="VERB", help="show, add, edit, move, drop, confirm or auto.")] = "show",
    what: Annotated[str | None, Parameter(name="WHAT", help="The task of a new todo, or the id of one.")] = None,
    /,
    *,
    change: TodoChange = TodoChange(),
    json: JsonLines = False,
    terminal: AtTerminal,
) -> int:
    """Show the plan of a session, edit what has not begun, or confirm it.

    `add TASK`, `edit ID`, `move ID` and `drop ID` change one todo; `edit` alone opens the plan in $EDITOR and shows the
    difference. `confirm` carries a reviewed plan out, `auto` ends the review.
    """
    if json and verb != "show":
        raise UsageError(f"--json is for showing a plan; leave it out of plan {verb}")
    async with terminal.open() as host:
        match verb:
            case "show":
                return await _show_plan(host, terminal, session, json=json)
            case "confirm":
                return await _send_and_report(host, terminal, session, ReviewPlan(review="confirmed"), "confirmed")
            case "auto":
                order = ReviewPlan(review="auto_approved")
                return await _send_and_report(host, terminal, session, order, "confirmed, and not reviewed any more")
            case "edit" if what is None:
                return await _edit_in_editor(host, terminal, session)
            case "add" | "edit" | "move" | "drop":
                return await _apply_edits(host, terminal, session, (_parse_edit(verb, what, change),))
            case never:
                assert_never(never)


def _parse_edit(verb: EditVerb, what: str | None, change: TodoChange) -> PlanEdit:
    """Return the edit that the arguments describe. Raises UsageError for one that no plan takes."""
    try:
        return _to_edit(verb, _required_argument(verb, what), change)
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        raise UsageError(f"{name} {truncate_line(repr(str(fault['input'])))} cannot be used: {fault['msg']}") from error


def _to_edit(verb: EditVerb, what: str, change: TodoChange) -> PlanEdit:
    agent, after, before = change.agent, change.after, change.before
    match verb:
        case "add":
            does = change.kind or TodoKind.RESEARCH
            return AddTodo(task=what, does=does, agent=agent, dependencies=after or (), before=before)
        case "edit":
            return ChangeTodo(todo_id=what, task=change.task, does=change.kind, agent=agent, dependencies=after)
        case "move":
            return MoveTodo(todo_id=what, before=before)
        case "drop":
            return DropTodo(todo_id=what, force=change.force)


async def _show_plan(host: Host, terminal: Terminal, session: str, *, json: bool) -> int:
    todos = (await operations.state(host, session)).plan
    if not todos.todos:
        terminal.write_stderr(f"session {session} has no plan yet")
        return 0
    if json:
        for todo in todos.todos:
            terminal.write_stdout(f"{escape_hidden_json(todo.model_dump_json())}\n")
        return 0
    states = {
        event.payload.scope: event.state
        async for event in host.read_events(session)
        if isinstance(event.payload, StateEntered)
    }
    running = [todo.id for todo in todos.todos if todo.status is TodoStatus.IN_PROGRESS]
    for line in (plan_summary(todos), *plan_lines(todos, {todo: states[todo] for todo in running if todo in states})):
        terminal.write_stdout(f"{line}\n")
    return 0


async def _apply_edits(
    host: Host, terminal: Terminal, session: str, edits: tuple[PlanEdit, ...], seen: int | None = None
) -> int:
    await send_command(host, session, EditPlan(edits=edits, seen=seen))
    terminal.write_stdout(diff_plans(*await _last_edit(host.read_events(session))))
    return 0


async def _last_edit(events: AsyncIterator[Event]) -> tuple[Plan, Plan]:
    """Return the plan before the last edit and after it, whatever happened since."""
    before, after, latest = Plan(), Plan(), Plan()
    async for event in events:
        if isinstance(event.payload, PlanEdited):
            before, after = latest, event.payload.plan
        latest = plan_part.fold(latest, event)
    return before, after


async def _edit_in_editor(host: Host, terminal: Terminal, session: str) -> int:
    """Edit the plan in an editor; a text that cannot be applied stays in its file."""
    seen = (await host.session(session)).events  # before the plan is looked at, so that no edit falls between
    state = await operations.state(host, session)
    if not state.plan.todos:
        raise UsageError(f"session {session} has no plan yet; wait until it is made")
    kinds = tuple(dict.fromkeys((*TodoKind, *state.options.todo_kinds)))
    written = render_plan(state.plan, max(state.last_todo_number, last_todo_number(state.plan)) + 1, kinds)
    while True:
        file, edited = terminal.edit_text(f"plan-{session}-", written)
        try:
            edits = parse_edits(edited, state.plan, kinds) if edited.strip() else ()
            code = await _apply_edits(host, terminal, session, edits, seen) if edits else 0
        except UsageError as error:
            terminal.write_stderr(str(error))
            if not terminal.confirm("edit it again?"):
                raise UsageError(f"{error}; what you wrote is in {file}") from error
            written = edited
            file.unlink()
            continue
        if not edits:
            terminal.write_stderr("nothing was changed")
        file.unlink()
        return code


def _required_argument(verb: PlanAction, what: str | None) -> str:
    if what is None:
        missing = "the task of the new todo" if verb == "add" else "the id of a todo"
        raise UsageError(f"plan SESSION {verb}: {missing} is missing; `quaestor plan --help` shows its arguments")
    return what


async def retry(
    session: SessionId,
    todo: Annotated[str, Parameter(name="TODO", help="Its id, as `quaestor plan` shows it.")],
    /,
    *,
    terminal: AtTerminal,
) -> int:
    """Try a failed todo again, as a new todo of the plan."""
    async with terminal.open() as host:
        order = RetryTodo(todo_id=todo)
        return await _send_and_report(host, terminal, session, order, f"{todo} is tried again")


async def _send_and_report(host: Host, terminal: Terminal, session: str, order: Command, done: str) -> int:
    """Send a command, print what it did, and how the session goes on where nobody carries it on."""
    await send_command(host, session, order)
    held = await host.holder(session)
    terminal.write_stderr(done if held else f"{done}; continue with: {terminal.command_line('resume', session)}")
    return 0
