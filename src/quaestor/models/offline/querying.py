"""The query writer: what was found leads, then what was asked for, then the task in other words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, count

from quaestor.contracts.roles import Queries, QueriesGiven
from quaestor.evidence.text import content_terms, terms
from quaestor.models.offline.aliases import other_names
from quaestor.models.offline.fields import parse
from quaestor.models.offline.language import FACETS, Facet, Wanted, said_in
from quaestor.models.offline.lookup import leads_on
from quaestor.models.offline.question import Question, core_words, once, relation, take_apart, telling

_HEADER_WORDS = "title author"
"""Words that stand in the header of a document rather than in its text."""
_IDENTIFIER = re.compile(r"[_()]|\.\w|^\w*\d")
_FACET_WORDS = 6
_MOST_SECTIONS = 2
"""Beside a title, one word of a facet finds its section; several find those sections of other documents."""
_MOST_LEADS = 6
_MOST_COMBINED = 8


def write_queries(given: QueriesGiven) -> Queries:
    """Write exactly the wanted number of queries, none executed before; queries of other words come first."""
    seen = {_key(query) for query in given.executed}
    senses = {frozenset(content_terms(query)) for query in given.executed}
    chosen: list[str] = []
    for candidate in _candidates(given):
        if len(chosen) == given.wanted:
            break
        query = once(candidate)
        if not query or _key(query) in seen:
            continue
        seen.add(_key(query))
        sense = frozenset(content_terms(query))
        if sense not in senses:
            chosen.append(query)
            senses.add(sense)
    return Queries(queries=tuple(chosen))


def leads(known: Sequence[str], task: Question) -> tuple[str, ...]:
    """Give the names and titles in what was found that the task does not hold yet, the most frequent first."""
    asked = set(terms(task.text))
    counts: dict[str, int] = {}
    for claim in known:
        if parse(claim):
            continue
        found = take_apart(claim)
        for name in found.anchors:
            fresh = set(content_terms(name)) - asked
            if fresh and name[0].isupper() and not _IDENTIFIER.search(name):
                counts[name] = counts.get(name, 0) + 1
    ordered = sorted(counts, key=lambda name: -counts[name])
    return tuple(ordered[:_MOST_LEADS])


def hops(known: Sequence[str], question: Question) -> Iterator[str]:
    """Follow the references in known facts: the series and number of another document, and what is asked of it."""
    described = relation(question.text)
    if described is None:
        return
    facts = tuple(fact for claim in known if (fact := parse(claim)))
    reached = {(fact.scheme, fact.number) for fact in facts}
    wanted = telling(question.text.replace(described.text, " "))
    for fact in facts:
        if leads_on(described, fact):
            unread = (number for number in fact.references() if (fact.scheme, number) not in reached)
            yield from (f"{fact.scheme} {number} {_HEADER_WORDS} {wanted}" for number in unread)


def _candidates(given: QueriesGiven) -> Iterator[str]:
    task, question = take_apart(given.task), take_apart(given.question)
    about, context = core_words(task), core_words(question)
    names = leads(given.known, task) if question.wanted is not Wanted.PROSE else ()
    yield from _bundled(tuple(hops(given.known, question)), given.wanted)
    yield from renamings(other_names(given.known, task), task)
    yield from given.follow_ups
    if given.source_hint:
        yield f"{given.source_hint} {about}"
    yield from (f"{name} {about}" for name in names[:1])
    yield from (f"{title} {_HEADER_WORDS} {_aspect(task, title)}" for title in task.titles)
    yield from (f"{about} {said(facet, task)}" for facet in task.facets)
    if not set(task.core) >= set(question.core):
        yield f"{about} {context}"
    yield about
    yield from (f"{name} {_aspect(task, name)}" for name in (*task.names, *task.options))
    yield from (f"{name} {context}" for name in names)
    yield telling(given.task)
    yield context
    yield from task.anchors
    yield telling(given.question)
    yield from (f"{about} {said(facet, task)}" for facet in FACETS)
    yield from _fewer_words(about.split() or [given.task])
    yield from (f"{given.task} {number}" for number in count(2))


def renamings(others: Iterable[str], task: Question) -> Iterator[str]:
    """Ask for the sides of a task, or for all of it, by other names of its subject."""
    for other in others:
        for facet in task.facets:
            yield from (f"{other} {word}" for word in said_in(facet, task.text)[:_MOST_SECTIONS])
        if not task.facets:
            yield f"{other} {core_words(task)}"


def _bundled(queries: tuple[str, ...], wanted: int) -> tuple[str, ...]:
    """Put queries into one when they are more than may be asked."""
    return (" ".join(queries),) if len(queries) > wanted else queries


def said(facet: Facet, task: Question) -> str:
    """Give the first words in which texts speak of a facet."""
    return " ".join(said_in(facet, task.text)[:_FACET_WORDS])


def _fewer_words(asked: Sequence[str]) -> Iterator[str]:
    """Give the words with some left out: all but one, pairs, single ones."""
    few = asked[:_MOST_COMBINED]
    for size in dict.fromkeys((len(few) - 1, 2, 1)):
        if 0 < size < len(asked):
            yield from (" ".join(part) for part in combinations(few, size))


def _aspect(task: Question, name: str) -> str:
    return telling(task.text.replace(name, " "))


def _key(query: str) -> str:
    return " ".join(query.casefold().split())


def new_queries(candidates: Iterable[str], executed: Iterable[str], most: int) -> tuple[str, ...]:
    """Give the candidates that were not executed before, each once."""
    seen = {_key(query) for query in executed}
    fresh = {_key(once(query)): once(query) for query in candidates if query.strip()}
    return tuple(query for key, query in fresh.items() if key not in seen)[:most]
