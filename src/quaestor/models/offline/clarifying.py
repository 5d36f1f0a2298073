"""The clarifier: asks only when there is nothing that could be searched for."""

from quaestor.contracts.roles import ClarifyGiven, Clarity
from quaestor.evidence.text import content_terms


def clarify(given: ClarifyGiven) -> Clarity:
    """Call a question clear when it, or what was said before, holds one telling word."""
    if content_terms(given.question) or any(content_terms(line) for line in given.context):
        return Clarity(is_clear=True)
    return Clarity(
        is_clear=False, questions=(f"What is {given.question.strip()!r} about: which subject, name or title?",)
    )
