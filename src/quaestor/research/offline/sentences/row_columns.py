"""Under which names of columns a row stands: those of its cells that hold something and do not say no."""

import re
from collections.abc import Iterable

from quaestor.evidence.directive_tables import ROW
from quaestor.research.offline.fields.yes_no import says_no
from quaestor.research.offline.sentences.passage_lines import TableLines

CELL_END = re.compile(r"[,;|\t]")
"""What parts the cells of a row, whatever it is drawn with."""
_BULLET = re.compile(r"\n[ \t]*-[ \t]+")
_DRAWN_WITH, _COMMA = "|\t;", ","


def columns_of_row(text: str, row: tuple[int, int], tables: Iterable[TableLines]) -> str:
    """Return the names of the columns of a row; none where its cells cannot be told apart as the names can."""
    table = next((one for one in tables if one.is_row(row)), None)
    if table is None:
        return ""
    head = text[table.start : table.head_end]
    if ROW.match(head):
        names, cells = _BULLET.split(head), _BULLET.split(text[slice(*row)])
    else:
        # A comma in a drawn cell is one of a number.
        mark = next((mark for mark in _DRAWN_WITH if mark in head), _COMMA)
        names, cells = head.split(mark), text[slice(*row)].split(mark)
    if len(names) != len(cells):
        return ""
    return "\n".join(name for name, cell in zip(names, cells, strict=True) if _says_so(cell))


def _says_so(cell: str) -> bool:
    return any(map(str.isalnum, cell)) and not says_no(cell)
