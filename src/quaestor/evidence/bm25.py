"""Okapi BM25 over texts in memory (Robertson and Zaragoza, 2009), for a few pages; a corpus has an index."""

import math
from collections import Counter
from collections.abc import Sequence

SATURATION = 1.2
"""k1: how soon a word that is said again stops adding."""
LENGTH = 0.75
"""b: how much a longer text is held to account for its length."""


def scores(wanted: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """Score every text, given as its terms, for the wanted terms; 0 where none of them occurs.

    The weight of a term is ln(1 + (n - df + 0.5) / (df + 0.5)), which is never negative.
    """
    counts = [Counter(terms) for terms in texts]
    usual = sum(map(len, texts)) / len(texts) if texts else 0.0
    weights = {term: _weight(sum(term in count for count in counts), len(texts)) for term in dict.fromkeys(wanted)}
    return [
        sum(weight * _share(count[term], len(terms), usual) for term, weight in weights.items() if term in count)
        for terms, count in zip(texts, counts, strict=True)
    ]


def _weight(holding: int, texts: int) -> float:
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))


def _share(times: int, length: int, usual: float) -> float:
    return times * (SATURATION + 1) / (times + SATURATION * (1 - LENGTH + LENGTH * length / usual))
