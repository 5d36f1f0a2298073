"""Fields that a text says anew below its header: who wrote it and when, which a form or a site may have filled in."""

import re
from collections.abc import Sequence

from quaestor.contracts.source import Hit
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.research.offline.fields.header_fields import Fact
from quaestor.research.offline.fields.reserve_words import NEW_STATE
from quaestor.research.offline.words.dates import parse_date
from quaestor.research.offline.words.field_names import lists_people
from quaestor.research.offline.words.language import stems_of
from quaestor.research.offline.words.text_dates import DATE_KEYS

_TOLD = re.compile(
    r"\b(?:written|prepared|compiled|composed|drawn up|issued|revised|changed|updated|amended|signed|verfasst"
    r"|geschrieben|erstellt|geändert|überarbeitet|rédigée?|écrite?|modifiée?|signée?|escrit[oa]|redactad[oa]|modificad[oa]|firmad[oa])"
    r"\b[^.!?]{0,40}?(?:\b(?:by|von|par|por)\b|\b\d{4}\b)",
    re.IGNORECASE,
)
"""By whom, or when, a text says that it was made."""


def is_told_anew(fact: Fact, source: str, hits: Sequence[Hit]) -> bool:
    """Return whether a document says below its header what a field of that does: by whom or when it was made.

    There a document with a number in a series has its header written with care, but a line that tells a new state may
    be about any other field that is no date.
    """
    is_made = lists_people(fact.key) or not stems_of(DATE_KEYS).isdisjoint(stems_of(fact.key))
    texts = [hit.passage.text for hit in hits if hit.passage.source == source]
    if not is_made:
        return parse_date(fact.value) is None and any(map(NEW_STATE.search, texts))
    if fact.number:
        return False
    return any(
        _TOLD.search(text, block.start, block.end)
        for text in texts
        for block in parse_blocks(text)
        if block.kind is BlockKind.PROSE
    )
