"""The shortest direct answer: read from facts, compared, or picked from the sentence that answers best."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from quaestor.contracts.ledger import Finding
from quaestor.evidence.tokenization import content_terms, terms, words
from quaestor.research.contracts.writing import WrittenSentence
from quaestor.research.offline.dates import PartialDate, find_dates, parse_date
from quaestor.research.offline.extracts import standalone_score
from quaestor.research.offline.header_fields import Fact, parse_fact, split_people
from quaestor.research.offline.header_lookup import is_reference_fact, same_title
from quaestor.research.offline.language import AUTHOR_WORDS, AnswerKind, stems_of
from quaestor.research.offline.markup import strip_markup
from quaestor.research.offline.question import Question, find_relation, parse_question
from quaestor.research.offline.relevance import base_weights, facet_coverage

_EARLIEST = re.compile(r"\b(?:first|earlie(?:r|st)|olde(?:r|st)|before|primero|antes)\b|最早|更早|先", re.IGNORECASE)
_LATEST = re.compile(
    r"\b(?:last|late(?:r|st)|newe(?:r|st)|younge(?:r|st)|recent|después)\b|最晚|更晚|后", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.])[$€£¥]?\d[\d.,]*\d%?|(?<![\w.])\d%?")
_ASKED_NOUN = re.compile(r"\b(?:which|what) (\w+)", re.IGNORECASE)
_MIN_COVERAGE = 0.7
_PROXIMITY_SCALE = 25
_NAME_WEIGHT = 0.4


@dataclass(frozen=True, slots=True)
class _CitedFact:
    """A fact and the id of the finding that proves it."""

    fact: Fact
    finding: str


def find_answer(question: Question, findings: Sequence[Finding]) -> WrittenSentence | None:
    """Return the direct answer with its findings; None where the question wants prose or nothing is sure."""
    said = tuple(_CitedFact(fact, finding.id) for finding in findings if (fact := parse_fact(finding.claim)))
    if len(question.options) > 1 and question.wanted is not AnswerKind.YES_NO:
        return _compare_dates(question, said, findings)
    if said:
        return _answer_from_facts(question, said)
    if question.titles and find_relation(question.text):
        return None  # where no reference leads on from a title, a sentence that holds the title answers something else
    return _answer_from_prose(question, findings)


def _compare_dates(
    question: Question, said: Sequence[_CitedFact], findings: Sequence[Finding]
) -> WrittenSentence | None:
    """Compare the dates of the options; the one that the question asks for is the answer, as it is written there."""
    pick = _date_selector(question.text)
    if pick is None:
        return None
    dated = [_date_from_facts(option, said) or _date_from_prose(option, findings) for option in question.options]
    known = [found for found in dated if found]
    if len(known) < len(question.options) or len({found[0] for found in known}) < len(known):
        return None
    chosen = pick(found[0] for found in known)
    place = next(place for place, found in enumerate(known) if found[0] == chosen)
    return WrittenSentence(text=question.options[place], findings=_unique(found[1] for found in known))


def _date_selector(text: str) -> Callable[[Iterator[tuple[int, int, int]]], tuple[int, int, int]] | None:
    if _EARLIEST.search(text):
        return min
    return max if _LATEST.search(text) else None


def _date_from_facts(option: str, said: Sequence[_CitedFact]) -> tuple[tuple[int, int, int], str] | None:
    for one in said:
        when = parse_date(one.fact.value)
        if when and same_title(one.fact.subject, option):
            return _sort_key(when), one.finding
    return None


def _date_from_prose(option: str, findings: Sequence[Finding]) -> tuple[tuple[int, int, int], str] | None:
    named = set(terms(option))
    for finding in findings:
        found = find_dates(finding.claim)
        if found and named <= set(terms(finding.claim)):
            return _sort_key(found[0]), finding.id
    return None


def _sort_key(when: PartialDate) -> tuple[int, int, int]:
    return when.year, when.month, when.day


def _answer_from_facts(question: Question, said: Sequence[_CitedFact]) -> WrittenSentence | None:
    """Return the values of the facts that answer; of a chain, those at its end."""
    described = find_relation(question.text)
    links = tuple(one for one in said if described and is_reference_fact(described, one.fact))
    ends = tuple(one for one in said if one not in links)
    if described and not ends:
        return None
    values = dict.fromkeys(_value(one.fact) for one in ends)
    return WrittenSentence(text="; ".join(values), findings=_unique(one.finding for one in (*links, *ends)))


def _value(fact: Fact) -> str:
    if stems_of(fact.key) & stems_of(AUTHOR_WORDS):
        return ", ".join(split_people(fact.value))
    return strip_markup(fact.value)


def _answer_from_prose(question: Question, findings: Sequence[Finding]) -> WrittenSentence | None:
    """Pick the date, number or name nearest to the question's words in the sentence that covers most of them."""
    asked = set(question.terms)
    covers = [(len(asked & set(terms(finding.claim))) / max(1, len(asked)), finding) for finding in findings]
    ranked = sorted(covers, key=lambda pair: -pair[0])
    for cover, finding in ranked:
        if cover < _MIN_COVERAGE:
            return None
        candidates = tuple(_candidate_spans(question, finding.claim))
        if candidates:
            best = max(candidates, key=lambda span: (_proximity(span, finding.claim, question), -span[0]))
            return WrittenSentence(text=finding.claim[best[0] : best[1]], findings=(finding.id,))
    return None


def _candidate_spans(question: Question, claim: str) -> Iterator[tuple[int, int]]:
    if question.wanted is AnswerKind.DATE:
        texts = [when.text for when in find_dates(claim)]
    elif question.wanted is AnswerKind.NUMBER:
        texts = [match.group().rstrip(".,") for match in _NUMBER.finditer(claim)]
    elif question.wanted in {AnswerKind.PERSON, AnswerKind.NAME}:
        asked = set(terms(question.text))
        found = parse_question(claim)
        several = found.names if question.wanted is AnswerKind.PERSON else found.anchors
        texts = [name for name in several if asked.isdisjoint(terms(name)) and not name.isdigit()]
        texts = [name for name in texts if name[:1].isupper()]
        noun = _ASKED_NOUN.search(question.text)
        texts = [name for name in found.names if noun and name.casefold().startswith(f"{noun[1]} ".casefold())] or texts
    else:
        texts = []
    for text in texts:
        start = claim.find(text)
        if start >= 0 and text not in question.text:
            yield start, start + len(text)


def _proximity(span: tuple[int, int], claim: str, question: Question) -> float:
    """Sum over the question's words in the sentence how near each stands to the span; names stand near everything."""
    middle = sum(span) / 2
    named = {term for anchor in question.anchors for term in terms(anchor)}
    near: dict[str, float] = {}
    for word in words(claim):
        for term in set(question.terms).intersection(terms(word.text)):
            weight = _NAME_WEIGHT if term in named else 1.0
            near[term] = max(near.get(term, 0.0), weight / (1 + abs(word.start - middle) / _PROXIMITY_SCALE))
    return sum(near.values())


def _unique(ids: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


_READER_PREFERENCE_WEIGHT = 0.8
"""What it is worth to be what the reader of a todo preferred; half of it to come second."""


def score_claim(question: Question, claim: str, finding: str) -> float:
    """Score a claim: what the reader thought of it, what it holds of the question, how well it can be read alone."""
    stems = frozenset(terms(claim))
    holds = base_weights(question, question).cover(stems) + facet_coverage(question.facets, stems)
    return standalone_score(claim) * (holds + _READER_PREFERENCE_WEIGHT / _rank(finding))


def _rank(finding: str) -> int:
    """Return the number of a finding within its todo, in the order in which the reader preferred them."""
    return int(finding.rpartition("/")[2])


def best_finding(question: Question, findings: Sequence[Finding]) -> Finding | None:
    """Return the finding of most merit, counting what the reader preferred; of equals the first."""
    return max(findings, key=lambda one: score_claim(question, one.claim, one.id), default=None)


def mentions_name(claim: str, name: str) -> bool:
    """Return whether a claim holds all telling words of a name."""
    return set(terms(claim)).issuperset(content_terms(name) or terms(name))
