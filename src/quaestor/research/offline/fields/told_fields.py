"""Fields that a text says anew below its header: who wrote it and when, which a form or a site may have filled in."""

import re
from collections.abc import Sequence

from quaestor.contracts.source import Hit
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tokenization import normalize
from quaestor.research.offline.fields.header_fields import Fact
from quaestor.research.offline.fields.reserve_words import NEW_STATE, OPEN, SETTLED_PARAGRAPH, STATE_KEYS
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
_FOR_ANOTHER = re.compile(
    r"\b(?:sent|written|posted|signed|typed|gesandt|geschickt|geschrieben|envoyée?|écrite?|enviad[oa]|escrit[oa]|inviat[oa]"
    r"|scritt[oa]|verstuurd|geschreven) (?:for|on behalf of|im auftrag von|im namen von|für|pour|au nom de"
    r"|por|en nombre de|per(?: conto di)?|a nome di|voor|namens|em nome de) (?-i:[A-ZÀ-Þ])",
    re.IGNORECASE,
)
"""For whom somebody sends what he did not write."""
_SENDER = "from"


def is_told_anew(fact: Fact, source: str, hits: Sequence[Hit]) -> bool:
    """Return whether a document says below its header what a field of that does: by whom or when it was made.

    There a document with a number in a series has its header written with care, but a line that tells a new state may
    be about any other field that is no date.
    """
    is_made = lists_people(fact.key) or not stems_of(DATE_KEYS).isdisjoint(stems_of(fact.key))
    texts = [hit.passage.text for hit in hits if hit.passage.source == source]
    if normalize(fact.key) == _SENDER and any(map(_FOR_ANOTHER.search, texts)):
        return True
    if not is_made:
        return any(tells_new_state(text, fact.key, fact.value) for text in texts)
    if fact.number:
        return False
    return any(
        _TOLD.search(text, block.start, block.end)
        for text in texts
        for block in parse_blocks(text)
        if block.kind is BlockKind.PROSE
    )


def tells_new_state(text: str, key: str, value: str) -> bool:
    """Return whether a document tells a new state of what a field says: after "update", or that it is not open."""
    if parse_date(value):
        return False
    is_open = normalize(key) in STATE_KEYS and OPEN.match(value) is not None
    return NEW_STATE.search(text) is not None or (is_open and SETTLED_PARAGRAPH.search(text) is not None)
