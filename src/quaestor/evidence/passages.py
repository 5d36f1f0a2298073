"""Splitting a text into passages, small enough to rank and to read, each with the headings above it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, pairwise
from typing import NamedTuple

from quaestor.evidence.block_lines import Block, BlockKind, column
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.directive_tables import ROW
from quaestor.evidence.directives import explained_name
from quaestor.evidence.heading_blocks import is_comment, is_told_by_words, plain_heading
from quaestor.evidence.tokenization import sentence_spans

MIN_LENGTH = 300
TARGET_LENGTH = 1500
MAX_LENGTH = 1600
"""Characters of a passage: below the minimum it takes what follows, beyond the target it takes no more."""

_WITH_MARKED_HEADINGS = frozenset({"text/x-rst", "text/markdown", "text/html"})
"""Media types in which a heading is marked: a line in capitals is what it says, as the number of a proposal."""

_LISTED_ROW = re.compile(r"(?<=\n)[ \t]*\*[ \t]+-")


class PassageSpan(NamedTuple):
    """A passage: the characters from `start` up to `end`, and the path of headings above them."""

    start: int
    end: int
    heading: str


class _Piece(NamedTuple):
    start: int
    end: int


_CutFinder = Callable[[str, int, int], Iterable[int]]


def split_passages(text: str, media_type: str) -> tuple[PassageSpan, ...]:
    """Return the passages of a text in order; every character that is not white space is in exactly one."""
    spans: list[PassageSpan] = []
    for heading, section in _sections(text, media_type):
        pieces = [piece for block in section for piece in _block_pieces(text, block)]
        spans.extend(PassageSpan(start, end, heading) for start, end in _pack(_join_introductions(text, pieces)))
    return tuple(spans)


def find_headings(text: str, media_type: str) -> tuple[tuple[Block, int], ...]:
    """Return the headings of a text in order, each with its depth: a smaller one is above a larger one."""
    styles: list[str] = []
    headings = (block for block in parse_blocks(text) if block.kind is BlockKind.HEADING)
    shown = (block for block in headings if not _is_no_heading(block.style, media_type))
    return tuple((block, _level(block.style, styles, media_type)) for block in shown)


def _sections(text: str, media_type: str) -> Iterator[tuple[str, list[Block]]]:
    """Return the blocks below each heading; headings with no words between them open the next section together.

    The name of what is explained is a heading of the blocks that are indented deeper.
    """
    path: dict[int, str] = {}
    names: dict[int, str] = {}
    styles: list[str] = []
    section: list[Block] = []
    below_top = False
    for block in _blocks_with_header(text):
        if isinstance(block, list):
            yield "", block
            continue
        is_heading = block.kind is BlockKind.HEADING and not _is_no_heading(block.style, media_type)
        is_name = block.kind is BlockKind.NAME
        indent = column(text, block.top) if names or is_name else 0
        is_left = bool(names) and indent <= max(names)
        if below_top and (is_heading or is_name or is_left):
            yield _joined(path, names), section
            section, below_top = [], False
        beside = names.get(indent, "") if is_name and section and section[-1].kind is BlockKind.NAME else ""
        if is_heading or is_left:
            names = {above: name for above, name in names.items() if above < indent and not is_heading}
        if is_heading:
            level = _level(block.style, styles, media_type)
            path = {above: title for above, title in path.items() if above < level}
            path[level] = plain_heading(text[block.start : block.end])
        elif is_name:
            name = explained_name(text[block.start : block.end])
            names[indent] = f"{beside}, {name}" if beside and not name.startswith(f"{beside}(") else name
        section.append(block)
        below_top |= block.kind is not BlockKind.MARKUP and not (is_heading or is_name)
    if section:
        yield _joined(path, names), section


def _joined(path: Mapping[int, str], names: Mapping[int, str]) -> str:
    """Return the path of headings and names; a section may be called as what is explained in it."""
    return " > ".join(name for name, _ in groupby(filter(None, (*path.values(), *names.values()))))


def _is_no_heading(style: str, media_type: str) -> bool:
    if is_told_by_words(style):
        return media_type in _WITH_MARKED_HEADINGS
    return is_comment(style, media_type)


def _blocks_with_header(text: str) -> Iterator[Block | list[Block]]:
    """Return the blocks of a text, the fields at its top (Title: ..., Author: ...) as one list."""
    found = parse_blocks(text)
    fields = next((place for place, block in enumerate(found) if block.kind is not BlockKind.FIELD), len(found))
    if fields > 1:
        yield found[:fields]
        yield from found[fields:]
    else:
        yield from found


def _level(style: str, styles: list[str], media_type: str) -> int:
    """Return the depth of a heading.

    In reStructuredText styles get theirs in order of appearance, kept in `styles`. Elsewhere Markdown's have theirs,
    and lines of other signs, which texts underline with as well, come below these in order of appearance.
    """
    is_ordered = media_type == "text/x-rst"
    if not is_ordered and style[0] in "#=-":
        return {"=": 1, "-": 2}.get(style, len(style))
    if style not in styles:
        styles.append(style)
    return styles.index(style) + (1 if is_ordered else 3)


def _block_pieces(text: str, block: Block) -> Iterator[_Piece]:
    coarse: tuple[_CutFinder, ...] = (
        (_sentence_cuts,) if block.kind in {BlockKind.PROSE, BlockKind.ITEM, BlockKind.HEADING} else (_row_cuts,)
    )
    yield from _break_long(text, _Piece(block.top, block.bottom), (*coarse, _line_cuts, _whitespace_cuts, _fixed_cuts))


def _break_long(text: str, piece: _Piece, cutters: tuple[_CutFinder, ...]) -> Iterator[_Piece]:
    """Break what is too long at the first kind of cut that it has, then pack the parts again."""
    if piece.end - piece.start <= MAX_LENGTH:
        yield piece
        return
    cuts = [cut for cut in cutters[0](text, *piece) if piece.start < cut < piece.end]
    edges = [piece.start, *cuts, piece.end]
    parts = [_trim(text, start, end) for start, end in pairwise(edges)]
    # A part that is still too long is broken at the next finer kind of cut; the last kind always fits.
    small = [smaller for part in parts if part for smaller in _break_long(text, part, cutters[1:])]
    yield from _pack(small)


def _sentence_cuts(text: str, start: int, end: int) -> Iterator[int]:
    return (start + sentence_end for _, sentence_end in sentence_spans(text[start:end]))


def _row_cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Yield where the rows of a table begin that is a list of lists, each on several lines."""
    is_list = ROW.match(text, start)
    return (row.start() for row in _LISTED_ROW.finditer(text, start, end) if is_list)


def _line_cuts(text: str, start: int, end: int) -> Iterator[int]:
    return (line.end() for line in re.compile(r"\n").finditer(text, start, end))


def _whitespace_cuts(text: str, start: int, end: int) -> Iterator[int]:
    return (blank.end() for blank in re.compile(r"\s+").finditer(text, start, end))


def _fixed_cuts(_text: str, start: int, end: int) -> Iterable[int]:
    return range(start + TARGET_LENGTH, end, TARGET_LENGTH)


def _trim(text: str, start: int, end: int) -> _Piece | None:
    section = text[start:end]
    words = section.strip()
    if not words:
        return None
    begin = start + section.index(words[0])
    return _Piece(begin, begin + len(words))


def _join_introductions(text: str, pieces: Iterable[_Piece]) -> list[_Piece]:
    """Keep words that end in a colon together with what they introduce, if both fit into one passage."""
    kept: list[_Piece] = []
    for piece in pieces:
        if kept and text[kept[-1].end - 1] == ":" and piece.end - kept[-1].start <= MAX_LENGTH:
            kept[-1] = _Piece(kept[-1].start, piece.end)
        else:
            kept.append(piece)
    return kept


def _pack(pieces: Iterable[_Piece]) -> list[_Piece]:
    """Join neighbours up to the target size; a small last one joins the one before it, if it fits."""
    packed: list[_Piece] = []
    for piece in pieces:
        if packed and _can_join(packed[-1], piece):
            packed[-1] = _Piece(packed[-1].start, piece.end)
        else:
            packed.append(piece)
    if (
        len(packed) > 1
        and packed[-1].end - packed[-1].start < MIN_LENGTH
        and packed[-1].end - packed[-2].start <= MAX_LENGTH
    ):
        packed[-2:] = [_Piece(packed[-2].start, packed[-1].end)]
    return packed


def _can_join(before: _Piece, piece: _Piece) -> bool:
    together = piece.end - before.start
    return together <= TARGET_LENGTH or (before.end - before.start < MIN_LENGTH and together <= MAX_LENGTH)
