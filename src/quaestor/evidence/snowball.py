"""The stemmers of Snowball, each used by one thread at a time.

A stemmer keeps the word it works on in itself, so it must not be called by two threads at once.
"""

from collections.abc import Callable
from functools import cache
from threading import Lock

from quaestor.contracts.lazy import deferred

_load_stemmer = deferred("Stemmer:Stemmer")
_NO_CACHE = 0
"""A word that comes again is remembered with all its terms, in `tokenization`."""


def one_at_a_time(stem: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that stems as this one does, which is never called by two threads at once."""
    lock = Lock()

    def locked(word: str) -> str:
        with lock:
            return stem(word)

    return locked


@cache
def _open_stemmer(algorithm: str) -> Callable[[str], str]:
    return one_at_a_time(_load_stemmer(algorithm, _NO_CACHE).stemWord)


def snowball_stem(word: str, algorithm: str) -> str:
    """Return the stem of a word in lower case by the algorithm that Snowball calls so, as `english`."""
    return _open_stemmer(algorithm)(word)
