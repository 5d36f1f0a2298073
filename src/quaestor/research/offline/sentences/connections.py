"""Which sources belong to the evidence beside those that answer best: by words of the question, or by names.

A search always fills its places. A source of which nothing but the place is known is left out of the brief.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Hit
from quaestor.evidence.retrieval.document_names import candidate_mentions, lead_keys, passage_keys, referenced_keys
from quaestor.evidence.stemming import detect_language
from quaestor.research.offline.sentences.extract import Extract
from quaestor.research.offline.sentences.relevance import TermWeights
from quaestor.research.offline.words.question import Question

_MIN_SHARE_OF_MOST = 0.5
"""By its words alone a source belongs to the evidence if a sentence holds half as much of a question as any does.

What no sentence holds does not count, since it tells no source from another.
"""
_FIRST_PASSAGES = 5
"""Passages of which a sentence may hold the rest of a question."""
_FEW_SOURCES = 3
_MAX_SHARE_OF_SOURCES = 1 / 2
"""A name that more of the sources share connects none of them: everybody of one office is in each of its letters."""


class _Names(Immutable):
    """The keys that a source is called by, and the keys of what its passages name and refer to."""

    own: frozenset[str]
    leads: frozenset[str]


def connected_sources(
    question: Question,
    hits: Sequence[Hit],
    sentences: Sequence[Extract],
    marked: Sequence[Extract],
    weights: TermWeights,
) -> frozenset[str]:
    """Return the sources of the first passage, that hold much of a question, that it names, or that names connect.

    Two sources are connected where one names the other, and a source is where it shares a name with marked sentences.
    In a language that inflects its names these connect less, and a question may have none: then one of the first
    sources is too where a sentence of it holds all that no marked sentence does.
    """
    asked = [mention.key for mention in candidate_mentions(question.text)]
    names = _names_by_source(hits, asked)
    shares = [(weights.cover(one.said), one.source) for one in sentences]
    most = max(shares, default=(0.0, ""))[0]
    holding = {source for share, source in shares if share >= _MIN_SHARE_OF_MOST * most}
    if missing := _missing(question, marked, weights):
        holding |= {one.source for one in sentences if one.rank < _FIRST_PASSAGES and missing <= one.own}
    called = {source for source, one in names.items() if one.own.intersection(asked)}
    reached = {*holding, *called, *(one.source for one in marked), *(hit.passage.source for hit in hits[:1])}
    beside = frozenset(key for one in marked for key in _names_beside(one, names[one.source].own, asked))
    return frozenset(
        source
        for source, one in names.items()
        if source in reached or one.leads & beside or _is_linked(one, [names[other] for other in reached])
    )


def _missing(question: Question, marked: Sequence[Extract], weights: TermWeights) -> frozenset[str]:
    """Return the terms that no marked sentence holds; none in English, whose names stand as documents have them.

    But a question that names nothing is led by no name to what holds the rest of it.
    """
    is_led = bool(question.anchors) and detect_language(question.text, is_question=True) is None
    return frozenset() if is_led else frozenset(weights.of).difference(*(one.said for one in marked))


def _is_linked(one: _Names, others: Collection[_Names]) -> bool:
    return any(one.own & other.leads or other.own & one.leads for other in others)


def _names_by_source(hits: Sequence[Hit], asked: Sequence[str]) -> Mapping[str, _Names]:
    own, leads = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for hit in hits:
        passage = hit.passage
        keys = passage_keys(hit.uri, hit.title, "" if passage.start else passage.text)
        own[passage.source].update(keys)
        leads[passage.source].update(lead_keys(passage.text, keys, asked), referenced_keys(passage.text, keys))
    spread = Counter(key for source in own for key in own[source] | leads[source])
    common = {key for key, count in spread.items() if count > max(_FEW_SOURCES, _MAX_SHARE_OF_SOURCES * len(own))}
    return {source: _Names(frozenset(keys), frozenset(leads[source] - common)) for source, keys in own.items()}


def _names_beside(one: Extract, own: Collection[str], asked: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a sentence and in what it is read with, its neighbours."""
    return lead_keys(one.passage.text[slice(*one.surroundings)], own, asked)
