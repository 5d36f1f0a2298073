"""Direct answers whose kind is checked: a field that the question names, dates of fields compared, or a date."""

from collections.abc import Iterator, Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.ledger import Finding
from quaestor.research.brief.stated_date import Told, find_stated_date
from quaestor.research.contracts.brief import AnswerProof, BriefPassage, CheckedAnswer
from quaestor.research.contracts.tools import LookedUp
from quaestor.research.offline.fields.header_fields import Fact, split_people, stated_fact
from quaestor.research.offline.fields.header_lookup import is_reference_fact
from quaestor.research.offline.fields.named_documents import same_title
from quaestor.research.offline.words.dates import PartialDate, parse_date
from quaestor.research.offline.words.field_names import lists_people
from quaestor.research.offline.words.language import AnswerKind
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.question import Question, date_order, find_relation
from quaestor.research.reports.fixed_words import ReportWords, report_words

Answer = tuple[str, AnswerProof]
_DATE_LABEL = "the date in the sentence that holds every word of the question"


class _CitedFact(Immutable):
    """A field of a document with the numbers of the passages that hold it."""

    fact: Fact
    passages: tuple[int, ...]


def find_answer(
    question: Question,
    findings: Sequence[Finding],
    told: Told,
    looked_up: LookedUp | None = None,
    language: str | None = None,
) -> Answer | None:
    """Return the direct answer with what checks it; None where its kind cannot be checked.

    The label of a field is in a language; None: English.
    """
    if looked_up and looked_up.kind is not CheckedAnswer.FIELD:
        return _rows_of(looked_up)
    wording = report_words(language)
    return _of_passages(question, findings, told, wording) or (
        _cell_of(looked_up, told.passages) if looked_up else None
    )


def _rows_of(looked_up: LookedUp) -> Answer | None:
    if looked_up.answer is None:
        return None
    return looked_up.answer, AnswerProof(kind=looked_up.kind, label=looked_up.label, rows=looked_up.rows)


def _cell_of(looked_up: LookedUp, passages: Sequence[BriefPassage]) -> Answer | None:
    """Return the cell that answers, with the numbers of the passages that hold its row."""
    if (found := _rows_of(looked_up)) is None:
        return None
    answer, proof = found
    holding = (
        one.number
        for one in passages
        for row in looked_up.rows
        if one.source == row.quote.source and one.start <= row.quote.start and row.quote.end <= one.end
    )
    return answer, proof.revised(passages=tuple(dict.fromkeys(holding)))


def _of_passages(question: Question, findings: Sequence[Finding], told: Told, wording: ReportWords) -> Answer | None:
    facts = tuple(_cited_facts(findings, told.passages))
    if len(question.options) > 1:
        return _compare_dates(question, facts, wording) if question.wanted is not AnswerKind.YES_NO else None
    if facts:
        return _field_value(question, facts, wording)
    return _date(question, told)


def _cited_facts(findings: Sequence[Finding], passages: Sequence[BriefPassage]) -> Iterator[_CitedFact]:
    for finding in findings:
        numbers = tuple(passage.number for passage in passages if passage.finding == finding.id)
        if numbers and (fact := stated_fact(finding)):
            yield _CitedFact(fact, numbers)


def _field_value(question: Question, facts: Sequence[_CitedFact], wording: ReportWords) -> Answer | None:
    """Return the values of the fields that are asked for; of a chain of references, those at its end."""
    relation = find_relation(question.text)
    links = tuple(one for one in facts if relation and is_reference_fact(relation, one.fact))
    ends = tuple(one for one in facts if one not in links)
    if not ends:
        return None
    several = relation is None and len({(one.fact.key, _name(one.fact)) for one in ends}) > 1
    values = dict.fromkeys(_told(one.fact, ends) if several else _value(one.fact) for one in ends)
    labels = dict.fromkeys(_label(one.fact, wording) for one in ends)
    proof = AnswerProof(kind=CheckedAnswer.FIELD, label="; ".join(labels), passages=_numbers((*links, *ends)))
    return "; ".join(values), proof


def _compare_dates(question: Question, facts: Sequence[_CitedFact], wording: ReportWords) -> Answer | None:
    """Return the side whose field has the earlier or the later date, where every side has one and they differ."""
    pick = date_order(question.text)
    dated = [_dated_field(side, facts) for side in question.options]
    known = [one for one in dated if one is not None]
    days = [when for when, _ in known]
    if pick is None or len(known) < len(question.options) or len({_day(when) for when in days}) < len(days):
        return None
    chosen = pick(range(len(days)), key=lambda place: _day(days[place]))
    label = "; ".join(f"{_label(one.fact, wording)}: {when.text}" for when, one in known)
    proof = AnswerProof(kind=CheckedAnswer.FIELD, label=label, passages=_numbers([one for _, one in known]))
    return question.options[chosen], proof


def _dated_field(side: str, facts: Sequence[_CitedFact]) -> tuple[PartialDate, _CitedFact] | None:
    for one in facts:
        when = parse_date(one.fact.value)
        named = (one.fact.subject, f"{one.fact.scheme} {one.fact.number}")
        if when and any(same_title(name, side) for name in named):
            return when, one
    return None


def _day(when: PartialDate) -> tuple[int, int, int]:
    return when.year, when.month, when.day


def _date(question: Question, told: Told) -> Answer | None:
    if question.wanted is not AnswerKind.DATE or find_relation(question.text):
        return None
    if (stated := find_stated_date(question.text, told)) is None:
        return None
    return stated.text, AnswerProof(kind=CheckedAnswer.DATE, label=_DATE_LABEL, passages=stated.passages)


def _told(fact: Fact, among: Sequence[_CitedFact]) -> str:
    """Return a value with what tells it from the others: its document, its field, or both."""
    document = _name(fact) if len({_name(one.fact) for one in among}) > 1 else ""
    key = fact.key if len({one.fact.key for one in among if one.fact.subject == fact.subject}) > 1 else ""
    return f"{_value(fact)} ({', '.join(filter(None, (document, key)))})"


def _value(fact: Fact) -> str:
    return ", ".join(split_people(fact.value)) if lists_people(fact.key) else strip_markup(fact.value)


def _label(fact: Fact, wording: ReportWords) -> str:
    return wording.field_of.format(field=fact.key, thing=_name(fact))


def _name(fact: Fact) -> str:
    return f"{fact.scheme} {fact.number}" if fact.number else fact.subject


def _numbers(facts: Sequence[_CitedFact]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for one in facts for number in one.passages))
