"""Findings of different sources that give one subject different values.

A false alarm is worse than a miss: both claims must name the same things and say the same around their values, but
for a few words that one of them adds, and exactly one value may differ.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, islice, product

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.ledger import Contradiction, Finding
from quaestor.evidence.claim_parsing import ParsedClaim, Value, parse_claim
from quaestor.evidence.normalization import normalize
from quaestor.evidence.text_reuse import is_copy_of

_MIN_SIMILARITY = 0.75
"""Least Jaccard index of two frames, of which one contains the other."""
_MIN_SHARED_TERMS = 3
_MIN_SHARED_BESIDES_VALUE = 2
_MIN_SHARED_UNNAMED = 5
"""Least terms that two frames share: as a rule, beside a name or a time, and in a script without capital letters."""
_MAX_VALUES = 4
"""Beyond so many values the sources list different things in the same words; they do not contradict each other."""


class _SourcedClaim(Immutable):
    finding: Finding
    parsed: ParsedClaim
    sources: frozenset[str]
    evidence: frozenset[str]

    def is_independent(self, other: "_SourcedClaim") -> bool:
        """Return whether two findings rest on different sources, none of whose quotes copies one of the other's."""
        if self.sources & other.sources or self.evidence & other.evidence:
            return False
        quotes = product(self.finding.quotes, other.finding.quotes)
        return not any(is_copy_of(own.text, their.text) for own, their in quotes)


class _Statement(Immutable):
    """The statement of equal claims, with the first finding of each source that contains it."""

    place: int
    frame: frozenset[str]
    values: tuple[Value, ...]
    least: int
    claims: dict[frozenset[str], _SourcedClaim]


def find_contradictions(findings: Sequence[Finding]) -> tuple[Contradiction, ...]:
    """Return the contradictions among findings, in the order of the first statement of each.

    One finding a value is named. Findings whose quotes copy one another rest on one source.
    """
    groups: defaultdict[Hashable, list[_Statement]] = defaultdict(list)
    for statement in _statements(findings):
        (witness, *_) = statement.claims.values()
        groups[witness.parsed.signature].append(statement)
    clashes = [clash for group in groups.values() if len(group) > 1 for clash in _find_conflicts(group)]
    return tuple(_contradiction(slot, clash) for _, slot, clash in sorted(clashes, key=lambda clash: clash[:2]))


def _statements(findings: Sequence[Finding]) -> list[_Statement]:
    statements: dict[Hashable, _Statement] = {}
    for place, finding in enumerate(findings):
        anatomy = parse_claim(finding.claim)
        if anatomy:
            sources = frozenset(quote.source for quote in finding.quotes)
            witness = _SourcedClaim(
                finding, anatomy, sources, frozenset(normalize(quote.text) for quote in finding.quotes)
            )
            said = tuple(value.said for value in anatomy.values)
            key = (anatomy.signature, anatomy.frame, said)
            new = _Statement(place, anatomy.frame, anatomy.values, _min_shared_terms(witness), {})
            statements.setdefault(key, new).claims.setdefault(sources, witness)
    return list(statements.values())


def _min_shared_terms(witness: _SourcedClaim) -> int:
    claim = witness.finding.claim
    if claim.lower() == claim.upper():
        return _MIN_SHARED_UNNAMED
    return _MIN_SHARED_BESIDES_VALUE if witness.parsed.values[0].kind in {"name", "time"} else _MIN_SHARED_TERMS


def _find_conflicts(group: Sequence[_Statement]) -> Iterator[tuple[int, int, list[_SourcedClaim]]]:
    """Return the findings that contradict each other: the place of the first, the number of the value, and they."""
    near = _SimilarStatements(group)
    reported: set[tuple[int, int]] = set()
    for own in group:
        slots = [slot for slot in range(len(own.values)) if (own.place, slot) not in reported]
        others = near.after(own) if slots else []
        for slot in slots:
            differing = [other for other in others if _differing_slot(own, other) == slot]
            # What differs from `own` in this value begins no report of its own about it.
            reported.update((other.place, slot) for other in differing)
            clash = _independent_claims(own, _distinct(differing, slot))
            # One is left when all rest on one source.
            if 1 < len(clash) <= _MAX_VALUES:
                yield own.place, slot, clash


def _distinct(statements: Sequence[_Statement], slot: int) -> list[_Statement]:
    """Return the statements that also differ from each other, as many as are needed to recognize a list."""
    distinct: list[_Statement] = []
    for statement in statements:
        if len(distinct) < _MAX_VALUES and all(_differing_slot(each, statement) == slot for each in distinct):
            distinct.append(statement)
    return distinct


def _differing_slot(one: _Statement, other: _Statement) -> int | None:
    pairs = zip(one.values, other.values, strict=True)
    slots = [slot for slot, (own, their) in enumerate(pairs) if own.conflicts_with(their)]
    return slots[0] if len(slots) == 1 else None


def _independent_claims(own: _Statement, others: Sequence[_Statement]) -> list[_SourcedClaim]:
    """Return one finding for each statement, as far as their sources differ."""
    clash: list[_SourcedClaim] = []
    for other in others:
        if clash:
            apart = (each for each in other.claims.values() if all(each.is_independent(before) for before in clash))
            clash.extend(islice(apart, 1))
        else:
            # The first two settle which finding speaks for `own`; each later one must be independent of all before it.
            pairs = product(own.claims.values(), other.claims.values())
            clash.extend(next((pair for pair in pairs if pair[0].is_independent(pair[1])), ()))
    return clash


class _SimilarStatements:
    """Statements by their terms: where one frame contains another, it contains the rarest term of the other."""

    def __init__(self, group: Sequence[_Statement]) -> None:
        self._spread = Counter(term for each in group for term in each.frame)
        self._with: defaultdict[str, list[_Statement]] = defaultdict(list)
        self._rarest_of: defaultdict[str, list[_Statement]] = defaultdict(list)
        for each in group:
            for term in each.frame:
                self._with[term].append(each)
            if each.frame:
                self._rarest_of[self._rarest(each)].append(each)

    def after(self, own: _Statement) -> list[_Statement]:
        """Return the later statements with a frame like this one's, in order."""
        if not own.frame:
            return []
        # A similar frame is wider or narrower: a wider one holds the rarest term of this frame, and the rarest term of
        # a narrower one is in this frame.
        narrower = (each for term in own.frame for each in self._rarest_of[term])
        near = {each.place: each for each in chain(self._with[self._rarest(own)], narrower) if each.place > own.place}
        return [near[place] for place in sorted(near) if _is_similar(own, near[place])]

    def _rarest(self, each: _Statement) -> str:
        return min(each.frame, key=lambda term: (self._spread[term], term))


def _is_similar(one: _Statement, other: _Statement) -> bool:
    ours, theirs = one.frame, other.frame
    shared = min(len(ours), len(theirs))
    if shared < max(one.least, _MIN_SIMILARITY * max(len(ours), len(theirs))):
        return False
    return ours <= theirs or theirs <= ours


def _contradiction(slot: int, clash: Sequence[_SourcedClaim]) -> Contradiction:
    value, claim = clash[0].parsed.values[slot], clash[0].finding.claim
    return Contradiction(
        subject=" ".join(f"{claim[: value.start]}…{claim[value.end :]}".split()),
        findings=tuple(each.finding.id for each in clash),
        values=tuple(_value_text(each, slot) for each in clash),
    )


def _value_text(witness: _SourcedClaim, slot: int) -> str:
    value = witness.parsed.values[slot]
    return " ".join(witness.finding.claim[value.start : value.end].split())
