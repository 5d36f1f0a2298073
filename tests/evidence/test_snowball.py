"""Snowball's stemmers, asked by several threads at once."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from Stemmer import Stemmer  # type: ignore[import-not-found]  # it ships no types

from quaestor.evidence.snowball import one_at_a_time, snowball_stem


@pytest.mark.parametrize(
    ("algorithm", "words"),
    [("english", ["organizational", "hopefulness", "capitalities"]), ("german", ["häusern", "gefertigten"])],
)
def test_a_word_has_the_stem_of_its_algorithm(algorithm: str, words: list[str]) -> None:
    assert [snowball_stem(word, algorithm) for word in words] == Stemmer(algorithm).stemWords(words)


def test_no_two_threads_are_in_a_stemmer_at_once() -> None:
    inside: list[str] = []

    def stem(word: str) -> str:
        inside.append(word)
        time.sleep(0.001)  # in which another thread would come in
        assert inside == [word]
        inside.remove(word)
        return word.upper()

    locked = one_at_a_time(stem)
    words = [f"jar{number}" for number in range(20)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(locked, words)) == [word.upper() for word in words]
