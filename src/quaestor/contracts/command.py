"""What a person tells a session, from whichever process. The holder of the session obeys, or says why not."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.research.contracts.plan import PlanEdit


class Answer(Contract):
    """An answer to the question that stands open."""

    kind: Literal["answer"] = "answer"
    text: str = Field(min_length=1, max_length=20_000)


class EditPlan(Contract):
    """Edits of the plan, made while it looked as it did after event `seen`."""

    kind: Literal["edit_plan"] = "edit_plan"
    edits: tuple[PlanEdit, ...] = Field(min_length=1)
    seen: int | None = Field(default=None, ge=1, description="Refused when the plan was edited since; None: never.")


class ReviewPlan(Contract):
    """The end of the review: the plan is confirmed, or not to be reviewed any more."""

    kind: Literal["review_plan"] = "review_plan"
    review: Literal["confirmed", "auto_approved"]


class Pause(Contract):
    """Begin nothing more, and let a person say when to go on."""

    kind: Literal["pause"] = "pause"


class FinishNow(Contract):
    """End gathering and write the report from what there is."""

    kind: Literal["finish"] = "finish"


class Cancel(Contract):
    """End the session without a report."""

    kind: Literal["cancel"] = "cancel"


class AddBudget(Contract):
    """Raise limits of the budget."""

    kind: Literal["add_budget"] = "add_budget"
    dollars: Decimal = Field(default=Decimal(0), ge=0)
    tokens: int = Field(default=0, ge=0)
    model_calls: int = Field(default=0, ge=0)
    tool_calls: int = Field(default=0, ge=0)
    seconds: float = Field(default=0, ge=0)


class RetryTodo(Contract):
    """Try a failed or blocked todo again."""

    kind: Literal["retry"] = "retry"
    todo_id: str


class OpenCycle(Contract):
    """Begin another cycle of a finished session."""

    kind: Literal["open_cycle"] = "open_cycle"
    why: Literal["question", "refresh", "decision"]
    question: str | None = Field(default=None, min_length=1, max_length=20_000, description="The follow-up question.")


Command = Annotated[
    Answer | EditPlan | ReviewPlan | Pause | FinishNow | Cancel | AddBudget | RetryTodo | OpenCycle,
    Field(discriminator="kind"),
]


class InboxEntry(Contract):
    """An order in a session's inbox; `number` is its place there."""

    session_id: str
    number: int = Field(ge=1)
    at: datetime
    order: Command


class Settlement(Contract):
    """What became of a command: obeyed, or refused with the reason."""

    number: int = Field(ge=1)
    refused: str | None = None
