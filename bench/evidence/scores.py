"""The measures, each from 0 to 1."""

import math
from collections.abc import Collection, Iterable, Sequence
from statistics import fmean


def mean(values: Iterable[float]) -> float:
    """Return the arithmetic mean."""
    return fmean(values)


def recall(ranking: Sequence[str], gold: Collection[str], depth: int) -> float:
    """Return the share of the gold documents that are among the first ones."""
    return len(set(ranking[:depth]) & set(gold)) / len(set(gold))


def ndcg(ranking: Sequence[str], gold: Collection[str], depth: int) -> float:
    """Return the normalised discounted cumulative gain with gains of 0 and 1 (Jarvelin and Kekalainen 2002)."""
    gain = sum(1 / math.log2(rank + 1) for rank, name in enumerate(ranking[:depth], 1) if name in gold)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(depth, len(set(gold))) + 1))
    return gain / best
