"""Passages of a brief whose paragraphs overlap: they share one, so that no line of a list is shown twice."""

from collections.abc import Iterable, Iterator, Sequence

from quaestor.contracts.source import Quote
from quaestor.research.contracts.brief import BriefPassage

_MAX_SHARED = 2000
"""Characters of a paragraph that several passages share."""


def share_paragraphs(passages: Iterable[BriefPassage]) -> Iterator[BriefPassage]:
    """Yield the passages of a part whose paragraphs overlap one after the other, each in the paragraph of all.

    What one of them holds is in the paragraph of each.
    """
    rest = list(passages)
    while rest:
        whole = rest[0].context
        shared = rest[:1]
        for one in rest[1:]:
            if _is_beside(one, shared[0]) and _overlaps(one.context, whole):
                whole = _joined(whole, one.context)
                shared.append(one)
        taken = {one.number for one in shared}
        rest = [one for one in rest if one.number not in taken]
        yield from _in_one_paragraph(shared, whole)


def _is_beside(one: BriefPassage, first: BriefPassage) -> bool:
    return (one.part, one.source) == (first.part, first.source)


def _overlaps(one: Quote, other: Quote) -> bool:
    """Return whether two paragraphs have characters in common, and together are no longer than can be read."""
    together = max(one.end, other.end) - min(one.start, other.start)
    return one.start < other.end and other.start < one.end and together <= _MAX_SHARED


def _joined(one: Quote, other: Quote) -> Quote:
    """Return the words from where the first of two overlapping paragraphs begins to where the last one ends."""
    first, last = sorted((one, other), key=lambda each: each.start)
    text = f"{first.text}{last.text[first.end - last.start :]}" if last.end > first.end else first.text
    return Quote(source=one.source, start=first.start, end=first.start + len(text), text=text)


def _in_one_paragraph(shared: Sequence[BriefPassage], whole: Quote) -> Iterator[BriefPassage]:
    lowest = max(shared, key=lambda one: one.context.end)
    absent = [word for word in shared[0].absent if all(word in one.absent for one in shared)]
    sides = {one.side for one in shared}
    for one in shared:
        yield one.revised(
            side=one.side if len(sides) == 1 else "",
            context=whole,
            heading=shared[0].heading,
            absent=tuple(absent),
            list_goes_on=lowest.list_goes_on,
        )
