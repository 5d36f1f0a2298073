"""What a person tells a session, from whichever process. The holder of the session obeys, or says why not."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from quaestor.contracts.edit import Edit
from quaestor.contracts.noun import Noun


class Answer(Noun):
    """An answer to the question that stands open."""

    kind: Literal["answer"] = "answer"
    text: str = Field(min_length=1, max_length=20_000)


class EditPlan(Noun):
    """Edits of the plan, made while it looked as it did after event `seen`."""

    kind: Literal["edit_plan"] = "edit_plan"
    edits: tuple[Edit, ...] = Field(min_length=1)
    seen: int | None = Field(default=None, ge=1, description="Refused when the plan was edited since; None: never.")


class ReviewPlan(Noun):
    """The end of the review: the plan is confirmed, or not to be reviewed any more."""

    kind: Literal["review_plan"] = "review_plan"
    review: Literal["confirmed", "auto_approved"]


class Pause(Noun):
    """Begin nothing more, and let a person say when to go on."""

    kind: Literal["pause"] = "pause"


class FinishNow(Noun):
    """End gathering and write the report from what there is."""

    kind: Literal["finish"] = "finish"


class Cancel(Noun):
    """End the session without a report."""

    kind: Literal["cancel"] = "cancel"


class AddBudget(Noun):
    """Raise limits of the budget."""

    kind: Literal["add_budget"] = "add_budget"
    dollars: Decimal = Field(default=Decimal(0), ge=0)
    tokens: int = Field(default=0, ge=0)
    model_calls: int = Field(default=0, ge=0)
    tool_calls: int = Field(default=0, ge=0)
    seconds: float = Field(default=0, ge=0)


class RetryTodo(Noun):
    """Try a failed or blocked todo again."""

    kind: Literal["retry"] = "retry"
    todo_id: str


class OpenCycle(Noun):
    """Begin another cycle of a finished session."""

    kind: Literal["open_cycle"] = "open_cycle"
    why: Literal["question", "refresh", "decision"]
    question: str | None = Field(default=None, min_length=1, max_length=20_000, description="The follow-up question.")


Order = Annotated[
    Answer | EditPlan | ReviewPlan | Pause | FinishNow | Cancel | AddBudget | RetryTodo | OpenCycle,
    Field(discriminator="kind"),
]


class Command(Noun):
    """An order in a session's inbox; `number` is its place there."""

    session_id: str
    number: int = Field(ge=1)
    at: datetime
    order: Order


class Settled(Noun):
    """What became of a command: obeyed, or refused with the reason."""

    number: int = Field(ge=1)
    refused: str | None = None
