"""The layout of a text: which lines are headings, prose, list items, fields, code, tables or mere markup.

Reads plain text, reStructuredText, Markdown, AsciiDoc and headings of MediaWiki alike, since the format of a stored
text is not always known. Each reader below looks at the line it is given and either takes some lines or leaves them to
the next reader.
"""

import re
from collections.abc import Callable, Sequence

from quaestor.evidence import asciidoc
from quaestor.evidence.aligned_rows import aligned_rows
from quaestor.evidence.block_lines import (
    Block,
    BlockKind,
    Line,
    continuation_end,
    first_with_words,
    indented_end,
    line_text,
    make_block,
    paragraph_end,
    split_lines,
)
from quaestor.evidence.contents_blocks import contents_block
from quaestor.evidence.day_headings import day_heading
from quaestor.evidence.directive_blocks import explicit_block
from quaestor.evidence.directive_tables import TABLE_DIRECTIVE, read_table_directive
from quaestor.evidence.directives import is_picture_mark, is_sidenote
from quaestor.evidence.front_matter_blocks import front_matter_blocks
from quaestor.evidence.heading_blocks import (
    heading_in_capitals,
    is_rule,
    marked_heading,
    numbered_heading,
    starts_with_signs,
)
from quaestor.evidence.log_entries import is_log_entry, log_entry
from quaestor.evidence.top_fields import is_preformatting

_MAX_TABLE_LINES = 500
"""How many lines are searched for the end of a table that is drawn with rules."""
_MAX_ITEM_LINES = 40
"""How many lines are searched for the next number of a list."""
_BlockParser = Callable[[Sequence[Line], int], Block | None]

_FENCE = re.compile(r"(`{3,}|~{3,})")
_GRID = re.compile(r"\+[-=+]{3,}\+")
_RULED = re.compile(r"=+(?: +=+)+")
_PIPED_RULE = re.compile(r"(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?")
"""Below the names of the columns of a table in Markdown; this line may have bars at its sides, and the rows none."""
_BAR = re.compile(r"(?<=\S)[ \t]\|[ \t](?=\S)")
"""Between two cells of a row that has no bars at its sides."""
_BULLET = re.compile(r"[-*+•‣][ \t]+(?=\S)")
_FIRST_CELL = re.compile(r"\*[ \t]+-[ \t]+(?=\S)")
"""The bullets of the first cell of a row in a table that is written as a list of lists."""
_ENUMERATOR = re.compile(
    r"(?:\(?(?:\d{1,3}|[A-Za-z#]|[ivx]{1,4})\)|(?:\d{1,3}|#|[a-zA-HJ-Z](?!\.[ \t]+[A-Za-z]\.(?!\w)))\.)[ \t]+(?=\S)"
)
"""What an item begins with; a letter before another one with a full stop is an initial, as in "J. R. Marsh"."""
_NUMBER = re.compile(r"(?P<of>\d{1,3})(?P<mark>[.)])[ \t]+(?=\S)")
_FIELD = re.compile(r"(?::[A-Za-z][^:`]{0,40}:|[A-Za-z][\w-]*(?: [\w-]+){0,2}:(?!:))(?:[ \t]+(?=\S)|$)")
_ADMONITION = re.compile(
    r"[ \t]*\{(?:note|warning|tip|hint|important|attention|caution|danger|error|seealso|admonition|deprecated"
    r"|version(?:added|changed|removed))\}",
    re.IGNORECASE,
)
"""Behind the fence of what MyST sets apart from the text, and which is text as well."""
_SIGNATURE = re.compile(r"(?:class |async )?[^\W\d][\w.]*\(.*\)(?: -> [^:]+)?")
_INNER_END = re.compile(r"[.!?][ \t]+[A-Z]")
_LINK_TARGET = re.compile(r"\[[^\]^][^\]]*\]:[ \t]+<?[^\s<>]*(?:[/#]|\w\.\w)[^\s<>]*>?(?:[ \t]+[\"'(].*)?")
"""Where the links of Markdown with a label lead, as "[label]: page.html"."""


def parse_blocks(text: str) -> list[Block]:
    """Return the blocks of a text in order; together their lines are all lines that are not blank."""
    lines = split_lines(text)
    found = front_matter_blocks(lines)
    at = found[-1].last + 1 if found else 0
    while at < len(lines):
        if not lines[at].text:
            at += 1
            continue
        block = next(block for reader in _BLOCK_PARSERS if (block := reader(lines, at)))
        found.append(block)
        first, at = at, block.last + 1
        if block.kind in {BlockKind.PROSE, BlockKind.ITEM} and lines[block.last].text.endswith("::"):
            base = lines[block.last].indent if block.last > first else lines[first].indent + block.start - block.top
            last = indented_end(lines, at, base)
            if last >= at:
                found.append(make_block(BlockKind.CODE, lines, first_with_words(lines, at), last))
                at = last + 1
        elif TABLE_DIRECTIVE in lines[first].text and (table := read_table_directive(lines, first)) and table.lines:
            found.append(make_block(BlockKind.TABLE, lines, table.lines[0], table.lines[-1]))
            at = table.end
    return found


def _fenced(lines: Sequence[Line], at: int) -> Block | None:
    opening = _FENCE.match(lines[at].text)
    if not opening:
        return None
    fence = opening[1]
    closing = (place for place in range(at + 1, len(lines)) if lines[place].text.startswith(fence))
    last = next(closing, None)
    if last is None:
        return None
    if _ADMONITION.match(lines[at].text[len(fence) :]) and (first := first_with_words(lines, at + 1)) < last:
        whole = make_block(BlockKind.PROSE, lines, at, last)
        return whole._replace(start=lines[first].start, end=lines[last - 1].end)
    return make_block(BlockKind.CODE, lines, at, last)


def _asciidoc(lines: Sequence[Line], at: int) -> Block | None:
    marked = None if lines[at].indent else asciidoc.marked_lines(lines, at)
    kind = BlockKind.CODE if marked and marked.is_literal else BlockKind.MARKUP
    return None if marked is None else make_block(kind, lines, at, marked.last)


def _table(lines: Sequence[Line], at: int) -> Block | None:
    line = lines[at].text
    if _RULED.fullmatch(line):
        within = range(at + 1, min(at + _MAX_TABLE_LINES, len(lines)))
        last = next((p for p in within if _RULED.fullmatch(lines[p].text) and not line_text(lines, p + 1)), None)
        return None if last is None else make_block(BlockKind.TABLE, lines, at, last)
    last = at
    if "|" in line and _PIPED_RULE.fullmatch(line_text(lines, at + 1)):
        while "|" in line_text(lines, last + 1):
            last += 1
        return make_block(BlockKind.TABLE, lines, at, last)
    if not (_GRID.fullmatch(line) or (line.startswith("|") and line.count("|") > 1)):
        return _rows(lines, at)
    while line_text(lines, last + 1).startswith(("|", "+")):
        last += 1
    return make_block(BlockKind.TABLE, lines, at, last)


def _rows(lines: Sequence[Line], at: int) -> Block | None:
    """Return the rows of a table without the names of its columns, as a passage has them that is cut out of it.

    They are a paragraph of two lines or more, all of which have as many bars between blanks.
    """
    last, bars = at, len(_BAR.findall(lines[at].text)) if "|" in lines[at].text else 0
    while bars and len(_BAR.findall(line_text(lines, last + 1))) == bars:
        last += 1
    is_whole = not ((at and lines[at - 1].text) or line_text(lines, last + 1))
    return make_block(BlockKind.TABLE, lines, at, last) if last > at and is_whole else None


def _rule(lines: Sequence[Line], at: int) -> Block | None:
    is_mark = is_rule(lines[at].text) or is_preformatting(lines[at].text)
    return make_block(BlockKind.MARKUP, lines, at, at) if is_mark else None


def _shell_session(lines: Sequence[Line], at: int) -> Block | None:
    if not lines[at].text.startswith((">>> ", "$ ")):
        return None
    return make_block(BlockKind.CODE, lines, at, paragraph_end(lines, at))


def _link_targets(lines: Sequence[Line], at: int) -> Block | None:
    last = at - 1
    while line_text(lines, last + 1).startswith("[") and _LINK_TARGET.fullmatch(lines[last + 1].text):
        last += 1
    return None if last < at else make_block(BlockKind.MARKUP, lines, at, last)


def _bracketed(lines: Sequence[Line], at: int) -> Block | None:
    if lines[at].text[0] != "[" or (at and lines[at - 1].text):
        return None
    last = paragraph_end(lines, at)
    words = " ".join(line.text for line in lines[at : last + 1])
    is_label = is_sidenote(words) or is_picture_mark(words)
    return make_block(BlockKind.MARKUP, lines, at, last) if is_label else None


def _field(lines: Sequence[Line], at: int) -> Block | None:
    line = lines[at]
    if not _FIELD.match(line.text):
        return None
    last = continuation_end(lines, at)
    alone = at == 0 or _is_edge(lines, at - 1) or lines[at - 1].indent > line.indent or _is_field(lines[at - 1])
    follows = line_text(lines, last + 1) and _is_field(lines[last + 1])
    ends = _is_edge(lines, last + 1)
    many = follows or (at > 0 and _is_field(lines[at - 1]))
    if line.text.startswith(":") or (
        alone and (follows or ends) and (many or not _has_inner_sentence_end(lines, at, last))
    ):
        return make_block(BlockKind.FIELD, lines, at, last)
    return None


def _is_edge(lines: Sequence[Line], at: int) -> bool:
    """Return whether a line parts what is above it from what is below it."""
    line = line_text(lines, at)
    return not line or is_preformatting(line)


def _is_field(line: Line) -> bool:
    return bool(_FIELD.match(line.text))


def _has_inner_sentence_end(lines: Sequence[Line], first: int, last: int) -> bool:
    return bool(_INNER_END.search(" ".join(line.text for line in lines[first : last + 1])))


def _item(lines: Sequence[Line], at: int) -> Block | None:
    marker = _FIRST_CELL.match(lines[at].text) or _BULLET.match(lines[at].text) or _ENUMERATOR.match(lines[at].text)
    if not marker:
        return None
    last = at
    while line_text(lines, last + 1) and not _starts_block(lines, last + 1, after_item=True):
        last += 1
    return make_block(BlockKind.ITEM, lines, at, last, marker.end())


def _starts_block(lines: Sequence[Line], at: int, *, after_item: bool = False) -> bool:
    """Return whether a line begins a block although no blank line precedes it."""
    line = lines[at].text
    if line[0].isalpha() and not after_item:
        return False
    enumerated = after_item or lines[at - 1].text.endswith(":")
    return bool(
        _BULLET.match(line)
        or _FENCE.match(line)
        or _GRID.fullmatch(line)
        or starts_with_signs(line)
        or line.startswith((">>> ", ".. "))
        or asciidoc.is_delimiter(line)
        or asciidoc.is_macro(line)
        or is_preformatting(line)
        or (enumerated and _ENUMERATOR.match(line))
        or _is_counted_on(lines, at)
        or is_log_entry(lines, at)
    )


def _is_counted_on(lines: Sequence[Line], at: int) -> bool:
    """Return whether a line has a number of a list: a later line of its paragraph begins with the next number."""
    number = _NUMBER.match(lines[at].text)
    following = f"{int(number['of']) + 1}{number['mark']}" if number else ""
    return bool(following) and any(
        lines[place].text.startswith(f"{following} ")
        for place in range(at + 1, min(paragraph_end(lines, at), at + _MAX_ITEM_LINES) + 1)
    )


def is_signature(line: str) -> bool:
    """Return whether a line is what a reference explains below it: a function with its parameters, or a class."""
    return _SIGNATURE.fullmatch(line) is not None


def _signature(lines: Sequence[Line], at: int) -> Block | None:
    is_explained = line_text(lines, at + 1) and lines[at + 1].indent > lines[at].indent
    return make_block(BlockKind.CODE, lines, at, at) if is_explained and is_signature(lines[at].text) else None


def _paragraph(lines: Sequence[Line], at: int) -> Block:
    last = at
    while line_text(lines, last + 1) and not (
        _starts_block(lines, last + 1) or _signature(lines, last + 1) or aligned_rows(lines, last + 1)
    ):
        last += 1
    return make_block(BlockKind.PROSE, lines, at, last)


_BLOCK_PARSERS: tuple[_BlockParser, ...] = (
    _asciidoc,
    marked_heading,
    _fenced,
    _table,
    _rule,
    heading_in_capitals,
    day_heading,
    numbered_heading,
    _shell_session,
    _link_targets,
    _bracketed,
    explicit_block,
    contents_block,
    log_entry,
    _field,
    _item,
    aligned_rows,
    _signature,
    _paragraph,
)
