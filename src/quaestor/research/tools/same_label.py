"""What another edition of a document says of the same thing: behind the same label, or below the same heading."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.contracts.tools import QuoteContext
from quaestor.research.tools.passage_sentences import WITHOUT_SENTENCES

_WORDS = r"(?:[^\W_][^\s.:;!?]*\.?[ \t]+(?:[\u2013\u2014-][ \t]+)?){0,4}[^\W\d_][^\s.:;!?]{2,}"
_LABEL = re.compile(rf"[ \t>#+\u2022-]*(?:\* +)?(?P<line>[*_]*(?P<label>{_WORDS})[*_]*[.:][*_]*[ \t]+(?=\S))")
"""The words that a line opens with, which tell what it is about: "Art. 3 - Lids." or "**3. Lids:**"."""
_LONGEST_SECTION = 600
"""Characters of a section that may be on one thing alone; a longer one is on much."""
_SHORTEST = 4
"""Letters of a word that tells what a thing is."""


class _Part(NamedTuple):
    """What a part of a text is called, by the terms of its label or heading, and where it stands."""

    called: frozenset[str]
    start: int
    end: int


def said_under_label(text: str, shown: QuoteContext) -> tuple[int, int] | None:
    """Return what a text says in the one line with the label of that of a quote; else in the section that it is under.

    Of a section it is the sentence that shares most words with the quote, the first one of those that share as many.
    """
    paragraph, at = shown.paragraph.text, shown.quote.start - shown.paragraph.start
    line = paragraph[paragraph.rfind("\n", 0, at) + 1 :].partition("\n")[0]
    blocks = parse_blocks(text)
    if label := _LABEL.match(line):
        return next(iter(_called(label["label"], _lines(text, blocks))), None)
    for start, end in _called(shown.heading.rpartition(" > ")[2], _sections(text, blocks)):
        own = frozenset(content_terms(shown.quote.text))
        spans = [(start + first, start + last) for first, last in sentence_spans(text[start:end])]
        return max(spans, key=lambda span: len(own.intersection(content_terms(text[slice(*span)]))), default=None)
    return None


def _called(name: str, parts: Iterator[_Part]) -> Sequence[tuple[int, int]]:
    """Return where the one part stands that is called by a name; nothing where several are, or it tells little."""
    called = _terms_of(name)
    found = [(one.start, one.end) for one in parts if one.called == called] if called else []
    return found if len(found) == 1 else ()


def _terms_of(name: str) -> frozenset[str]:
    """Return the terms of a name without its number, as a new edition counts anew; nothing where none tells much."""
    words = frozenset(term for term in content_terms(name) if term.isalpha())
    return words if any(len(word) >= _SHORTEST for word in words) else frozenset()


def _lines(text: str, blocks: Sequence[Block]) -> Iterator[_Part]:
    """Yield the lines of a text that open with a label."""
    for block in (one for one in blocks if one.kind not in WITHOUT_SENTENCES):
        for line in re.finditer(r"[^\n]+", text[block.top : block.bottom]):
            if label := _LABEL.match(line[0]):
                start = block.top + line.start() + label.start("line")
                yield _Part(_terms_of(label["label"]), start, block.top + line.end())


def _sections(text: str, blocks: Sequence[Block]) -> Iterator[_Part]:
    """Yield the sections of a text that are short, and have more than a heading below them; the title heads none."""
    headings = [at for at, one in enumerate(blocks) if one.kind is BlockKind.HEADING]
    for at, end in zip(headings, (*headings[1:], len(blocks)), strict=True):
        within = blocks[at + 1 : end]
        if at and within and within[-1].end - within[0].start <= _LONGEST_SECTION:
            called = text[blocks[at].start : blocks[at].end]
            yield _Part(_terms_of(called), within[0].start, within[-1].end)
