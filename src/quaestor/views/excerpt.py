"""The text of a source around a quote, cut into what is quoted and what is not."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from quaestor.contracts.immutable import Immutable

_MAX_QUOTE_CHARACTERS = 20_000
_EDGES = ("\n\n", "\n", " ")


class ExcerptRun(Immutable):
    """A run of the text; `mark` is the quote itself, or another quote of the same session."""

    text: str
    mark: str | None = None


class Excerpt(Immutable):
    """A part of a source around a quote; `is_cut_before` and `is_cut_after` where the source goes on."""

    runs: tuple[ExcerptRun, ...]
    is_cut_before: bool
    is_cut_after: bool


def cut_excerpt(
    text: str,
    quote: tuple[int, int],
    others: Iterable[tuple[int, int]] = (),
    window: tuple[int, int] | None = None,
    context: int = 1_500,
) -> Excerpt:
    """Return the text around a quote, whose span is marked `quote`, and the spans of `others` marked `other`.

    `window` is what may be shown, as a page; without it the whole text. `context` is how much of it is shown on either
    side, up to the nearest end of a paragraph, a line or a word. Spans count in characters of the text.
    """
    first, last = window or (0, len(text))
    start, end = max(quote[0], first), min(quote[1], last, quote[0] + _MAX_QUOTE_CHARACTERS)
    begin = first if start - context <= first else _next_edge(text, start - context, start)
    stop = last if end + context >= last else _previous_edge(text, end, end + context)
    spans = [(start, end, "quote"), *((low, high, "other") for low, high in others if (low, high) != quote)]
    return Excerpt(tuple(_runs(text, begin, stop, spans)), begin > first, stop < last)


def _runs(text: str, begin: int, stop: int, spans: Iterable[tuple[int, int, str]]) -> Iterator[ExcerptRun]:
    """Yield runs in order; where spans overlap, the quote itself wins."""
    listed = tuple(spans)
    edges = sorted({begin, stop, *(edge for low, high, _ in listed for edge in (low, high) if begin < edge < stop)})
    for low, high in pairwise(edges):
        marks = [mark for first, last, mark in listed if first <= low and high <= last]
        yield ExcerptRun(text[low:high], "quote" if "quote" in marks else marks[0] if marks else None)


def _next_edge(text: str, low: int, high: int) -> int:
    """Return where a paragraph begins between two places, else a line, else a word; the first place without any."""
    found = ((text.find(edge, low, high), len(edge)) for edge in _EDGES)
    return next((at + length for at, length in found if at >= 0), low)


def _previous_edge(text: str, low: int, high: int) -> int:
    """Return where a paragraph ends between two places, else a line, else a word; the last place without any."""
    return next((at for edge in _EDGES if (at := text.rfind(edge, low, high)) >= 0), high)
