"""Counts words in a stream, and keeps the most frequent ones."""

from collections import Counter
from collections.abc import Iterable

MAX_WORDS = 10_000
"""Words that are kept before rare ones are forgotten."""


def count(lines: Iterable[str]) -> Counter[str]:
    """Count the words of all lines, in lower case.

    When more than MAX_WORDS different words were seen, every word that was seen only once is forgotten. The counts of
    frequent words stay exact; a rare word may be missing, because memory has to stay bounded on an endless stream.
    """
    counted: Counter[str] = Counter()
    for line in lines:
        counted.update(line.lower().split())
        if len(counted) > MAX_WORDS:
            counted = forget_rare(counted)
    return counted


def forget_rare(counted: Counter[str]) -> Counter[str]:
    """Return the words that were seen more than once."""
    return Counter({word: times for word, times in counted.items() if times > 1})
