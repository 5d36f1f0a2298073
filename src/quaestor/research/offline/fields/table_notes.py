"""The prose right beside a table, and whether it speaks of what the table holds: then a cell alone may mislead."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.table_rows import Table
from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.offline.fields.cell_words import key_tokens, telling_tokens, tokens
from quaestor.research.offline.fields.reserve_words import GONE, POSITION, RESERVE, UNIT_LINES

_BLANK = re.compile(r"\n[ \t\r]*\n")
_DRAWN = re.compile(r"[\s|+=:\-]*|\s*\.\. [\w-]+::.*|\s+:[\w-]+:.*")
"""A rule of a table, an empty line, or a directive that introduces a table, with its options."""
_HEADING = re.compile(r"\s*#{1,6}\s|[^\n]+\n([=\-~^\"'#*+.:_])\1{2,}\s*\Z")
_MAX_BLOCKS = 3
_MAX_CHARACTERS = 1_500
"""Of the text on either side of a table that may be about it."""


class TableNotes(Immutable):
    """The paragraph above a table, and those below it up to the next heading or table."""

    above: str = ""
    below: str = ""


def find_notes(text: str, table: Table) -> TableNotes:
    """Return the prose right beside a table of a text."""
    if not table.rows:
        return TableNotes()
    return TableNotes(_above(text, table.rows[0].start), " ".join(_below(text, table.rows[-1].end)))


def speaks_of_cell(notes: TableNotes, row: str, column: str, value: str) -> bool:
    """Return whether the prose beside a table may speak of a cell: by a place, its row, its column or its value.

    A paragraph above a table mostly introduces it, so there the names of columns and of the table count for nothing
    but with a reserve.
    """
    own = telling_tokens(row) or tokens(row)
    held = tokens(value)
    for sentence in _sentences(notes.above):
        said = tokens(sentence)
        is_reserved = POSITION.search(sentence) and RESERVE.search(sentence)
        if said & own or (held and held <= said) or is_reserved:
            return True
    for sentence in _sentences(notes.below):
        said = tokens(sentence)
        if POSITION.search(sentence) or said & (own | key_tokens(column)) or (held and held <= said):
            return True
    return False


def speaks_of_rows(notes: TableNotes, names: Sequence[str], kind: frozenset[str]) -> bool:
    """Return whether the prose beside a table may change which rows count; `kind` are the words for what is asked.

    Places, these words and the names of rows are in most prose on a subject, so they count only beside a word that
    denies or changes something and is in no name.
    """
    sentences = (*_sentences(notes.above), *_sentences(notes.below))
    own = kind.union(*(telling_tokens(name) or tokens(name) for name in names)) if sentences else kind
    for sentence in sentences:
        rest = _without(sentence, names)
        if (RESERVE.search(rest) or GONE.search(rest)) and (tokens(sentence) & own or POSITION.search(rest)):
            return True
    return False


def speaks_of_numbers(notes: TableNotes, values: Iterable[str]) -> bool:
    """Return whether the prose below a table may say what numbers of it mean: it names a place or one of these."""
    numbers = [held for value in values if (held := tokens(value))]
    return any(
        POSITION.search(sentence) or any(held <= tokens(sentence) for held in numbers)
        for sentence in _sentences(notes.below)
    )


def _without(sentence: str, names: Iterable[str]) -> str:
    for name in names:
        sentence = sentence.replace(name, " ")
    return sentence


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text that may change something."""
    for start, end in sentence_spans(text):
        if UNIT_LINES.fullmatch(sentence := text[start:end].strip()) is None:
            yield sentence


def _above(text: str, first_row: int) -> str:
    """Return the paragraph above a table, also where no empty line parts them."""
    before = _BLANK.split(text[max(first_row - _MAX_CHARACTERS, 0) : first_row])
    blocks = [block for block in before if block.strip()]
    for block in reversed(blocks[-2:]):
        lines = block.strip("\r\n").split("\n")
        prose = list(takewhile(lambda line: "|" not in line and not _DRAWN.fullmatch(line), lines))
        if prose:
            return "" if _HEADING.match("\n".join(lines)) else "\n".join(prose).strip()
    return ""


def _below(text: str, last_row: int) -> Iterator[str]:
    """Yield the paragraphs below a table, up to the next heading or table."""
    rest = text[last_row : last_row + _MAX_CHARACTERS].partition("\n")[2]
    blocks = [block.strip("\r\n") for block in _BLANK.split(rest) if not _DRAWN.fullmatch(block)]
    for block in blocks[:_MAX_BLOCKS]:
        lines = [line for line in block.split("\n") if not _DRAWN.fullmatch(line)]
        if _HEADING.match(block) or any(line.count("|") > 1 for line in lines):
            return
        yield " ".join(" ".join(lines).split())
