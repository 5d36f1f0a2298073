"""Explicit markup of reStructuredText: footnotes, directives with what continues their line, and comments."""

import re
from collections.abc import Sequence

from quaestor.evidence.block_lines import (
    Block,
    BlockKind,
    Line,
    continuation_end,
    indented_end,
    make_block,
    options_end,
)
from quaestor.evidence.directives import Argument, read_directive

_FOOTNOTE = re.compile(r"\.\. \[[^\]]+\][ \t]+(?=\S)")


def explicit_block(lines: Sequence[Line], at: int) -> Block | None:
    """Return the block of a line that begins with two full stops and a blank."""
    line = lines[at].text
    if line != ".." and not line.startswith(".. "):
        return None
    if footnote := _FOOTNOTE.match(line):
        return make_block(BlockKind.ITEM, lines, at, continuation_end(lines, at), footnote.end())
    last = continuation_end(lines, at)
    directive = read_directive(line, " ".join(each.text for each in lines[at : last + 1]))
    if directive and directive.argument is Argument.REMARK:
        return make_block(BlockKind.PROSE, lines, at, last, directive.start)
    if directive and directive.argument is Argument.NAME and _is_explained(lines, at, last):
        return make_block(BlockKind.CODE, lines, at, last, directive.start)
    if directive and directive.argument is not Argument.LITERAL:
        return make_block(BlockKind.MARKUP, lines, at, options_end(lines, last))
    body_end = indented_end(lines, at + 1, lines[at].indent)
    kind = BlockKind.CODE if directive and body_end > at else BlockKind.MARKUP
    return make_block(kind, lines, at, max(at, body_end))


def _is_explained(lines: Sequence[Line], first: int, last: int) -> bool:
    """Return whether words are indented below a directive of these lines."""
    after = range(options_end(lines, last) + 1, len(lines))
    return any(lines[at].indent > lines[first].indent for at in after[:2] if lines[at].text)
