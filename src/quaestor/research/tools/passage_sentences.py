"""The sentences of a passage, each with its item and with what belongs to it where it is told alone."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from quaestor.contracts.source import Hit, Quote
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.brief.named_values import names_day
from quaestor.research.offline.sentences.readability import is_begun, leans_on_previous
from quaestor.research.offline.words.correction_words import DENIAL
from quaestor.research.offline.words.markup import strip_markup

_LONGEST = 350
"""Characters of a sentence; a longer one tells of much."""
_FEW_WORDS = 12
"""Of a sentence that tells nothing alone: "Moved to accepted"."""
WITHOUT_SENTENCES = frozenset({BlockKind.TABLE, BlockKind.CODE, BlockKind.HEADING})
"""Blocks without sentences."""
_WORDS = r"[^\W\d_][^\s.:;!?]*(?: [^\s.:;!?]+){0,3}"
_LABEL = re.compile(
    rf"^[ \t>]*(?:(?:(?:[-*+\u2022]|\d+[.)]|TOP \d+:?)[ \t]+)(?P<item>(?:\*\*|__)?{_WORDS}[.:])"
    rf"|(?P<line>(?:\*\*|__)?{_WORDS}:))(?:\*\*|__)?(?=\s)",
    re.MULTILINE,
)
"""The words that an item, or a line, opens with, which tell what the sentences behind it are about."""


def sentences_of(hit: Hit, apart: AbstractSet[BlockKind]) -> Iterator[Quote]:
    """Yield the sentences of a passage but long ones, and none of the blocks that stand `apart`."""
    return (quote_of(hit, one.start, one.end) for one in find_sentences(hit.passage.text, apart))


class PassageItem(NamedTuple):
    """An item, or a line that opens with a label: the label, if any, and where both begin and end in the passage."""

    label: str
    top: int
    end: int


class PassageSentence(NamedTuple):
    """A sentence of a passage, where the one before it begins and the one behind it ends, and its item.

    It stands behind the label of that. A few words alone say nothing without the item `above`, below which they stand.
    """

    kind: BlockKind
    start: int
    end: int
    before: int
    behind: int
    item: PassageItem | None
    above: PassageItem | None

    def told(self, text: str, *, with_before: bool) -> tuple[int, int]:
        """Return where begins and ends what is told with it, in the text of the passage, `with_before` if it is short.

        A few words are told with the item above them, a short item is told whole, a longer one from its label on:
        without it nobody knows what opens later. What leans on the sentence before it is told with that, and what says
        no of a day with the one behind it, which may have the right one: "Not on the 16th of June. It is on the 23rd.".
        """
        said = text[self.start : self.end]
        top = self.before if with_before or leans_on_previous(strip_markup(said)) else self.start
        bottom = self.behind if DENIAL.search(said) and names_day(said) else self.end
        spans = [(top, bottom), (top, self.end)]
        if self.item:
            spans = [(self.item.top, self.item.end), *([(self.item.top, self.end)] if self.item.label else spans)]
        if self.above:
            spans = [(self.above.top, spans[0][1]), *spans]
        return next((span for span in spans if span[1] - span[0] <= _LONGEST), (self.start, self.end))


def find_sentences(text: str, apart: AbstractSet[BlockKind]) -> Iterator[PassageSentence]:
    """Yield the sentences of a text but long ones, none of the blocks that stand `apart` or that end a condition."""
    is_condition = False
    opened: list[tuple[int, PassageItem]] = []
    for block in parse_blocks(text):
        is_item = block.kind is BlockKind.ITEM
        is_condition = is_condition if is_item else is_begun(text[block.start : block.end])
        if block.kind in apart or (is_item and is_condition):
            continue
        items = [*_items(text, block.top, block.bottom)]
        whole = PassageItem("", block.start, block.end) if is_item else None
        indent = block.top - text.rfind("\n", 0, block.top)
        opened = [(columns, item) for columns, item in opened if columns < indent] if whole else []
        above = opened[-1][1] if opened else None
        opened += [(indent, whole)] if whole else []
        spans = [
            (block.top + first, block.top + last) for first, last in sentence_spans(text[block.top : block.bottom])
        ]
        around = zip((*spans[:1], *spans[:-1]), spans, (*spans[1:], *spans[-1:]), strict=True)
        for (before, _), (start, end), (_, behind) in around:
            if end - start <= _LONGEST:
                item = next((one for one in items if one.top <= start < one.end), whole)
                is_short = len(text[start:end].split()) <= _FEW_WORDS
                yield PassageSentence(block.kind, start, end, before, behind, item, above if is_short else None)


def _items(text: str, top: int, bottom: int) -> Iterator[PassageItem]:
    labels = [*_LABEL.finditer(text, top, bottom)]
    for label, end in zip(labels, (*(one.start() for one in labels[1:]), bottom), strict=False):
        start = label.start(label.lastgroup or 0)
        yield PassageItem(label[0], start, start + len(text[start:end].rstrip()))


def quote_of(hit: Hit, start: int, end: int) -> Quote:
    """Return what stands from `start` up to `end` in the text of a passage, where it stands in its source."""
    own = hit.passage
    return Quote(source=own.source, start=own.start + start, end=own.start + end, text=own.text[start:end])
