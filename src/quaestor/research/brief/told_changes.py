"""Which sentences that tell of a change a brief shows below its passages: none that is marked on the page already."""

from collections.abc import Iterable, Iterator, Sequence

from quaestor.contracts.source import Quote
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.contracts.tools import Correction, ToldChange

_MOST = 3
"""Sentences that a brief shows."""


def told_changes(
    found: Iterable[ToldChange], passages: Sequence[BriefPassage], corrections: Iterable[Correction]
) -> Iterator[tuple[int, ToldChange]]:
    """Yield the first few sentences on passages that are shown, each with the number of its passage.

    What stands unmarked around the words of another passage a reader may overlook.
    """
    shown = {_place(one): one for one in passages}
    numbers = {place: one.number for place, one in shown.items()}
    told_elsewhere = [one.said for one in corrections if _place(one.quote) in numbers]
    marked = [*passages, *told_elsewhere]
    told = (
        one
        for one in found
        if (own := shown.get(_place(one.quote)))
        and not any(_overlaps(one.said, each) for each in (*marked, own.context))
    )
    yield from ((numbers[_place(one.quote)], one) for one, _ in zip(told, range(_MOST), strict=False))


def _place(one: Quote | BriefPassage) -> tuple[str, int, int]:
    return one.source, one.start, one.end


def _overlaps(one: Quote, other: Quote | BriefPassage) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end
