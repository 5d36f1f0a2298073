"""What a prompt may see: ranked lists become one, and what is shown ends at a ceiling."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from quaestor.contracts.ledger import Finding
from quaestor.contracts.noun import Noun
from quaestor.contracts.source import Hit
from quaestor.evidence.text import content_terms

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


def relevant(findings: Sequence[Finding], about: str, ceiling: int) -> tuple[Finding, ...]:
    """Give the findings that share most words with a text, as far as they fit below a ceiling, in their own order."""
    wanted = set(content_terms(about))
    shared = [len(wanted.intersection(content_terms(finding.claim))) for finding in findings]
    ranked = sorted(range(len(findings)), key=lambda place: -shared[place])
    fitting = within(ranked, ceiling, lambda place: size(findings[place]))
    return tuple(findings[place] for place in sorted(fitting))


def batched(items: Iterable[T], ceiling: int, measure: Callable[[T], int]) -> tuple[tuple[T, ...], ...]:
    """Give all items in order, in groups that each fit below a ceiling; an item above it is a group by itself."""
    groups: list[list[T]] = []
    room = 0
    for item in items:
        taken = measure(item)
        if not groups or taken > room:
            groups.append([])
            room = ceiling
        groups[-1].append(item)
        room -= taken
    return tuple(map(tuple, groups))


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
