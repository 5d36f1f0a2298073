"""How a person changes a plan: edits of what has not begun. They hold together or not at all."""

from typing import Annotated, Literal

from pydantic import Field

from quaestor.contracts.noun import Noun
from quaestor.contracts.plan import Plan, TodoKind

LONGEST_TASK = 2000
"""Characters that a task may have which a person writes."""


class AddTodo(Noun):
    """A new todo, before another or at the end; its id is the next number that no todo ever had."""

    kind: Literal["add"] = "add"
    task: str = Field(min_length=1, max_length=LONGEST_TASK)
    does: TodoKind = TodoKind.RESEARCH
    agent: str | None = Field(default=None, description="An empty text is no agent.")
    dependencies: tuple[str, ...] = Field(default=(), description="Ids, also of todos that the same edits add.")
    before: str | None = Field(default=None, description="The id of a todo; None: the end of the plan.")


class ChangeTodo(Noun):
    """Other words, another kind, agent or dependencies for a todo; what is None stays."""

    kind: Literal["change"] = "change"
    todo_id: str
    task: str | None = Field(default=None, min_length=1, max_length=LONGEST_TASK)
    does: TodoKind | None = None
    agent: str | None = Field(default=None, description="An empty text takes the agent away.")
    dependencies: tuple[str, ...] | None = None


class MoveTodo(Noun):
    """Another place for a todo."""

    kind: Literal["move"] = "move"
    todo_id: str
    before: str | None = Field(default=None, description="The id of a todo; None: the end of the plan.")


class DropTodo(Noun):
    """A todo less; with force also where others depend on it, which then do not any more."""

    kind: Literal["drop"] = "drop"
    todo_id: str
    force: bool = False


Edit = Annotated[AddTodo | ChangeTodo | MoveTodo | DropTodo, Field(discriminator="kind")]


class Edited(Noun):
    """What edits make of a plan; where they are refused, the plan is as it was and each reason names the ids."""

    plan: Plan
    refused: tuple[str, ...] = ()
    used: int = Field(default=0, ge=0, description="The highest number that a todo t1, t2 ... ever had.")
