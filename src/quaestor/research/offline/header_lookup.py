"""Answers that stand in header fields: the right field of the right document, reached over references."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quaestor.contracts.source import Hit
from quaestor.evidence.tokenization import content_terms, normalize, terms, words
from quaestor.research.offline.header_fields import Fact, Field, Header, find_headers, plain_number, references, to_fact
from quaestor.research.offline.language import AUTHOR_WORDS, stems_of
from quaestor.research.offline.message_lookup import find_message_field
from quaestor.research.offline.names import name_parts
from quaestor.research.offline.question import Question, Relation, find_relation

_DOCUMENT_WORDS = "proposal document paper file article text page standard report"
_ORDER_WORDS = "first last earlier later earliest latest before after"
_SINGLE_ORDER_WORDS = "first"
"""Of one document alone: when it was first created its field says, and not whether its version is the latest."""
_BY = re.compile(r"(?:^|[^a-z])by$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DocumentHeader:
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
class QuotedFact:
    """A fact with the source and the exact texts that state it."""

    fact: Fact
    source: str
    quotes: tuple[str, ...]


def document_headers(hits: Sequence[Hit]) -> tuple[DocumentHeader, ...]:
    """Collect the headers in passages, each document once; a block without title or number counts at the start only."""
    found: dict[tuple[str, str], DocumentHeader] = {}
    for hit in hits:
        for header in find_headers(hit.passage.text):
            card = DocumentHeader(source=hit.passage.source, title=hit.title, header=header)
            at_start = hit.passage.start == 0 and hit.passage.text.lstrip().startswith(header.fields[0].text)
            if header.title or header.number or at_start:
                found.setdefault((card.source, card.subject), card)
    return tuple(found.values())


def find_facts(
    question: Question, task: Question, known: Sequence[DocumentHeader], facts: Sequence[Fact] = ()
) -> tuple[QuotedFact, ...]:
    """Find the fields that answer: of the e-mails or documents the task names, or of those their references lead to.

    `facts` were found before; their references lead on as if their headers were read again.
    """
    found = ((card, find_message_field(question.text, card.header)) for card in known)
    if of_messages := tuple(_to_quoted_fact(card, field) for card, field in found if field):
        return of_messages
    described = find_relation(question.text)
    subjects = _subjects(task, known) or _subjects(question, known)
    asked = _asked_terms(question, described)
    if described is None:
        return tuple(
            _to_quoted_fact(card, field)
            for card in subjects
            for field in _answer_fields(asked, card)
            if _asks_nothing_else(question, card, field)
        )
    links = tuple((card, field) for card in subjects for field in _reference_fields(described, card))
    led = (*(to_fact(card.header, field, card.title) for card, field in links), *facts)
    targets = dict.fromkeys((*_referenced_documents(led, known), *_referring_documents(described, subjects, known)))
    return (
        *(_to_quoted_fact(card, field) for card, field in links),
        *(
            _to_quoted_fact(card, field)
            for card in targets
            for field in (*_back_reference_fields(described, card, subjects), *_answer_fields(asked, card))
        ),
    )


def is_reference_fact(described: Relation, one: Fact) -> bool:
    """Return whether a fact names, by its references, the thing that is described."""
    stems = frozenset(terms(described.text))
    refers = one.key != one.scheme and one.references() and stems & stems_of(one.key)
    return bool(refers) and _is_passive_key(one.key) != described.named_is_agent


def same_title(card_title: str, title: str) -> bool:
    """Return whether two titles are the same but for case, blanks and inline markup."""
    return _plain_title(card_title) == _plain_title(title)


def _subjects(question: Question, known: Sequence[DocumentHeader]) -> tuple[DocumentHeader, ...]:
    exact = tuple(
        card
        for card in known
        if any(same_title(card.subject, title) for title in (*question.titles, *question.options))
        or any(
            _plain_title(f"{card.scheme} {card.number}") == _plain_title(part)
            for name in question.names
            for part in name_parts(name)
            if card.number
        )
    )
    if exact:
        return exact
    if not question.titles:
        return _named_in_full(question, known)
    close = sorted(
        (card for card in known if any(_plain_title(title) in _plain_title(card.subject) for title in question.titles)),
        key=lambda card: (len(card.subject), card.subject),
    )
    return tuple(close[:1])


def _named_in_full(question: Question, known: Sequence[DocumentHeader]) -> tuple[DocumentHeader, ...]:
    """Return the documents whose own header calls them by words that stand in the question; the longest name counts.

    None for a question about a side of them, such as its reasons: no field is an answer to that.
    """
    if question.facets:
        return ()
    asked = _spaced_words(question.text)
    named = [(_spaced_words(card.subject), card) for card in known if card.header.title]
    held = [(name, card) for name, card in named if name in asked and content_terms(name)]
    longest = max((len(name) for name, _ in held), default=0)
    return tuple(card for name, card in held if len(name) == longest)


def _spaced_words(text: str) -> str:
    """Return the words of a text with a blank before and behind each, so that a name is found as a whole."""
    return f" {' '.join(word.text for word in words(normalize(text)))} "


def _plain_title(text: str) -> str:
    return " ".join(re.sub(r"[`*_\"'“”\u2018\u2019]+", "", normalize(text)).split())


def _asked_terms(question: Question, described: Relation | None) -> frozenset[str]:
    """Return the index terms of what is asked, without the titles and without what only describes."""
    text = question.text
    for phrase in ((described.text,) if described else ()) + question.titles + question.options:
        text = text.replace(phrase, " ")
    return frozenset(terms(text))


def _asks_nothing_else(question: Question, card: DocumentHeader, field: Field) -> bool:
    """Return whether every telling word of a question names the document or the field; else the field is no answer."""
    named = content_terms(" ".join((card.subject, card.title, card.scheme, card.number, *question.options)))
    return frozenset(question.terms) <= {
        *named,
        *_key_stems(field),
        *stems_of(_DOCUMENT_WORDS),
        *stems_of(AUTHOR_WORDS),
        *stems_of(_ORDER_WORDS if len(question.options) > 1 else _SINGLE_ORDER_WORDS),
    }


def _reference_fields(described: Relation, card: DocumentHeader) -> Iterator[Field]:
    yield from (
        field for field in card.header.fields if is_reference_fact(described, to_fact(card.header, field, card.title))
    )


def _back_reference_fields(
    described: Relation, card: DocumentHeader, subjects: Sequence[DocumentHeader]
) -> Iterator[Field]:
    stems = frozenset(terms(described.text))
    numbers = {subject.number for subject in subjects}
    for field in card.header.fields:
        backwards = (
            field.key != card.scheme
            and stems & stems_of(field.key)
            and _is_passive_key(field.key) == described.named_is_agent
        )
        if backwards and numbers & {*references(field.value)}:
            yield field


def _is_passive_key(key: str) -> bool:
    return _BY.search(key) is not None


def _referenced_documents(led: Sequence[Fact], known: Sequence[DocumentHeader]) -> Iterator[DocumentHeader]:
    """Return the documents that references lead to, in the order of the references."""
    for one in led:
        numbered = {card.number: card for card in known if card.scheme == one.scheme}
        yield from (numbered[number] for number in one.references() if number in numbered)


def _referring_documents(
    described: Relation, subjects: Sequence[DocumentHeader], known: Sequence[DocumentHeader]
) -> Iterator[DocumentHeader]:
    yield from (
        card for card in known if card not in subjects and any(_back_reference_fields(described, card, subjects))
    )


def _answer_fields(asked: frozenset[str], card: DocumentHeader) -> tuple[Field, ...]:
    """Return the fields of a document whose key the question names."""
    identity = (card.header.number, card.header.title)
    fields = tuple(field for field in card.header.fields if field.value and field not in identity)
    named = tuple(field for field in fields if _key_terms(field) <= asked)
    if named or not asked & stems_of(AUTHOR_WORDS):
        return named
    return tuple(field for field in fields if stems_of(field.key) <= stems_of(AUTHOR_WORDS))


def _key_terms(field: Field) -> frozenset[str]:
    return frozenset(content_terms(field.key)) or stems_of(field.key)


def _key_stems(field: Field) -> frozenset[str]:
    """Return the index terms of a key; the keys for authors stand for one another."""
    stems = stems_of(field.key)
    authorship = stems_of(AUTHOR_WORDS)
    return stems | authorship if stems & authorship else stems


def _to_quoted_fact(card: DocumentHeader, field: Field) -> QuotedFact:
    identity = (card.header.number, card.header.title, field)
    texts = tuple(dict.fromkeys(part.text for part in identity if part is not None))
    return QuotedFact(fact=to_fact(card.header, field, card.title), source=card.source, quotes=texts)
