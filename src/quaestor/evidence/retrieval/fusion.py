"""Several rankings as one, by document, where each speaks of another thing."""

from collections.abc import Iterable, Sequence

from quaestor.contracts.source import Hit
from quaestor.evidence.recall import RANK_CONSTANT


def weighed(rankings: Iterable[tuple[float, Sequence[Hit]]]) -> list[Hit]:
    """Merge weighted rankings by reciprocal rank, best first: the first hit of each source, ties by first sight.

    Reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009) over sources: another passage of a source
    in the same ranking lends it no more.
    """
    scores: dict[str, float] = {}
    hits: dict[str, Hit] = {}
    for weight, ranking in rankings:
        first = {hit.passage.source: hit for hit in reversed(ranking)}
        ordered = sorted(first.values(), key=ranking.index)
        for rank, hit in enumerate(ordered, 1):
            source = hit.passage.source
            hits.setdefault(source, hit)
            scores[source] = scores.get(source, 0.0) + weight / (RANK_CONSTANT + rank)
    return sorted(hits.values(), key=lambda hit: -scores[hit.passage.source])
