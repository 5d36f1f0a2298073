"""Corrections of a quote that are ones of another quote too: both tell the same day of what is asked."""

from collections.abc import Iterator, Mapping, Sequence

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
    others = [one for one in contexts if one.quote not in corrected]
    return (*corrections, *(told for one in others for told in _shared(asked, one, paragraphs, corrections)))


def _shared(
    asked: str, one: QuoteContext, paragraphs: Mapping[Quote, str], corrections: Sequence[Correction]
) -> Iterator[Correction]:
    words = frozenset(content_terms(asked))
    own = words.intersection(content_terms(one.quote.text))
    for each in corrections:
        other = paragraphs.get(each.quote, "")
        common = own.intersection(content_terms(other))
        is_alike = len(common) >= min(_SHARED, len(words)) and names_same_day(one.quote.text, other)
        if is_alike and one.quote.source != each.said.source and not names_same_day(one.quote.text, each.said.text):
            yield each.revised(quote=one.quote)
            return
