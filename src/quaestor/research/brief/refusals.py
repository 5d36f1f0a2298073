"""Why there is no direct answer: the document that may say otherwise, with its sentence."""

from quaestor.evidence.tokenization import shorten
from quaestor.research.reports.fixed_words import ReportWords

_MAX_SAID = 200
"""Characters of a sentence that speaks against an answer."""


def told_otherwise(title: str, name: str, place: str, said: str, words: ReportWords) -> str:
    """Return that a document with a title may say otherwise of what has a name, and what it says."""
    reason = words.told_otherwise.format(title=title, name=name, place=place)
    return f"{reason}: “{shorten(said.strip(), _MAX_SAID)}”"
