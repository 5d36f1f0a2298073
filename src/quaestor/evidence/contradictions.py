"""Findings of different sources that give one subject different values.

A false alarm is worse than a miss: both claims must name the same things and say the same around their values, but
for a few words that one of them adds, and exactly one value may differ.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product

from quaestor.contracts.ledger import Contradiction, Finding
from quaestor.evidence.claims import Anatomy, Value, take_apart
from quaestor.evidence.copies import copies, wording
from quaestor.evidence.folding import fold

_LIKENESS = 0.75
"""Least Jaccard index of two frames, of which one contains the other."""
_SHARED = 3
_SHARED_BESIDES_VALUE = 2
_SHARED_UNNAMED = 5
"""Least terms that two frames share: as a rule, beside a name or a time, and in a script without capital letters."""
_MOST_VALUES = 4
"""Beyond so many values the sources list different things in the same words; they do not contradict each other."""


@dataclass(frozen=True, slots=True)
class _Witness:
    finding: Finding
    anatomy: Anatomy
    sources: frozenset[str]
    evidence: frozenset[str]

    def is_apart(self, other: "_Witness") -> bool:
        """Say whether two findings rest on different sources, none of whose quotes copies one of the other's."""
        if self.sources & other.sources or self.evidence & other.evidence:
            return False
        quotes = product(self.finding.quotes, other.finding.quotes)
        return not any(copies(wording(own.text), wording(their.text)) for own, their in quotes)


@dataclass(frozen=True, slots=True)
class _Statement:
    """What equal claims say, with the first finding of each source that says it."""

    place: int
    frame: frozenset[str]
    values: tuple[Value, ...]
    least: int
    witnesses: dict[frozenset[str], _Witness]


def find(findings: Sequence[Finding]) -> tuple[Contradiction, ...]:
    """Give the contradictions among findings, in the order of the first statement of each.

    One finding a value is named. Findings whose quotes copy one another rest on one source.
    """
    groups: defaultdict[Hashable, list[_Statement]] = defaultdict(list)
    for statement in _statements(findings):
        (witness, *_) = statement.witnesses.values()
        groups[witness.anatomy.signature].append(statement)
    clashes = [clash for group in groups.values() if len(group) > 1 for clash in _clashes(group)]
    return tuple(_contradiction(slot, clash) for _, slot, clash in sorted(clashes, key=lambda clash: clash[:2]))


def _statements(findings: Sequence[Finding]) -> list[_Statement]:
    statements: dict[Hashable, _Statement] = {}
    for place, finding in enumerate(findings):
        anatomy = take_apart(finding.claim)
        if anatomy:
            sources = frozenset(quote.source for quote in finding.quotes)
            witness = _Witness(finding, anatomy, sources, frozenset(fold(quote.text) for quote in finding.quotes))
            said = tuple(value.said for value in anatomy.values)
            key = (anatomy.signature, anatomy.frame, said)
            new = _Statement(place, anatomy.frame, anatomy.values, _least(witness), {})
            statements.setdefault(key, new).witnesses.setdefault(sources, witness)
    return list(statements.values())


def _least(witness: _Witness) -> int:
    claim = witness.finding.claim
    if claim.lower() == claim.upper():
        return _SHARED_UNNAMED
    return _SHARED_BESIDES_VALUE if witness.anatomy.values[0].kind in {"name", "time"} else _SHARED


def _clashes(group: Sequence[_Statement]) -> Iterator[tuple[int, int, list[_Witness]]]:
    """Give the findings that contradict each other: the place of the first, the number of the value, and they."""
    near = _Neighbours(group)
    told: set[tuple[int, int]] = set()
    for own in group:
        slots = [slot for slot in range(len(own.values)) if (own.place, slot) not in told]
        others = near.after(own) if slots else []
        for slot in slots:
            differing = [other for other in others if _slot(own, other) == slot]
            told.update((other.place, slot) for other in differing)
            clash = _apart(own, _distinct(differing, slot))
            if 1 < len(clash) <= _MOST_VALUES:
                yield own.place, slot, clash


def _distinct(statements: Sequence[_Statement], slot: int) -> list[_Statement]:
    """Give the statements that differ from each other too, as many as are needed to tell a list."""
    distinct: list[_Statement] = []
    for statement in statements:
        if len(distinct) < _MOST_VALUES and all(_slot(each, statement) == slot for each in distinct):
            distinct.append(statement)
    return distinct


def _slot(one: _Statement, other: _Statement) -> int | None:
    pairs = zip(one.values, other.values, strict=True)
    slots = [slot for slot, (own, their) in enumerate(pairs) if own.differs(their)]
    return slots[0] if len(slots) == 1 else None


def _apart(own: _Statement, others: Sequence[_Statement]) -> list[_Witness]:
    """Give one finding a statement, as far as their sources are different."""
    clash: list[_Witness] = []
    for other in others:
        if clash:
            apart = (each for each in other.witnesses.values() if all(each.is_apart(before) for before in clash))
            clash.extend(islice(apart, 1))
        else:
            pairs = product(own.witnesses.values(), other.witnesses.values())
            clash.extend(next((pair for pair in pairs if pair[0].is_apart(pair[1])), ()))
    return clash


class _Neighbours:
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
        """Give the later statements with a frame like this one's, in order."""
        if not own.frame:
            return []
        narrower = (each for term in own.frame for each in self._rarest_of[term])
        near = {each.place: each for each in chain(self._with[self._rarest(own)], narrower) if each.place > own.place}
        return [near[place] for place in sorted(near) if _alike(own, near[place])]

    def _rarest(self, each: _Statement) -> str:
        return min(each.frame, key=lambda term: (self._spread[term], term))


def _alike(one: _Statement, other: _Statement) -> bool:
    ours, theirs = one.frame, other.frame
    shared = min(len(ours), len(theirs))
    if shared < max(one.least, _LIKENESS * max(len(ours), len(theirs))):
        return False
    return ours <= theirs or theirs <= ours


def _contradiction(slot: int, clash: Sequence[_Witness]) -> Contradiction:
    value, claim = clash[0].anatomy.values[slot], clash[0].finding.claim
    return Contradiction(
        subject=" ".join(f"{claim[: value.start]}…{claim[value.end :]}".split()),
        findings=tuple(each.finding.id for each in clash),
        values=tuple(_said(each, slot) for each in clash),
    )


def _said(witness: _Witness, slot: int) -> str:
    value = witness.anatomy.values[slot]
    return " ".join(witness.finding.claim[value.start : value.end].split())
