"""Which words of a question follow each other in a sentence too: what repeats it is nearer than what has its words."""

from collections.abc import Iterable
from itertools import pairwise

from quaestor.evidence.stopwords import STOP_WORDS

_Pair = tuple[str, str]


def _asked_pairs(asked: Iterable[str], core: frozenset[str]) -> frozenset[_Pair]:
    """Return the terms of the core of a question that follow each other in it, whatever stands between them."""
    return frozenset(pairwise(term for term in asked if term in core))


def _held_pairs(said: Iterable[str]) -> frozenset[_Pair]:
    """Return the terms of a sentence that follow each other in it, but for words of no meaning between them."""
    return frozenset(pairwise(term for term in said if term not in STOP_WORDS))


def share_of_pairs(said: Iterable[str], asked: Iterable[str], core: frozenset[str]) -> float:
    """Return the share of the pairs of a question that a sentence holds, from 0 to 1."""
    pairs = _asked_pairs(asked, core)
    return len(pairs & _held_pairs(said)) / len(pairs) if pairs else 0.0
