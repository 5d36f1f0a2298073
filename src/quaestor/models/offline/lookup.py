"""Answers that stand in header fields: the right field of the right document, reached over references."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quaestor.contracts.source import Hit
from quaestor.evidence.text import fold, terms
from quaestor.models.offline.dates import Day, day
from quaestor.models.offline.fields import Fact, Field, Header, fact, headers, plain_number, references
from quaestor.models.offline.language import AUTHORSHIP, Wanted, stems_of
from quaestor.models.offline.question import Question, Relation, relation

_BY = re.compile(r"(?:^|[^a-z])by$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Card:
    """The header of one document."""

    source: str
    title: str
    header: Header

    @property
    def subject(self) -> str:
        """What the document is called, by its own header if that says so."""
        named = self.header.title
        return named.value if named and named.value else self.title

    @property
    def number(self) -> str:
        """Its number within its series, or nothing."""
        numbered = self.header.number
        return plain_number(numbered.value) if numbered else ""

    @property
    def scheme(self) -> str:
        """The name of that series, or nothing."""
        return self.header.number.key if self.header.number else ""


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact with the source and the exact texts that state it."""

    fact: Fact
    source: str
    quotes: tuple[str, ...]


def cards(hits: Sequence[Hit]) -> tuple[Card, ...]:
    """Collect the headers in passages, each document once; a block without title or number counts at the start only."""
    found: dict[tuple[str, str], Card] = {}
    for hit in hits:
        for header in headers(hit.passage.text):
            card = Card(source=hit.passage.source, title=hit.title, header=header)
            at_start = hit.passage.start == 0 and hit.passage.text.lstrip().startswith(header.fields[0].text)
            if header.title or header.number or at_start:
                found.setdefault((card.source, card.subject), card)
    return tuple(found.values())


def look_up(
    question: Question, task: Question, known: Sequence[Card], facts: Sequence[Fact] = ()
) -> tuple[Stated, ...]:
    """Find the fields that answer: of the documents the task names, or of those their references lead to.

    `facts` were found before; their references lead on as if their headers were read again.
    """
    described = relation(question.text)
    subjects = _subjects(task, known) or _subjects(question, known)
    asked = _asked(question, described)
    if described is None:
        return tuple(_state(card, field) for card in subjects for field in _attributes(question, asked, card))
    links = tuple((card, field) for card in subjects for field in _links(described, card))
    led = (*(fact(card.header, field, card.title) for card, field in links), *facts)
    targets = dict.fromkeys((*_targets(led, known), *_referring(described, subjects, known)))
    return (
        *(_state(card, field) for card, field in links),
        *(
            _state(card, field)
            for card in targets
            for field in (*_back_links(described, card, subjects), *_attributes(question, asked, card))
        ),
    )


def leads_on(described: Relation, one: Fact) -> bool:
    """Tell whether a fact names, by its references, the thing that is described."""
    stems = frozenset(terms(described.text))
    refers = one.key != one.scheme and one.references() and stems & stems_of(one.key)
    return bool(refers) and _is_passive(one.key) != described.acts


def is_called(card_title: str, title: str) -> bool:
    """Tell whether two titles are the same but for case, blanks and inline markup."""
    return _plain(card_title) == _plain(title)


def _subjects(question: Question, known: Sequence[Card]) -> tuple[Card, ...]:
    exact = tuple(
        card
        for card in known
        if any(is_called(card.subject, title) for title in (*question.titles, *question.options))
        or any(_plain(f"{card.scheme} {card.number}") == _plain(name) for name in question.names if card.number)
    )
    if exact or not question.titles:
        return exact
    close = sorted(
        (card for card in known if any(_plain(title) in _plain(card.subject) for title in question.titles)),
        key=lambda card: (len(card.subject), card.subject),
    )
    return tuple(close[:1])


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*_\"'“”\u2018\u2019]+", "", fold(text)).split())


def _asked(question: Question, described: Relation | None) -> frozenset[str]:
    """Give the index terms of what is asked, without the titles and without what only describes."""
    text = question.text
    for phrase in ((described.text,) if described else ()) + question.anchors + question.options:
        text = text.replace(phrase, " ")
    return frozenset(terms(text))


def _links(described: Relation, card: Card) -> Iterator[Field]:
    yield from (field for field in card.header.fields if leads_on(described, fact(card.header, field, card.title)))


def _back_links(described: Relation, card: Card, subjects: Sequence[Card]) -> Iterator[Field]:
    stems = frozenset(terms(described.text))
    numbers = {subject.number for subject in subjects}
    for field in card.header.fields:
        backwards = (
            field.key != card.scheme and stems & stems_of(field.key) and _is_passive(field.key) == described.acts
        )
        if backwards and numbers & {*references(field.value)}:
            yield field


def _is_passive(key: str) -> bool:
    return _BY.search(key) is not None


def _targets(led: Sequence[Fact], known: Sequence[Card]) -> Iterator[Card]:
    """Give the documents that references lead to, in the order of the references."""
    for one in led:
        numbered = {card.number: card for card in known if card.scheme == one.scheme}
        yield from (numbered[number] for number in one.references() if number in numbered)


def _referring(described: Relation, subjects: Sequence[Card], known: Sequence[Card]) -> Iterator[Card]:
    yield from (card for card in known if card not in subjects and any(_back_links(described, card, subjects)))


def _attributes(question: Question, asked: frozenset[str], card: Card) -> tuple[Field, ...]:
    """Give the fields of a document that the question asks for: by their key, else by the kind of their value."""
    identity = (card.header.number, card.header.title)
    fields = tuple(field for field in card.header.fields if field.value and field not in identity)
    named = tuple(field for field in fields if asked & _key_stems(field))
    if named:
        return named
    if question.wanted is Wanted.PERSON:
        return tuple(field for field in fields if _key_stems(field) & stems_of(AUTHORSHIP))
    if question.wanted is Wanted.DATE:
        return tuple(field for field in fields if isinstance(day(field.value), Day))[:1]
    return ()


def _key_stems(field: Field) -> frozenset[str]:
    """Give the index terms of a key; the keys for authors stand for one another."""
    stems = stems_of(field.key)
    authorship = stems_of(AUTHORSHIP)
    return stems | authorship if stems & authorship else stems


def _state(card: Card, field: Field) -> Stated:
    identity = (card.header.number, card.header.title, field)
    texts = tuple(dict.fromkeys(part.text for part in identity if part is not None))
    return Stated(fact=fact(card.header, field, card.title), source=card.source, quotes=texts)
