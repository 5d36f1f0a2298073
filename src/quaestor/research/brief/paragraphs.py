"""Where marked words stand: their paragraph, and the heading above it."""

from collections.abc import Sequence
from itertools import takewhile

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import TablePlace
from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.letter_lines import begins_as_letter
from quaestor.evidence.passages import PassageSpan
from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.brief.introductions import introduced, introduction
from quaestor.research.brief.item_context import (
    LINE_CHARACTERS,
    LINES_AROUND,
    MAX_PARAGRAPH_CHARACTERS,
    far_introduction,
    far_label,
    far_parent,
    is_nested,
)
from quaestor.research.brief.record_items import has_label
from quaestor.research.brief.section_places import passages_of
from quaestor.research.offline.sentences.readability import leans_on_previous, limits_previous
from quaestor.research.offline.words.correction_words import PUT_OFF, TAKEN_BACK
from quaestor.research.offline.words.dates import find_dates
from quaestor.research.offline.words.markup import strip_markup

_SHORT_REST = 120
"""Characters at the end of a list that are shown rather than left out: of ranks the last one may be the first."""
_LISTED = frozenset({BlockKind.ITEM, BlockKind.FIELD, BlockKind.TABLE})
_ROWS = frozenset({BlockKind.FIELD, BlockKind.TABLE})
_SAYING = frozenset({BlockKind.PROSE, BlockKind.FIELD})
"""Running text, of which "Exception: lids of tin" is read as a field."""
_BORDERS = frozenset({BlockKind.HEADING, BlockKind.NAME, BlockKind.MARKUP})


class Paragraph(Immutable):
    """The characters from `start` up to `end` of a text, and what they are under.

    That is the path of headings, and of an item of a long list also the words that introduce the list.
    """

    start: int
    end: int
    heading: str
    is_prose: bool = False
    goes_on: bool = False
    """Whether more items or fields of its list stand below it."""


def paragraph_around(text: str, media_type: str, start: int, end: int, in_table: TablePlace | None = None) -> Paragraph:
    """Return the paragraph that holds the characters from `start` up to `end`, cut to a size that can be read.

    A row in a table, as files of nothing else have them too, is shown with the lines around it.
    """
    spans = passages_of(text, media_type)
    within = next((place for place, span in enumerate(spans) if span.start <= start < span.end), None)
    heading = "" if within is None else spans[within].heading
    top, bottom = (0, len(text)) if within is None else (_read_from(spans, within), max(_read_to(spans, within), end))
    blocks = [
        Block(one.kind, one.start + top, one.end + top, one.top + top, one.bottom + top, one.last)
        for one in parse_blocks(text[top:bottom])
    ]
    held = [block for block in blocks if block.start < end and start < block.end]
    if not held:
        return Paragraph(start, end, heading)
    held = _letter(text, blocks) or held
    is_alone = held[0].kind is not BlockKind.ITEM or (has_label(text, held[0]) and not is_nested(text, blocks, start))
    if held[0].kind is BlockKind.FIELD or not is_alone:
        held = _neighbors(blocks, held)
    is_item, is_row = held[0].kind is BlockKind.ITEM, held[0].kind is BlockKind.TABLE
    held = [*introduction(text, blocks, held), *held]
    held = [*_before_leaning(text, blocks, held), *held, *_leaning_after(text, blocks, held)]
    held = [*held, *introduced(text, blocks, held, text[start:end])]
    held = _short_section(blocks, held) or held
    # The mark of the first item ("1.") is shown as those of the items below are.
    is_list = len(held) > 1 and held[0].kind is BlockKind.ITEM
    first, last = min(held[0].top if is_list else held[0].start, start), max(held[-1].end, end)
    if last - first > MAX_PARAGRAPH_CHARACTERS + _SHORT_REST:
        around = _lines if in_table else _sentences
        first, last = around(text, first, last, start, end)
    above = (far_introduction(text, media_type, start, first) or far_parent(text, blocks, start)) if is_item else ""
    above = far_label(text, blocks, start, first) if is_row else above
    is_prose = all(block.kind is BlockKind.PROSE for block in held)
    goes_on = (in_table is not None and last < held[-1].end) or _goes_on(text, blocks, held[-1], last)
    return Paragraph(first, last, " > ".join(filter(None, (heading, above))), is_prose, goes_on)


def _goes_on(text: str, blocks: Sequence[Block], held: Block, end: int) -> bool:
    """Return whether a list or rows go on behind the last block of a paragraph that ends there.

    The rows of a file of nothing else are a block without sentences.
    """
    after = blocks[blocks.index(held) + 1 :][:1]
    if end < held.end and (held.kind is BlockKind.TABLE or len(sentence_spans(text[held.start : held.end])) == 1):
        return True
    return held.kind in _LISTED and any(one.kind is held.kind for one in after)


def _read_from(spans: Sequence[PassageSpan], within: int) -> int:
    """Return where the passage before one begins if both are under one heading: a list may have been cut in two."""
    before = spans[max(within - 1, 0)]
    return min(before.start, spans[within].start) if before.heading == spans[within].heading else spans[within].start


def _read_to(spans: Sequence[PassageSpan], within: int) -> int:
    """Return where the passage behind one ends if both are under one heading."""
    after = spans[min(within + 1, len(spans) - 1)]
    return max(after.end, spans[within].end) if after.heading == spans[within].heading else spans[within].end


def _short_section(blocks: Sequence[Block], held: Sequence[Block]) -> list[Block]:
    """Return all blocks of a section, if they can be read together: what answers may stand beside its name.

    Of rows those that are near are enough, and code that is not marked is passed over sooner than read.
    """
    first, last = blocks.index(held[0]), blocks.index(held[-1])
    above = [*takewhile(_is_within, reversed(blocks[:first]))][::-1]
    below = [*takewhile(_is_within, blocks[last + 1 :])]
    section = [*above, *blocks[first : last + 1], *below]
    is_short = section[-1].end - section[0].start <= MAX_PARAGRAPH_CHARACTERS
    has_code = any(block.kind is BlockKind.CODE for block in (*above, *below))
    return section if is_short and not has_code and not any(block.kind in _ROWS for block in section) else []


def _is_within(block: Block) -> bool:
    return block.kind not in _BORDERS


def _neighbors(blocks: Sequence[Block], held: Sequence[Block]) -> list[Block]:
    """Return blocks with those of their kind around them, by turns before and after, as can be read together."""
    first, last = blocks.index(held[0]), blocks.index(held[-1])
    grows = True
    while grows:
        grows = False
        if first and _joins(blocks[first - 1], held[0], blocks[last].end - blocks[first - 1].start):
            first, grows = first - 1, True
        if last + 1 < len(blocks) and _joins(blocks[last + 1], held[0], blocks[last + 1].end - blocks[first].start):
            last, grows = last + 1, True
    rest = [*takewhile(lambda block: block.kind is held[0].kind, blocks[last + 1 :])]
    if rest and rest[-1].end - blocks[last].end <= _SHORT_REST:
        last += len(rest)
    return list(blocks[first : last + 1])


def _letter(text: str, blocks: Sequence[Block]) -> list[Block]:
    """Return all of a short text that begins with fields or a salutation: a letter, with the answers below it."""
    header = list(takewhile(lambda block: block.kind is BlockKind.FIELD, blocks))
    body = blocks[len(header) :]
    is_letter = len(text) <= MAX_PARAGRAPH_CHARACTERS and not any(block.kind in _ROWS for block in body)
    return [*header, *body] if body and is_letter and (header or begins_as_letter(text)) else []


def _joins(block: Block, held: Block, characters: int) -> bool:
    return block.kind is held.kind and characters <= MAX_PARAGRAPH_CHARACTERS


def _before_leaning(text: str, blocks: Sequence[Block], held: Sequence[Block]) -> Sequence[Block]:
    """Return the paragraph on which the first one leans, if both can be read together."""
    first = blocks.index(held[0])
    before = blocks[first - 1 : first]
    return before if before and _leans(text, held[0]) and _reads_on(before[0], held[0], held[-1]) else ()


def _leaning_after(text: str, blocks: Sequence[Block], held: Sequence[Block]) -> Sequence[Block]:
    """Return the paragraph that leans on the last one, as "This is so because ...", if both can be read together.

    So may the items of a list below it. What is cancelled has its new day in the next one, which may also limit what
    this one says.
    """
    last = blocks.index(held[-1])
    after = blocks[last + 1 : last + 2]
    if after and (_tells_new_day(text, held[-1], after[0]) or _limits(text, after[0])):
        return after if after[0].end - held[0].start <= MAX_PARAGRAPH_CHARACTERS else ()
    if not after or not _leans(text, after[0]):
        return ()
    if after[0].kind is BlockKind.ITEM and _reads_on(*held):
        return _neighbors(blocks, after) if after[0].end - held[0].start <= MAX_PARAGRAPH_CHARACTERS else ()
    return after if _reads_on(held[0], held[-1], after[0]) else ()


def _leans(text: str, block: Block) -> bool:
    return leans_on_previous(strip_markup(text[block.start : block.end][:LINE_CHARACTERS]))


def _limits(text: str, block: Block) -> bool:
    """Return whether a paragraph limits what stands above it."""
    opening = strip_markup(text[block.start : block.end][:LINE_CHARACTERS])
    return block.kind in _SAYING and limits_previous(opening)


def _tells_new_day(text: str, held: Block, after: Block) -> bool:
    """Return whether a paragraph with a day stands below one that takes something back."""
    said = text[held.start : held.end]
    if TAKEN_BACK.search(said) is None and PUT_OFF.search(said) is None:
        return False
    return any(date.day for date in find_dates(text[after.start : after.end]))


def _reads_on(first: Block, *others: Block) -> bool:
    """Return whether blocks are all prose, and short enough to be read together."""
    every = (first, *others)
    is_prose = all(block.kind is BlockKind.PROSE for block in every)
    return is_prose and every[-1].end - first.start <= MAX_PARAGRAPH_CHARACTERS


def _sentences(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    """Return the sentences around the marked words, as many as can be read; of a table or code, the lines."""
    spans = [(a + first, b + first) for a, b in sentence_spans(text[first:last])]
    if len(spans) <= 1:
        return _lines(text, first, last, start, end)
    room = max(MAX_PARAGRAPH_CHARACTERS - (end - start), 0) // 2
    before = [a for a, _ in spans if start - room <= a <= start]
    after = [b for _, b in spans if end <= b <= end + room]
    return min([start, *before]), max([end, *after])


def _lines(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    top = _nth(text, start, -1, LINES_AROUND + 1, first)
    bottom = _nth(text, end, 1, LINES_AROUND + 1, last)
    if bottom - top > 2 * MAX_PARAGRAPH_CHARACTERS:
        return start, end
    return min(top, start), max(bottom, end)


def _nth(text: str, place: int, way: int, count: int, limit: int) -> int:
    """Return the place of the n-th line end before or after a place, within a limit."""
    for _ in range(count):
        found = text.rfind("\n", limit, max(place - 1, limit)) if way < 0 else text.find("\n", place + 1, limit)
        if found < 0:
            return limit
        place = found
    return place + 1 if way < 0 else place
