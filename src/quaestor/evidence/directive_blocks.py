"""Explicit markup of reStructuredText: footnotes, directives with what continues their line, and comments."""

import re
from collections.abc import Callable, Mapping, Sequence

from quaestor.evidence.block_lines import (
    Block,
    BlockKind,
    Line,
    continuation_end,
    first_with_words,
    indented_end,
    make_block,
    options_end,
    paragraph_end,
)
from quaestor.evidence.directives import Argument, is_version, read_directive

_FOOTNOTE = re.compile(r"\.\. \[[^\]]+\][ \t]+(?=\S)")
_NO_PARAGRAPH = re.compile(r"[-*+] |\.\. |>>> ")
_ALTERNATIVE = re.compile(r":alt:[ \t]+(?=\S)")


def explicit_block(lines: Sequence[Line], at: int) -> Block | None:
    """Return the block of a line that begins with two full stops and a blank."""
    line = lines[at].text
    if line != ".." and not line.startswith(".. "):
        return None
    if footnote := _FOOTNOTE.match(line):
        return make_block(BlockKind.ITEM, lines, at, continuation_end(lines, at), footnote.end())
    last = continuation_end(lines, at)
    directive = read_directive(line, " ".join(each.text for each in lines[at : last + 1]))
    if directive is None:
        body_end = indented_end(lines, at + 1, lines[at].indent)
        return make_block(BlockKind.MARKUP, lines, at, max(at, body_end))
    return _BLOCKS[directive.argument](lines, at, last, directive.start)


def _nothing(lines: Sequence[Line], first: int, last: int, _skip: int) -> Block:
    return make_block(BlockKind.MARKUP, lines, first, options_end(lines, last))


def _literal(lines: Sequence[Line], first: int, _last: int, _skip: int) -> Block:
    body_end = indented_end(lines, first + 1, lines[first].indent)
    kind = BlockKind.CODE if body_end > first else BlockKind.MARKUP
    return make_block(kind, lines, first, max(first, body_end))


def _remark(lines: Sequence[Line], first: int, last: int, skip: int) -> Block:
    whole = make_block(BlockKind.PROSE, lines, first, last, skip)
    is_below = last > first and not lines[first].text[skip:]
    return whole._replace(start=lines[first + 1].start) if is_below else whole


def _change(lines: Sequence[Line], first: int, last: int, skip: int) -> Block:
    """Return what a version changed, with the first paragraph below where the line has the version alone."""
    if not is_version(" ".join(line.text for line in lines[first : last + 1])):
        return _remark(lines, first, last, skip)
    below = first_with_words(lines, last + 1)
    if below == len(lines) or lines[below].indent <= lines[first].indent:
        return make_block(BlockKind.MARKUP, lines, first, last)
    is_paragraph = _NO_PARAGRAPH.match(lines[below].text) is None
    return _remark(lines, first, paragraph_end(lines, below) if is_paragraph else last, skip)


def _picture(lines: Sequence[Line], first: int, last: int, skip: int) -> Block:
    """Return the words that stand for a picture, if it has any; its caption is read as what stands below it."""
    whole = _nothing(lines, first, last, skip)
    for at in range(last + 1, whole.last + 1):
        if alternative := _ALTERNATIVE.match(lines[at].text):
            words = make_block(BlockKind.PROSE, lines, at, continuation_end(lines, at), alternative.end())
            return words._replace(top=whole.top, bottom=whole.bottom, last=whole.last)
    return whole


def _table_title(lines: Sequence[Line], first: int, last: int, skip: int) -> Block:
    """Return the title of a table, if it has any; its rows are read as what stands below it."""
    whole = _nothing(lines, first, last, skip)
    is_titled = lines[first].start + skip < lines[last].end
    return whole._replace(kind=BlockKind.PROSE, start=whole.start + skip, end=lines[last].end) if is_titled else whole


def _name(lines: Sequence[Line], first: int, last: int, skip: int) -> Block:
    """Return the name of what is explained below, if anything is; the options below it are none of its words."""
    whole = _nothing(lines, first, last, skip)
    if not _is_explained(lines, first, whole.last):
        return whole
    return whole._replace(kind=BlockKind.NAME, start=whole.start + skip, end=lines[last].end)


def _is_explained(lines: Sequence[Line], first: int, last: int) -> bool:
    """Return whether words are indented below a directive of these lines, or below one that shares them with it."""
    below = first_with_words(lines, last + 1)
    if below == len(lines) or lines[below].indent > lines[first].indent:
        return below < len(lines)
    # Several names of one thing follow each other without a blank line.
    is_shared = below == last + 1 and lines[below].indent == lines[first].indent
    shared = explicit_block(lines, below) if is_shared else None
    return shared is not None and shared.kind is BlockKind.NAME


_BLOCKS: Mapping[Argument, Callable[[Sequence[Line], int, int, int], Block]] = {
    Argument.NOTHING: _nothing,
    Argument.LITERAL: _literal,
    Argument.REMARK: _remark,
    Argument.CHANGE: _change,
    Argument.PICTURE: _picture,
    Argument.TABLE: _table_title,
    Argument.NAME: _name,
}
