"""What a claim that was found is worth to the question, for whoever chooses among claims."""

from collections.abc import Sequence

from quaestor.contracts.ledger import Finding
from quaestor.evidence.tokenization import content_terms, terms
from quaestor.research.offline.extracts import standalone_score
from quaestor.research.offline.question import Question
from quaestor.research.offline.relevance import base_weights, facet_coverage

_READER_PREFERENCE_WEIGHT = 0.8
"""What it is worth to be what the reader of a todo preferred; half of it to come second."""


def score_claim(question: Question, claim: str, finding: str) -> float:
    """Score a claim: what the reader thought of it, what it holds of the question, how well it can be read alone."""
    stems = frozenset(terms(claim))
    holds = base_weights(question, question).cover(stems) + facet_coverage(question.facets, stems)
    return standalone_score(claim) * (holds + _READER_PREFERENCE_WEIGHT / _rank(finding))


def _rank(finding: str) -> int:
    """Return the number of a finding within its todo, in the order in which the reader preferred them."""
    return int(finding.rpartition("/")[2])


def best_finding(question: Question, findings: Sequence[Finding]) -> Finding | None:
    """Return the finding of most merit, counting what the reader preferred; of equals the first."""
    return max(findings, key=lambda one: score_claim(question, one.claim, one.id), default=None)


def mentions_name(claim: str, name: str) -> bool:
    """Return whether a claim holds all telling words of a name."""
    return set(terms(claim)).issuperset(content_terms(name) or terms(name))
