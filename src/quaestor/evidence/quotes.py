"""The location of quoted words in a text. Words are compared, never meanings: a paraphrase is no quote."""

import string
from functools import lru_cache

from quaestor.evidence.normalization import (
    HyphenHandling,
    NormalizedText,
    has_hyphenated_words,
    is_composed,
    normalize_with_offsets,
)

_OUTER_PUNCTUATION = string.punctuation + string.whitespace + "。、，！？：；・…¿¡"  # noqa: RUF001 (the stops of other scripts)
_MIN_LETTERS = 3
"""A shorter quote is found by chance once case and punctuation are removed, so it must match exactly."""


def locate_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Return the first place of quoted words in a text as (start, end), or None.

    Exact words come first; else they may differ in case, in white space, in the kind of quotes, dashes and ellipses,
    in invisible characters, and in the punctuation around the whole; last, in where a word is broken at a line's end.
    """
    exact = quote.strip()
    if not exact:
        return None
    place = text.find(exact)
    if place >= 0:
        return place, place + len(exact)
    if sum(map(str.isalnum, exact)) < _MIN_LETTERS:
        return None
    found = _find_normalized(text, exact) or _find_normalized(text, exact.strip(_OUTER_PUNCTUATION))
    if found or not (has_hyphenated_words(text) or has_hyphenated_words(exact)):
        return found
    bare = exact.strip(_OUTER_PUNCTUATION)
    return _find_normalized(text, bare, "joined") or _find_normalized(text, bare, "hyphenated")


def _find_normalized(text: str, quote: str, breaks: HyphenHandling = "kept") -> tuple[int, int] | None:
    apart = not (is_composed(text) and is_composed(quote))
    hay = _normalized_text(text, apart=apart, breaks=breaks)
    needle = normalize_with_offsets(quote, apart=apart, breaks=breaks).text.strip()
    place = hay.text.find(needle) if needle else -1
    while place >= 0:
        span = hay.span(place, place + len(needle))
        if span:
            return span
        place = hay.text.find(needle, place + 1)
    return None


@lru_cache(maxsize=6)
def _normalized_text(text: str, *, apart: bool, breaks: HyphenHandling) -> NormalizedText:
    """Fold a text once for its many quotes."""
    return normalize_with_offsets(text, apart=apart, breaks=breaks)
