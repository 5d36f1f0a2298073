from enum import StrEnum
from typing import Literal

from pydantic import Field

from quaestor.contracts.noun import Noun


class TodoStatus(StrEnum):
    """Where a todo stands; the stored words never change."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    DONE = "done"
    BLOCKED = "blocked"
    FAILED = "failed"


class TodoKind(StrEnum):
    """How a todo is carried out."""

    RESEARCH = "research"
    TOOL = "tool"
    ANALYSIS = "analysis"


class Todo(Noun):
    """One piece of work in the plan; its id never changes and is never used again."""

    id: str = Field(pattern=r"^t\d+(\.\d+)*$", description="t1, t2 ...; a follow-up of t1 is t1.1.")
    task: str = Field(min_length=1)
    kind: TodoKind = TodoKind.RESEARCH
    agent: str | None = None
    status: TodoStatus = TodoStatus.PENDING
    dependencies: tuple[str, ...] = ()
    depth: int = Field(default=0, ge=0, description="0 for the planner's todos, the parent's depth + 1 for follow-ups.")
    retry_count: int = Field(default=0, ge=0)
    retries: str | None = Field(default=None, description="The id of the failed todo that this one does again.")
    loop_count: int = Field(default=0, ge=0)
    source_hint: str | None = None
    result: str | None = None
    gaps: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()


class Plan(Noun):
    """The todos in plan order: the planner's order, each follow-up right after its parent's family."""

    todos: tuple[Todo, ...] = ()

    def todo(self, todo_id: str) -> Todo | None:
        """Give the todo with this id, or None."""
        return next((todo for todo in self.todos if todo.id == todo_id), None)


class DraftTodo(Noun):
    """A todo as a planner proposes it."""

    task: str = Field(min_length=1, max_length=2000)
    kind: TodoKind = TodoKind.RESEARCH
    dependencies: tuple[str, ...] = Field(
        default=(), description="Ids of other todos; in a PlanDraft t1 is the first todo, t2 the second."
    )
    source_hint: str | None = None
    agent: str | None = Field(default=None, description="The agent to delegate to, if there is a fitting one.")


class PlanDraft(Noun):
    """What a planner answers: two to seven todos."""

    todos: tuple[DraftTodo, ...] = Field(min_length=2, max_length=7)


class PlanUpdate(Noun):
    """What a reviewer answers about the one todo that just ended."""

    completed_todo_id: str
    outcome: str
    status: Literal["done", "failed"]
    new_todos: tuple[str | DraftTodo, ...] = Field(default=(), max_length=5)
