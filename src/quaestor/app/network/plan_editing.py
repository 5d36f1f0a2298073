"""A plan that a person edits in a form: what was changed in it, and what that would make of the plan."""

from collections.abc import Iterator, Sequence

from pydantic import Field, TypeAdapter, ValidationError

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.contracts.faults import first_fault
from quaestor.research.contracts.plan import (
    AddTodo,
    ChangeTodo,
    DropTodo,
    EditResult,
    MoveTodo,
    Plan,
    PlanEdit,
    Todo,
    TodoStatus,
)
from quaestor.research.planning.edits import apply_edits
from quaestor.research.views.diff import diff_plans

_EDITS: TypeAdapter[tuple[PlanEdit, ...]] = TypeAdapter(tuple[PlanEdit, ...])


class EditableTodo(Contract):
    """A todo as a form shows it; of a new one the id is empty."""

    todo_id: str = ""
    task: str = Field(default="", max_length=20_000)
    after: str = Field(default="", description="The ids of the todos that it waits for, with blanks or commas.")
    before: str = Field(default="", description="The id of the todo before which it is moved; empty: it stays.")
    drop: bool = False


class EditablePlan(Contract):
    """A plan in a form."""

    todos: tuple[EditableTodo, ...]
    """What is pending."""
    fixed: tuple[Todo, ...]
    """What has begun or ended, which nobody changes."""
    seen: int
    """The number of the last event when it was read."""


class PlanPreview(Contract):
    """What edits would make of a plan."""

    edits: str = Field(description="Themselves, as JSON.")
    changes: tuple[str, ...] = Field(description="Line by line: + is new, - is gone, ~ is another now.")
    refused: tuple[str, ...] = Field(description="Why they cannot be made; then none of them is.")


async def read_editable_plan(quaestor: Quaestor, session_id: str) -> EditablePlan:
    """Return the plan of a research session for a form. Raises UsageError for a session of another workflow."""
    seen = (await quaestor.session(session_id)).events  # before the plan is looked at, so that no edit falls between
    plan = await quaestor.plan(session_id)
    return EditablePlan(
        todos=tuple(
            EditableTodo(todo_id=todo.id, task=todo.task, after=" ".join(todo.dependencies))
            for todo in plan.todos
            if todo.status is TodoStatus.PENDING
        ),
        fixed=tuple(todo for todo in plan.todos if todo.status is not TodoStatus.PENDING),
        seen=seen,
    )


async def preview_edits(quaestor: Quaestor, session_id: str, edited: Sequence[EditableTodo]) -> PlanPreview:
    """Return what a form would change in the plan. Raises UsageError for a text that no todo can have."""
    state = await quaestor.state(session_id)
    try:
        edits = tuple(_find_edits(state.plan, edited))
    except ValidationError as error:
        raise UsageError(f"the plan cannot be used: {first_fault(error)}") from error
    agents = [card.name for card in state.options.agents]
    changed = apply_edits(state.plan, edits, state.options.max_todos, agents, state.last_todo_number)
    return PlanPreview(
        edits=_EDITS.dump_json(edits).decode(),
        changes=_changes(state.plan, changed) if edits else (),
        refused=changed.refused,
    )


def _changes(plan: Plan, changed: EditResult) -> tuple[str, ...]:
    return tuple(diff_plans(plan, changed.plan).splitlines()) if not changed.refused else ()


def _find_edits(plan: Plan, edited: Sequence[EditableTodo]) -> Iterator[PlanEdit]:
    """Yield the edits that lead from the plan to what is in a form."""
    for each in edited:
        dependencies = tuple(each.after.replace(",", " ").split())
        if not each.todo_id:
            if each.task.strip():
                yield AddTodo(task=each.task, dependencies=dependencies)
            continue
        if each.drop:
            yield DropTodo(todo_id=each.todo_id, force=True)
            continue
        todo, task = plan.todo(each.todo_id), " ".join(each.task.split())
        is_reworded = todo is None or task != " ".join(todo.task.split())  # a form changes the ends of lines
        if todo is None or is_reworded or dependencies != todo.dependencies:
            yield ChangeTodo(todo_id=each.todo_id, task=task if is_reworded else None, dependencies=dependencies)
        if each.before:
            yield MoveTodo(todo_id=each.todo_id, before=each.before)
