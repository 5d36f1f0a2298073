"""Where marked words stand: their paragraph, and the heading above it."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.block_lines import Block, BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.letter_lines import begins_as_letter
from quaestor.evidence.passages import PassageSpan, split_passages
from quaestor.evidence.tokenization import sentence_spans, shorten
from quaestor.research.brief.best_passages import FIELD
from quaestor.research.brief.record_items import has_label
from quaestor.research.offline.sentences.item_leads import find_item_leads, is_label
from quaestor.research.offline.sentences.readability import leans_on_previous
from quaestor.research.offline.words.markup import strip_markup

MAX_PARAGRAPH_CHARACTERS = 900
"""A longer paragraph is cut after a sentence on either side of the marked words."""
_LINES_AROUND = 3
_LINE_CHARACTERS = 250
"""A longer paragraph is no line of what another one introduces."""
_MAX_LIST = 10_000
"""Characters above an item in which what introduces it is looked for."""
_WORDS = frozenset({BlockKind.PROSE, BlockKind.ITEM})
_LISTED = frozenset({BlockKind.ITEM, BlockKind.FIELD, BlockKind.TABLE})
_ROWS = frozenset({BlockKind.FIELD, BlockKind.TABLE})
_COLONS = (":", "\uff1a")
_INTRODUCES = re.compile(
    r"\b(?:following|below|as follows|listed|(?:one|some|any) of (?:several|these|those|a few|the)|several|various"
    r"|folgende\w*|unten|mehrere|suivante?s?|ci-dessous|plusieurs|siguientes?|abajo|vari[oa]s|seguenti|следующ\w+)\b",
    re.IGNORECASE,
)
"""Said of what stands below, in English, German, French, Spanish, Italian and Russian."""


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


def paragraph_around(text: str, media_type: str, start: int, end: int) -> Paragraph:
    """Return the paragraph that holds the characters from `start` up to `end`, cut to a size that can be read."""
    spans = _passages(text, media_type)
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
    if held[0].kind is BlockKind.FIELD or (held[0].kind is BlockKind.ITEM and not has_label(text, held[0])):
        held = _neighbors(blocks, held)
    is_item, is_row = held[0].kind is BlockKind.ITEM, held[0].kind is BlockKind.TABLE
    held = [*_introduction(text, blocks, held), *held]
    held = [*_before_leaning(text, blocks, held), *held, *_leaning_after(text, blocks, held)]
    held = [*held, *_introduced(text, blocks, held, text[start:end])]
    # The mark of the first item ("1.") is shown as those of the items below are.
    is_list = len(held) > 1 and held[0].kind is BlockKind.ITEM
    first, last = min(held[0].top if is_list else held[0].start, start), max(held[-1].end, end)
    if last - first > MAX_PARAGRAPH_CHARACTERS:
        first, last = _cut(text, first, last, start, end)
    above = (_far_introduction(text, media_type, start, first) or _far_parent(text, blocks, start)) if is_item else ""
    above = _far_label(text, blocks, start, first) if is_row else above
    is_prose = all(block.kind is BlockKind.PROSE for block in held)
    return Paragraph(
        first, last, " > ".join(filter(None, (heading, above))), is_prose, _goes_on(text, blocks, held[-1], last)
    )


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


def _far_introduction(text: str, media_type: str, start: int, first: int) -> str:
    """Return the words that introduce the list of an item, where they stand above what is shown of it.

    Without them "(b) let the rooms" may be what somebody shall not do.
    """
    section = section_start(text, media_type, start)
    above: Block | None = None
    for block in parse_blocks(text[section : _line_end(text, start)]):
        if block.kind is not BlockKind.ITEM:
            above = block
        elif section + block.bottom > start:
            break
    else:
        return ""
    if above is None or above.kind is not BlockKind.PROSE or section + above.start >= first:
        return ""
    if _ends_item(text, section + above.top):
        return ""
    words = " ".join(text[section + above.start : section + above.end].split())
    plain = strip_markup(words)
    goes_on = words.endswith((*_COLONS, ";", ",")) or (words[-1].isalnum() and not _is_named_value(plain))
    return shorten(plain, _LINE_CHARACTERS) if goes_on else ""


def _ends_item(text: str, place: int) -> bool:
    """Return whether the lines from a place on are the rest of an item that begins farther above."""
    if text[max(place - 2, 0) : place].count("\n") != 1:
        return False
    above = parse_blocks(text[text.rfind("\n\n", 0, place) + 1 : place])
    return bool(above) and above[-1].kind is BlockKind.ITEM


def _is_named_value(plain: str) -> bool:
    """Return whether words are a name with its value, as "Present: Ann Lee"; "Note: nobody may" goes on below."""
    return FIELD.match(plain) is not None and not plain.rsplit(maxsplit=1)[-1][0].islower()


def _far_parent(text: str, blocks: Sequence[Block], start: int) -> str:
    """Return the words of the item that another one stands under, if so many lines are between them that few are shown.

    Without them "White: 4 to 15 minutes" may be of anything.
    """
    lead = next((one for one in find_item_leads(text, blocks) if one.start <= start < one.end), None)
    if lead is None or not lead.parents or text.count("\n", lead.parents[-1].end, start) <= _LINES_AROUND:
        return ""
    return shorten(strip_markup(text[lead.parents[-1].start : lead.parents[-1].end]), _LINE_CHARACTERS)


def _far_label(text: str, blocks: Sequence[Block], start: int, first: int) -> str:
    """Return what the table of a row is called above it, as "Day 1", where that is not shown with the row."""
    lead = next((one for one in find_item_leads(text, blocks) if one.start <= start < one.end), None)
    is_shown = lead is None or lead.label in text[first:start]
    return "" if lead is None or is_shown else shorten(strip_markup(lead.label), _LINE_CHARACTERS)


def _line_end(text: str, place: int) -> int:
    found = text.find("\n", place)
    return len(text) if found < 0 else found


def section_start(text: str, media_type: str, start: int) -> int:
    """Return where the passages below one heading begin of which one holds a character, near enough to it."""
    found = 0
    heading: str | None = None
    for span in _passages(text, media_type):
        if span.start > start:
            break
        if span.heading != heading:
            found, heading = span.start, span.heading
    return max(found, text.rfind("\n", 0, max(start - _MAX_LIST, 0)) + 1)


def headings_beside(text: str, media_type: str, start: int) -> tuple[list[str], frozenset[str]]:
    """Return the headings above a character, outermost first, and those of the sections beside its own."""
    spans = _passages(text, media_type)
    own = next((span.heading.split(" > ") for span in spans if span.start <= start < span.end), [])
    others = (heading.split(" > ") for heading in dict.fromkeys(span.heading for span in spans))
    parting = (next((pair for pair in zip(own, other, strict=False) if pair[0] != pair[1]), None) for other in others)
    return own, frozenset(pair[1] for pair in parting if pair)


@lru_cache(maxsize=4)
def _passages(text: str, media_type: str) -> tuple[PassageSpan, ...]:
    return split_passages(text, media_type)


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
    return list(blocks[first : last + 1])


def _letter(text: str, blocks: Sequence[Block]) -> list[Block]:
    """Return all of a short text that begins with fields or a salutation: a letter, with the answers below it."""
    header = list(takewhile(lambda block: block.kind is BlockKind.FIELD, blocks))
    body = blocks[len(header) :]
    is_letter = len(text) <= MAX_PARAGRAPH_CHARACTERS and not any(block.kind in _ROWS for block in body)
    return [*header, *body] if body and is_letter and (header or begins_as_letter(text)) else []


def _joins(block: Block, held: Block, characters: int) -> bool:
    return block.kind is held.kind and characters <= MAX_PARAGRAPH_CHARACTERS


def _introduction(text: str, blocks: Sequence[Block], held: Sequence[Block]) -> Sequence[Block]:
    """Return the block that introduces items or rows, as "provided that all of these hold:", if it is short enough.

    What items go on with may have no mark at its end: "The tenants shall not"; nor has what a table is called: "Day 1".
    """
    place = blocks.index(held[0])
    above = blocks[max(place - 1, 0) : place]
    is_list = held[0].kind in {BlockKind.ITEM, BlockKind.FIELD, BlockKind.TABLE}
    if not (is_list and above and above[0].kind in _WORDS) or text[above[0].end : held[0].top].strip():
        return ()  # the options of a directive are between its title and its rows
    words = text[above[0].start : above[0].end]
    has_label = held[0].kind in {BlockKind.ITEM, BlockKind.TABLE} and above[0].kind is BlockKind.PROSE
    goes_on = has_label and is_label(words)
    fits = held[-1].end - above[0].start <= MAX_PARAGRAPH_CHARACTERS
    return above if fits and (goes_on or words.endswith(_COLONS)) else ()


def _introduced(text: str, blocks: Sequence[Block], held: Sequence[Block], marked: str) -> list[Block]:
    """Return the blocks that the last words of a paragraph introduce: a list, a table, lines; as far as can be read."""
    last = blocks.index(held[-1])
    words = text[held[-1].start : held[-1].end]
    below = blocks[last + 1 : last + 2]
    is_named = held[-1].kind is BlockKind.PROSE and is_label(words) and below and below[0].kind is BlockKind.ITEM
    is_said = words.endswith(_COLONS) or (words.endswith(marked) and _INTRODUCES.search(marked))
    if held[-1].kind not in _WORDS or not (is_said or is_named):
        return []
    found: list[Block] = []
    for block in blocks[last + 1 :]:
        is_like = block.kind is blocks[last + 1].kind and block.kind is not BlockKind.HEADING
        is_line = block.kind is not BlockKind.PROSE or block.end - block.start <= _LINE_CHARACTERS
        if not (is_like and is_line and block.end - held[0].start <= MAX_PARAGRAPH_CHARACTERS):
            break
        found.append(block)
    while found and found[-1].kind is BlockKind.PROSE and text[: found[-1].end].endswith(_COLONS):
        found.pop()  # what introduces something that is not shown
    return found


def _before_leaning(text: str, blocks: Sequence[Block], held: Sequence[Block]) -> Sequence[Block]:
    """Return the paragraph on which the first one leans, if both can be read together."""
    first = blocks.index(held[0])
    before = blocks[first - 1 : first]
    return before if before and _leans(text, held[0]) and _reads_on(before[0], held[0], held[-1]) else ()


def _leaning_after(text: str, blocks: Sequence[Block], held: Sequence[Block]) -> Sequence[Block]:
    """Return the paragraph that leans on the last one, as "This is so because ...", if both can be read together.

    So may the items of a list below it.
    """
    last = blocks.index(held[-1])
    after = blocks[last + 1 : last + 2]
    if not after or not _leans(text, after[0]):
        return ()
    if after[0].kind is BlockKind.ITEM and _reads_on(*held):
        return _neighbors(blocks, after) if after[0].end - held[0].start <= MAX_PARAGRAPH_CHARACTERS else ()
    return after if _reads_on(held[0], held[-1], after[0]) else ()


def _leans(text: str, block: Block) -> bool:
    return leans_on_previous(strip_markup(text[block.start : block.end][:_LINE_CHARACTERS]))


def _reads_on(first: Block, *others: Block) -> bool:
    """Return whether blocks are all prose, and short enough to be read together."""
    every = (first, *others)
    is_prose = all(block.kind is BlockKind.PROSE for block in every)
    return is_prose and every[-1].end - first.start <= MAX_PARAGRAPH_CHARACTERS


def _cut(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    """Return the sentences around the marked words, as many as can be read; of a table or code, the lines."""
    spans = [(a + first, b + first) for a, b in sentence_spans(text[first:last])]
    if len(spans) <= 1:
        return _lines(text, first, last, start, end)
    room = max(MAX_PARAGRAPH_CHARACTERS - (end - start), 0) // 2
    before = [a for a, _ in spans if start - room <= a <= start]
    after = [b for _, b in spans if end <= b <= end + room]
    return min([start, *before]), max([end, *after])


def _lines(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    top = _nth(text, start, -1, _LINES_AROUND + 1, first)
    bottom = _nth(text, end, 1, _LINES_AROUND + 1, last)
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
