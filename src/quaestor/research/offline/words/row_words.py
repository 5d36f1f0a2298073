"""What a marked row of a table says, and what the rows beside it say of other things."""

import re
from itertools import pairwise

from quaestor.contracts.source import TablePlace
from quaestor.evidence.tables import TABLE_FILES
from quaestor.evidence.tokenization import fold_letters
from quaestor.research.offline.words.names import without_initials

_SAYS_NOTHING = re.compile(r"\W*|(?:ditto|do|dto|idem|id|ebenso|desgl)\W*", re.IGNORECASE)
"""A cell that stands for one further up: it is empty, has a mark or a word for "the same"."""
_TOTAL = re.compile(
    r"\W*(?:(?:grand|sub)[ -]?)?(?:total(?:e[ns]?|i|s)?|totaal|sum|summen?|gesamt\w*|insgesamt|somme|suma|somma|soma"
    r"|som|итого|всего)(?!\w)",
    re.IGNORECASE,
)
"""The first cell of a row that sums up others."""
_OF_VERSIONS = re.compile(
    r"(?:versions?|releases?|fassung|ausgabe|édition|versión|versione|versie|versão)\b", re.IGNORECASE
)
"""What the column of versions is called; of what they are the table seldom repeats."""
_NUMBER_LAST = re.compile(r"\D+ v?(?P<version>\d+(?:\.\d+)*)")
_CELL_END = re.compile(r"[|,;\t]")


def own_words(text: str, in_table: TablePlace, uri: str) -> str:
    """Return the text around a row of a table without the other rows, which tell of other things.

    They stay where a cell of the row is empty or says "ditto", so that it may stand for one above; not in a row of
    totals, of which a cell is empty because it sums all of them up. So does a row with one cell alone, which is the
    heading of those below it.
    """
    values = [cell.value for cell in in_table.cells]
    if any(map(_SAYS_NOTHING.fullmatch, values)) and not any(map(_TOTAL.match, values[:1])):
        return text
    is_file_of_rows = uri.casefold().endswith(TABLE_FILES)
    beside = (line for line in text.split("\n") if not _is_row(line, is_file_of_rows=is_file_of_rows))
    return "\n".join(("; ".join(values), *beside))


def _is_row(line: str, *, is_file_of_rows: bool) -> bool:
    return (is_file_of_rows or "|" in line) and sum(bool(cell.strip()) for cell in _CELL_END.split(line)) > 1


def is_in_two_cells(name: str, in_table: TablePlace) -> bool:
    """Return whether two neighbouring cells of a row are a name, in either order, of which one holds nothing else.

    So are "Ann M." and "Lee", or "Lee" and "Ann"; "Ann Berg" and "Lee" are two names.
    """
    asked = _plain(name)
    beside = pairwise(cell.value for cell in in_table.cells)
    return any(
        _holds(_plain(f"{first} {last}"), asked)
        and any(value and _holds(asked, _plain(value)) for value in (one, other))
        for one, other in beside
        for first, last in ((one, other), (other, one))
    )


def is_version_of_row(name: str, in_table: TablePlace) -> bool:
    """Return whether a row is that of a version by its cell alone: of Laravel 12 the one of "12" under "Version"."""
    found = _NUMBER_LAST.fullmatch(name)
    versions = (cell.value.strip().lstrip("v") for cell in in_table.cells if _OF_VERSIONS.match(cell.column))
    return found is not None and found["version"] in versions


def _plain(name: str) -> str:
    return fold_letters(without_initials(name)).casefold()


def _holds(text: str, part: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None
