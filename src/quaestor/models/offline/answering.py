"""The shortest direct answer: read from facts, compared, or picked from the sentence that answers best."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import WrittenSentence
from quaestor.evidence.text import terms, words
from quaestor.models.offline.dates import Day, day, days
from quaestor.models.offline.fields import Fact, names, parse
from quaestor.models.offline.language import AUTHORSHIP, Wanted, stems_of
from quaestor.models.offline.lookup import is_called, leads_on
from quaestor.models.offline.markup import readable
from quaestor.models.offline.question import Question, relation, take_apart

_EARLIEST = re.compile(r"\b(?:first|earlie(?:r|st)|olde(?:r|st)|before|primero|antes)\b|最早|更早|先", re.IGNORECASE)
_LATEST = re.compile(
    r"\b(?:last|late(?:r|st)|newe(?:r|st)|younge(?:r|st)|recent|después)\b|最晚|更晚|后", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.])[$€£¥]?\d[\d.,]*\d%?|(?<![\w.])\d%?")
_ASKED_NOUN = re.compile(r"\b(?:which|what) (\w+)", re.IGNORECASE)
_ENOUGH = 0.7
_NEAR = 25
_NAME = 0.4


@dataclass(frozen=True, slots=True)
class _Said:
    """A fact and the id of the finding that proves it."""

    fact: Fact
    finding: str


def answer(question: Question, findings: Sequence[Finding]) -> WrittenSentence | None:
    """Give the direct answer with the findings it rests on; None where the question wants prose or nothing is sure."""
    said = tuple(_Said(fact, finding.id) for finding in findings if (fact := parse(finding.claim)))
    if len(question.options) > 1 and question.wanted is not Wanted.YES_NO:
        return _first_or_last(question, said, findings)
    if said:
        return _stated(question, said)
    if question.titles and relation(question.text):
        return None  # where no reference leads on from a title, a sentence that holds the title answers something else
    return _picked(question, findings)


def _first_or_last(question: Question, said: Sequence[_Said], findings: Sequence[Finding]) -> WrittenSentence | None:
    """Compare the dates of the options; the one that the question asks for is the answer, as it is written there."""
    pick = _pick(question.text)
    if pick is None:
        return None
    dated = [_dated(option, said) or _dated_in_prose(option, findings) for option in question.options]
    known = [found for found in dated if found]
    if len(known) < len(question.options) or len({found[0] for found in known}) < len(known):
        return None
    chosen = pick(found[0] for found in known)
    place = next(place for place, found in enumerate(known) if found[0] == chosen)
    return WrittenSentence(text=question.options[place], findings=_unique(found[1] for found in known))


def _pick(text: str) -> Callable[[Iterator[tuple[int, int, int]]], tuple[int, int, int]] | None:
    if _EARLIEST.search(text):
        return min
    return max if _LATEST.search(text) else None


def _dated(option: str, said: Sequence[_Said]) -> tuple[tuple[int, int, int], str] | None:
    for one in said:
        when = day(one.fact.value)
        if when and is_called(one.fact.subject, option):
            return _order(when), one.finding
    return None


def _dated_in_prose(option: str, findings: Sequence[Finding]) -> tuple[tuple[int, int, int], str] | None:
    named = set(terms(option))
    for finding in findings:
        found = days(finding.claim)
        if found and named <= set(terms(finding.claim)):
            return _order(found[0]), finding.id
    return None


def _order(when: Day) -> tuple[int, int, int]:
    return when.year, when.month, when.day


def _stated(question: Question, said: Sequence[_Said]) -> WrittenSentence | None:
    """Give the values of the facts that answer; of a chain, those at its end."""
    described = relation(question.text)
    links = tuple(one for one in said if described and leads_on(described, one.fact))
    ends = tuple(one for one in said if one not in links)
    if described and not ends:
        return None
    values = dict.fromkeys(_value(one.fact) for one in ends)
    return WrittenSentence(text="; ".join(values), findings=_unique(one.finding for one in (*links, *ends)))


def _value(fact: Fact) -> str:
    if stems_of(fact.key) & stems_of(AUTHORSHIP):
        return ", ".join(names(fact.value))
    return readable(fact.value)


def _picked(question: Question, findings: Sequence[Finding]) -> WrittenSentence | None:
    """Pick the date, number or name nearest to the question's words in the sentence that covers most of them."""
    asked = set(question.terms)
    covers = [(len(asked & set(terms(finding.claim))) / max(1, len(asked)), finding) for finding in findings]
    ranked = sorted(covers, key=lambda pair: -pair[0])
    for cover, finding in ranked:
        if cover < _ENOUGH:
            return None
        candidates = tuple(_candidates(question, finding.claim))
        if candidates:
            best = max(candidates, key=lambda span: (_nearness(span, finding.claim, question), -span[0]))
            return WrittenSentence(text=finding.claim[best[0] : best[1]], findings=(finding.id,))
    return None


def _candidates(question: Question, claim: str) -> Iterator[tuple[int, int]]:
    if question.wanted is Wanted.DATE:
        texts = [when.text for when in days(claim)]
    elif question.wanted is Wanted.NUMBER:
        texts = [match.group().rstrip(".,") for match in _NUMBER.finditer(claim)]
    elif question.wanted in {Wanted.PERSON, Wanted.NAME}:
        asked = set(terms(question.text))
        found = take_apart(claim)
        several = found.names if question.wanted is Wanted.PERSON else found.anchors
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


def _nearness(span: tuple[int, int], claim: str, question: Question) -> float:
    """Sum over the question's words in the sentence how near each stands to the span; names stand near everything."""
    middle = sum(span) / 2
    named = {term for anchor in question.anchors for term in terms(anchor)}
    near: dict[str, float] = {}
    for word in words(claim):
        for term in set(question.terms).intersection(terms(word.text)):
            weight = _NAME if term in named else 1.0
            near[term] = max(near.get(term, 0.0), weight / (1 + abs(word.start - middle) / _NEAR))
    return sum(near.values())


def _unique(ids: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
