"""What a claim that was found is worth to the question, for whoever chooses among claims."""

from collections.abc import Sequence

from quaestor.contracts.ledger import Finding
from quaestor.evidence.text import content_terms, terms
from quaestor.models.offline.extracts import standing
from quaestor.models.offline.question import Question
from quaestor.models.offline.relevance import by_place, facets_said

_PREFERRED = 0.8
"""What it is worth to be what the reader of a todo preferred; half of it to come second."""


def merit(question: Question, claim: str, finding: str) -> float:
    """Score a claim: what the reader thought of it, what it holds of the question, how well it can be read alone."""
    stems = frozenset(terms(claim))
    holds = by_place(question, question).cover(stems) + facets_said(question.facets, stems)
    return standing(claim) * (holds + _PREFERRED / _rank(finding))


def _rank(finding: str) -> int:
    """Give the number of a finding within its todo, in the order in which the reader preferred them."""
    return int(finding.rpartition("/")[2])


def best_of(question: Question, findings: Sequence[Finding]) -> Finding | None:
    """Give the finding of most merit, counting what the reader preferred; of equals the first."""
    return max(findings, key=lambda one: merit(question, one.claim, one.id), default=None)


def speaks_of(claim: str, name: str) -> bool:
    """Tell whether a claim holds all telling words of a name."""
    return set(terms(claim)).issuperset(content_terms(name) or terms(name))
