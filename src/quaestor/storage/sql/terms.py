"""The full-text index of one corpus, so that BM25 counts its passages and no others: what every database does alike.

A term is whatever is between two blanks, with ASCII letters in lower case.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

from quaestor.contracts.source import ANY_DATE, DateRange
from quaestor.storage.sql.database import ResultRow

_MAX_TERMS = 60
_MAX_AMONG = 400
"""How many terms may name the few passages that are searched."""
_MAX_CACHED_FREQUENCIES = 1 << 16
"""How many frequencies are kept in memory: that of a common term costs a walk over its postings."""
_MAX_POSTINGS = 5_000
"""How many postings a query may lead to; beyond it the most common terms, which distinguish least, are dropped.

Every match is scored, at about 0.6 microseconds each in SQLite.
"""

_MAX_POSTINGS_FILTERED = 2_500
"""The same for a search among few passages: the terms only rank these, and a walk over postings is what it costs."""


class TermIndex(ABC):
    """The index of one corpus. Whoever changes it holds the transaction."""

    def __init__(self) -> None:
        self._generation = -1
        self._known: dict[str, int] = {}
        self._total: int | None = None
        self._counting = threading.RLock()

    @abstractmethod
    def create(self) -> None:
        """Make the index of a new corpus."""

    @abstractmethod
    def drop(self) -> None:
        """Take the index away."""

    @abstractmethod
    def add(self, rows: Iterable[tuple[int, str]]) -> None:
        """Add passages, each an id and its terms joined by blanks."""

    @abstractmethod
    def remove(self, ids: Iterable[int]) -> None:
        """Take passages out."""

    @abstractmethod
    def contents(self) -> Iterator[tuple[int, str]]:
        """Iterate over the passages, each with its terms joined by blanks, in order of their ids."""

    def frequencies(self, terms: Iterable[str], generation: int) -> Mapping[str, int]:
        """Count the passages that hold each term, in the case that the index holds it in; 0 for what none holds.

        `generation` numbers the states of the corpus: what was counted in another one is forgotten.
        """
        with self._counting:
            self._at(generation)
            normalized = normalize_terms(terms)
            unknown = [term for term in normalized if term not in self._known]
            if unknown:
                counted = self._count(unknown)
                self._known.update((term, counted.get(term, 0)) for term in unknown)
            return {term: self._known[term] for term in normalized}

    def passages(self, generation: int) -> int:
        """Count the passages of the corpus."""
        with self._counting:
            self._at(generation)
            if self._total is None:
                self._total = self._count_passages()
            return self._total

    def search(
        self,
        terms: Sequence[str],
        limit: int,
        generation: int,
        among: Sequence[str] = (),
        dates: DateRange = ANY_DATE,
        *,
        only_filters: bool = False,
    ) -> list[ResultRow]:
        """Return the best passages for any of the terms, best first: source, start, end, heading, uri, title, score.

        With `among` a passage must hold one of these terms too, which count twice in its score; not at all where they
        only filter. Its source must be dated within `dates`. BM25 with k1 = 1.2 and b = 0.75; equal scores are in order
        of uri and start. The result is the same for the same corpus and sets of terms, in every database.
        """
        most = _MAX_POSTINGS_FILTERED if among else _MAX_POSTINGS
        asked = self._most_selective_terms(normalize_terms(terms)[:_MAX_TERMS], generation, most)
        held = self._most_selective_terms(normalize_terms(among)[:_MAX_AMONG], generation, _MAX_POSTINGS)
        if (among and not held) or not (asked or (held and not only_filters)):
            return []
        return self._find(asked, held, limit, generation, dates, only_filters=only_filters)

    @abstractmethod
    def vocabulary(self, start: str, lengths: tuple[int, int]) -> Mapping[str, int]:
        """Return the terms that begin so and have so many characters, with the passages that hold each."""

    @abstractmethod
    def _count(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Count the passages that hold each term; what none holds may be left out."""

    @abstractmethod
    def _count_passages(self) -> int:
        """Count the passages of the corpus."""

    @abstractmethod
    def _find(
        self,
        asked: Sequence[str],
        held: Sequence[str],
        limit: int,
        generation: int,
        dates: DateRange,
        *,
        only_filters: bool,
    ) -> list[ResultRow]:
        """Return the best passages that hold any of the terms `asked`, or of the terms `held` where there are any.

        Each of `held` weighs twice in the score, and once more where it is asked for. If these only filter, a passage
        must hold one of each, and `held` weigh nothing.
        """

    def _at(self, generation: int) -> None:
        """Forget what was counted in another state of the corpus, and everything when it becomes too much."""
        if generation != self._generation:
            self._total = None
        if generation != self._generation or len(self._known) > _MAX_CACHED_FREQUENCIES:
            self._known.clear()
            self._generation = generation

    def _most_selective_terms(self, terms: Sequence[str], generation: int, most: int) -> list[str]:
        """Return the terms that occur, from the rarest on, as far as the reach goes and at least one."""
        counts = self.frequencies(terms, generation)
        found = sorted((count, term) for term, count in counts.items() if count)
        selected: list[str] = []
        reach = 0
        for count, term in found:
            reach += count
            if selected and reach > most:
                break
            selected.append(term)
        return selected


def normalize_terms(terms: Iterable[str]) -> list[str]:
    """Return the distinct terms in the case that the index holds them in."""
    return list(dict.fromkeys(term.encode().lower().decode() for term in terms))
