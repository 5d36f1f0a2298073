"""The reader: header fields that answer, else the sentences that do, else nothing."""

from collections.abc import Sequence

from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit
from quaestor.evidence.tokenization import content_terms, normalize, terms, words
from quaestor.research.contracts.roles import DraftFinding, DraftQuote, Reading, ReadInput
from quaestor.research.offline.aliases import add_subject_heading, find_aliases, states_alias
from quaestor.research.offline.dates import parse_date
from quaestor.research.offline.direct_answer import best_finding, mentions_name
from quaestor.research.offline.extracts import Extract, extract_sentences, heading_text
from quaestor.research.offline.header_fields import Fact, parse_fact
from quaestor.research.offline.header_lookup import QuotedFact, document_headers, find_facts, is_reference_fact
from quaestor.research.offline.language import AnswerKind, detect_language, stems_of
from quaestor.research.offline.question import Question, find_relation, parse_question, split_clauses, word_runs
from quaestor.research.offline.relevance import (
    TermWeights,
    answer_likelihood,
    base_weights,
    min_share_of_best,
    passage_idf_weights,
    passage_terms,
    score_sentence,
    select_sentences,
    sentence_idf_weights,
    task_coverage,
)
from quaestor.research.offline.subjects import capitalize, subject_names

MAX_FINDINGS = 6
_MAX_BACKGROUND_FINDINGS = 3
_MAX_QUOTES = 5
_MIN_COMPARED = 2
_MIN_NAMES_SHARE = 0.4
"""The least share of its titles and names, by weight, that passages should speak of together."""
_MISSING_NAMES_FACTOR = 0.7
"""What is left of the likelihood that passages answer which do not."""
_MIN_NAME_SHARE = 0.67
"""The least share of the words of one name that one passage must hold."""
_MIN_CONFIDENCE = 0.33
"""How sure the reader must be that passages answer, by what the best sentence holds with what is around it.

Of questions about encyclopedia articles 10 % stay below these three; of those whose article was taken away, 90 %. Words
of other languages than English are not stemmed, and scripts without blanks are counted by pairs of characters, many of
which are grammar: there, less of a task can be held.
"""
_MIN_CONFIDENCE_UNSTEMMED = 0.28
_MIN_CONFIDENCE_UNSPACED = 0.16
_UNSPACED_RUN_LENGTH = 4
"""Above so many words to a run of letters the script has no blanks between words, and each is one character."""
_MIN_SENTENCE_SHARE = 0.6
"""What every sentence must hold of that least share."""


def read_passages(given: ReadInput) -> Reading:
    """Read passages, or weigh up the findings an analysis rests on."""
    task, question = parse_question(given.task), parse_question(given.question)
    if not given.hits:
        return Reading(findings=_analyze(task, question, given.findings))
    stated = find_facts(question, task, document_headers(given.hits), _reference_facts(question, given.findings))
    known = tuple(finding.claim for finding in given.findings)
    if stated:
        return Reading(findings=tuple(_draft_fact(one) for one in stated[:MAX_FINDINGS]))
    return Reading(
        findings=tuple(_draft_sentence(extract) for extract in _best_sentences(task, question, given.hits, known))
    )


def _reference_facts(question: Question, findings: Sequence[Finding]) -> tuple[Fact, ...]:
    """Return the facts found before that lead to what the question describes."""
    described = find_relation(question.text)
    facts = (parse_fact(finding.claim) for finding in findings)
    return tuple(fact for fact in facts if fact and described and is_reference_fact(described, fact))


def confidence(given: ReadInput) -> float:
    """Return how sure the reader is that passages answer, from 0 up; `read` quotes no sentence below a bound."""
    task, question = parse_question(given.task), parse_question(given.question)
    return _passage_confidence(task, question, given.hits, extract_sentences(given.hits))


def _passage_confidence(task: Question, question: Question, hits: Sequence[Hit], readable: Sequence[Extract]) -> float:
    """Score how surely passages answer: less if they lack most names, 0 if they lack a title."""
    joined = [normalize(f"{heading_text(hit)}\n{hit.passage.text}") for hit in hits]
    if not all(any(normalize(title) in text for text in joined) for title in task.titles):
        return 0.0
    likely = answer_likelihood(task, question, hits, readable)
    return (
        likely
        if _mention_names(task, passage_idf_weights(task, question, hits), hits)
        else _MISSING_NAMES_FACTOR * likely
    )


def _mention_names(task: Question, weights: TermWeights, hits: Sequence[Hit]) -> bool:
    """Return whether the passages together speak of most that matters among the names in a task."""
    bags = [passage_terms(hit) for hit in hits]
    named = [frozenset(terms(anchor)) for anchor in task.anchors]
    met = [name for name in named if any(len(name & bag) >= _MIN_NAME_SHARE * len(name) for bag in bags)]
    return sum(map(weights.cover, met)) >= _MIN_NAMES_SHARE * sum(map(weights.cover, named))


def _best_sentences(
    task: Question, question: Question, hits: Sequence[Hit], known: Sequence[str]
) -> tuple[Extract, ...]:
    """Return the sentences that answer, after the one that says what the subject is also called.

    Nothing, when no sentence with what is around it holds enough of the task.
    """
    naming = tuple(one for one in extract_sentences(hits) if states_alias(one.claim, task))
    others = find_aliases([*known, *(one.claim for one in naming)], task)
    hits = add_subject_heading(hits, task, others)
    rare, alike = passage_idf_weights(task, question, hits), base_weights(task, question)
    least = _min_confidence(task.text)
    core = frozenset(task.core)
    readable = extract_sentences(hits)
    if _passage_confidence(task, question, hits, readable) < least or not _serves_question(task, question, hits, least):
        return ()
    telling = sentence_idf_weights(task, question, readable)
    side = _alternative_terms(task, question)
    prose = question.wanted in {AnswerKind.PROSE, AnswerKind.YES_NO}
    named = [frozenset(terms(name)) & core for name in subject_names(task)] if prose and not side else []
    fresh = [
        (score_sentence(one, task, telling), one)
        for one in readable
        if core & one.said
        and task_coverage(one, task, rare, alike) >= _MIN_SENTENCE_SHARE * least
        and one.claim not in known
        and side <= one.said
        and (not side or core & one.own)
        and not _belongs_to_other_todo(one, task, question)
    ]
    most = _MAX_BACKGROUND_FINDINGS if _is_background(task, question) else MAX_FINDINGS
    found = select_sentences(fresh, most, min_share_of_best(len(hits), question), named)
    told = tuple(one for one in naming if others and find_aliases([one.claim], task) and one.claim not in known)[:1]
    return (*told, *(one for one in found if one not in told))[:most]


def _alternative_terms(task: Question, question: Question) -> frozenset[str]:
    """Return the terms of the one alternative that a task is about, none if it is about no single one of several."""
    sides = [option for option in question.options if option in task.text and question.wanted is AnswerKind.PROSE]
    return frozenset(content_terms(sides[0])) if len(sides) == 1 else frozenset()


def _is_background(task: Question, question: Question) -> bool:
    """Return whether a task only prepares the question: it asks for no side of the subject, as the question does."""
    asks = bool(question.facets) and len(question.options) <= 1
    return asks and not task.facets and frozenset(task.core) < frozenset(question.terms)


def _belongs_to_other_todo(extract: Extract, task: Question, question: Question) -> bool:
    """Return whether a sentence covers a side that the question asks for but this task leaves to another todo."""
    if not (task.facets or _is_background(task, question)) or len(question.options) > 1:
        return False
    own, others = extract.own, (facet for facet in question.facets if facet not in task.facets)
    return not any(own & stems_of(facet.said) for facet in task.facets) and any(
        own & stems_of(facet.said) for facet in others
    )


def _serves_question(task: Question, question: Question, hits: Sequence[Hit], least: float) -> bool:
    """Return whether what is found on a part of a question that asks for one thing comes near the whole of it.

    What surrounds a subject is worth telling only where the question about it can be answered.
    """
    part = frozenset(task.core) < frozenset(question.core)
    if not part or len(question.options) > 1 or len(split_clauses(question.text)) > 1 or find_relation(question.text):
        return True
    return answer_likelihood(question, question, hits, extract_sentences(hits)) >= least


def _min_confidence(text: str) -> float:
    if len(word_runs(text)) * _UNSPACED_RUN_LENGTH < len(words(text)):
        return _MIN_CONFIDENCE_UNSPACED
    return _MIN_CONFIDENCE if detect_language(text) == "en" else _MIN_CONFIDENCE_UNSTEMMED


def _analyze(task: Question, question: Question, findings: Sequence[Finding]) -> tuple[DraftFinding, ...]:
    """Set dates of the same kind in order, or the best claim on each alternative; else give what says most of all."""
    ordered = _order_by_date(findings) or _compare_alternatives(question, findings)
    if ordered:
        return (ordered,)
    asked = {*task.terms, *question.terms}
    ranked = sorted(range(len(findings)), key=lambda place: (-len(asked & {*terms(findings[place].claim)}), place))
    first = {finding.id.split("/")[0]: place for place, finding in reversed(list(enumerate(findings)))}
    kept = [*first.values(), *(place for place in ranked if place not in first.values())][:MAX_FINDINGS]
    return tuple(_requote(findings[place]) for place in sorted(kept))


def _order_by_date(findings: Sequence[Finding]) -> DraftFinding | None:
    """Return of several documents which date each gives in the same field, the earliest first."""
    dated = [
        (when, fact, finding)
        for finding in findings
        if (fact := parse_fact(finding.claim)) and (when := parse_date(fact.value))
    ]
    dated = [one for one in dated if one[1].key == dated[0][1].key]
    if len({fact.subject for _, fact, _ in dated}) < _MIN_COMPARED:
        return None
    earliest_first = sorted(dated, key=lambda one: one[0])
    told = "; ".join(f"{fact.value} ({fact.subject})" for _, fact, _ in earliest_first)
    quotes = [quote for _, _, finding in earliest_first for quote in finding.quotes[-2:]]
    drafts = tuple(DraftQuote(source=quote.source, text=quote.text) for quote in quotes)[:_MAX_QUOTES]
    return DraftFinding(claim=f"{dated[0][1].key}: {told}"[:2000], quotes=drafts)


def _compare_alternatives(question: Question, findings: Sequence[Finding]) -> DraftFinding | None:
    """Return one claim of the best answers for every alternative, each researched by a todo of its own."""
    todos = tuple(dict.fromkeys(finding.id.split("/")[0] for finding in findings))
    if len(todos) != len(question.options) or not _MIN_COMPARED <= len(todos) <= _MAX_QUOTES:
        return None
    sides: dict[str, Finding] = {}
    for option, todo in zip(question.options, todos, strict=True):
        told = {one.claim for one in sides.values()}
        own = [one for one in findings if one.id.startswith(f"{todo}/") and one.claim not in told]
        if chosen := best_finding(question, [one for one in own if mentions_name(one.claim, option)] or own):
            sides[option] = chosen
    if len(sides) < _MIN_COMPARED:
        return None
    claim = " ".join(f"{capitalize(option)}: {chosen.claim}" for option, chosen in sides.items())
    quotes = dict.fromkeys((chosen.quotes[0].source, chosen.quotes[0].text) for chosen in sides.values())
    return DraftFinding(
        claim=claim[:2000], quotes=tuple(DraftQuote(source=source, text=text) for source, text in quotes)
    )


def _requote(finding: Finding) -> DraftFinding:
    quotes = tuple(DraftQuote(source=quote.source, text=quote.text) for quote in finding.quotes[:_MAX_QUOTES])
    return DraftFinding(claim=finding.claim[:2000], quotes=quotes)


def _draft_sentence(extract: Extract) -> DraftFinding:
    return DraftFinding(claim=extract.claim, quotes=(DraftQuote(source=extract.source, text=extract.quote),))


def _draft_fact(stated: QuotedFact) -> DraftFinding:
    quotes = tuple(DraftQuote(source=stated.source, text=text[:4000]) for text in stated.quotes)
    return DraftFinding(claim=stated.fact.claim()[:2000], quotes=quotes)
