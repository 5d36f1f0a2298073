"""Rows of a plain text whose columns are set apart by blanks alone, as in notes, rotas and price lists.

A line of prose has two blanks behind a full stop at most, and never at the same column as the lines beside it.
"""

import re
from collections.abc import Sequence

from quaestor.evidence.block_lines import Block, BlockKind, Line, line_text, make_block

_GAP = re.compile(r"(?<=\S)(?:\t+| {2,})(?=\S)")
_WIDE = 3
"""Blanks that part columns, and not two sentences."""
_TAB = -1
"""The place of a column behind a tab."""
_FEWEST = 3
"""Rows of a list whose columns are set apart by two blanks everywhere; of a wider gap two are enough."""


def aligned_rows(lines: Sequence[Line], at: int) -> Block | None:
    """Return the rows from a line on that have a column beginning at the same place, with what goes on below a cell.

    The first cell of a row may be so long that one blank parts it from the next.
    """
    text = lines[at].text
    if "  " not in text and "\t" not in text:  # a quarter of the time of blocks went into the pattern
        return None
    last, apart, shared = at, [lines[at]], _columns(lines[at])
    while line_text(lines, last + 1):
        below = lines[last + 1]
        if own := _columns(below):
            if not shared & own:
                break
            shared &= own
            apart.append(below)
        elif not any(_begins_at(below, place) for place in shared):
            break
        last += 1
    is_wide = any(map(_has_wide_gap, apart))
    return make_block(BlockKind.TABLE, lines, at, last) if len(apart) >= (2 if is_wide else _FEWEST) else None


def _columns(line: Line) -> frozenset[int]:
    """Return where columns of a line begin, the first left out; behind tabs one place, wherever those lead."""
    return frozenset(_TAB if "\t" in gap[0] else line.indent + gap.end() for gap in _GAP.finditer(line.text))


def _begins_at(line: Line, column: int) -> bool:
    """Return whether a word of a line begins at a column."""
    place = column - line.indent
    return place == 0 or (0 < place < len(line.text) and line.text[place - 1].isspace() and line.text[place] != " ")


def _has_wide_gap(line: Line) -> bool:
    return any("\t" in gap[0] or len(gap[0]) >= _WIDE for gap in _GAP.finditer(line.text))
