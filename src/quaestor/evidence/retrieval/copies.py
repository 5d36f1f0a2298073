"""Near-copies, which say again what was read, told from what says something else."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import pairwise

from quaestor.contracts.source import Hit
from quaestor.evidence.folding import fold

COPY = 0.8
"""The share of common words (Jaccard) from which on a passage repeats another."""

_LONG_WORD = 12
"""Characters a word that are more than any spaced script has on average."""


def distinct(hits: Iterable[Hit]) -> tuple[list[Hit], list[Hit]]:
    """Give the hits that say something new, and those that repeat one of them before, both in order."""
    kept: list[tuple[Hit, AbstractSet[str]]] = []
    copies: list[Hit] = []
    for hit in hits:
        words = _words(hit.passage.text)
        if any(repeats(words, other) for _, other in kept):
            copies.append(hit)
        else:
            kept.append((hit, words))
    return [hit for hit, _ in kept], copies


def repeats(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Tell whether two passages, given as sets of words, share most of them."""
    if min(len(one), len(other)) < COPY * max(len(one), len(other)):
        return False
    both = len(one & other)
    return both >= COPY * (len(one) + len(other) - both)


def _words(text: str) -> AbstractSet[str]:
    """Give the words of a text; what has few blanks, as scripts without spaces, by its characters in pairs."""
    folded = fold(text)
    words = frozenset(folded.split())
    return words if len(words) * _LONG_WORD > len(folded) else frozenset(map("".join, pairwise(folded)))
