"""Which sentences that tell of a change a brief shows below its passages: none that is marked on the page already."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from quaestor.contracts.source import Quote
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.contracts.tools import Correction, ToldChange

_MOST = 3
"""Sentences on changes that a brief shows."""
_MOST_LATER = 2
"""Sentences of later records without a word for a change."""


def told_changes(
    found: Iterable[ToldChange], passages: Sequence[BriefPassage], corrections: Iterable[Correction]
) -> Iterator[tuple[int, ToldChange]]:
    """Yield the first few sentences on passages that are shown, each with the number of its passage.

    What stands unmarked around the words of another passage a reader may overlook, also most of an item of which one
    sentence is marked. Behind these stand changes of what was found and is not shown, told with the best passage, and
    sentences of later records that are not shown at all.
    """
    shown = {_place(one): one for one in passages}
    best = next((one.number for one in passages if one.is_best), 1)
    numbers = {place: one.number for place, one in shown.items()}
    told_elsewhere = [one.said for one in corrections if _place(one.quote) in numbers]
    marked = [*passages, *told_elsewhere]
    told: dict[Quote, ToldChange] = {}
    unshown: dict[Quote, ToldChange] = {}
    for one in found:
        own = shown.get(_place(one.quote))
        around = [own] if own else passages
        is_seen = any(_shared(one.said, each.context) for each in around) or any(
            _is_marked(one.said, each) for each in marked
        )
        if not is_seen:
            (told if own else unshown).setdefault(one.said, one)
    of_others = (one for said, one in unshown.items() if said not in told)
    changes = [*islice((one for one in (*told.values(), *of_others) if not one.only_later), _MOST)]
    seen = {one.source for one in marked} | {one.said.source for one in changes}
    later = (one for one in told.values() if one.only_later and one.said.source not in seen)
    yield from ((numbers.get(_place(one.quote), best), one) for one in (*changes, *islice(later, _MOST_LATER)))


def _place(one: Quote | BriefPassage) -> tuple[str, int, int]:
    return one.source, one.start, one.end


def _is_marked(said: Quote, other: Quote | BriefPassage) -> bool:
    """Return whether half of what is said, or more, stands in other words that are shown."""
    return 2 * _shared(said, other) >= len(said.text)


def _shared(one: Quote, other: Quote | BriefPassage) -> int:
    """Return how many characters of a source stand in both."""
    return max(min(one.end, other.end) - max(one.start, other.start), 0) if one.source == other.source else 0
