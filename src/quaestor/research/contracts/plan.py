"""The one rule of dependencies: every id is known, and nothing waits for itself."""

from bisect import insort
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.todo import KindName
from quaestor.research.contracts.usable_items import first_items


class TodoStatus(StrEnum):
    """Where a todo stands; the stored words never change."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    DONE = "done"
    BLOCKED = "blocked"
    FAILED = "failed"


class TodoKind(StrEnum):
    """The kinds of todos that research names itself; others are the names of workflows that carry them out."""

    RESEARCH = "research"
    TOOL = "tool"
    ANALYSIS = "analysis"


class Todo(Contract):
    """One piece of work in the plan; its id never changes and is never used again."""

    id: str = Field(pattern=r"^t\d+(\.\d+)*$", description="t1, t2 ...; a follow-up of t1 is t1.1.")
    task: str = Field(min_length=1)
    kind: KindName = TodoKind.RESEARCH
    agent: str | None = None
    status: TodoStatus = TodoStatus.PENDING
    dependencies: tuple[str, ...] = ()
    depth: int = Field(default=0, ge=0, description="0 for the planner's todos, the parent's depth + 1 for follow-ups.")
    retry_count: int = Field(default=0, ge=0)
    retries: str | None = Field(default=None, description="The id of the failed todo that this one does again.")
    loop_count: int = Field(default=0, ge=0)
    source_hint: str | None = None
    queries: tuple[str, ...] = Field(default=(), description="The first searches, as the planner proposed them.")
    result: str | None = None
    gaps: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()


class Plan(Contract):
    """The todos in plan order: the planner's order, each follow-up right after its parent's family."""

    todos: tuple[Todo, ...] = ()

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of every todo, from 0, by its id."""
        return {todo.id: place for place, todo in enumerate(self.todos)}

    @cached_property
    def by_status(self) -> Mapping[TodoStatus, Sequence[Todo]]:
        """The todos of every status, in plan order."""
        todos: dict[TodoStatus, list[Todo]] = {status: [] for status in TodoStatus}
        for todo in self.todos:
            todos[todo.status].append(todo)
        return todos

    def replaced(self, todo: Todo) -> "Plan":
        """Return the plan with a todo in the place of the one with its id."""
        place = self.places[todo.id]
        before = self.todos[place]
        plan = Plan(todos=(*self.todos[:place], todo, *self.todos[place + 1 :]))
        by_status = {**self.by_status}
        by_status[before.status] = [other for other in by_status[before.status] if other is not before]
        joined = [*by_status[todo.status]]
        insort(joined, todo, key=lambda other: self.places[other.id])
        # carried over, as a large plan takes long to go through
        plan.__dict__.update(places=self.places, by_status={**by_status, todo.status: joined})
        return plan

    def todo(self, todo_id: str) -> Todo | None:
        """Return the todo with this id, or None."""
        place = self.places.get(todo_id)
        return None if place is None else self.todos[place]


class DraftTodo(Contract):
    """A todo as a planner proposes it."""

    task: str = Field(min_length=1, max_length=2000)
    kind: KindName = Field(default=TodoKind.RESEARCH, description="How it is carried out; a kind that this run has.")
    dependencies: tuple[str, ...] = Field(default=(), description="Ids of todos; in a PlanDraft t1 is the first.")
    source_hint: str | None = None
    agent: str | None = Field(default=None, description="To delegate to.")
    queries: Annotated[tuple[str, ...], first_items(20)] = Field(
        default=(), max_length=20, description="First searches."
    )


class PlanDraft(Contract):
    """What a planner answers: the todos, and its assumptions."""

    todos: Annotated[tuple[DraftTodo, ...], first_items(100)] = Field(
        min_length=1, max_length=100, description="Those that the session has no room for are left out."
    )
    assumptions: Annotated[tuple[str, ...], first_items(10)] = Field(default=(), max_length=10)


class PlanUpdate(Contract):
    """How the one todo that just ended was reviewed."""

    completed_todo_id: str
    outcome: str
    status: Literal["done", "failed"]
    new_todos: tuple[str | DraftTodo, ...] = Field(default=(), max_length=5)


def dependency_errors(edges: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Name the unknown ids and the circle, if any, of a graph from each id to the ids it waits for."""
    unknown = tuple(
        f"{own} depends on {other}, which is not in the plan"
        for own, others in edges.items()
        for other in others
        if other not in edges
    )
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        return (*unknown, f"a circle: {' waits for '.join(circle)}")
    return unknown


MAX_TASK_CHARACTERS = 2000
"""Characters that a task may have which a person writes."""


class AddTodo(Contract):
    """A new todo, before another or at the end; its id is the next number that no todo ever had."""

    kind: Literal["add"] = "add"
    task: str = Field(min_length=1, max_length=MAX_TASK_CHARACTERS)
    does: KindName = TodoKind.RESEARCH
    agent: str | None = Field(default=None, description="An empty text is no agent.")
    dependencies: tuple[str, ...] = Field(default=(), description="Ids, also of todos that the same edits add.")
    before: str | None = Field(default=None, description="The id of a todo; None: the end of the plan.")


class ChangeTodo(Contract):
    """Other words, another kind, agent or dependencies for a todo; what is None stays."""

    kind: Literal["change"] = "change"
    todo_id: str
    task: str | None = Field(default=None, min_length=1, max_length=MAX_TASK_CHARACTERS)
    does: KindName | None = None
    agent: str | None = Field(default=None, description="An empty text takes the agent away.")
    dependencies: tuple[str, ...] | None = None


class MoveTodo(Contract):
    """Another place for a todo."""

    kind: Literal["move"] = "move"
    todo_id: str
    before: str | None = Field(default=None, description="The id of a todo; None: the end of the plan.")


class DropTodo(Contract):
    """A todo less; with force also where others depend on it, which then do not any more."""

    kind: Literal["drop"] = "drop"
    todo_id: str
    force: bool = False


PlanEdit = Annotated[AddTodo | ChangeTodo | MoveTodo | DropTodo, Field(discriminator="kind")]


class EditResult(Contract):
    """What edits make of a plan; where they are refused, the plan is as it was and each reason names the ids."""

    plan: Plan
    refused: tuple[str, ...] = ()
    used: int = Field(default=0, ge=0, description="The highest number that a todo t1, t2 ... ever had.")
