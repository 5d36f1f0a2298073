"""The name that somebody may have meant who wrote one that is not known."""

from collections.abc import Callable, Iterable, Sequence

from quaestor.contracts.lazy import deferred

_LIKENESS = 0.7
"""Of two names, from 0 to 1, from which one may be a slip of the other: `efort` and `effort` have 0.91."""
_close_matches: Callable[..., Sequence[str]] = deferred("difflib:get_close_matches")


def suggest(name: str, known: Iterable[str], likeness: float = _LIKENESS) -> str:
    """Return `did you mean 'effort'? ` for the known name most like this one; nothing where none is like it.

    It is a part of an error message and ends with a space. Case does not matter.
    """
    names = {each.casefold(): each for each in known}
    for close in _close_matches(name.casefold(), names, n=1, cutoff=likeness):
        return f"did you mean {names[close]!r}? "
    return ""
