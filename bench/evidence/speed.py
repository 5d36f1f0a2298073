"""What indexing and searching cost: 20,000 passages indexed, and queries over 100,000.

The passages are drawn from a vocabulary by Zipf's law, as words are in a language, by a seeded generator.
"""

import random
import resource
import time
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from bench.evidence.shelf import Shelf, shelved_by
from bench.evidence.table import Row

_WORDS = 30_000
_FUNCTION_WORDS = 100
_LENGTH = 200
"""Words of a passage."""
_A_FILE = 50
"""Passages of a file."""
_QUERIES = 100
_SEED = 20


async def rows(_: Path) -> list[Row]:
    """Return the seconds of indexing and the 95th percentile of a query, plain and with hops, and the memory taken."""
    figures = []
    async with shelved_by(lambda folder: _write(folder, 20_000)) as shelf:
        figures.append(
            Row(f"{shelf.state.passages:,} passages", "seconds of CPU to index", shelf.seconds, bound=3.0, least=False)
        )
    async with shelved_by(lambda folder: _write(folder, 100_000)) as shelf:
        size = f"{shelf.state.passages:,} passages"
        language = _Language(_SEED + 1)
        plain = [language.asks(6) for _ in range(_QUERIES)]
        named = [f"Did {language.asks(3)} meet {language.asks(1).title()}?" for _ in range(_QUERIES)]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        figures.append(Row(size, "p95 of a query, ms of CPU", await _p95(shelf, plain), bound=10.0, least=False))
        figures.append(Row(size, "p95 of a query with hops, ms of CPU", await _p95(shelf, named)))
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        figures.append(Row(size, "MB grown over 200 queries", grown))
    return figures


async def _p95(shelf: Shelf, queries: Sequence[str]) -> float:
    times = []
    for query in queries:
        start = time.process_time()
        await shelf.hits(query, 6)
        times.append(time.process_time() - start)
    return sorted(times)[int(len(times) * 0.95)] * 1000


def _write(folder: Path, passages: int) -> None:
    language = _Language(_SEED)
    for number in range(passages // _A_FILE):
        text = "\n\n".join(f"{language.says(_LENGTH)}." for _ in range(_A_FILE))
        (folder / f"file{number}.txt").write_text(text.capitalize(), encoding="utf-8")


class _Language:
    """Draws words, the n-th commonest in proportion to 1 / n."""

    def __init__(self, seed: int) -> None:
        self._generator = random.Random(seed)  # noqa: S311 -- a seeded generator makes a bench repeatable
        self._words = [_word(rank) for rank in range(1, _WORDS + 1)]
        self._shares = list(accumulate(1 / rank for rank in range(1, _WORDS + 1)))

    def says(self, count: int) -> str:
        return " ".join(self._generator.choices(self._words, cum_weights=self._shares, k=count))

    def asks(self, count: int) -> str:
        """Draw words for a query, none of the commonest: those are function words, which are not searched for."""
        shares = [share - self._shares[_FUNCTION_WORDS - 1] for share in self._shares[_FUNCTION_WORDS:]]
        return " ".join(self._generator.choices(self._words[_FUNCTION_WORDS:], cum_weights=shares, k=count))


def _word(rank: int) -> str:
    """Return a word that can be spoken, another one for each rank."""
    consonants, vowels = "bdfgklmnprst", "aeiou"
    said = ""
    while rank:
        rank, place = divmod(rank, len(consonants) * len(vowels))
        said += consonants[place // len(vowels)] + vowels[place % len(vowels)]
    return said
