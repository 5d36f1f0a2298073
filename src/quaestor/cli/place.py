"""What the commands have in common: the home they are told, and the session they are about."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

Home = Annotated[Path | None, Parameter(parse=False)]
"""Read by the program itself, before or after the command."""

SessionId = Annotated[str, Parameter(name="SESSION", help="Its id, as `quaestor ps` lists it.")]
