"""Parameters that several commands have in common, and how an answer is parsed."""

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

After = Annotated[int, Parameter(help="With --json: print only what comes after the event with this number.")]


def parse_answer(text: str) -> Command:
    """Parse an answer: `/confirm_plan` and `/end_plan`, in any case, end the review of a plan.

    Raises UsageError for an empty text.
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
    """Turn the ValidationError of a command into a UsageError that names the value at fault."""
    try:
        yield
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        raise UsageError(f"{name} {truncate_line(repr(str(fault['input'])))} cannot be used: {fault['msg']}") from error
