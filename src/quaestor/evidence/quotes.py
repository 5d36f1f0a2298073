"""Whether quoted words stand in a text, and where. Words are compared, never meanings: a paraphrase is no quote."""

import string
from functools import lru_cache

from quaestor.evidence.folding import Breaks, Folded, breaks_words, composed, folded

_OUTER = string.punctuation + string.whitespace + "。、，！？：；・…¿¡"  # noqa: RUF001 (the stops of other scripts)
_FEWEST = 3
"""A shorter quote stands anywhere by chance once case and punctuation are gone, so it must stand exactly."""


def locate(text: str, wanted: str) -> tuple[int, int] | None:
    """Give the first place of the wanted words in a text as (start, end), or None.

    Exact words come first; else they may differ in case, in white space, in the kind of quotes, dashes and ellipses,
    in invisible characters, and in the punctuation around the whole; last, in where a word is broken at a line's end.
    """
    exact = wanted.strip()
    if not exact:
        return None
    place = text.find(exact)
    if place >= 0:
        return place, place + len(exact)
    if sum(map(str.isalnum, exact)) < _FEWEST:
        return None
    found = _first(text, exact) or _first(text, exact.strip(_OUTER))
    if found or not (breaks_words(text) or breaks_words(exact)):
        return found
    bare = exact.strip(_OUTER)
    return _first(text, bare, "joined") or _first(text, bare, "hyphenated")


def _first(text: str, wanted: str, breaks: Breaks = "kept") -> tuple[int, int] | None:
    apart = not (composed(text) and composed(wanted))
    hay = _remembered(text, apart=apart, breaks=breaks)
    needle = folded(wanted, apart=apart, breaks=breaks).text.strip()
    place = hay.text.find(needle) if needle else -1
    while place >= 0:
        span = hay.span(place, place + len(needle))
        if span:
            return span
        place = hay.text.find(needle, place + 1)
    return None


@lru_cache(maxsize=6)
def _remembered(text: str, *, apart: bool, breaks: Breaks) -> Folded:
    """Fold a text once for its many quotes."""
    return folded(text, apart=apart, breaks=breaks)
