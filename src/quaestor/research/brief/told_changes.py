"""Which sentences that tell of a change a brief shows below its passages: none that is on the page already."""

from collections.abc import Iterable, Iterator, Sequence

from quaestor.contracts.source import Quote
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.contracts.tools import Correction, ToldChange

_MOST = 3
"""Sentences that a brief shows."""


def told_changes(
    found: Iterable[ToldChange], passages: Sequence[BriefPassage], corrections: Iterable[Correction]
) -> Iterator[tuple[int, ToldChange]]:
    """Yield the first few sentences on passages that are shown, each with the number of its passage."""
    numbers = {_place(one): one.number for one in passages}
    shown = [one.context for one in passages]
    shown += [one.said for one in corrections if _place(one.quote) in numbers]
    told = (
        one for one in found if _place(one.quote) in numbers and not any(_overlaps(one.said, each) for each in shown)
    )
    yield from ((numbers[_place(one.quote)], one) for one, _ in zip(told, range(_MOST), strict=False))


def _place(one: Quote | BriefPassage) -> tuple[str, int, int]:
    return one.source, one.start, one.end


def _overlaps(one: Quote, other: Quote) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end
