"""What the commands have in common: the home they are told, the session they are about, and what they print of it."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

Home = Annotated[Path | None, Parameter(parse=False)]
"""Read by the program itself, before or after the command."""

SessionId = Annotated[str, Parameter(name="SESSION", help="Its id, as `quaestor ps` lists it.")]

Json = Annotated[
    bool,
    Parameter(name="--json", negative="", show_default=False, help="Print the stream as JSON lines, as it comes."),
]

After = Annotated[int, Parameter(help="With --json: only what comes after the event with this number.")]
