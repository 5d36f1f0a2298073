"""The query writer: what a reflection asked for, then the task and the question, each as it is written."""

from collections.abc import Iterable, Iterator, Sequence

from quaestor.contracts.event import ToolCall
from quaestor.contracts.tools import SearchInput
from quaestor.evidence.normalization import fold_case_and_blanks
from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.tokenization import ELLIPSIS, content_terms, terms
from quaestor.research.contracts.optional_roles import DelegateSummaryInput, DelegateToolInput
from quaestor.research.contracts.roles import Queries, QueriesInput
from quaestor.research.contracts.writing import SummarizeInput, Summary
from quaestor.research.offline.fields.header_fields import parse_fact
from quaestor.research.offline.fields.header_lookup import is_reference_fact
from quaestor.research.offline.words.aliases import Alias, find_aliases
from quaestor.research.offline.words.ending_words import ending_words
from quaestor.research.offline.words.field_names import common_keys
from quaestor.research.offline.words.language import facet_words
from quaestor.research.offline.words.question import (
    Question,
    content_words,
    core_words,
    date_order,
    drop_repeats,
    find_relation,
    parse_question,
)
from quaestor.research.offline.writer import summarize
from quaestor.research.reports.languages import report_language

_HEADER_WORDS = "title author"
"""Words that stand in the header of a document rather than in its text."""
_MAX_FACET_WORDS = 3
_QUERY_COUNT = 3
_NO_FINDINGS = "The todos this one builds on found nothing."


def write_queries(given: QueriesInput) -> Queries:
    """Write at most the wanted number of queries, at least one, none executed before.

    The search takes a question apart by itself, so the words of the task and of the question are the best there are.
    """
    queries = new_queries(_candidates(given), given.executed, given.wanted)
    return Queries(queries=queries or (f"{given.task} {len(given.executed) + 1}",))


def _candidates(given: QueriesInput) -> Iterator[str]:
    task, question = parse_question(given.task), parse_question(given.question)
    yield from given.follow_ups
    yield from _join_excess(tuple(reference_queries(given.known, question)), given.wanted)
    if not given.executed and _tells_whole_question(given):
        yield given.question
    elif not given.executed:
        yield given.task
        yield from _field_queries(task)
        yield from _ending_queries(task)
        yield from _side_queries(task)
        yield from alias_queries(find_aliases(given.known, task), task)
        yield f"{given.source_hint} {content_words(given.task)}" if given.source_hint else ""
        yield given.question
        if find_relation(given.question) or (len(question.options) > 1 and date_order(given.question)):
            yield from (f"{title} {_HEADER_WORDS}" for title in question.titles if title in given.task)


def _field_queries(task: Question) -> Iterator[str]:
    """Ask for a field by the words of headers, where the task calls it by others, as who wrote something."""
    keys = () if task.facets else common_keys(frozenset(task.terms))
    if keys:
        yield f"{content_words(task.text)} title {' '.join(keys)}"


def _ending_queries(task: Question) -> Iterator[str]:
    """Ask for the end of a thing, where a task asks whether it still is: a text that tells of it has other words."""
    if task.names and (ended := ending_words(task.text, report_language(task.text))):
        yield f"{' '.join(task.names)} {ended}"


def _side_queries(task: Question) -> Iterator[str]:
    """Ask for a side of a subject in the words for it, where a task has nothing but names beside: why PEP 20 was made.

    Every passage of a document bears its name, and the shortest of them is found first.
    """
    names = frozenset(term for name in task.names for term in terms(name))
    if task.facets and names and names.issuperset(task.core):
        yield f"{core_words(task)} {' '.join(_words_of_sides(task))}"


def _words_of_sides(task: Question) -> list[str]:
    return [word for facet in task.facets for word in facet_words(facet, task.text)[:_MAX_FACET_WORDS]]


def _tells_whole_question(given: QueriesInput) -> bool:
    """Return whether a task is a text about many things, or its beginning: it is searched whole, and by nothing else.

    Any other query beside it would rank some of these things before the rest.
    """
    beginning = given.task.rstrip(ELLIPSIS)
    return given.question.startswith(beginning) and parse_query(given.question).tells


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


def alias_queries(others: Iterable[Alias], task: Question) -> Iterator[str]:
    """Ask by other names of its subject for the sides that a task asks for, else for all of it."""
    for one in others:
        yield f"{one.other} {' '.join(_words_of_sides(task)) or core_words(task)}"


def new_queries(candidates: Iterable[str], executed: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the candidates that were not executed before, each once, whatever their case and blanks."""
    seen = {fold_case_and_blanks(query) for query in executed}
    fresh: dict[str, str] = {}
    for query in candidates:
        if content_terms(query) and fold_case_and_blanks(query) not in seen:
            fresh.setdefault(fold_case_and_blanks(query), " ".join(query.split()))
    return tuple(fresh.values())[:most]


def _join_excess(queries: tuple[str, ...], wanted: int) -> tuple[str, ...]:
    """Put queries into one when they are more than may be asked."""
    return (drop_repeats(" ".join(queries)),) if len(queries) > wanted else queries


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
