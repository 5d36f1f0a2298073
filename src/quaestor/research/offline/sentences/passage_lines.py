"""The lines of a passage: which of them say something, which flow on, and which belong to a table."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import PurePath

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Hit
from quaestor.evidence.block_lines import Block, BlockKind, wrapped_breaks
from quaestor.evidence.directive_tables import ROW, csv_header
from quaestor.evidence.tables import TABLE_FILES, find_tables
from quaestor.evidence.tokenization import words

LINE = re.compile(r"[^\n]*\S[^\n]*")
ADDRESS = re.compile(r"<[!/a-zA-Z][^<>]*>|\b\w+://[^\s<>)\]]+|[\w.+-]+@[\w-]+\.[\w.-]+")
"""Tags and addresses, whose words say nothing."""
_CONTENTS_LINE = re.compile(r"\.{4,}\s*\d+\s*\Z")
"""A line of a table of contents."""
_WORD = re.compile(r"[^\W_]{2}")


class TableLines(Immutable):
    """A table in a passage: the characters of the line that names its columns, and where it ends."""

    start: int
    head_end: int
    end: int

    def is_head(self, line: tuple[int, int]) -> bool:
        """Return whether a line names the columns."""
        return self.start <= line[0] < self.head_end

    def is_row(self, line: tuple[int, int]) -> bool:
        """Return whether a line stands below them."""
        return self.head_end <= line[0] < self.end


def find_table_lines(hit: Hit, blocks: Iterable[Block]) -> tuple[TableLines, ...]:
    """Return the tables of a passage; what is cut out of a file of rows is one without the names of its columns."""
    text = hit.passage.text
    if hit.uri.endswith(TABLE_FILES):
        start, head_end = _head(text, PurePath(hit.uri).suffix) if hit.passage.start == 0 else (0, 0)
        return (TableLines(start=start, head_end=head_end, end=len(text)),)
    return tuple(_piped_tables(text, blocks))


def _head(text: str, suffix: str) -> tuple[int, int]:
    """Return where the line that names the columns of a file of rows begins and ends: it is below its titles."""
    [first, *_] = [row.start for table in find_tables(text, suffix) for row in table.rows[:1]] or [0]
    end = len(text[:first].rstrip()) or max(text.find("\n"), 0)
    return text.rfind("\n", 0, end) + 1 if end else 0, end


def _piped_tables(text: str, blocks: Iterable[Block]) -> Iterator[TableLines]:
    """Yield the tables that are drawn with bars: the first line names the columns, if a rule is below it.

    Of a list of lists the first row names them, of CSV below a directive its first line or an option of that.
    """
    for block in blocks:
        if block.kind is not BlockKind.TABLE or text[block.start] in "+=":
            continue
        if rows := list(_listed_rows(text, block)):
            yield TableLines(start=block.start, head_end=rows[0][1], end=block.end)
        elif names := csv_header(text, block.start):
            yield TableLines(start=names[0], head_end=names[1], end=block.end)
        else:
            head, _, rest = text[block.start : block.end].partition("\n")
            rule = rest.partition("\n")[0]
            is_head = words(head) and rule.strip() and not words(rule)
            yield TableLines(start=block.start, head_end=block.start + len(head) * bool(is_head), end=block.end)


def _listed_rows(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield the rows of a table that is a list of lists, of which each is several lines."""
    if block.kind is BlockKind.TABLE and ROW.match(text, block.start):
        starts = [line.start() for line in LINE.finditer(text, block.start, block.end) if _opens_row(line[0])]
        for start, end in pairwise((*starts, block.end)):
            yield start, start + len(text[start:end].rstrip())


def _opens_row(line: str) -> bool:
    return ROW.match(line.lstrip()) is not None


def lines_of(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield the lines of a block; those of prose that flows on are one, and so are those of a row of several."""
    if rows := list(_listed_rows(text, block)):
        yield from rows
        return
    # What is before the words of prose is a mark: the name of a directive.
    top, bottom = (block.start, block.end) if block.kind is BlockKind.PROSE else (block.top, block.bottom)
    wraps = frozenset(() if block.kind is BlockKind.TABLE else wrapped_breaks(text, block.top, block.bottom))
    start = top
    for match in LINE.finditer(text, top, bottom):
        start = start if match.start() - 1 in wraps else match.start()
        if match.end() not in wraps:
            yield start, match.end()


def is_telling_line(line: str) -> bool:
    """Return whether a line has a word beside addresses, and is none of a table of contents."""
    return _WORD.search(ADDRESS.sub("", line)) is not None and _CONTENTS_LINE.search(line) is None
