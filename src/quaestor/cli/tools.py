"""The tools of a task, as a command line names them: apart, or in one word with commas."""

from collections.abc import Sequence

from pydantic import JsonValue

from quaestor.contracts.errors import UsageError
from quaestor.contracts.task import TOOLS


def named(option: str, words: Sequence[str] | None) -> list[JsonValue] | None:
    """Give the tools that an option names, each once; None when it was not given.

    Raises UsageError for a name that no tool has.
    """
    if words is None:
        return None
    names = list(dict.fromkeys(name for word in words for part in word.split(",") if (name := part.strip())))
    if strange := [name for name in names if name not in TOOLS]:
        raise UsageError(f"{option} {', '.join(strange)}: there is no such tool; tools are {', '.join(TOOLS)}")
    return [*names]
