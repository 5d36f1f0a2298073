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
from quaestor.cli.order import meant
from quaestor.cli.place import Home, SessionId
from quaestor.cli.speech import give, say
from quaestor.cli.steer import ordered, told
from quaestor.contracts.command import EditPlan, ReviewPlan
from quaestor.contracts.edit import AddTodo, ChangeTodo, DropTodo, Edit, MoveTodo
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event, PlanEdited, StateEntered
from quaestor.contracts.plan import Plan, TodoKind, TodoStatus
from quaestor.plan.edits import highest
from quaestor.plan.text import edits_of, text_of
from quaestor.views.difference import plan_difference
from quaestor.views.plan import digest, plan_lines
from quaestor.workflows.parts import plan as plan_part

Verb = Literal["show", "add", "edit", "move", "drop", "confirm", "auto"]
_EDITOR = "vi"


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Change:
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
    verb: Annotated[Verb, Parameter(name="VERB", help="What is to be done; left out, the plan is shown.")] = "show",
    what: Annotated[str | None, Parameter(name="WHAT", help="The task of a new todo, or the id of one.")] = None,
    /,
    *,
    change: Change = Change(),
    home: Home = None,
) -> int:
    """Show the plan of a session, edit what has not begun, or confirm it.

    `add TASK`, `edit ID`, `move ID` and `drop ID` change one todo; `edit` alone opens the plan in $EDITOR and shows the
    difference. `confirm` carries a reviewed plan out, `auto` ends the review.
    """
    async with open_home(home) as quaestor:
        match verb:
            case "show":
                return await _show(quaestor, session)
            case "confirm":
                return await ordered(quaestor, session, ReviewPlan(review="confirmed"), home, "confirmed")
            case "auto":
                order = ReviewPlan(review="auto_approved")
                return await ordered(quaestor, session, order, home, "confirmed, and not reviewed any more")
            case "edit" if what is None:
                return await _opened(quaestor, session)
            case "add" | "edit" | "move" | "drop":
                with meant():
                    edit = _edit(verb, _named(verb, what), change)
                return await _applied(quaestor, session, (edit,))
            case never:
                assert_never(never)


def _edit(verb: Literal["add", "edit", "move", "drop"], what: str, change: Change) -> Edit:
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


async def _show(quaestor: Quaestor, session: str) -> int:
    todos = await quaestor.plan(session)
    events = await quaestor.events(session)
    if not todos.todos:
        say(f"session {session} has no plan yet")
        return 0
    states = {event.payload.scope: event.state for event in events if isinstance(event.payload, StateEntered)}
    running = [todo.id for todo in todos.todos if todo.status is TodoStatus.IN_PROGRESS]
    for line in (digest(todos), *plan_lines(todos, {todo: states[todo] for todo in running if todo in states})):
        give(f"{line}\n")
    return 0


async def _applied(quaestor: Quaestor, session: str, edits: tuple[Edit, ...], seen: int | None = None) -> int:
    await told(quaestor, session, EditPlan(edits=edits, seen=seen))
    give(plan_difference(*_edited(await quaestor.events(session))))
    return 0


def _edited(events: Sequence[Event]) -> tuple[Plan, Plan]:
    """Give the plan before the last edit and after it, whatever happened since."""
    before, after, latest = Plan(), Plan(), Plan()
    for event in events:
        if isinstance(event.payload, PlanEdited):
            before, after = latest, event.payload.plan
        latest = plan_part.apply(latest, event)
    return before, after


async def _opened(quaestor: Quaestor, session: str) -> int:
    """Open the plan in an editor; what cannot be applied stays in its file."""
    seen = len(await quaestor.events(session))  # before the plan is looked at, so that no edit falls between
    state = await quaestor.state(session)
    if not state.plan.todos:
        raise UsageError(f"session {session} has no plan yet; wait until it is made")
    written = text_of(state.plan, max(state.todos_used, highest(state.plan)) + 1)
    file, edited = _written_anew(session, written)
    try:
        edits = edits_of(edited, state.plan) if edited.strip() else ()
        code = await _applied(quaestor, session, edits, seen) if edits else 0
    except UsageError as error:
        raise UsageError(f"{error}; what you wrote is in {file}") from error
    if not edits:
        say("nothing was changed")
    file.unlink()
    return code


def _written_anew(session: str, text: str) -> tuple[Path, str]:
    """Let a person edit a text; give the file and what stands in it then."""
    handle, name = tempfile.mkstemp(prefix=f"plan-{session}-", suffix=".txt")
    os.close(handle)
    file = Path(name)
    file.write_text(text, encoding="utf-8")
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or _EDITOR)
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


def _named(verb: Verb, what: str | None) -> str:
    if what is None:
        missing = "the task of the new todo" if verb == "add" else "the id of a todo"
        raise UsageError(f"plan SESSION {verb}: {missing} is missing; `quaestor plan --help` shows how it is said")
    return what
