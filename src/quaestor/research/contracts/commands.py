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


class ReviseSection(WorkflowCommand):
    """Write one section of the report again; all else stays."""

    kind: Literal["revise"] = "revise"
    section: str = Field(min_length=1, max_length=300, description="Its id, its heading, or its place from 1 on.")
    wish: str = Field(default="", max_length=2_000, description="How it is to be written.")


COMMANDS: tuple[type[WorkflowCommand], ...] = (EditPlan, ReviewPlan, RetryTodo, ReviseSection)
"""Every command of a research session that is not the core's."""
