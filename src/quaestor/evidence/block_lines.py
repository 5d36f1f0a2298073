"""The lines of a text, and the blocks that they form."""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

_MARGIN = re.compile(r"\|(?:[ \t]{2,}(?=[^|]*\Z)|\Z)")
"""A bar before each line of a part, as printed help has it; a row has more bars, a line block one blank."""
_OPTION = re.compile(r":[\w-]+:(?: |$)")
"""How a line begins that is an option of a directive."""
_NO_CONTINUATION = re.compile(r":[\w-]+:(?: |$)|\.\. [\w:.+-]*\w::")
_WRAPPED_LINE = 40
"""Characters of the longest line of a paragraph whose lines end where there was no more room."""


class BlockKind(Enum):
    """What a block is; of MARKUP nothing is worth quoting."""

    HEADING = "heading"
    PROSE = "prose"
    ITEM = "item"
    FIELD = "field"
    CODE = "code"
    TABLE = "table"
    NAME = "name"
    """Of what is explained below it by lines that are indented deeper."""
    MARKUP = "markup"


class Block(NamedTuple):
    """A block: its lines are top..bottom; its words, without a list's bullet or a title's rule, are start..end."""

    kind: BlockKind
    start: int
    end: int
    top: int
    bottom: int
    last: int
    """The number of its last line, from 0."""
    style: str = ""
    """What determines the level of a heading: its adornment, or the number signs before it."""


class Line(NamedTuple):
    """A line without the blanks at its ends: where its words are, and by how many columns it is indented."""

    start: int
    end: int
    indent: int
    text: str


def split_lines(text: str) -> list[Line]:
    """Return the lines of a text, without the bar that printed help has before each."""
    lines: list[Line] = []
    offset = 0
    for raw in text.split("\n"):
        words = raw.strip()
        start = offset + len(raw) - len(raw.lstrip())
        indent = len(raw.expandtabs()) - len(raw.expandtabs().lstrip()) if "\t" in raw else start - offset
        if margin := _MARGIN.match(words):
            words, start, indent = words[margin.end() :], start + margin.end(), indent + margin.end()
        lines.append(Line(start, start + len(words), indent, words))
        offset += len(raw) + 1
    return lines


def make_block(kind: BlockKind, lines: Sequence[Line], first: int, last: int, skip: int = 0) -> Block:
    """Return the block of the lines from the first to the last; its words begin after `skip` characters."""
    return Block(kind, lines[first].start + skip, lines[last].end, lines[first].start, lines[last].end, last)


def line_text(lines: Sequence[Line], at: int) -> str:
    """Return the words of a line; nothing behind the last one."""
    return lines[at].text if at < len(lines) else ""


def column(text: str, place: int) -> int:
    """Return by how many columns a line is indented whose words begin at a place."""
    return len(text[text.rfind("\n", 0, place) + 1 : place].expandtabs())


def paragraph_end(lines: Sequence[Line], at: int) -> int:
    """Return the number of the line before the next blank one."""
    while line_text(lines, at + 1):
        at += 1
    return at


def continuation_end(lines: Sequence[Line], at: int) -> int:
    """Return the number of the last line of the indented continuation that begins at `at`."""
    base = lines[at].indent
    while line_text(lines, at + 1) and lines[at + 1].indent > base and not _NO_CONTINUATION.match(lines[at + 1].text):
        at += 1
    return at


def options_end(lines: Sequence[Line], at: int) -> int:
    """Return the number of the last line of the options of a directive that follow `at`."""
    while _OPTION.match(line_text(lines, at + 1)):
        at = continuation_end(lines, at + 1)
    return at


def indented_end(lines: Sequence[Line], at: int, base: int) -> int:
    """Return the number of the last line from `at` on that is indented deeper than `base`; of none the one before."""
    last = at - 1
    for place in range(at, len(lines)):
        if lines[place].text:
            if lines[place].indent <= base:
                break
            last = place
    return last


def first_with_words(lines: Sequence[Line], at: int) -> int:
    """Return the number of the first line from `at` on that is not blank; of none that of the line after all."""
    return next((place for place in range(at, len(lines)) if lines[place].text), len(lines))


def wrapped_breaks(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the places of the line breaks in a paragraph at which it flows on: the next word had no room on the line.

    Room is as much as the longest line takes. Lines of a poem or an address end before there is no more. What a term of
    a list of definitions means stands below it, behind a colon, and flows on from it.
    """
    lines = text[start:end].split("\n")
    width = max(len(line.rstrip()) for line in lines)
    place = start
    for line, below in pairwise(lines):
        place += len(line) + 1
        words = below.split(maxsplit=1)
        is_full = bool(words) and width >= _WRAPPED_LINE and len(line.rstrip()) + 1 + len(words[0]) > width
        if is_full or words[:1] == [":"]:
            yield place - 1
