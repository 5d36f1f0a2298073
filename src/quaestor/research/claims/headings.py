"""Whether a title or a heading says no more than what is below it: its numbers and names stand there."""

import re
from collections.abc import Sequence

from quaestor.evidence.tokenization import content_terms, words
from quaestor.research.claims.names import missing_names
from quaestor.research.claims.values import missing_numbers

_PART_END = re.compile(r"(?::|\s[-\u2013\u2014])\s")


def is_held(heading: str, quotes: Sequence[str], context: Sequence[str]) -> bool:
    """Return whether every number and name of a heading stands in the quotes below it, or in its context.

    `context` are the question, the task and the titles of the quoted sources. A capital is no sign of a name at the
    start, behind a colon or a dash, nor where every word but the small ones has one: then only numbers are compared.
    """
    if any(missing_numbers(heading, (*quotes, *context))):
        return False
    parts = filter(str.strip, _PART_END.split(heading))
    return _has_only_capitals(heading) or not any(
        name for part in parts for name in missing_names(part, quotes, context)
    )


def _has_only_capitals(heading: str) -> bool:
    telling = [word.text for word in words(heading) if content_terms(word.text)]
    return not any(word[0].islower() for word in telling)
