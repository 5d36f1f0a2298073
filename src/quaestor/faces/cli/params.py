"""Parameters that several commands have in common, and how an answer is parsed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from pydantic import ValidationError

from quaestor.app.text import truncate_line
from quaestor.contracts.errors import UsageError

Home = Annotated[Path | None, Parameter(parse=False)]
"""Read by the program itself, before or after the command."""

After = Annotated[int, Parameter(help="With --json: print only what comes after the event with this number.")]


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn the ValidationError of a command into a UsageError that names the value at fault."""
    try:
        yield
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        raise UsageError(f"{name} {truncate_line(repr(str(fault['input'])))} cannot be used: {fault['msg']}") from error
