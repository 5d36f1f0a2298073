"""The front matter of Markdown: YAML between two lines of hyphens at the very top of a text.

Its comments look like headings, its lists like items, and a field above the last hyphens like a title that is
underlined: nothing in it is Markdown.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from quaestor.evidence.block_lines import Block, BlockKind, Line, make_block, split_lines

_MAX_LINES = 200
"""How far the closing line is searched for."""
_OPENING = "---"
_CLOSING = frozenset({"---", "..."})
_KEY = re.compile(r"[\"']?[^\W\d][^:#]{0,60}:(?:\s|\Z)")
_NO_VALUE = ("#", "---", "...")


def front_matter_blocks(lines: Sequence[Line]) -> list[Block]:
    """Return the fields at the top of a text and the marks around them; nothing where these lines are no YAML.

    A field has the lines that are indented below it or are items of its list; comments are markup.
    """
    first = next((at for at, line in enumerate(lines) if line.text), None)
    if first is None or lines[first].text != _OPENING or lines[first].indent:
        return []
    within = range(first + 1, min(first + _MAX_LINES, len(lines)))
    last = next((at for at in within if lines[at].text in _CLOSING and not lines[at].indent), None)
    if last is None or not _is_yaml(lines[first + 1 : last]):
        return []
    opens = [at for at in range(first, last + 1) if lines[at].text and _opens(lines[at])]
    return [_block(lines, at, after - 1) for at, after in pairwise((*opens, last + 1))]


def front_matter_end(text: str) -> int:
    """Return where the front matter of a text ends, behind its closing line; 0 where it has none."""
    if not text.lstrip().startswith(_OPENING):
        return 0
    opening = "\n".join(text.split("\n", _MAX_LINES)[:_MAX_LINES])
    fields = front_matter_blocks(split_lines(opening))
    return fields[-1].end if fields else 0


def _is_yaml(lines: Sequence[Line]) -> bool:
    """Return whether lines are keys with what belongs to each, and comments."""
    own = [line for line in lines if line.text and not line.text.startswith("#")]
    return bool(own) and _is_key(own[0]) and all(line.indent or _is_key(line) or line.text[0] == "-" for line in own)


def _opens(line: Line) -> bool:
    return line.text.startswith(_NO_VALUE) or _is_key(line)


def _is_key(line: Line) -> bool:
    return not line.indent and _KEY.match(line.text) is not None


def _block(lines: Sequence[Line], first: int, last: int) -> Block:
    while not lines[last].text:
        last -= 1
    kind = BlockKind.MARKUP if lines[first].text.startswith(_NO_VALUE) else BlockKind.FIELD
    return make_block(kind, lines, first, last)
