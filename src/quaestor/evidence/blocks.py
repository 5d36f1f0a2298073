"""The layout of a text: which lines are headings, prose, list items, fields, code, tables or mere markup.

Reads plain text, reStructuredText, Markdown, AsciiDoc and headings of MediaWiki alike, since the format of a stored
text is not always known. Each reader below looks at the line it is given and either takes some lines or leaves them to
the next reader.
"""

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from quaestor.evidence import asciidoc
from quaestor.evidence.numbered_headings import NEAR_LINES, numbered_heading_depth

_MAX_TABLE_LINES = 500
"""How many lines are searched for the end of a table that is drawn with rules."""
_MAX_TITLE = 80
"""Characters of a title above a shorter rule."""
_MAX_CAPITALS = 80
"""Characters of a heading in capitals."""
_REPEAT_LINES = 100
"""How far a line in capitals is searched for again: one that returns is who speaks, or the top of a page."""


CAPITALS = "capitals"
"""The style of a heading that is told by its letters alone."""
NUMBERED = "numbered"
"""The style of a heading that is told by its number alone; below it are those with more numbers: 4, 4.1."""


class BlockKind(Enum):
    """What a block is; of MARKUP nothing is worth quoting."""

    HEADING = "heading"
    PROSE = "prose"
    ITEM = "item"
    FIELD = "field"
    CODE = "code"
    TABLE = "table"
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


class _Line(NamedTuple):
    start: int
    end: int
    indent: int
    text: str


_BlockParser = Callable[[Sequence[_Line], int], Block | None]

_FENCE = re.compile(r"(`{3,}|~{3,})")
_ADORNMENT = re.compile(r"([=\-~^\"'#*+.:_])\1{2,}")
_GRID = re.compile(r"\+[-=+]{3,}\+")
_RULED = re.compile(r"=+(?: +=+)+")
_PIPED_RULE = re.compile(r":?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?")
"""Below the names of the columns of a table in Markdown that has no bars at its sides."""
_NUMBER_SIGNS = re.compile(r"(#{1,6})[ \t]+(?=[^\s#])")
_CLOSING_SIGNS = re.compile(r"[ \t]+#+\Z")
_WIKI_HEADING = re.compile(r"(=(?: ?=){0,5}) +(?=[^\s=])(?:.*[^\s=]) +\1")
_CAPITALS = re.compile(
    r"(?P<number>\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVX]{1,5})[.)]? +)?"
    r"(?P<words>[^\W_](?:[^\W_]|[&,()/:'\u2019\u2013\u2014-]| (?! ))*(?<![ ,:/&-]))"
)
_MIN_CAPITALS = 5
"""Letters of a heading in capitals that is one word without a number."""
_BULLET = re.compile(r"[-*+•‣][ \t]+(?=\S)")
_ENUMERATOR = re.compile(r"(?:\(?(?:\d{1,3}|[A-Za-z#]|[ivx]{1,4})\)|(?:\d{1,3}|[a-z#]|[A-HJ-Z])\.)[ \t]+(?=\S)")
_FIELD = re.compile(r"(?::[A-Za-z][^:`]{0,40}:|[A-Za-z][\w-]*(?: [\w-]+){0,2}:(?!:))(?:[ \t]+(?=\S)|$)")
_MARGIN = re.compile(r"\|(?:[ \t]{2,}(?=[^|]*\Z)|\Z)")
"""A bar before each line of a part, as printed help has it; a row has more bars, a line block one blank."""
_SIGNATURE = re.compile(r"(?:class |async )?[^\W\d][\w.]*\(.*\)(?: -> [^:]+)?")
_INNER_END = re.compile(r"[.!?][ \t]+[A-Z]")
_DIRECTIVE = re.compile(r"\.\. (?:\|[^|]+\| )?([\w:.+-]*\w)::[ \t]*")
_LINK_TARGET = re.compile(r"\[[^\]^][^\]]*\]:[ \t]+<?[^\s<>]*(?:[/#]|\w\.\w)[^\s<>]*>?(?:[ \t]+[\"'(].*)?")
"""Where the links of Markdown with a label lead, as "[label]: page.html"."""
_FOOTNOTE = re.compile(r"\.\. \[[^\]]+\][ \t]+(?=\S)")
_OPTION = re.compile(r":[\w-]+:(?: |$)")
_LITERAL_DIRECTIVE = re.compile(
    r"(?:sourcecode|literalinclude|parsed-literal|highlight|math|image|figure|raw|graphviz|replace|productionlist"
    r"|code(?:-block)?|doctest|test(?:code|output)|toctree|include|contents|(?:csv-|list-)?table)"
)


def parse_blocks(text: str) -> list[Block]:
    """Return the blocks of a text in order; together their lines are all lines that are not blank."""
    lines = _lines(text)
    found: list[Block] = []
    at = 0
    while at < len(lines):
        if not lines[at].text:
            at += 1
            continue
        block = next(block for reader in _BLOCK_PARSERS if (block := reader(lines, at)))
        found.append(block)
        first, at = at, block.last + 1
        if block.kind in {BlockKind.PROSE, BlockKind.ITEM} and lines[block.last].text.endswith("::"):
            base = lines[block.last].indent if block.last > first else lines[first].indent + block.start - block.top
            literal = _indented(lines, at, base)
            found.extend(literal)
            at = literal[-1].last + 1 if literal else at
    return found


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    offset = 0
    for raw in text.split("\n"):
        words = raw.strip()
        start = offset + len(raw) - len(raw.lstrip())
        indent = len(raw.expandtabs()) - len(raw.expandtabs().lstrip()) if "\t" in raw else start - offset
        if margin := _MARGIN.match(words):
            words, start, indent = words[margin.end() :], start + margin.end(), indent + margin.end()
        lines.append(_Line(start, start + len(words), indent, words))
        offset += len(raw) + 1
    return lines


def _block(kind: BlockKind, lines: Sequence[_Line], first: int, last: int, skip: int = 0) -> Block:
    return Block(kind, lines[first].start + skip, lines[last].end, lines[first].start, lines[last].end, last)


def _indented(lines: Sequence[_Line], at: int, base: int) -> list[Block]:
    """Return the lines from `at` on that are indented deeper than `base` as one block of code, or none."""
    last = at - 1
    for place in range(at, len(lines)):
        if lines[place].text:
            if lines[place].indent <= base:
                break
            last = place
    first = next((place for place in range(at, last + 1) if lines[place].text), None)
    return [] if first is None else [_block(BlockKind.CODE, lines, first, last)]


def _fenced(lines: Sequence[_Line], at: int) -> Block | None:
    opening = _FENCE.match(lines[at].text)
    if not opening:
        return None
    fence = opening[1]
    closing = (place for place in range(at + 1, len(lines)) if lines[place].text.startswith(fence))
    last = next(closing, None)
    return None if last is None else _block(BlockKind.CODE, lines, at, last)


def _asciidoc(lines: Sequence[_Line], at: int) -> Block | None:
    marked = None if lines[at].indent else asciidoc.marked_lines(lines, at)
    kind = BlockKind.CODE if marked and marked.is_literal else BlockKind.MARKUP
    return None if marked is None else _block(kind, lines, at, marked.last)


def _table(lines: Sequence[_Line], at: int) -> Block | None:
    line = lines[at].text
    if _RULED.fullmatch(line):
        within = range(at + 1, min(at + _MAX_TABLE_LINES, len(lines)))
        last = next((p for p in within if _RULED.fullmatch(lines[p].text) and not _line_text(lines, p + 1)), None)
        return None if last is None else _block(BlockKind.TABLE, lines, at, last)
    last = at
    if "|" in line and _PIPED_RULE.fullmatch(_line_text(lines, at + 1)):
        while "|" in _line_text(lines, last + 1):
            last += 1
        return _block(BlockKind.TABLE, lines, at, last)
    if not (_GRID.fullmatch(line) or (line.startswith("|") and line.count("|") > 1)):
        return None
    while _line_text(lines, last + 1).startswith(("|", "+")):
        last += 1
    return _block(BlockKind.TABLE, lines, at, last)


def _line_text(lines: Sequence[_Line], at: int) -> str:
    return lines[at].text if at < len(lines) else ""


def _heading(lines: Sequence[_Line], at: int) -> Block | None:
    line = lines[at].text
    if signs := _NUMBER_SIGNS.match(line):
        whole = _block(BlockKind.HEADING, lines, at, at, signs.end())
        return whole._replace(end=whole.bottom - len(line) + len(_CLOSING_SIGNS.sub("", line)), style=signs[1])
    if wiki := _WIKI_HEADING.fullmatch(line):
        sign = wiki[1]
        whole = _block(BlockKind.HEADING, lines, at, at, len(sign))
        return whole._replace(start=whole.start + 1, end=whole.bottom - len(sign) - 1, style=sign.replace(" ", ""))
    if line[0] == "=" and not lines[at].indent and (section := asciidoc.section_signs(lines, at)):
        return _block(BlockKind.HEADING, lines, at, at, section.end())._replace(style=section[1])
    return _overlined(lines, at) if _ADORNMENT.fullmatch(line) else _underlined(lines, at)


def _overlined(lines: Sequence[_Line], at: int) -> Block | None:
    line, title = lines[at].text, _line_text(lines, at + 1)
    if not title or _ADORNMENT.fullmatch(title) or _line_text(lines, at + 2) != line or len(title) > len(line) + 1:
        return None
    whole = _block(BlockKind.HEADING, lines, at, at + 2)
    return whole._replace(start=lines[at + 1].start, end=lines[at + 1].end, style=2 * line[0])


def _underlined(lines: Sequence[_Line], at: int) -> Block | None:
    line, below = lines[at].text, _line_text(lines, at + 1)
    if lines[at].indent or not _ADORNMENT.fullmatch(below):
        return None
    # A mark that is shorter than a sentence above it closes a block of AsciiDoc.
    if len(below) < len(line) and (below[0] not in "=-" or line.endswith(".") or len(line) > _MAX_TITLE):
        return None
    return _block(BlockKind.HEADING, lines, at, at + 1)._replace(end=lines[at].end, style=below[0])


def _rule(lines: Sequence[_Line], at: int) -> Block | None:
    return _block(BlockKind.MARKUP, lines, at, at) if _ADORNMENT.fullmatch(lines[at].text) else None


def _capitals(lines: Sequence[_Line], at: int) -> Block | None:
    """Return a line in capitals above other words, with or without a number: so plain texts write headings."""
    line, below = lines[at], _line_text(lines, at + 1)
    if line.text != line.text.upper() or (at and lines[at - 1].text) or line.indent or len(line.text) > _MAX_CAPITALS:
        return None
    title = _CAPITALS.fullmatch(line.text)
    if title is None or (below and below == below.upper()):
        return None
    letters = sum(letter.isupper() for letter in title["words"])
    is_several = " " in title["words"] or title["number"]
    near = (*lines[max(0, at - _REPEAT_LINES) : at], *lines[at + 1 : at + _REPEAT_LINES])
    if letters < (2 if is_several else _MIN_CAPITALS) or any(one.text == line.text for one in near):
        return None
    return _block(BlockKind.HEADING, lines, at, at)._replace(style=CAPITALS)


def _numbered(lines: Sequence[_Line], at: int) -> Block | None:
    if lines[at].indent or (at and lines[at - 1].text):
        return None
    below = [" " * line.indent + line.text for line in lines[at + 1 : at + 1 + NEAR_LINES]]
    depth = numbered_heading_depth(lines[at].text, below)
    return None if depth is None else _block(BlockKind.HEADING, lines, at, at)._replace(style=NUMBERED + "." * depth)


def _shell_session(lines: Sequence[_Line], at: int) -> Block | None:
    if not lines[at].text.startswith((">>> ", "$ ")):
        return None
    return _block(BlockKind.CODE, lines, at, _block_end(lines, at))


def _block_end(lines: Sequence[_Line], at: int) -> int:
    while _line_text(lines, at + 1):
        at += 1
    return at


def _link_targets(lines: Sequence[_Line], at: int) -> Block | None:
    last = at - 1
    while _line_text(lines, last + 1).startswith("[") and _LINK_TARGET.fullmatch(lines[last + 1].text):
        last += 1
    return None if last < at else _block(BlockKind.MARKUP, lines, at, last)


def _explicit(lines: Sequence[_Line], at: int) -> Block | None:
    line = lines[at].text
    if line != ".." and not line.startswith(".. "):
        return None
    if footnote := _FOOTNOTE.match(line):
        return _block(BlockKind.ITEM, lines, at, _indented_block_end(lines, at), footnote.end())
    directive = _DIRECTIVE.match(line)
    if directive and not _LITERAL_DIRECTIVE.fullmatch(directive[1]):
        if directive.end() < len(line):
            return _block(BlockKind.PROSE, lines, at, _indented_block_end(lines, at), directive.end())
        last = at
        while _OPTION.match(_line_text(lines, last + 1)):
            last += 1
        return _block(BlockKind.MARKUP, lines, at, last)
    body = _indented(lines, at + 1, lines[at].indent)
    kind = BlockKind.CODE if directive and body else BlockKind.MARKUP
    return _block(kind, lines, at, body[0].last if body else at)


def _indented_block_end(lines: Sequence[_Line], at: int) -> int:
    """Return the last line of the indented continuation that begins at `at`."""
    base = lines[at].indent
    while _line_text(lines, at + 1) and lines[at + 1].indent > base and not _OPTION.match(lines[at + 1].text):
        at += 1
    return at


def _field(lines: Sequence[_Line], at: int) -> Block | None:
    line = lines[at]
    if not _FIELD.match(line.text):
        return None
    last = _indented_block_end(lines, at)
    alone = at == 0 or not lines[at - 1].text or lines[at - 1].indent > line.indent or _is_field(lines[at - 1])
    follows = _line_text(lines, last + 1) and _is_field(lines[last + 1])
    ends = not _line_text(lines, last + 1)
    many = follows or (at > 0 and _is_field(lines[at - 1]))
    if line.text.startswith(":") or (
        alone and (follows or ends) and (many or not _has_inner_sentence_end(lines, at, last))
    ):
        return _block(BlockKind.FIELD, lines, at, last)
    return None


def _is_field(line: _Line) -> bool:
    return bool(_FIELD.match(line.text))


def _has_inner_sentence_end(lines: Sequence[_Line], first: int, last: int) -> bool:
    return bool(_INNER_END.search(" ".join(line.text for line in lines[first : last + 1])))


def _item(lines: Sequence[_Line], at: int) -> Block | None:
    marker = _BULLET.match(lines[at].text) or _ENUMERATOR.match(lines[at].text)
    if not marker:
        return None
    last = at
    while _line_text(lines, last + 1) and not _starts_block(lines, last + 1, after_item=True):
        last += 1
    return _block(BlockKind.ITEM, lines, at, last, marker.end())


def _starts_block(lines: Sequence[_Line], at: int, *, after_item: bool = False) -> bool:
    """Return whether a line begins a block although no blank line precedes it."""
    line = lines[at].text
    if line[0].isalpha() and not after_item:
        return False
    enumerated = after_item or lines[at - 1].text.endswith(":")
    return bool(
        _BULLET.match(line)
        or _FENCE.match(line)
        or _GRID.fullmatch(line)
        or _NUMBER_SIGNS.match(line)
        or _WIKI_HEADING.fullmatch(line)
        or line.startswith((">>> ", ".. "))
        or asciidoc.is_delimiter(line)
        or asciidoc.is_macro(line)
        or (enumerated and _ENUMERATOR.match(line))
    )


def is_told_by_words(style: str) -> bool:
    """Return whether a heading of a style has no mark of a format: its letters or its number show that it is one."""
    return style == CAPITALS or style.startswith(NUMBERED)


def is_signature(line: str) -> bool:
    """Return whether a line is what a reference explains below it: a function with its parameters, or a class."""
    return _SIGNATURE.fullmatch(line) is not None


def _signature(lines: Sequence[_Line], at: int) -> Block | None:
    is_explained = _line_text(lines, at + 1) and lines[at + 1].indent > lines[at].indent
    return _block(BlockKind.CODE, lines, at, at) if is_explained and is_signature(lines[at].text) else None


def _paragraph(lines: Sequence[_Line], at: int) -> Block:
    last = at
    while _line_text(lines, last + 1) and not (_starts_block(lines, last + 1) or _signature(lines, last + 1)):
        last += 1
    return _block(BlockKind.PROSE, lines, at, last)


_BLOCK_PARSERS: tuple[_BlockParser, ...] = (
    _asciidoc,
    _heading,
    _fenced,
    _table,
    _rule,
    _capitals,
    _numbered,
    _shell_session,
    _link_targets,
    _explicit,
    _field,
    _item,
    _signature,
    _paragraph,
)
