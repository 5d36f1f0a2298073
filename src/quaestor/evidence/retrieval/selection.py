"""Which passages together answer a query: each is chosen for what the ones before it leave open."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from quaestor.contracts.source import Hit
from quaestor.evidence.bm25 import LENGTH, SATURATION
from quaestor.evidence.retrieval.copies import repeats
from quaestor.evidence.retrieval.names import called, parts
from quaestor.evidence.text import terms

DECAY = 0.5
"""What a term of the query is still worth once a chosen passage holds it."""
_NAMED = 0.4
"""What it is worth to be called as the query says, where holding every term of the query once is worth 1."""
_LED = 0.35
"""What it is worth to be the document that a chosen passage names, if the name is rare."""
_MENTIONS = 0.6
"""The part of that for a passage that merely holds the name too."""
_COPY_WORTH = 0.1
_SAME_SOURCE = 0.95
"""What a passage is worth for each passage of its source that was chosen before it."""


class Candidate:
    """A passage that may be chosen, with the counts of its terms and the names of its document."""

    def __init__(self, hit: Hit) -> None:
        passage = hit.passage
        self.hit = hit
        self.counts = Counter(terms(f"{hit.title}\n{passage.heading}\n{passage.text}"))
        self.length = self.counts.total()
        self.called = frozenset(called(hit.uri, hit.title, "" if passage.start else passage.text))

    @property
    def place(self) -> tuple[str, int]:
        """Which passage it is."""
        return self.hit.passage.source, self.hit.passage.start


def weight(passages: int, holding: int) -> float:
    """Give the inverse document frequency as BM25 has it: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return math.log(1 + (max(passages - holding, 0) + 0.5) / (holding + 0.5))


class Selection:
    """Chooses passages one after the other, and knows what they leave open.

    `worth` is what each term of the query counts, `named` holds the keys of documents the query names. With `apart`
    a term counts less once it is covered (maximal marginal relevance over the terms of the query).
    """

    def __init__(self, worth: Mapping[str, float], named: Iterable[str], apart: bool) -> None:
        whole = sum(worth.values()) or 1.0
        self._worth = {term: share / whole for term, share in worth.items()}
        self._open = dict.fromkeys(worth, 1.0)
        self._named = dict.fromkeys(named, 1.0)
        self._decay = DECAY if apart else 1.0
        self._titled: dict[str, float] = {}
        self._held: dict[tuple[str, ...], float] = {}
        self._pool: dict[tuple[str, int], Candidate] = {}
        self._usual = 1.0
        self.chosen: list[Candidate] = []

    def offer(self, hits: Iterable[Hit]) -> None:
        """Add passages to choose from."""
        for hit in hits:
            place = (hit.passage.source, hit.passage.start)
            if place not in self._pool:
                self._pool[place] = Candidate(hit)
        if not self.chosen and self._pool:
            self._usual = sum(each.length for each in self._pool.values()) / len(self._pool)

    def lead(self, key: str, strength: float, by_mention: bool) -> None:
        """Note that a chosen passage leads to what bears this name, and if `by_mention` to what holds it."""
        self._titled[key] = max(self._titled.get(key, 0.0), strength)
        if by_mention:
            held = tuple(parts(key))
            self._held[held] = max(self._held.get(held, 0.0), strength)

    def choose(self) -> Candidate | None:
        """Choose the best of what is left, or None when nothing is; the first is the first that was offered."""
        rest = [each for each in self._pool.values() if each not in self.chosen]
        if not rest:
            return None
        best = max(rest, key=self._score) if self.chosen else rest[0]
        self.chosen.append(best)
        for term in self._open:
            if term in best.counts:
                self._open[term] *= self._decay
        for key in best.called & self._named.keys():
            self._named[key] *= DECAY
        return best

    def unsaid(self) -> list[str]:
        """Give the terms of the query that no chosen passage holds, or all of them."""
        held = {term for each in self.chosen for term in each.counts}
        return [term for term in self._open if term not in held] or list(self._open)

    def rest(self) -> Sequence[Candidate]:
        """Give what was not chosen, best first."""
        return sorted((each for each in self._pool.values() if each not in self.chosen), key=self._score, reverse=True)

    def _score(self, each: Candidate) -> float:
        said = sum(share * self._open[term] * self._said(each, term) for term, share in self._worth.items())
        named = max((self._named[key] for key in each.called & self._named.keys()), default=0.0)
        titled = max((self._titled[key] for key in each.called & self._titled.keys()), default=0.0)
        held = max((led for words, led in self._held.items() if all(map(each.counts.__contains__, words))), default=0.0)
        score = said + _NAMED * named + _LED * max(titled, _MENTIONS * held)
        same = sum(other.place[0] == each.place[0] for other in self.chosen)
        copied = any(repeats(each.counts.keys(), other.counts.keys()) for other in self.chosen)
        return float(score * _SAME_SOURCE**same * (_COPY_WORTH if copied else 1.0))

    def _said(self, each: Candidate, term: str) -> float:
        """Give the part of BM25 that is not the weight of the term."""
        times = each.counts[term]
        return times * (SATURATION + 1) / (times + SATURATION * (1 - LENGTH + LENGTH * each.length / self._usual))
