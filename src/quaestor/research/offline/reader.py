"""The reader: fields that the question names, else of every source the sentences that share most with the question.

It understands nothing, so it declines only where nothing that was found holds what the question is about.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from quaestor.contracts.immutable import replace
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit
from quaestor.evidence.retrieval.query import parse_query
from quaestor.evidence.tokenization import terms
from quaestor.research.contracts.roles import DraftFinding, DraftQuote, Reading, ReadInput
from quaestor.research.offline.fields.header_fields import Fact, stated_fact
from quaestor.research.offline.fields.header_lookup import QuotedFact, find_facts, is_reference_fact
from quaestor.research.offline.fields.named_documents import document_headers
from quaestor.research.offline.fields.told_fields import is_told_anew
from quaestor.research.offline.sentences.complements import find_complements
from quaestor.research.offline.sentences.connections import connected_sources
from quaestor.research.offline.sentences.extract import Extract
from quaestor.research.offline.sentences.extracts import extract_sentences
from quaestor.research.offline.sentences.nearness import (
    CONFIDENCE_WEIGHT,
    NEAR_ENOUGH,
    SENTENCE_WEIGHT,
    nearest_passage,
    nearness,
)
from quaestor.research.offline.sentences.relevance import (
    answer_likelihood,
    min_sentences,
    min_share_of_best,
    score_sentence,
    select_sentences,
    sentence_idf_weights,
)
from quaestor.research.offline.sentences.subject import is_on_subject, passages_of_side, sentences_on_subject
from quaestor.research.offline.sentences.table_rows import is_named_row, is_of_called_table
from quaestor.research.offline.sentences.task_reading import read_for_task
from quaestor.research.offline.words.aliases import find_aliases
from quaestor.research.offline.words.alternatives import find_side
from quaestor.research.offline.words.language import asks_for_objections
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.question import Question, find_relation, parse_question
from quaestor.research.offline.words.word_forms import word_forms
from quaestor.research.reports.languages import report_language

MAX_FINDINGS = 40
_MAX_MARKED = 6
"""Sentences that are marked beside the best one of every source."""
_FIRST_PASSAGES = 12
"""Passages of which more than the best sentence of a source is marked."""
_MAX_QUOTES = 5
_MAX_CLAIM = 2000
_MAX_QUOTE = 4000


def read_passages(given: ReadInput) -> Reading:
    """Read passages in their order; of findings without passages, as an analysis has them, each again."""
    if not given.hits:
        return Reading(findings=tuple(_requote(finding) for finding in given.findings[:MAX_FINDINGS]))
    task, question = (parse_question(given.spelt(text)) for text in (given.task, given.question))
    relation = find_relation(question.text)
    found = find_facts(question, task, document_headers(given.hits), _reference_facts(question, given.findings))
    stated = [one for one in found if not is_told_anew(one.fact, one.source, given.hits)]
    facts = tuple(_draft_fact(one) for one in stated)
    if any(not (relation and is_reference_fact(relation, one.fact)) for one in stated):
        return Reading(findings=facts[:MAX_FINDINGS])
    known = tuple(finding.claim for finding in given.findings)
    hits = passages_of_side(task, question, given.hits)
    near = given.meaning and nearest_passage(given.task, hits) >= NEAR_ENOUGH
    others = [one.other for one in find_aliases(known, task)]
    side = find_side(task.text, question.options) if len(question.options) > 1 else None
    on_subject = near or is_on_subject(task, hits, (*others, *filter(None, [side])))
    marked = mark_sentences(task, question, hits, known, others, meaning=given.meaning) if on_subject else ()
    return Reading(findings=(*facts, *(_draft_run(run) for run in _joined(marked)))[:MAX_FINDINGS])


def confidence(given: ReadInput) -> float:
    """Return how much of a task one sentence with what is around it holds, from 0 up; with meaning, how near it is."""
    task, question = (parse_question(given.spelt(text)) for text in (given.task, given.question))
    near = CONFIDENCE_WEIGHT * nearest_passage(given.task, given.hits) if given.meaning else 0.0
    return near + answer_likelihood(task, question, given.hits, extract_sentences(given.hits))


def mark_sentences(
    task: Question,
    question: Question,
    hits: Sequence[Hit],
    known: Collection[str] = (),
    others: Sequence[str] = (),
    *,
    meaning: bool = False,
) -> tuple[Extract, ...]:
    """Return the sentences that come near the best, in the order of the search, and the best of every other source.

    Of these sources only the ones that belong to the evidence; a text about many things has one for each part, and a
    statement is checked against all. What stands under one of the `others`, names by which the subject is also called,
    stands under the subject.
    """
    fresh = [one for one in read_for_task(hits, task) if one.claim not in known]
    readable: Sequence[Extract] = [_under_subject(one, others, task) for one in fresh]
    weights = sentence_idf_weights(task, question, readable)
    if asks_for_objections(question.facets):
        readable = sentences_on_subject(readable, task, weights)
    near_task = nearness(task.text, [one.claim for one in readable]) if meaning else [0.0] * len(readable)
    scored = [
        (score_sentence(one, task, weights) + SENTENCE_WEIGHT * cosine, one)
        for one, cosine in zip(readable, near_task, strict=True)
    ]
    first = [pair for pair in scored if pair[1].rank < _FIRST_PASSAGES]
    share, least = min_share_of_best(len(hits), question), min_sentences(len(hits), task)
    near = select_sentences(first, _MAX_MARKED, share, least)
    shown = {one.source for one in near}
    query = parse_query(question.text)
    if not (query.tells or query.states):
        connected = connected_sources(question, hits, readable, near, weights)
        scored = [pair for pair in scored if pair[1].source in connected]
    forms, core = word_forms(task.text), frozenset(task.core)
    # Every noun of German has a capital letter, so a question in it names nothing that is told apart.
    anchors = () if report_language(task.text) == "de" else task.anchors
    names = frozenset(term for name in anchors for term in terms(name))
    telling = core - names
    numbered = [frozenset(terms(name)) for name in anchors if any(map(str.isdigit, name))]
    best: dict[str, tuple[float, Extract]] = {}
    for score, one in scored:
        says = (
            one.is_prose
            or one.own & telling
            or is_named_row(one, core, forms)
            or is_of_called_table(one, core, names)
            # All that a document may have to say: "Moved to NIP-01".
            or any(name <= one.document for name in numbered)
        )
        fits = says and one.source not in shown
        if fits and score > best.get(one.source, (0.0, one))[0]:
            best[one.source] = (score, one)
    chosen = (*near, *(one for _, one in best.values()))
    completing = find_complements(chosen, scored, readable, task, question, is_first=not known)
    # A line has a place among lines: by their beginnings alone both kinds are in one order.
    return tuple(sorted((*chosen, *completing), key=lambda one: (one.rank, one.start, one.place)))


def _under_subject(extract: Extract, others: Sequence[str], task: Question) -> Extract:
    """Return a sentence that stands under another name of a task's subject as one that stands under the subject."""
    if any(extract.said.issuperset(terms(other)) for other in others):
        return replace(extract, above=extract.above | frozenset(task.core))
    return extract


def _reference_facts(question: Question, findings: Sequence[Finding]) -> tuple[Fact, ...]:
    """Return the facts found before that lead to what the question describes."""
    relation = find_relation(question.text)
    facts = map(stated_fact, findings)
    return tuple(fact for fact in facts if fact and relation and is_reference_fact(relation, fact))


def _joined(marked: Iterable[Extract]) -> Iterator[list[Extract]]:
    """Put sentences of one passage that follow each other into one run; a row of a table has its own columns."""
    for _, together in groupby(marked, key=lambda one: one.rank):
        run: list[Extract] = []
        for one in together:
            is_apart = run and one.start > run[-1].end and one.passage.text[run[-1].end : one.start].strip()
            if run and (is_apart or one.is_row):
                yield run
                run = []
            run.append(one)
        yield run


def _draft_run(run: Sequence[Extract]) -> DraftFinding:
    """Return the words from the first to the last sentence of a run, as they stand in the passage."""
    passage, end = run[0].passage.text, max(one.end for one in run)
    text = passage[_first_place(passage, min(one.start for one in run), end) : end][:_MAX_QUOTE]
    plain = strip_markup(text) or text.strip()
    claim = f"{run[0].title}: {plain}" if run[0].title else plain
    return DraftFinding(claim=claim[:_MAX_CLAIM], quotes=(DraftQuote(source=run[0].source, text=text),))


def _first_place(passage: str, start: int, end: int) -> int:
    """Return where words begin that stand in a passage for the first time, with as many lines before as that takes.

    A quote is located where its words stand first: items of two lists may be the same.
    """
    place = start
    while passage.find(passage[place:end]) < place and end - place <= _MAX_QUOTE:
        place = passage.rfind("\n", 0, len(passage[:place].rstrip())) + 1
    return place


def _draft_fact(stated: QuotedFact) -> DraftFinding:
    quotes = tuple(DraftQuote(source=stated.source, text=text[:_MAX_QUOTE]) for text in stated.quotes)
    return DraftFinding(claim=stated.fact.claim()[:_MAX_CLAIM], quotes=quotes)


def _requote(finding: Finding) -> DraftFinding:
    quotes = tuple(DraftQuote(source=quote.source, text=quote.text) for quote in finding.quotes[:_MAX_QUOTES])
    return DraftFinding(claim=finding.claim[:_MAX_CLAIM], quotes=quotes)
