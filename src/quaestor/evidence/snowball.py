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


class _LockedStemmer:
    """The stemmer of one language, and the lock that is held while it works."""

    def __init__(self, algorithm: str) -> None:
        self._lock = Lock()
        self._stem: Callable[[str], str] = _load_stemmer(algorithm, _NO_CACHE).stemWord

    def stem(self, word: str) -> str:
        with self._lock:
            return self._stem(word)


_open_stemmer = cache(_LockedStemmer)


def snowball_stem(word: str, algorithm: str) -> str:
    """Return the stem of a word in lower case by the algorithm that Snowball calls so, as `english`."""
    return _open_stemmer(algorithm).stem(word)
