"""What a person typed, as the order that it is."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from quaestor.cli.phrase import cut
from quaestor.contracts.command import Answer, Order, ReviewPlan
from quaestor.contracts.errors import UsageError


def spoken(text: str) -> Order:
    """Give the order that an answer is: `/confirm_plan` and `/end_plan`, in any case, end the review of a plan.

    Raises UsageError for a text that answers nothing.
    """
    match text.strip().casefold():
        case "/confirm_plan":
            return ReviewPlan(review="confirmed")
        case "/end_plan":
            return ReviewPlan(review="auto_approved")
        case _:
            with meant():
                return Answer(text=text.strip())


@contextmanager
def meant() -> Iterator[None]:
    """Let an order that cannot be meant raise UsageError, with the value that is at fault."""
    try:
        yield
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        raise UsageError(f"{name} {cut(repr(str(fault['input'])))} cannot be used: {fault['msg']}") from error
