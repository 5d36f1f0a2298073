"""Corrections of a quote that are ones of another quote too: both tell the same day of what is asked."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from quaestor.contracts.source import Quote
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.named_values import names_same_day
from quaestor.research.contracts.tools import Correction, QuoteContext

_LONGEST = 800
"""Characters of a paragraph that is on one thing."""
_SHARED = 2
"""Asked words that both have, or all, where there are fewer."""


def with_shared(
    asked: str, contexts: Sequence[QuoteContext], corrections: Sequence[Correction]
) -> tuple[Correction, ...]:
    """Return corrections with those that a quote without any shares with another one.

    What moves the summer party of the minutes moves it in the row of the calendar too, in which no word leads to it.
    """
    paragraphs = {one.quote: one.paragraph.text for one in contexts if len(one.paragraph.text) <= _LONGEST}
    corrected = {one.quote for one in corrections}
    words = frozenset(content_terms(asked))
    shared = (
        next((one.revised(quote=quote) for one in corrections if _is_of(quote, one, paragraphs, words)), None)
        for quote in (one.quote for one in contexts if one.quote not in corrected)
    )
    return (*corrections, *filter(None, shared))


def _is_of(quote: Quote, correction: Correction, paragraphs: Mapping[Quote, str], asked: AbstractSet[str]) -> bool:
    """Return whether a quote tells the same day of what is asked as the paragraph that is corrected, and no other."""
    other = paragraphs.get(correction.quote, "")
    common = asked & frozenset(content_terms(quote.text)) & frozenset(content_terms(other))
    is_alike = len(common) >= min(_SHARED, len(asked)) and names_same_day(quote.text, other)
    return is_alike and quote.source != correction.said.source and not names_same_day(quote.text, correction.said.text)
