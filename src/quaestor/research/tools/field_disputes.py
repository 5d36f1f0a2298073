"""Sentences of a corpus that may tell otherwise of a header field: a brief does not answer by it beside them."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quaestor.contracts.ledger import Finding
from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Source
from quaestor.research.contracts.tools import FieldDispute
from quaestor.research.offline.fields.field_changes import (
    WatchedField,
    body_of,
    find_contradiction,
    find_mentions,
    head_of,
    is_watched,
    other_values,
    speaks_against,
)
from quaestor.research.offline.fields.header_fields import Fact, stated_fact
from quaestor.research.tools.indexed_status import indexed_status

FactsOf = Sequence[tuple[Fact, str]]
"""Header fields, each with the hash of the document whose header states it."""
MAX_DOCUMENTS = 5_000
"""Documents that are read for one question."""
_MAX_FIELDS = 60
"""Fields that are looked after; a longer list is that of a large series."""
_STATUS = "status"
"""The key of a field that an index of the folder may state as well, and keep up."""
_BATCH = 50
"""Documents that are read before others have their turn."""
_OFTEN = 3
"""Documents that name another one; one that more name is named for much else than its fields."""


class _Mention(NamedTuple):
    said: str
    source: Source


async def find_field_disputes(
    library: Library, fields: FactsOf, corpus: str, dates: DateRange
) -> tuple[FieldDispute, ...]:
    """Return for each field, of the document with a hash, the first sentence that may tell otherwise of it."""
    asked = {fact: sha256 for fact, sha256 in fields if is_watched(fact)}
    if not asked or len(asked) > _MAX_FIELDS:
        return ()
    named = dict.fromkeys((*asked.values(), *(await library.texts_of(corpus) if corpus else ())))
    read = {sha256: await library.source(sha256) for sha256 in [*named][:MAX_DOCUMENTS]}
    sources = {sha256: source for sha256, source in read.items() if source}
    watched = {
        fact: WatchedField(fact, _head(fact, sources), other_values(await library.text(sha256) or "", fact))
        for fact, sha256 in asked.items()
    }
    mentions: dict[Fact, list[_Mention]] = {fact: [] for fact in asked}
    told: dict[Fact, FieldDispute] = {}
    for place, (sha256, source) in enumerate(sources.items()):
        body = body_of(await library.text(sha256) or "" if dates.holds(source.published) else "")
        for fact, field in watched.items():
            if sha256 != asked[fact]:
                mentions[fact] += [_Mention(said, source) for said in find_mentions(body, field)]
            elif said := find_contradiction(body, field):
                told[fact] = FieldDispute(claim=fact.claim(), said=said, title=source.title)
        if place % _BATCH == 0:
            await asyncio.sleep(0)
    for fact, sha256 in asked.items():
        if fact.key.casefold() == _STATUS and sha256 in sources and fact not in told:
            indexed = await indexed_status(library, corpus, sources[sha256], fact.value, dates)
            if indexed:
                told[fact] = FieldDispute(claim=fact.claim(), said=indexed.status, title=indexed.name)
    found = (told.get(fact) or _against(field, mentions[fact]) for fact, field in watched.items())
    return tuple(dispute for dispute in found if dispute)


def fields_of(findings: Sequence[Finding]) -> FactsOf:
    """Return the header fields that findings state, each with the hash of its document."""
    stated = ((stated_fact(one), one.quotes[-1].source) for one in findings if one.quotes)
    return tuple((fact, sha256) for fact, sha256 in stated if fact)


def _head(fact: Fact, sources: Mapping[str, Source]) -> str:
    """Return the noun by which prose may call a document, if no other is called so.

    A letter whose subject is this noun alone may be about it.
    """
    own = head_of(fact.subject)
    called = Counter(head_of(one.title) for one in sources.values() if one.title.casefold() != own)
    return own if called[own] <= 1 else ""


def _against(watched: WatchedField, mentions: Sequence[_Mention]) -> FieldDispute | None:
    is_often_named = len({one.source.sha256 for one in mentions}) > _OFTEN
    for one in mentions:
        if speaks_against(one.said, watched, is_often_named=is_often_named):
            return FieldDispute(claim=watched.fact.claim(), said=one.said, title=one.source.title)
    return None
