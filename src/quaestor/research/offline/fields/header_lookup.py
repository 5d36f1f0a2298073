"""Answers that stand in header fields: the right field of the right document, reached over references."""

import re
from collections.abc import Iterator, Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import content_terms, terms
from quaestor.research.offline.fields.field_kinds import is_of_asked_kind
from quaestor.research.offline.fields.header_fields import (
    Fact,
    Field,
    Header,
    plain_number,
    references,
    split_people,
    to_fact,
)
from quaestor.research.offline.fields.message_lookup import find_message_field
from quaestor.research.offline.fields.named_documents import DocumentHeader, in_order_of, named_documents, plain_title
from quaestor.research.offline.fields.reference_direction import is_asked_backwards
from quaestor.research.offline.words.field_names import add_synonyms, key_stems, key_without_form, lists_people
from quaestor.research.offline.words.language import AUTHOR_WORDS, stems_of
from quaestor.research.offline.words.question import Question, Relation, find_relation
from quaestor.research.offline.words.text_dates import asks_for_date_of_text, dates_own_text

_DOCUMENT_WORDS = "proposal document paper file article text page standard report"
_REQUEST_WORDS = "list give name show compare have hat"
"""Words that ask for a field and name none; "hat" is "has" in German."""
_ORDER_WORDS = "first last earlier later earliest latest before after"
_SINGLE_ORDER_WORDS = "first"
"""Of one document alone: when it was first created its field says, and not whether its version is the latest."""
_SUCCESSION = "replace replaces replaced supersede supersedes superseded obsolete obsoletes obsoleted"
_PLURAL = re.compile(r"\((?:s|e|es|en|n|in|innen)\)")
"""At the end of a key that leaves open how many there are: "Author(s)"."""
_FEWEST_WORDS = 2
"""Words of its title by which a document may be described."""
_BY = re.compile(r"(?:^|[^a-z])by$", re.IGNORECASE)


class QuotedFact(Immutable):
    """A fact with the source and the exact texts that state it."""

    fact: Fact
    source: str
    quotes: tuple[str, ...]


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
    named = named_documents(task, known) or named_documents(question, known) or _described_text(question, known)
    subjects = in_order_of(question.text, named)
    if described is None:
        answers = tuple((card, field) for card in subjects for field in _answer_fields(question, None, card))
        is_whole = _answers_of_all(answers, subjects) and _asks_nothing_else(question, answers)
        return tuple(_to_quoted_fact(card, field) for card, field in answers) if is_whole else ()
    links = tuple((card, field) for card in subjects for field in _reference_fields(described, card))
    led = (*(to_fact(card.header, field, card.title) for card, field in links), *facts)
    reached = dict.fromkeys(_referenced_documents(led, known))
    targets = dict.fromkeys((*reached, *_referring_documents(described, subjects, known)))
    return (
        *(_to_quoted_fact(card, field) for card, field in links),
        *(
            _to_quoted_fact(card, field)
            for card in targets
            for field in (
                # Of what a reference led to it is no answer that it tells of the same.
                *(() if card in reached else _back_reference_fields(described, card, subjects)),
                *_answer_fields(question, described, card),
            )
        ),
    )


def _described_text(question: Question, known: Sequence[DocumentHeader]) -> Sequence[DocumentHeader]:
    """Return the document whose author is asked for in words of its title: "Who wrote the audit logging proposal?".

    None where several are called so, or where fewer than two words tell it from others.
    """
    asked, authorship = frozenset(question.terms), stems_of(AUTHOR_WORDS)
    telling = asked - authorship.union(stems_of(_DOCUMENT_WORDS), stems_of(_REQUEST_WORDS))
    if asked.isdisjoint(authorship) or len(telling) < _FEWEST_WORDS:
        return ()
    held = [card for card in known if telling <= frozenset(content_terms(f"{card.subject} {card.title}"))]
    return held if len({card.source for card in held}) == 1 else ()


def is_reference_fact(described: Relation, one: Fact) -> bool:
    """Return whether a fact names, by its references, the thing that is described."""
    stems = _stems_of_relation(described)
    refers = one.key != one.scheme and one.references() and stems & stems_of(one.key)
    return bool(refers) and _is_passive_key(one.key) != described.named_is_agent


def _stems_of_relation(described: Relation) -> frozenset[str]:
    """Return the terms of a description; a header may say `Superseded-By` of what a question calls replaced."""
    stems, succession = frozenset(terms(described.text)), stems_of(_SUCCESSION)
    return stems if stems.isdisjoint(succession) else stems | succession


def _asked_terms(question: Question, described: Relation | None, card: DocumentHeader) -> frozenset[str]:
    """Return the index terms of what is asked of a document, without the titles and without what only describes."""
    text = question.text
    for phrase in ((described.text,) if described else ()) + question.titles + question.options:
        text = text.replace(phrase, " ")
    own = rf"(?<!\w){re.escape(card.subject)}(?!\w)" if card.header.title else r"\Z"
    return frozenset(terms(re.sub(own, " ", text, flags=re.IGNORECASE)))


def _answers_of_all(answers: Sequence[tuple[DocumentHeader, Field]], subjects: Sequence[DocumentHeader]) -> bool:
    """Return whether each document that is asked for, by any that is called so, has a field that answers."""
    found = {_called(card) for card, _ in answers}
    return all(_called(card) in found for card in subjects)


def _called(card: DocumentHeader) -> tuple[str, str]:
    return (card.scheme, card.number) if card.number else ("", plain_title(card.subject))


def _asks_nothing_else(question: Question, answers: Sequence[tuple[DocumentHeader, Field]]) -> bool:
    """Return whether every telling word of a question names the documents or the fields; else these are no answer."""
    called = (f"{card.subject} {card.title} {card.scheme} {card.number}" for card, _ in answers)
    named = frozenset(content_terms(" ".join((*called, *question.options))))
    # A document is called 0048, and its header is read as 48.
    asked = frozenset(plain_number(term) if term.isdigit() else term for term in question.terms)
    return asked <= named.union(
        *(key_stems(field.key) for _, field in answers),
        stems_of(_DOCUMENT_WORDS),
        stems_of(_REQUEST_WORDS),
        stems_of(AUTHOR_WORDS),
        stems_of(_ORDER_WORDS if len(question.options) > 1 else _SINGLE_ORDER_WORDS),
    )


def _reference_fields(described: Relation, card: DocumentHeader) -> Iterator[Field]:
    yield from (
        field for field in card.header.fields if is_reference_fact(described, to_fact(card.header, field, card.title))
    )


def _back_reference_fields(
    described: Relation, card: DocumentHeader, subjects: Sequence[DocumentHeader]
) -> Iterator[Field]:
    stems = _stems_of_relation(described)
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


def _answer_fields(question: Question, described: Relation | None, card: DocumentHeader) -> tuple[Field, ...]:
    """Return the fields of a document whose key the question names, else those whose key adds the form of the value.

    Their values are of the kind that it asks for.
    """
    identity = (card.header.number, card.header.title)
    names = (f"{card.scheme} {card.number}" if card.number else "", card.subject)
    fields = tuple(
        field
        for field in card.header.fields
        if field.value
        and field not in identity
        and is_of_asked_kind(question, field.key, field.value)
        and not (references(field.value) and is_asked_backwards(question.text, field.key, names))
        and (_asks_for_text(question, card) or not dates_own_text(field.key, _keys_beside(field, card.header)))
    )
    asked = _asked_terms(question, described, card)
    wanted = add_synonyms(asked)
    named = tuple(field for field in fields if _key_terms(field) <= wanted) or _in_other_form(fields, wanted)
    authorship = stems_of(AUTHOR_WORDS)
    if named or not asked & authorship:
        return named
    return tuple(field for field in fields if _key_stems(field) <= authorship) or _in_other_form(fields, authorship)


def _asks_for_text(question: Question, card: DocumentHeader) -> bool:
    """Return whether a question is about a document itself, by its number, its quoted title or what texts are called.

    "The date of the meeting" is not that of the letter which is called so.
    """
    return bool(card.number or question.titles) or asks_for_date_of_text(question.text)


def _keys_beside(field: Field, header: Header) -> Iterator[str]:
    return (one.key for one in header.fields if one not in (field, header.title))


def _in_other_form(fields: Sequence[Field], wanted: frozenset[str]) -> tuple[Field, ...]:
    """Return the fields that are named but for their form; an address alone names nobody."""
    return tuple(
        field
        for field in fields
        if (own := key_without_form(field.key))
        and own <= wanted
        and (not lists_people(field.key) or split_people(field.value))
    )


def _key_terms(field: Field) -> frozenset[str]:
    return frozenset(content_terms(_PLURAL.sub("", field.key))) or _key_stems(field)


def _key_stems(field: Field) -> frozenset[str]:
    return stems_of(_PLURAL.sub("", field.key))


def _to_quoted_fact(card: DocumentHeader, field: Field) -> QuotedFact:
    identity = (card.header.number, card.header.title, field)
    texts = tuple(dict.fromkeys(part.text for part in identity if part is not None))
    return QuotedFact(fact=to_fact(card.header, field, card.title), source=card.source, quotes=texts)
