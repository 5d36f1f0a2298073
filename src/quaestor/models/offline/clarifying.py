"""The clarifier: asks only when nothing could be searched for, or when nobody can tell what a pronoun stands for."""

import re

from quaestor.contracts.roles import ClarifyGiven, Clarity
from quaestor.evidence.text import content_terms

_PRONOUN = re.compile(r"\b(?:it|he|she|they|him|her|them|its|his|their|this|that|these|those)\b", re.IGNORECASE)
_NAMED = re.compile(r"(?<!\A)(?<![.!?] )\b[A-Z]\w+|\d|[\"“'`]\w")
"""A capital within a sentence, a number or a quotation: then there is something to set out from."""


def clarify(given: ClarifyGiven) -> Clarity:
    """Call a question clear when it, or what was said before, holds a telling word and no pronoun stands alone."""
    said = " ".join((given.question, *given.context))
    if not content_terms(said):
        question = f"What is {given.question.strip()!r} about: which subject, name or title?"
        return Clarity(is_clear=False, questions=(question,))
    pronoun = _PRONOUN.search(given.question)
    if pronoun and not given.context and not _NAMED.search(given.question) and _is_bare(given.question):
        question = f"Whom or what does {pronoun[0]!r} mean in {given.question.strip()!r}?"
        return Clarity(is_clear=False, questions=(question,))
    return Clarity(is_clear=True)


def _is_bare(question: str) -> bool:
    """Say whether the pronoun is all that a question is about: it holds one telling word beside it."""
    return len(content_terms(question)) == 1
