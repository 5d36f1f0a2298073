"""Direct answers whose kind is checked: a field that the question names, dates of fields compared, or a date."""

from collections.abc import Iterable, Iterator, Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.ledger import Finding
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.brief.names_above import names_more
from quaestor.research.contracts.brief import AnswerProof, BriefPassage, CheckedAnswer
from quaestor.research.contracts.tools import LookedUp
from quaestor.research.offline.fields.header_fields import Fact, parse_fact, split_people
from quaestor.research.offline.fields.header_lookup import is_reference_fact, same_title
from quaestor.research.offline.words.dates import PartialDate, find_dates, parse_date
from quaestor.research.offline.words.field_names import lists_people
from quaestor.research.offline.words.language import AnswerKind, stems_of
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.question import Question, date_order, find_relation
from quaestor.research.offline.words.stated_dates import is_taken_back, states_date
from quaestor.research.offline.words.wording import AskedWord, asked_language, asked_words
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
    passages: Sequence[BriefPassage],
    looked_up: LookedUp | None = None,
    language: str | None = None,
) -> Answer | None:
    """Return the direct answer with what checks it; None where its kind cannot be checked.

    The label of a field is in a language; None: English.
    """
    if looked_up and looked_up.kind is not CheckedAnswer.FIELD:
        return _rows_of(looked_up)
    wording = report_words(language)
    return _of_passages(question, findings, passages, wording) or (_cell_of(looked_up, passages) if looked_up else None)


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


def _of_passages(
    question: Question, findings: Sequence[Finding], passages: Sequence[BriefPassage], wording: ReportWords
) -> Answer | None:
    facts = tuple(_cited_facts(findings, passages))
    if len(question.options) > 1:
        return _compare_dates(question, facts, wording) if question.wanted is not AnswerKind.YES_NO else None
    if facts:
        return _field_value(question, facts, wording)
    return _date(question, passages)


def _cited_facts(findings: Sequence[Finding], passages: Sequence[BriefPassage]) -> Iterator[_CitedFact]:
    for finding in findings:
        numbers = tuple(passage.number for passage in passages if passage.finding == finding.id)
        if numbers and (fact := parse_fact(finding.claim)):
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


def _date(question: Question, passages: Sequence[BriefPassage]) -> Answer | None:
    """Return the one date of the sentences that hold every word of the question; None when they give several.

    Each sentence is judged alone, for the one beside it may date something else, and one must state without reserve
    that the date is that of what is asked; what stands beside it must not take it back.
    """
    if question.wanted is not AnswerKind.DATE or find_relation(question.text):
        return None
    asked = [word for word in asked_words(question.text) if not word.terms <= stems_of("year date day month time")]
    language = asked_language(question.text)
    if not asked:
        return None
    whole = [
        (one, sentence, when)
        for one in passages
        for sentence in (one.text[start:end] for start, end in sentence_spans(one.text))
        if _holds_all(sentence, asked, language)
        for when in find_dates(sentence)
    ]
    if len({when.text for *_, when in whole}) != 1 or any(_rivals(whole[0][-1], asked, passages, language)):
        return None
    stated = [
        (one.number, when)
        for one, sentence, when in whole
        if states_date(sentence, when, asked, question.text, language)
        and not is_taken_back(_beside(one.context.text, sentence), language)
    ]
    if not stated:
        return None
    holding = tuple(dict.fromkeys(number for number, _ in stated))
    return stated[0][1].text, AnswerProof(kind=CheckedAnswer.DATE, label=_DATE_LABEL, passages=holding)


def _beside(paragraph: str, sentence: str) -> Iterator[str]:
    """Yield the sentence before one in a paragraph, and the one behind it."""
    sentences = [paragraph[start:end] for start, end in sentence_spans(paragraph)]
    place = next((place for place, said in enumerate(sentences) if sentence in said), None)
    if place is not None:
        yield from (*sentences[max(place - 1, 0) : place], *sentences[place + 1 : place + 2])


def _rivals(
    answer: PartialDate, asked: Sequence[AskedWord], passages: Sequence[BriefPassage], language: str | None
) -> Iterator[PartialDate]:
    """Yield the other dates of shown sentences that seem to date the same.

    Such a sentence holds all that is asked but for names, and names nothing else: "The start is put off to 3 July"
    takes back the date that it had. Or it holds the day that answers: "moved from 1 to 3 July".
    """
    day = answer.text.replace(str(answer.year), "").strip(" ,") if answer.day else ""
    for one in passages:
        for start, end in sentence_spans(one.context.text):
            sentence = one.context.text[start:end]
            held = held_stems(sentence, language)
            is_moved = bool(day) and day in sentence and any(word.stands_in(held) for word in asked)
            if is_moved or _is_about_same(sentence, held, asked, language):
                yield from (when for when in find_dates(sentence) if not _same_day(when, answer))


def _is_about_same(sentence: str, held: frozenset[str], asked: Sequence[AskedWord], language: str | None) -> bool:
    """Return whether a sentence holds all that is asked but for names, and names nothing else.

    In German every noun is written as a name, so there one of those that are asked must stand in it.
    """
    names = [word for word in asked if word.is_name]
    telling = [word for word in asked if not word.is_name]
    if not telling or not all(word.stands_in(held) for word in telling):
        return False
    if language == "de":
        return not names or any(word.stands_in(held) for word in names)
    return not names_more(sentence, names)


def _same_day(one: PartialDate, other: PartialDate) -> bool:
    """Return whether two dates agree in all that both of them say."""
    return all(a == b for a, b in zip(_day(one), _day(other), strict=True) if a and b)


def _holds_all(sentence: str, asked: Iterable[AskedWord], language: str | None) -> bool:
    held = held_stems(sentence, language)
    return all(word.stands_in(held) for word in asked)


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
