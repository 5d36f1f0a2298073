"""Who tells of himself is "I": a text that lacks but the name of whom a question asks may be that person's own."""

import re

_SAYS_I = re.compile(
    r"(?:\A|[.!?;:,\"\u201c\u2014(]\s*|\b(?:[a-z]+|\d+),? )I(?:['\u2019](?:m|ve|d|ll))? (?=[a-z])"
    r"|\b[Ii]ch (?=[a-zäöü])|\b[Jj](?:e |['\u2019])(?=\w)"
)
"""Not the number: World War I, Chapter I."""
_ACTS = r"\b(?:do|does|did|was|is|has|had|can|could|will|would|hat|war|ist|wurde|a-t-il|est)\s+(?:[A-Z]\w*\.?\s+)?"


def says_i(text: str) -> bool:
    """Return whether somebody speaks of himself in a text, in English, German or French."""
    return _SAYS_I.search(text) is not None


def is_asked_subject(question: str, name: str) -> bool:
    """Return whether a question asks what somebody with a name did or was."""
    return re.search(rf"(?i:{_ACTS}){re.escape(name)}(?!\w)", question) is not None
