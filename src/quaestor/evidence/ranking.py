"""Okapi BM25 over texts in memory (Robertson and Zaragoza, 2009), for a few pages; a corpus has an index."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from quaestor.contracts.base import Contract
from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit

_content_terms: Callable[[str], list[str]] = deferred("quaestor.evidence.tokenization:content_terms")

K1 = 1.2
"""k1: how soon repetitions of a word stop adding to the score."""
B = 0.75
"""b: how much a longer text is held to account for its length."""
_SMALL_REST = 8
"""A rest of one part in so many of a group is no group by itself."""


def bm25_scores(query_terms: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """Score every text, given as its terms, for the terms of a query; 0 where none of them occurs."""
    wanted = frozenset(query_terms)
    counts = [Counter(filter(wanted.__contains__, terms)) for terms in texts]
    usual = sum(map(len, texts)) / len(texts) if texts else 0.0
    weights = {term: idf(len(texts), sum(term in count for count in counts)) for term in dict.fromkeys(query_terms)}
    return [
        sum(
            weight * term_frequency_part(count[term], len(terms), usual)
            for term, weight in weights.items()
            if term in count
        )
        for terms, count in zip(texts, counts, strict=True)
    ]


def idf(passages: int, holding: int) -> float:
    """Return the inverse document frequency: ln(1 + (n - df + 0.5) / (df + 0.5)), which is never negative."""
    return math.log(1 + (max(passages - holding, 0) + 0.5) / (holding + 0.5))


def term_frequency_part(times: int, length: int, usual: float) -> float:
    """Return the score of a term without its inverse document frequency, in a text of a length beside the usual one."""
    return times * (K1 + 1) / (times + K1 * (1 - B + B * length / usual))


T = TypeVar("T")

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""


def fuse_rankings(rankings: Sequence[Sequence[Hit]]) -> tuple[Hit, ...]:
    """Merge rankings of several queries by reciprocal rank; each passage once, ties in order of first sight."""
    scores: dict[tuple[str, int], float] = {}
    hits: dict[tuple[str, int], Hit] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            place = hit.place
            hits.setdefault(place, hit)
            scores[place] = scores.get(place, 0.0) + 1 / (RRF_K + rank)
    return tuple(hits[place] for place in sorted(hits, key=lambda place: -scores[place]))


def select_relevant(findings: Sequence[Finding], about: str, ceiling: int) -> tuple[Finding, ...]:
    """Return the findings that share most words with a text, as far as they fit below a ceiling, in their own order."""
    sizes = list(map(json_size, findings))
    if sum(sizes) <= ceiling:  # nothing is chosen, so no word need be looked at
        return tuple(findings)
    query_terms = set(_content_terms(about))
    shared = [len(query_terms.intersection(_content_terms(finding.claim))) for finding in findings]
    ranked = sorted(range(len(findings)), key=lambda place: -shared[place])
    fitting = take_within(ranked, ceiling, sizes.__getitem__)
    return tuple(findings[place] for place in sorted(fitting))


def batch_by_size(items: Iterable[T], ceiling: int, measure: Callable[[T], int]) -> tuple[tuple[T, ...], ...]:
    """Return all items in order, in groups that each fit below a ceiling; an item above it is a group by itself.

    A small rest joins the group before it, so that a call is not made for two items.
    """
    groups: list[list[T]] = []
    room = 0
    for item in items:
        taken = measure(item)
        if not groups or taken > room:
            groups.append([])
            room = ceiling
        groups[-1].append(item)
        room -= taken
    if len(groups) > 1 and (ceiling - room) * _SMALL_REST <= ceiling:
        rest = groups.pop()
        groups[-1] += rest
    return tuple(map(tuple, groups))


def json_size(noun: Contract) -> int:
    """Return the characters that a contract takes in a prompt."""
    return len(noun.model_dump_json())


def take_within(items: Iterable[T], ceiling: int, measure: Callable[[T], int]) -> tuple[T, ...]:
    """Return the items in order as long as their sizes fit below a ceiling; what does not fit is passed over."""
    room = ceiling
    chosen: list[T] = []
    for item in items:
        taken = measure(item)
        if taken <= room:
            chosen.append(item)
            room -= taken
    return tuple(chosen)


def fuse_by_source(rankings: Iterable[tuple[float, Sequence[Hit]]]) -> list[Hit]:
    """Merge weighted rankings by reciprocal rank, best first: the first hit of each source, ties by first sight.

    Reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009) over sources: another passage of a source
    in the same ranking lends it no more.
    """
    scores: dict[str, float] = {}
    hits: dict[str, Hit] = {}
    for weight, ranking in rankings:
        # Reversed, so that of several passages of a source the best one is kept.
        first = {hit.passage.source: hit for hit in reversed(ranking)}
        ordered = sorted(first.values(), key=ranking.index)
        for rank, hit in enumerate(ordered, 1):
            source = hit.passage.source
            hits.setdefault(source, hit)
            scores[source] = scores.get(source, 0.0) + weight / (RRF_K + rank)
    return sorted(hits.values(), key=lambda hit: -scores[hit.passage.source])
