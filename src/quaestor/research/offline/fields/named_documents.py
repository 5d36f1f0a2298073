"""The documents that a question names, by the headers in which they say what they are called."""

import re
from collections.abc import Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Hit
from quaestor.evidence.tokenization import content_terms, normalize, words
from quaestor.research.offline.fields.header_fields import Header, find_headers, plain_number
from quaestor.research.offline.words.names import name_parts
from quaestor.research.offline.words.question import Question

_TITLE = re.compile(r"\A\s*(?:#[^\n]*\n\s*|[^\n]+\n[=-]{3,}[ \t]*\n\s*)?")
"""Of Markdown, in both of its forms, above a header."""
_OF_SERIES = re.compile(r"(?P<series>[^\W\d_]+)[-_ ]0*(?P<number>\d+)")


class DocumentHeader(Immutable):
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


def document_headers(hits: Sequence[Hit]) -> tuple[DocumentHeader, ...]:
    """Collect the headers in passages, each document once.

    A block without title or number counts at the start only, or below the title there.
    """
    found: dict[tuple[str, str], DocumentHeader] = {}
    for hit in hits:
        for header in find_headers(hit.passage.text):
            card = DocumentHeader(source=hit.passage.source, title=hit.title, header=header)
            top = _TITLE.sub("", hit.passage.text, count=1)
            at_start = hit.passage.start == 0 and top.startswith(header.fields[0].text)
            if header.title or header.number or at_start:
                found.setdefault((card.source, card.subject), card)
    return tuple(found.values())


def plain_title(text: str) -> str:
    """Return a title as titles are compared: without case, marks of quoting and needless blanks."""
    return " ".join(re.sub(r"[`*_\"'“”\u2018\u2019]+", "", normalize(text)).split())


def same_title(card_title: str, title: str) -> bool:
    """Return whether two titles are the same but for case, blanks and inline markup."""
    return plain_title(card_title) == plain_title(title)


def named_documents(question: Question, known: Sequence[DocumentHeader]) -> tuple[DocumentHeader, ...]:
    """Return the documents that a question names by title or number; else by words of a title, the nearest alone."""
    exact = tuple(
        card
        for card in known
        if any(same_title(card.subject, title) for title in (*question.titles, *question.options))
        or any(
            plain_title(f"{card.scheme} {card.number}") == plain_title(_numbered(part))
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
        (card for card in known if any(plain_title(title) in plain_title(card.subject) for title in question.titles)),
        key=lambda card: (len(card.subject), card.subject),
    )
    return tuple(close[:1])


def _numbered(name: str) -> str:
    """Return the name of a document of a series as its header has it: HIP 10 for HIP-0010."""
    numbered = _OF_SERIES.fullmatch(name)
    return f"{numbered['series']} {numbered['number']}" if numbered else name


def in_order_of(text: str, cards: Sequence[DocumentHeader]) -> Sequence[DocumentHeader]:
    """Return documents in the order in which a question names them."""
    asked = plain_title(text)

    def place(card: DocumentHeader) -> int:
        names = (f"{card.scheme} {card.number}" if card.number else "", card.subject)
        named = (asked.find(plain_title(name)) for name in names if name)
        return min((at for at in named if at >= 0), default=len(asked))

    return sorted(cards, key=place)


def _named_in_full(question: Question, known: Sequence[DocumentHeader]) -> tuple[DocumentHeader, ...]:
    """Return the documents whose own header calls them by words of the question, and not by a part of a longer name.

    None for a question about a side of them, such as its reasons: no field is an answer to that.
    """
    if question.facets and len(question.options) < 2:  # noqa: PLR2004 -- a comparison has two sides
        return ()
    asked = _spaced_words(question.text)
    named = [(_spaced_words(card.subject), card) for card in known if card.header.title]
    held = [(name, card) for name, card in named if name in asked and content_terms(name)]
    return tuple(card for name, card in held if not any(name in longer and name != longer for longer, _ in held))


def _spaced_words(text: str) -> str:
    """Return the words of a text with a blank before and behind each, so that a name is found as a whole."""
    return f" {' '.join(word.text for word in words(normalize(text)))} "
