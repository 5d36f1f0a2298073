"""A report as text, with the place of every mark of a citation in it, and the proof of every citation."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from quaestor.contracts.source import Quote, Source
from quaestor.research.contracts.brief import ResearchDocument
from quaestor.research.views.document import render_markdown

_MARK = re.compile(r"<https?://[^>\s]*>|(?<!\\)\[(\d+)\]")
"""An address, in which brackets are no mark, or a mark: what is text in a report has its brackets escaped."""


class CitationMark(NamedTuple):
    """A mark such as `[3]`: its place in the text, in characters, and the number of the citation."""

    start: int
    end: int
    number: int


class CitedQuote(NamedTuple):
    """The proof of a citation: its words, their place in the stored text of a source, and that source."""

    number: int
    quote: Quote
    source: Source


class CitedText(NamedTuple):
    """A text with its marks in order, and its proofs by number."""

    text: str
    marks: tuple[CitationMark, ...] = ()
    proofs: tuple[CitedQuote, ...] = ()


def cite_document(document: ResearchDocument) -> CitedText:
    """Render a report or a brief as Markdown, and find the marks of its citations."""
    text = render_markdown(document)
    sources = {source.sha256: source for source in document.sources}
    proofs = {
        cited.number: CitedQuote(
            cited.number,
            Quote(source=cited.source, start=cited.start, end=cited.end, text=cited.text),
            sources[cited.source],
        )
        for cited in document.citations()
        if cited.source in sources
    }
    marks = tuple(mark for mark in _marks(text) if mark.number in proofs)
    return CitedText(text, marks, tuple(proofs[number] for number in sorted(proofs)))


def _marks(text: str) -> Iterator[CitationMark]:
    for found in _MARK.finditer(text):
        if number := found[1]:
            yield CitationMark(found.start(), found.end(), int(number))
