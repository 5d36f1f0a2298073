"""Which passages together answer a query: each is chosen for what the ones before it leave open."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise

from quaestor.contracts.source import Hit
from quaestor.evidence.normalization import normalize
from quaestor.evidence.numeric_dates import date_terms
from quaestor.evidence.ranking import term_frequency_part
from quaestor.evidence.retrieval.document_names import file_name, key_terms, passage_keys
from quaestor.evidence.stemming import added_stems
from quaestor.evidence.tables import TABLE_FILES
from quaestor.evidence.tokenization import terms

COVERED_TERM_DECAY = 0.5
"""What a term of the query is still worth once a chosen passage holds it."""
_NAME_WEIGHT = 0.4
"""The weight of a name that the query mentions, where holding every term of the query once is worth 1."""
_LEAD_WEIGHT = 0.35
"""The weight of the document that a chosen passage names, if the name is rare."""
_MENTION_FACTOR = 0.6
"""The part of that for a passage that merely holds the name too."""
_DUPLICATE_FACTOR = 0.1
_SAME_SOURCE_FACTOR = 0.95
"""What a passage is worth for each passage of its source that was chosen before it."""


class Candidate:
    """A passage that may be chosen, with the counts of its terms and the names of its document."""

    def __init__(self, hit: Hit, language: str | None = None) -> None:
        passage = hit.passage
        self.hit = hit
        self.counts = _term_counts(hit.title, hit.uri, passage.heading, passage.text, language)
        self.length = self.counts.total()
        self.called = frozenset(passage_keys(hit.uri, hit.title, "" if passage.start else passage.text))

    @property
    def place(self) -> tuple[str, int]:
        """Which passage it is."""
        return self.hit.place


@lru_cache(maxsize=256)
def _term_counts(title: str, uri: str, heading: str, text: str, language: str | None) -> Counter[str]:
    """Count the terms of a passage, remembered: one search after the other finds the same passages."""
    words = f"{title}\n{file_name(uri)}\n{heading}\n{text}"
    return Counter((*terms(words), *added_stems(words, language), *date_terms(words)))


class PassageSelector:
    """A selection of passages, chosen one after the other by what the chosen ones leave open.

    `worth` is what each term of the query counts, `named` holds the keys of documents the query names. With `apart`
    a term counts less once it is covered (maximal marginal relevance over the terms of the query). The terms may be
    stems of a language.
    """

    def __init__(
        self, worth: Mapping[str, float], named: Iterable[str], apart: bool, language: str | None = None
    ) -> None:
        self._language = language
        whole = sum(worth.values()) or 1.0
        self._term_weights = {term: share / whole for term, share in worth.items()}
        self._uncovered = dict.fromkeys(worth, 1.0)
        self._named = dict.fromkeys(named, 1.0)
        self._decay = COVERED_TERM_DECAY if apart else 1.0
        self._title_leads: dict[str, float] = {}
        self._mention_leads: dict[tuple[str, ...], float] = {}
        self._nearness: dict[tuple[str, int], float] = {}
        self._pool: dict[tuple[str, int], Candidate] = {}
        self._copies: set[tuple[str, int]] = set()
        self._chosen_of = Counter[str]()
        self._average_length = 1.0
        self.chosen: list[Candidate] = []

    def add_candidates(self, hits: Sequence[Hit], most: int | None = None) -> None:
        """Add passages to choose from; of many those `most` that cover most of the query beside their own names."""
        made = (Candidate(hit, self._language) for hit in hits if hit.place not in self._pool)
        fresh = {each.place: each for each in made}
        if most is not None:
            fresh = dict(
                sorted(fresh.items(), key=lambda pair: self._covered_beside_name(pair[1]), reverse=True)[:most]
            )
        self._pool.update(fresh)
        for one in self.chosen:
            self._note_copies(one, fresh.values())
        if not self.chosen and self._pool:
            self._average_length = sum(each.length for each in self._pool.values()) / len(self._pool)

    def add_lead(self, key: str, strength: float, by_mention: bool) -> None:
        """Note that a chosen passage leads to what bears this name, and if `by_mention` to what holds it."""
        self._title_leads[key] = max(self._title_leads.get(key, 0.0), strength)
        if by_mention:
            held = tuple(key_terms(key))
            self._mention_leads[held] = max(self._mention_leads.get(held, 0.0), strength)

    def add_near(self, hits: Iterable[Hit]) -> None:
        """Add the passages nearest in meaning, best first: the n-th counts 1 / n of one that a name leads to."""
        for rank, hit in enumerate(hits, 1):
            self._nearness.setdefault(hit.place, 1 / rank)
            self.add_candidates([hit])

    def choose(self) -> Candidate | None:
        """Choose the best of what is left, or None when nothing is; the first is the first that was offered."""
        rest = [each for each in self._pool.values() if each not in self.chosen]
        if not rest:
            return None
        best = max(rest, key=self._score) if self.chosen else rest[0]
        self.chosen.append(best)
        self._chosen_of[best.hit.passage.source] += 1
        self._note_copies(best, rest)
        for term in self._uncovered:
            if term in best.counts:
                self._uncovered[term] *= self._decay
        for key in best.called & self._named.keys():
            self._named[key] *= COVERED_TERM_DECAY
        return best

    def uncovered_terms(self) -> list[str]:
        """Return the terms of the query that no chosen passage holds, or all of them."""
        held = {term for each in self.chosen for term in each.counts}
        return [term for term in self._uncovered if term not in held] or list(self._uncovered)

    def holding_most(self) -> Sequence[Candidate]:
        """Return what was not chosen, what holds most of the query by itself first, in the order of the offer."""
        rest = (each for each in self._pool.values() if each not in self.chosen)
        weights = self._term_weights.items()
        return sorted(rest, key=lambda each: -sum(weight for term, weight in weights if term in each.counts))

    def remaining(self) -> Sequence[Candidate]:
        """Return what was not chosen, best first."""
        return sorted((each for each in self._pool.values() if each not in self.chosen), key=self._score, reverse=True)

    def _note_copies(self, chosen: Candidate, others: Iterable[Candidate]) -> None:
        words = chosen.counts.keys()
        self._copies.update(
            each.place
            for each in others
            if is_near_duplicate(each.counts.keys(), words) and not _has_other_values(each.hit, chosen.hit)
        )

    def _covered_beside_name(self, each: Candidate) -> float:
        """Return what a passage covers of the query without the name of its document, which all passages of it bear."""
        name = {term for key in each.called & self._named.keys() for term in key_terms(key)}
        return self._covered(each, (term for term in self._term_weights if term not in name))

    def _covered(self, each: Candidate, asked: Iterable[str]) -> float:
        return sum(
            self._term_weights[term]
            * self._uncovered[term]
            * term_frequency_part(each.counts[term], each.length, self._average_length)
            for term in asked
        )

    def _score(self, each: Candidate) -> float:
        covered = self._covered(each, self._term_weights)
        named = max((self._named[key] for key in each.called & self._named.keys()), default=0.0)
        titled = max((self._title_leads[key] for key in each.called & self._title_leads.keys()), default=0.0)
        held = max(
            (led for words, led in self._mention_leads.items() if all(map(each.counts.__contains__, words))),
            default=0.0,
        )
        near = self._nearness.get(each.place, 0.0)
        score = covered + _NAME_WEIGHT * named + _LEAD_WEIGHT * max(titled, _MENTION_FACTOR * held, near)
        same = self._chosen_of[each.hit.passage.source]
        return float(score * _SAME_SOURCE_FACTOR**same * (_DUPLICATE_FACTOR if each.place in self._copies else 1.0))


DUPLICATE_SIMILARITY = 0.8
"""The share of common words (Jaccard) from which on a passage repeats another."""

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
_MAX_AVERAGE_WORD = 12
"""Characters a word that are more than any spaced script has on average."""


def split_duplicates(hits: Iterable[Hit]) -> tuple[list[Hit], list[Hit]]:
    """Return the hits with new text, and those that repeat an earlier one, both in order."""
    kept: list[tuple[Hit, AbstractSet[str]]] = []
    copies: list[Hit] = []
    for hit in hits:
        words = _word_set(hit.passage.text)
        if any(is_near_duplicate(words, other) and not _has_other_values(hit, one) for one, other in kept):
            copies.append(hit)
        else:
            kept.append((hit, words))
    return [hit for hit, _ in kept], copies


def _has_other_values(one: Hit, other: Hit) -> bool:
    """Return whether two near-copies are of two documents and tell other numbers, or other cells of a table.

    So do the price lists, rosters and reports of two years: the later one is no copy of the earlier.
    """
    if one.passage.source == other.passage.source:
        return False
    if one.uri.endswith(TABLE_FILES):
        return one.passage.text != other.passage.text
    return _numbers(one.passage.text) != _numbers(other.passage.text)


def _numbers(text: str) -> AbstractSet[str]:
    return frozenset(_NUMBER.findall(text))


def is_near_duplicate(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Return whether two passages, given as sets of words, share most of them."""
    if min(len(one), len(other)) < DUPLICATE_SIMILARITY * max(len(one), len(other)):
        return False
    both = len(one & other)
    return both >= DUPLICATE_SIMILARITY * (len(one) + len(other) - both)


def _word_set(text: str) -> AbstractSet[str]:
    """Return the words of a text: what stands between blanks, or between any signs, as in rows with commas.

    What has too few of them, as scripts without spaces, is taken by its characters in pairs.
    """
    folded = normalize(text)
    for words in (frozenset(folded.split()), frozenset(_WORD.findall(folded))):
        if len(words) * _MAX_AVERAGE_WORD > len(folded):
            return words
    return frozenset(map("".join, pairwise(folded)))
