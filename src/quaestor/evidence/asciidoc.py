"""Lines of AsciiDoc: titles of sections, attributes and marks of blocks, macros.

A line is judged with its neighbours, since the format of a stored text is not always known: others underline headings
with the same signs, and write a heading in brackets.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

_SECTION_SIGNS = re.compile(r"(={1,6}) +(?=\S)(?=.*[^\W\d_])")
_ATTRIBUTES = re.compile(r"\[(?:\[[^\[\]]+\]|[^\[\]]*)\]")
_ANCHOR = re.compile(r"\[\[[^\[\]]+\]\]|\[#[^\[\]]+\]")
_ADMONITION = re.compile(r"\[(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]")
_DELIMITER = re.compile(r"([=\-.+*_])\1{3,}|--")
_DELIMITER_SIGNS = "=-.+*_"
_LITERAL = "-.+"
"""The signs around what is printed as it stands."""
_MACRO = re.compile(r"(?:image|video|audio|include|ifdef|ifndef|endif|toc)::\S*\[.*\]")
"""What stands for something else."""
_GOES_ON = "+"
"""The line by which an item goes on after a blank line or a listing."""
_MARKS = "[.+"
"""How attributes, titles of blocks and items that go on begin: of most lines nothing else is looked at."""
_BLOCK_TITLE = re.compile(r"\.[^\s.].*")
_TABLE = re.compile(r"^\|={3,}[ \t]*\n(?P<rows>.*?)^\|={3,}[ \t]*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"^//.*\n?", re.MULTILINE)
_CELL = re.compile(r"(?:^|(?<=\s))\|[ \t]*", re.MULTILINE)
_CELL_LINES = re.compile(r"\n(?=\|)")
_PAIR = ("key", "value")
_EMOJI = re.compile(r"\s*:[a-z_]+:")
_LINK = re.compile(r"\b(?:link:|https?://)\S*?\[([^\[\]]+)\]")


class Line(Protocol):
    """A line without the blanks around it."""

    @property
    def text(self) -> str:
        """Its words."""


class MarkedLines(NamedTuple):
    """Lines of marks that end with the line `last`; what they enclose is literal, or they enclose nothing."""

    last: int
    is_literal: bool


def section_signs(lines: Sequence[Line], at: int) -> re.Match[str] | None:
    """Return the signs before the title of a section, which stands alone or below attributes; else None."""
    line = lines[at].text
    signs = _SECTION_SIGNS.match(line)
    above = lines[at - 1].text if at else ""
    below = _text_at(lines, at + 1)
    is_alone = not above or _ATTRIBUTES.fullmatch(above)
    return signs if is_alone and (not below or not at) and not line.endswith("=") else None


def marked_lines(lines: Sequence[Line], at: int) -> MarkedLines | None:
    """Return attributes with the mark of the block below them, an anchor, or a macro with its title; else None.

    A literal block ends with its own mark. Attributes are longer than the mark, as a heading in brackets is not.
    """
    line, below = lines[at].text, _text_at(lines, at + 1)
    if line[0] not in _MARKS and "::" not in line:
        return None
    if is_macro(line):
        return MarkedLines(at, is_literal=False)
    if _BLOCK_TITLE.fullmatch(line) and is_macro(below):
        return MarkedLines(at + 1, is_literal=False)
    if not _ATTRIBUTES.fullmatch(line):
        return None
    if _DELIMITER.fullmatch(below) and (len(below) < len(line) or _ADMONITION.fullmatch(line)):
        ends = (place for place in range(at + 2, len(lines)) if lines[place].text == below)
        last = next(ends, None) if below[0] in _LITERAL and below != "--" else None
        return MarkedLines(at + 1 if last is None else last, is_literal=last is not None)
    return MarkedLines(at, is_literal=False) if _ANCHOR.fullmatch(line) else None


def is_delimiter(line: str) -> bool:
    """Return whether a line opens or closes a block."""
    return len(line) > len("--") and line[0] in _DELIMITER_SIGNS and _DELIMITER.fullmatch(line) is not None


def is_macro(line: str) -> bool:
    """Return whether a line stands for something else, or makes an item go on."""
    return line == _GOES_ON or ("::" in line and _MACRO.fullmatch(line) is not None)


def table_fields(text: str) -> Iterator[tuple[str, str]]:
    """Return the keys and values of the first table, if it has two columns: a row in a line, or a cell in a line.

    Comments, links and emoji are left out.
    """
    table = _TABLE.search(text)
    written = _COMMENT.sub("", table["rows"]) if table else ""
    has_rows = any(len(_CELL.findall(line)) > 1 for line in written.splitlines())
    rows = _CELL_LINES.split(written) if has_rows else re.split(r"\n\s*\n", written)
    cells = [_CELL.split(row)[1:] for row in rows if row.strip()]
    if all(len(row) == len(_PAIR) if has_rows else len(row) % len(_PAIR) == 0 for row in cells):
        told = [_plain_cell(cell) for row in cells for cell in row]
        yield from zip(told[::2], told[1::2], strict=True)


def _plain_cell(cell: str) -> str:
    return " ".join(_EMOJI.sub("", _LINK.sub(r"\1", cell)).split())


def _text_at(lines: Sequence[Line], at: int) -> str:
    return lines[at].text if at < len(lines) else ""
