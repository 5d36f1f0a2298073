"""Snowball's stemmers, asked by several threads at once."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from Stemmer import Stemmer  # type: ignore[import-not-found]  # it ships no types

from quaestor.evidence.snowball import snowball_stem

_WORDS = [
    start + end
    for start, end in product(
        ("nation", "organ", "relat", "form", "hope", "capital"), ("ization", "ational", "fulness", "ities")
    )
]


@pytest.mark.parametrize("algorithm", ["english", "german"])
def test_threads_that_stem_at_once_do_not_mix_their_words(algorithm: str) -> None:
    alone = Stemmer(algorithm)
    expected = [alone.stemWord(word) for word in _WORDS]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that threads change in the middle of a word
    try:
        with ThreadPoolExecutor(4) as threads:
            for _ in range(10):
                lists = [threads.submit(lambda: [snowball_stem(word, algorithm) for word in _WORDS]) for _ in range(4)]
                assert [stems.result() for stems in lists] == [expected] * 4
    finally:
        sys.setswitchinterval(before)
