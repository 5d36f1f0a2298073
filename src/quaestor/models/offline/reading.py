"""The reader: header fields that answer, else the sentences that do, else nothing."""

from collections.abc import Sequence

from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import DraftFinding, DraftQuote, ReadGiven, Reading
from quaestor.contracts.source import Hit
from quaestor.evidence.text import content_terms, fold, terms, words
from quaestor.models.offline.aliases import defines, other_names, renamed
from quaestor.models.offline.dates import day
from quaestor.models.offline.extracts import Extract, extracts, named_above
from quaestor.models.offline.fields import Fact, parse
from quaestor.models.offline.language import Wanted, language, stems_of
from quaestor.models.offline.lookup import Stated, cards, leads_on, look_up
from quaestor.models.offline.merit import best_of, speaks_of
from quaestor.models.offline.question import Question, clauses, relation, runs, take_apart
from quaestor.models.offline.relevance import (
    Weights,
    by_place,
    by_rarity,
    by_telling,
    held,
    likelihood,
    nearness,
    passage_terms,
    score,
    select,
)
from quaestor.models.offline.subjects import capitalised, subjects

MOST_FINDINGS = 6
_MOST_AROUND = 3
_MOST_QUOTES = 5
_FEWEST_COMPARED = 2
_NAMED = 0.4
"""The least share of its titles and names, by weight, that passages should speak of together."""
_UNNAMED = 0.7
"""What is left of the likelihood that passages answer which do not."""
_OF_NAME = 0.67
"""The least share of the words of one name that one passage must hold."""
_HELD = 0.33
"""How sure the reader must be that passages answer, by what the best sentence holds with what is around it.

Of questions about encyclopedia articles 10 % stay below these three; of those whose article was taken away, 90 %. Words
of other languages than English are not stemmed, and scripts without blanks are counted by pairs of characters, many of
which are grammar: there, less of a task can be held.
"""
_HELD_UNSTEMMED = 0.28
_HELD_UNSPACED = 0.16
_CHARACTERS_A_RUN = 4
"""Above so many words to a run of letters the script has no blanks between words, and each is one character."""
_OF_LEAST = 0.6
"""What every sentence must hold of that least share."""


def read(given: ReadGiven) -> Reading:
    """Read passages, or weigh up the findings an analysis rests on."""
    task, question = take_apart(given.task), take_apart(given.question)
    if not given.hits:
        return Reading(findings=_weighed_up(task, question, given.findings))
    stated = look_up(question, task, cards(given.hits), _links(question, given.findings))
    known = tuple(finding.claim for finding in given.findings)
    if stated:
        return Reading(findings=tuple(_draft_fact(one) for one in stated[:MOST_FINDINGS]))
    return Reading(findings=tuple(_draft(extract) for extract in _best(task, question, given.hits, known)))


def _links(question: Question, findings: Sequence[Finding]) -> tuple[Fact, ...]:
    """Give the facts found before that lead to what the question describes."""
    described = relation(question.text)
    facts = (parse(finding.claim) for finding in findings)
    return tuple(fact for fact in facts if fact and described and leads_on(described, fact))


def confidence(given: ReadGiven) -> float:
    """Say how sure the reader is that passages answer, from 0 up; `read` quotes no sentence below a bound."""
    task, question = take_apart(given.task), take_apart(given.question)
    return _sure(task, question, given.hits, extracts(given.hits))


def _sure(task: Question, question: Question, hits: Sequence[Hit], readable: Sequence[Extract]) -> float:
    """Say how sure it is that passages answer: less, if they do not speak of most names; not at all without a title."""
    joined = [fold(f"{named_above(hit)}\n{hit.passage.text}") for hit in hits]
    if not all(any(fold(title) in text for text in joined) for title in task.titles):
        return 0.0
    likely = likelihood(task, question, hits, readable)
    return likely if _speak_of_names(task, by_rarity(task, question, hits), hits) else _UNNAMED * likely


def _speak_of_names(task: Question, weights: Weights, hits: Sequence[Hit]) -> bool:
    """Tell whether the passages together speak of most that matters among the names in a task."""
    bags = [passage_terms(hit) for hit in hits]
    named = [frozenset(terms(anchor)) for anchor in task.anchors]
    met = [name for name in named if any(len(name & bag) >= _OF_NAME * len(name) for bag in bags)]
    return sum(map(weights.cover, met)) >= _NAMED * sum(map(weights.cover, named))


def _best(task: Question, question: Question, hits: Sequence[Hit], known: Sequence[str]) -> tuple[Extract, ...]:
    """Give the sentences that answer, after the one that says what the subject is also called.

    Nothing, when no sentence with what is around it holds enough of the task.
    """
    naming = tuple(one for one in extracts(hits) if defines(one.claim, task))
    others = other_names([*known, *(one.claim for one in naming)], task)
    hits = renamed(hits, task, others)
    rare, alike = by_rarity(task, question, hits), by_place(task, question)
    least = _least_held(task.text)
    core = frozenset(task.core)
    readable = extracts(hits)
    if _sure(task, question, hits, readable) < least or not _serves(task, question, hits, least):
        return ()
    telling = by_telling(task, question, readable)
    side = _side(task, question)
    prose = question.wanted in {Wanted.PROSE, Wanted.YES_NO}
    named = [frozenset(terms(name)) & core for name in subjects(task)] if prose and not side else []
    fresh = [
        (score(one, task, telling), one)
        for one in readable
        if core & one.said
        and held(one, task, rare, alike) >= _OF_LEAST * least
        and one.claim not in known
        and side <= one.said
        and (not side or core & one.own)
        and not _is_left(one, task, question)
    ]
    most = _MOST_AROUND if _is_around(task, question) else MOST_FINDINGS
    found = select(fresh, most, nearness(len(hits), question), named)
    told = tuple(one for one in naming if others and other_names([one.claim], task) and one.claim not in known)[:1]
    return (*told, *(one for one in found if one not in told))[:most]


def _side(task: Question, question: Question) -> frozenset[str]:
    """Give the terms of the one alternative that a task is about, none if it is about no single one of several."""
    sides = [option for option in question.options if option in task.text and question.wanted is Wanted.PROSE]
    return frozenset(content_terms(sides[0])) if len(sides) == 1 else frozenset()


def _is_around(task: Question, question: Question) -> bool:
    """Tell a task that only leads up to the question: it asks for no side of the subject, as the question does."""
    asks = bool(question.facets) and len(question.options) <= 1
    return asks and not task.facets and frozenset(task.core) < frozenset(question.terms)


def _is_left(extract: Extract, task: Question, question: Question) -> bool:
    """Tell whether a sentence speaks of a side that the question asks for but this task leaves to another todo."""
    if not (task.facets or _is_around(task, question)) or len(question.options) > 1:
        return False
    own, others = extract.own, (facet for facet in question.facets if facet not in task.facets)
    return not any(own & stems_of(facet.said) for facet in task.facets) and any(
        own & stems_of(facet.said) for facet in others
    )


def _serves(task: Question, question: Question, hits: Sequence[Hit], least: float) -> bool:
    """Tell whether what is found on a part of a question that asks for one thing comes near the whole of it.

    What surrounds a subject is worth telling only where the question about it can be answered.
    """
    part = frozenset(task.core) < frozenset(question.core)
    if not part or len(question.options) > 1 or len(clauses(question.text)) > 1 or relation(question.text):
        return True
    return likelihood(question, question, hits, extracts(hits)) >= least


def _least_held(text: str) -> float:
    if len(runs(text)) * _CHARACTERS_A_RUN < len(words(text)):
        return _HELD_UNSPACED
    return _HELD if language(text) == "en" else _HELD_UNSTEMMED


def _weighed_up(task: Question, question: Question, findings: Sequence[Finding]) -> tuple[DraftFinding, ...]:
    """Set dates of the same kind in order, or the best claim on each alternative; else give what says most of all."""
    ordered = _in_order_of_time(findings) or _side_by_side(question, findings)
    if ordered:
        return (ordered,)
    asked = {*task.terms, *question.terms}
    ranked = sorted(range(len(findings)), key=lambda place: (-len(asked & {*terms(findings[place].claim)}), place))
    first = {finding.id.split("/")[0]: place for place, finding in reversed(list(enumerate(findings)))}
    kept = [*first.values(), *(place for place in ranked if place not in first.values())][:MOST_FINDINGS]
    return tuple(_requote(findings[place]) for place in sorted(kept))


def _in_order_of_time(findings: Sequence[Finding]) -> DraftFinding | None:
    """Say of several documents which date each gives in the same field, the earliest first."""
    dated = [
        (when, fact, finding) for finding in findings if (fact := parse(finding.claim)) and (when := day(fact.value))
    ]
    dated = [one for one in dated if one[1].key == dated[0][1].key]
    if len({fact.subject for _, fact, _ in dated}) < _FEWEST_COMPARED:
        return None
    earliest_first = sorted(dated, key=lambda one: one[0])
    told = "; ".join(f"{fact.value} ({fact.subject})" for _, fact, _ in earliest_first)
    quotes = [quote for _, _, finding in earliest_first for quote in finding.quotes[-2:]]
    drafts = tuple(DraftQuote(source=quote.source, text=quote.text) for quote in quotes)[:_MOST_QUOTES]
    return DraftFinding(claim=f"{dated[0][1].key}: {told}"[:2000], quotes=drafts)


def _side_by_side(question: Question, findings: Sequence[Finding]) -> DraftFinding | None:
    """Say in one claim what answers best of every alternative, each researched by a todo of its own."""
    todos = tuple(dict.fromkeys(finding.id.split("/")[0] for finding in findings))
    if len(todos) != len(question.options) or not _FEWEST_COMPARED <= len(todos) <= _MOST_QUOTES:
        return None
    sides: dict[str, Finding] = {}
    for option, todo in zip(question.options, todos, strict=True):
        told = {one.claim for one in sides.values()}
        own = [one for one in findings if one.id.startswith(f"{todo}/") and one.claim not in told]
        if chosen := best_of(question, [one for one in own if speaks_of(one.claim, option)] or own):
            sides[option] = chosen
    if len(sides) < _FEWEST_COMPARED:
        return None
    claim = " ".join(f"{capitalised(option)}: {chosen.claim}" for option, chosen in sides.items())
    quotes = dict.fromkeys((chosen.quotes[0].source, chosen.quotes[0].text) for chosen in sides.values())
    return DraftFinding(
        claim=claim[:2000], quotes=tuple(DraftQuote(source=source, text=text) for source, text in quotes)
    )


def _requote(finding: Finding) -> DraftFinding:
    quotes = tuple(DraftQuote(source=quote.source, text=quote.text) for quote in finding.quotes[:_MOST_QUOTES])
    return DraftFinding(claim=finding.claim[:2000], quotes=quotes)


def _draft(extract: Extract) -> DraftFinding:
    return DraftFinding(claim=extract.claim, quotes=(DraftQuote(source=extract.source, text=extract.quote),))


def _draft_fact(stated: Stated) -> DraftFinding:
    quotes = tuple(DraftQuote(source=stated.source, text=text[:4000]) for text in stated.quotes)
    return DraftFinding(claim=stated.fact.claim()[:2000], quotes=quotes)
