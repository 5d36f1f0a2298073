"""The query writer: what was found leads, then what was asked for, then the task in other words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, count

from quaestor.contracts.event import ToolCall
from quaestor.contracts.tools import SearchInput
from quaestor.evidence.tokenization import content_terms, terms
from quaestor.research.contracts.optional_roles import DelegateSummaryInput, DelegateToolInput
from quaestor.research.contracts.roles import Queries, QueriesInput
from quaestor.research.contracts.writing import SummarizeInput, Summary
from quaestor.research.offline.aliases import find_aliases
from quaestor.research.offline.header_fields import parse_fact
from quaestor.research.offline.header_lookup import is_reference_fact
from quaestor.research.offline.language import FACETS, AnswerKind, Facet, facet_words
from quaestor.research.offline.question import (
    Question,
    content_words,
    core_words,
    drop_repeats,
    find_relation,
    parse_question,
)
from quaestor.research.offline.writer import summarize

_HEADER_WORDS = "title author"
"""Words that stand in the header of a document rather than in its text."""
_IDENTIFIER = re.compile(r"[_()]|\.\w|^\w*\d")
_MAX_FACET_WORDS = 6
_MAX_SECTIONS = 2
"""Beside a title, one word of a facet finds its section; several find those sections of other documents."""
_MAX_LEADS = 6
_MAX_COMBINED = 8


def write_queries(given: QueriesInput) -> Queries:
    """Write exactly the wanted number of queries, none executed before; queries of other words come first."""
    seen = {_normalized(query) for query in given.executed}
    senses = {frozenset(content_terms(query)) for query in given.executed}
    chosen: list[str] = []
    for candidate in _candidates(given):
        if len(chosen) == given.wanted:
            break
        query = drop_repeats(candidate)
        if not query or _normalized(query) in seen:
            continue
        seen.add(_normalized(query))
        sense = frozenset(content_terms(query))
        if sense not in senses:
            chosen.append(query)
            senses.add(sense)
    return Queries(queries=tuple(chosen))


def lead_names(known: Sequence[str], task: Question) -> tuple[str, ...]:
    """Return the names and titles in what was found that the task does not hold yet, the most frequent first."""
    asked = set(terms(task.text))
    counts: dict[str, int] = {}
    for claim in known:
        if parse_fact(claim):
            continue
        found = parse_question(claim)
        for name in found.anchors:
            fresh = set(content_terms(name)) - asked
            if fresh and name[0].isupper() and not _IDENTIFIER.search(name):
                counts[name] = counts.get(name, 0) + 1
    ordered = sorted(counts, key=lambda name: -counts[name])
    return tuple(ordered[:_MAX_LEADS])


def reference_queries(known: Sequence[str], question: Question) -> Iterator[str]:
    """Follow the references in known facts: the series and number of another document, and what is asked of it."""
    described = find_relation(question.text)
    if described is None:
        return
    facts = tuple(fact for claim in known if (fact := parse_fact(claim)))
    reached = {(fact.scheme, fact.number) for fact in facts}
    wanted = content_words(question.text.replace(described.text, " "))
    for fact in facts:
        if is_reference_fact(described, fact):
            unread = (number for number in fact.references() if (fact.scheme, number) not in reached)
            yield from (f"{fact.scheme} {number} {_HEADER_WORDS} {wanted}" for number in unread)


def _candidates(given: QueriesInput) -> Iterator[str]:
    task, question = parse_question(given.task), parse_question(given.question)
    about, context = core_words(task), core_words(question)
    names = lead_names(given.known, task) if question.wanted is not AnswerKind.PROSE else ()
    yield from _join_excess(tuple(reference_queries(given.known, question)), given.wanted)
    yield from alias_queries(find_aliases(given.known, task), task)
    yield from given.follow_ups
    if given.source_hint:
        yield f"{given.source_hint} {about}"
    yield from (f"{name} {about}" for name in names[:1])
    yield from (f"{title} {_HEADER_WORDS} {_remaining_words(task, title)}" for title in task.titles)
    yield from (f"{about} {facet_query(facet, task)}" for facet in task.facets)
    if not set(task.core) >= set(question.core):
        yield f"{about} {context}"
    yield about
    yield from (f"{name} {_remaining_words(task, name)}" for name in (*task.names, *task.options))
    yield from (f"{name} {context}" for name in names)
    yield content_words(given.task)
    yield context
    yield from task.anchors
    yield content_words(given.question)
    yield from (f"{about} {facet_query(facet, task)}" for facet in FACETS)
    yield from _fewer_words(about.split() or [given.task])
    yield from (f"{given.task} {number}" for number in count(2))


def alias_queries(others: Iterable[str], task: Question) -> Iterator[str]:
    """Ask for the sides of a task, or for all of it, by other names of its subject."""
    for other in others:
        for facet in task.facets:
            yield from (f"{other} {word}" for word in facet_words(facet, task.text)[:_MAX_SECTIONS])
        if not task.facets:
            yield f"{other} {core_words(task)}"


def _join_excess(queries: tuple[str, ...], wanted: int) -> tuple[str, ...]:
    """Put queries into one when they are more than may be asked."""
    return (" ".join(queries),) if len(queries) > wanted else queries


def facet_query(facet: Facet, task: Question) -> str:
    """Return the first words in which texts speak of a facet."""
    return " ".join(facet_words(facet, task.text)[:_MAX_FACET_WORDS])


def _fewer_words(asked: Sequence[str]) -> Iterator[str]:
    """Return the words with some left out: all but one, pairs, single ones."""
    few = asked[:_MAX_COMBINED]
    for size in dict.fromkeys((len(few) - 1, 2, 1)):
        if 0 < size < len(asked):
            yield from (" ".join(part) for part in combinations(few, size))


def _remaining_words(task: Question, name: str) -> str:
    return content_words(task.text.replace(name, " "))


def _normalized(query: str) -> str:
    return " ".join(query.casefold().split())


def new_queries(candidates: Iterable[str], executed: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the candidates that were not executed before, each once."""
    seen = {_normalized(query) for query in executed}
    fresh = {_normalized(drop_repeats(query)): drop_repeats(query) for query in candidates if query.strip()}
    return tuple(query for key, query in fresh.items() if key not in seen)[:most]


_QUERY_COUNT = 3
_NO_FINDINGS = "The todos this one builds on found nothing."


def choose_searches(given: DelegateToolInput) -> tuple[ToolCall, ...]:
    """Choose the searches of a task, all in the first pass."""
    if given.executed:
        return ()
    known = tuple(finding.claim for finding in given.findings)
    wanted = QueriesInput(question=given.question, task=given.task, wanted=_QUERY_COUNT, known=known)
    return tuple(
        ToolCall(ref=f"c{place}", tool="search", given=SearchInput(query=query).model_dump(mode="json"))
        for place, query in enumerate(write_queries(wanted).queries, 1)
    )


def write_digest(given: DelegateSummaryInput) -> Summary:
    """Shorten what was found before to the size asked for."""
    lines = tuple(finding.claim for finding in given.findings)
    return summarize(SummarizeInput(lines=lines or (_NO_FINDINGS,), characters=given.characters))
