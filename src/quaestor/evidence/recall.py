"""What a prompt may see: ranked lists become one, and what is shown ends at a ceiling."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from quaestor.contracts.noun import Noun
from quaestor.contracts.source import Hit

T = TypeVar("T")

RANK_CONSTANT = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""


def fused(rankings: Sequence[Sequence[Hit]]) -> tuple[Hit, ...]:
    """Merge rankings of several queries by reciprocal rank; each passage once, ties in order of first sight."""
    scores: dict[tuple[str, int], float] = {}
    hits: dict[tuple[str, int], Hit] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            place = (hit.passage.source, hit.passage.start)
            hits.setdefault(place, hit)
            scores[place] = scores.get(place, 0.0) + 1 / (RANK_CONSTANT + rank)
    return tuple(hits[place] for place in sorted(hits, key=lambda place: -scores[place]))


def size(noun: Noun) -> int:
    """Give the characters a noun takes in a prompt."""
    return len(noun.model_dump_json())


def within(items: Iterable[T], ceiling: int, measure: Callable[[T], int]) -> tuple[T, ...]:
    """Give the items in order as long as their sizes fit below a ceiling; what does not fit is passed over."""
    room = ceiling
    chosen: list[T] = []
    for item in items:
        taken = measure(item)
        if taken <= room:
            chosen.append(item)
            room -= taken
    return tuple(chosen)
