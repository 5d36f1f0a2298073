"""The plan of a session: shown, edited and confirmed, also while it is carried out."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, assert_never

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.contracts.arguments import SessionId
from quaestor.contracts.command import EditPlan, ReviewPlan
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event, PlanEdited, StateEntered
from quaestor.faces.cli.control import send_and_report, send_command
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.params import Home, usage_errors
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
from quaestor.research.planning import todo_graph as plan_part
from quaestor.research.planning.editable_text import parse_edits, render_plan
from quaestor.research.planning.edits import last_todo_number
from quaestor.research.views.diff import diff_plans
from quaestor.research.views.plan_text import plan_lines, plan_summary

PlanAction = Literal["show", "add", "edit", "move", "drop", "confirm", "auto"]
_DEFAULT_EDITOR = "vi"


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class TodoChange:
    """What a new todo is, or what becomes of one; None is what was not said."""

    task: Annotated[str | None, Parameter(help="Other words for a todo.")] = None
    kind: Annotated[TodoKind | None, Parameter(help="research, analysis or tool.")] = None
    agent: Annotated[str | None, Parameter(help="The agent it is delegated to; '' for none.")] = None
    after: Annotated[
        tuple[str, ...] | None, Parameter(consume_multiple=True, negative="", help="The ids of the todos it waits for.")
    ] = None
    before: Annotated[str | None, Parameter(help="The id of the todo that it stands before; else at the end.")] = None
    force: Annotated[bool, Parameter(negative="", show_default=False, help="Drop what others wait for, too.")] = False


async def plan(
    session: SessionId,
    verb: Annotated[
        PlanAction, Parameter(name="VERB", help="What is to be done; left out, the plan is shown.")
    ] = "show",
    what: Annotated[str | None, Parameter(name="WHAT", help="The task of a new todo, or the id of one.")] = None,
    /,
    *,
    change: TodoChange = TodoChange(),
    home: Home = None,
) -> int:
    """Show the plan of a session, edit what has not begun, or confirm it.

    `add TASK`, `edit ID`, `move ID` and `drop ID` change one todo; `edit` alone opens the plan in $EDITOR and shows the
    difference. `confirm` carries a reviewed plan out, `auto` ends the review.
    """
    async with open_home(home) as quaestor:
        match verb:
            case "show":
                return await _show_plan(quaestor, session)
            case "confirm":
                return await send_and_report(quaestor, session, ReviewPlan(review="confirmed"), home, "confirmed")
            case "auto":
                order = ReviewPlan(review="auto_approved")
                return await send_and_report(quaestor, session, order, home, "confirmed, and not reviewed any more")
            case "edit" if what is None:
                return await _edit_in_editor(quaestor, session)
            case "add" | "edit" | "move" | "drop":
                with usage_errors():
                    edit = _to_edit(verb, _required_argument(verb, what), change)
                return await _apply_edits(quaestor, session, (edit,))
            case never:
                assert_never(never)


def _to_edit(verb: Literal["add", "edit", "move", "drop"], what: str, change: TodoChange) -> PlanEdit:
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


async def _show_plan(quaestor: Quaestor, session: str) -> int:
    todos = await quaestor.plan(session)
    events = await quaestor.events(session)
    if not todos.todos:
        write_stderr(f"session {session} has no plan yet")
        return 0
    states = {event.payload.scope: event.state for event in events if isinstance(event.payload, StateEntered)}
    running = [todo.id for todo in todos.todos if todo.status is TodoStatus.IN_PROGRESS]
    for line in (plan_summary(todos), *plan_lines(todos, {todo: states[todo] for todo in running if todo in states})):
        write_stdout(f"{line}\n")
    return 0


async def _apply_edits(quaestor: Quaestor, session: str, edits: tuple[PlanEdit, ...], seen: int | None = None) -> int:
    await send_command(quaestor, session, EditPlan(edits=edits, seen=seen))
    write_stdout(diff_plans(*_last_edit(await quaestor.events(session))))
    return 0


def _last_edit(events: Sequence[Event]) -> tuple[Plan, Plan]:
    """Give the plan before the last edit and after it, whatever happened since."""
    before, after, latest = Plan(), Plan(), Plan()
    for event in events:
        if isinstance(event.payload, PlanEdited):
            before, after = latest, event.payload.plan
        latest = plan_part.fold(latest, event)
    return before, after


async def _edit_in_editor(quaestor: Quaestor, session: str) -> int:
    """Open the plan in an editor; what cannot be applied stays in its file."""
    seen = len(await quaestor.events(session))  # before the plan is looked at, so that no edit falls between
    state = await quaestor.state(session)
    if not state.plan.todos:
        raise UsageError(f"session {session} has no plan yet; wait until it is made")
    written = render_plan(state.plan, max(state.last_todo_number, last_todo_number(state.plan)) + 1)
    file, edited = _open_editor(session, written)
    try:
        edits = parse_edits(edited, state.plan) if edited.strip() else ()
        code = await _apply_edits(quaestor, session, edits, seen) if edits else 0
    except UsageError as error:
        raise UsageError(f"{error}; what you wrote is in {file}") from error
    if not edits:
        write_stderr("nothing was changed")
    file.unlink()
    return code


def _open_editor(session: str, text: str) -> tuple[Path, str]:
    """Let a person edit a text; give the file and what stands in it then."""
    handle, name = tempfile.mkstemp(prefix=f"plan-{session}-", suffix=".txt")
    os.close(handle)
    file = Path(name)
    file.write_text(text, encoding="utf-8")
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or _DEFAULT_EDITOR)
    try:
        ended = subprocess.run([*editor, name], check=False).returncode  # noqa: S603 -- the person's own editor
    except OSError as error:
        raise UsageError(f"the editor {' '.join(editor)} cannot be started: {error}; set EDITOR") from error
    if ended:
        raise UsageError(f"the editor {' '.join(editor)} ended with code {ended}; what you wrote is in {file}")
    try:
        return file, file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"what you wrote in {file} is not valid UTF-8; save it so") from error


def _required_argument(verb: PlanAction, what: str | None) -> str:
    if what is None:
        missing = "the task of the new todo" if verb == "add" else "the id of a todo"
        raise UsageError(f"plan SESSION {verb}: {missing} is missing; `quaestor plan --help` shows how it is said")
    return what
