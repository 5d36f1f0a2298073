"""The location of quoted words in a text. Words are compared, never meanings: a paraphrase is no quote."""

import string
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

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
_MAX_PLACES = 1_000
"""So many places of the same words are looked at."""


def locate_quote(text: str, quote: str, shown: Sequence[tuple[int, int]] = ()) -> tuple[int, int] | None:
    """Return the place of quoted words in a text as (start, end), or None.

    What stands there more than once is meant where the reader saw it: the place is the one in the first of the
    passages `shown` that holds it, else the first in the text.

    Exact words come first; else they may differ in case, in white space, in the kind of quotes, dashes and ellipses,
    in invisible characters, and in the punctuation around the whole; last, in where a word is broken at a line's end.
    """
    exact = quote.strip()
    if not exact:
        return None
    if place := _choose(_exact_places(text, exact), shown):
        return place
    if sum(map(str.isalnum, exact)) < _MIN_LETTERS:
        return None
    bare = exact.strip(_OUTER_PUNCTUATION)
    found = _find_normalized(text, exact, shown) or _find_normalized(text, bare, shown)
    if found or not (has_hyphenated_words(text) or has_hyphenated_words(exact)):
        return found
    return _find_normalized(text, bare, shown, "joined") or _find_normalized(text, bare, shown, "hyphenated")


def _choose(places: Iterable[tuple[int, int]], shown: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the place in the earliest of the passages shown, else the first place."""
    found = list(islice(places, _MAX_PLACES if shown else 1))
    held = (place for top, bottom in shown for place in found if top <= place[0] and place[1] <= bottom)
    return next(held, found[0] if found else None)


def _exact_places(text: str, quote: str) -> Iterator[tuple[int, int]]:
    place = text.find(quote)
    while place >= 0:
        yield place, place + len(quote)
        place = text.find(quote, place + 1)


def _find_normalized(
    text: str, quote: str, shown: Sequence[tuple[int, int]], breaks: HyphenHandling = "kept"
) -> tuple[int, int] | None:
    apart = not (is_composed(text) and is_composed(quote))
    hay = _normalized_text(text, apart=apart, breaks=breaks)
    needle = _normalized_quote(quote, apart=apart, breaks=breaks)
    places = _exact_places(hay.text, needle) if needle else ()
    # A place that begins or ends within a character such as a ligature has no span; a later one may be whole.
    return _choose((span for place in places if (span := hay.span(*place))), shown)


# One text has at most six forms: letters and accents apart or not, with three ways to read its hyphens.
@lru_cache(maxsize=6)
def _normalized_text(text: str, *, apart: bool, breaks: HyphenHandling) -> NormalizedText:
    """Fold a text once for its many quotes."""
    return normalize_with_offsets(text, apart=apart, breaks=breaks)


@lru_cache(maxsize=64)
def _normalized_quote(quote: str, *, apart: bool, breaks: HyphenHandling) -> str:
    """Fold a quote once for the sources in which it may stand, and for each time that it is looked for."""
    return normalize_with_offsets(quote, apart=apart, breaks=breaks).text.strip()
