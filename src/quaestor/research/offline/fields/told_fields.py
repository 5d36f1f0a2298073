"""Fields that a text says anew below its header: who wrote it and when, which a form or a site may have filled in."""

import re
from collections.abc import Sequence

from quaestor.contracts.source import Hit
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.research.offline.fields.header_fields import Fact
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
    """Return whether the prose of a document says itself by whom or when it was made, as a field of its header does.

    A document with a number in a series has its header written with care.
    """
    is_made = lists_people(fact.key) or not stems_of(DATE_KEYS).isdisjoint(stems_of(fact.key))
    if fact.number or not is_made:
        return False
    texts = (hit.passage.text for hit in hits if hit.passage.source == source)
    return any(
        _TOLD.search(text, block.start, block.end)
        for text in texts
        for block in parse_blocks(text)
        if block.kind is BlockKind.PROSE
    )
