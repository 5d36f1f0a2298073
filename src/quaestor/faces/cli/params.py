"""What the commands have in common: the home they are told, the session they are about, and what they print of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from pydantic import ValidationError

from quaestor.app.text import truncate_line
from quaestor.contracts.command import Answer, Command, ReviewPlan
from quaestor.contracts.errors import UsageError

Home = Annotated[Path | None, Parameter(parse=False)]
"""Read by the program itself, before or after the command."""

After = Annotated[int, Parameter(help="With --json: only what comes after the event with this number.")]


def parse_answer(text: str) -> Command:
    """Give the order that an answer is: `/confirm_plan` and `/end_plan`, in any case, end the review of a plan.

    Raises UsageError for a text that answers nothing.
    """
    match text.strip().casefold():
        case "/confirm_plan":
            return ReviewPlan(review="confirmed")
        case "/end_plan":
            return ReviewPlan(review="auto_approved")
        case _:
            with usage_errors():
                return Answer(text=text.strip())


@contextmanager
def usage_errors() -> Iterator[None]:
    """Let an order that cannot be meant raise UsageError, with the value that is at fault."""
    try:
        yield
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        raise UsageError(f"{name} {truncate_line(repr(str(fault['input'])))} cannot be used: {fault['msg']}") from error
