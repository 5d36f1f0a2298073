"""Texts that copy one another: the same words in nearly the same order, with the same numbers and names.

Texts are compared by their shingles, the sets of SHINGLE_WIDTH adjacent terms (Broder, "On the resemblance
and containment of documents", 1997). Two texts copy one another if

- both have MIN_TERMS terms or more: shorter texts are alike by chance;
- at least the share MIN_CONTAINMENT of the shingles of one is in the other: a copy may be cut, and change a word;
- that one has no number and no capitalised word that the other lacks: with another value it is another statement;
- both deny something, or neither does.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.ledger import Finding
from quaestor.evidence.claim_parsing import NEGATION
from quaestor.evidence.stopwords import STOP_WORDS
from quaestor.evidence.tokenization import terms, words

SHINGLE_WIDTH = 3
MIN_TERMS = 8
MIN_CONTAINMENT = 0.75

_CACHE_SIZE = 4096


class _Fingerprint(Immutable):
    """The words of one text, to be compared with those of others."""

    terms: tuple[str, ...]
    shingles: frozenset[tuple[str, ...]]
    values: frozenset[str]
    """The terms of its numbers and capitalised words."""
    negated: bool


@lru_cache(maxsize=_CACHE_SIZE)
def _fingerprint(text: str) -> _Fingerprint:
    """Take a text apart, once for its many comparisons."""
    own = tuple(terms(text))
    return _Fingerprint(
        terms=own,
        shingles=frozenset(zip(*(own[place:] for place in range(SHINGLE_WIDTH)), strict=False)),
        values=frozenset(term for word in words(text) if _is_value(word.text) for term in terms(word.text)),
        negated=NEGATION.search(text) is not None,
    )


def is_copy_of(one: str, other: str) -> bool:
    """Return whether two texts copy one another."""
    own, their = _fingerprint(one), _fingerprint(other)
    if min(len(own.terms), len(their.terms)) < MIN_TERMS or own.negated != their.negated:
        return False
    return _is_contained(own, their) or _is_contained(their, own)


def _is_contained(short: _Fingerprint, long: _Fingerprint) -> bool:
    shared = len(short.shingles & long.shingles)
    return shared >= MIN_CONTAINMENT * len(short.shingles) and short.values.issubset(long.terms)


def find_copies(findings: Sequence[Finding]) -> Mapping[str, str]:
    """Return, by the id of each finding that adds no support, the id of the earlier one that it copies.

    Its claim and all its quotes copy those of a finding from other sources, which itself copies none. Equal claims need
    not be long.
    """
    first: dict[str, str] = {}
    originals: defaultdict[tuple[str, ...], list[Finding]] = defaultdict(list)
    sources = {finding.id: {quote.source for quote in finding.quotes} for finding in findings}
    for finding in findings:
        own = sources[finding.id]
        shingles = sorted(frozenset[tuple[str, ...]]().union(*(_fingerprint(q.text).shingles for q in finding.quotes)))
        near = {one.id: one for shingle in shingles for one in originals.get(shingle, ())}
        others = (one for one in near.values() if own.isdisjoint(sources[one.id]))
        original = next((one for one in others if _is_copied_finding(finding, one)), None)
        if original:
            first[finding.id] = original.id
        else:
            # Only what copies nothing is looked up later, so that no finding is called the copy of a copy.
            for shingle in shingles:
                originals[shingle].append(finding)
    return first


def _is_copied_finding(finding: Finding, original: Finding) -> bool:
    if finding.claim != original.claim and not is_copy_of(finding.claim, original.claim):
        return False
    return all(any(is_copy_of(own.text, one.text) for one in original.quotes) for own in finding.quotes)


def _is_value(word: str) -> bool:
    capital = word[:1].isupper() and word.casefold() not in STOP_WORDS
    return capital or any(character.isdigit() for character in word)
