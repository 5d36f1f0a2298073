"""Commands that research sessions alone handle."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.command import WorkflowCommand
from quaestor.research.contracts.plan import PlanEdit

PlanReview = Literal["confirmed", "auto_approved"]
"""How the review of a plan ends."""


class EditPlan(WorkflowCommand):
    """Edits of the plan, made while it looked as it did after event `seen`."""

    kind: Literal["edit_plan"] = "edit_plan"
    edits: tuple[PlanEdit, ...] = Field(min_length=1)
    seen: int | None = Field(default=None, ge=1, description="Refused when the plan was edited since; None: never.")


class ReviewPlan(WorkflowCommand):
    """The end of the review: the plan is confirmed, or not to be reviewed any more."""

    kind: Literal["review_plan"] = "review_plan"
    review: PlanReview


class RetryTodo(WorkflowCommand):
    """Try a failed or blocked todo again."""

    kind: Literal["retry"] = "retry"
    todo_id: str


COMMANDS: tuple[type[WorkflowCommand], ...] = (EditPlan, ReviewPlan, RetryTodo)
"""Every command of a research session that is not the core's."""
