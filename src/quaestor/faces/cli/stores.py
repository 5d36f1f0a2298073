"""The command that copies a store."""

from itertools import count
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.app.copies.store_copy import copy_store
from quaestor.app.text import count_noun, replace_hidden
from quaestor.contracts.errors import LogCorrupt
from quaestor.faces.cli.output import write_stderr, write_stdout

_SESSIONS_A_LINE = 1_000


async def store(
    action: Annotated[Literal["copy"], Parameter(name="ACTION", help="copy.")],
    origin: Annotated[str, Parameter(name="FROM", help="The folder of a home, or postgresql://HOST/DATABASE.")],
    target: Annotated[str, Parameter(name="TO", help="Another one, empty or left by a copy that was cut off.")],
    /,
) -> int:
    """Copy everything that a home or a Postgres database holds into another one, and verify it there.

    Exit code 1 when there are faults, which the origin has, too.
    """
    numbers = count(1)

    def report(_: str) -> None:
        if (number := next(numbers)) % _SESSIONS_A_LINE == 0:
            write_stderr(f"{count_noun(number, 'session')} copied")

    match action:
        case "copy":
            summary = await copy_store(origin, target, report)
    for fault in summary.faults:
        write_stdout(f"{replace_hidden(fault)}\n")
    write_stderr(f"{count_noun(summary.sessions, 'session')} copied and verified")
    return LogCorrupt.exit_code if summary.faults else 0
