"""Tables that are drawn in a text: with bars in Markdown, with signs or by a directive in reStructuredText."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.block_lines import indented_end, split_lines
from quaestor.evidence.directive_tables import TABLE_DIRECTIVES, read_table_directive
from quaestor.evidence.heading_blocks import plain_heading
from quaestor.evidence.table_rows import Row, Table, whole_table

_MARKDOWN_RULE = re.compile(r"(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_PIPE = re.compile(r"(?<!\\)\|")
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*")
_TITLE = re.compile(r"\.\. table::[ \t]*(?P<title>.*)")
_GRID_RULE = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*")
_RULE = re.compile(r"[ \t]*=+(?: +=+)+[ \t]*")
_ADORNMENT = re.compile(r"([=\-~^\"'#*+.:_])\1{2,}[ \t]*")


class _Line(Immutable):
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for raw in text.split("\n"):
        lines.append(_Line(start, raw.rstrip("\r")))
        start += len(raw) + 1
    return lines


def drawn_tables(text: str) -> Iterator[Table]:
    """Yield the tables that are drawn in a text, each below the heading or the title that stands above it."""
    lines = _lines(text)
    words = split_lines(text) if TABLE_DIRECTIVES.search(text) else []
    heading, title, titled_end = "", "", 0
    at = 0
    while at < len(lines):
        line = lines[at].text
        if match := _HEADING.fullmatch(line):
            heading = plain_heading(match[1])
        elif at and lines[at - 1].text.strip() and _ADORNMENT.fullmatch(line):
            heading = plain_heading(lines[at - 1].text)
        if at and "|" in line and "|" in lines[at - 1].text and _MARKDOWN_RULE.fullmatch(line.strip()):
            found, at = _markdown_rows(lines, at)
        elif words and (table := read_table_directive(words, at)):
            title, titled_end = table.title, table.end + 1
            found, at = table.rows, table.end
        elif words and (above := _TITLE.fullmatch(words[at].text)):
            title, titled_end = above["title"], indented_end(words, at + 1, words[at].indent) + 2
            at += 1
            continue
        elif _GRID_RULE.fullmatch(line):
            found, at = _grid_rows(lines, at)
        elif _RULE.fullmatch(line):
            found, at = _ruled_rows(lines, at)
        else:
            at += 1
            continue
        yield from whole_table((title if at < titled_end else "") or heading, found)


def _markdown_rows(lines: Sequence[_Line], rule: int) -> tuple[Sequence[Row], int]:
    """Return the rows of a Markdown table, whose rule is at this line, and the number of the line after it."""
    end = rule + 1
    while end < len(lines) and "|" in lines[end].text:
        end += 1
    return [_piped(line) for line in (lines[rule - 1], *lines[rule + 1 : end])], end


def _piped(line: _Line) -> Row:
    words = line.text.strip()
    cells = _PIPE.split(words.removeprefix("|").removesuffix("|") if words != "|" else "")
    start = line.start + line.text.index(words)
    return Row(tuple(cell.strip().replace("\\|", "|") for cell in cells), start, start + len(words))


def _grid_rows(lines: Sequence[_Line], at: int) -> tuple[Sequence[Row], int]:
    """Return the rows of a table that is drawn with plus signs, the first of which names the columns.

    None where a cell spans several columns or rows, or where no rule of equals signs says that columns are named.
    """
    end = at
    while end < len(lines) and lines[end].text.strip()[:1] in {"+", "|"} and lines[end].text.strip():
        end += 1
    borders = [place for place, sign in enumerate(lines[at].text) if sign == "+"]
    rules = [place for place in range(at, end) if lines[place].text.lstrip().startswith("+")]
    plain = all(
        len(lines[place].text) > borders[-1] and all(lines[place].text[border] in "+|" for border in borders)
        for place in range(at, end)
    )
    drawn = [lines[place].text.strip() for place in rules]
    if not plain or not all(map(_GRID_RULE.fullmatch, drawn)) or rules[-1] != end - 1 or "=" not in "".join(drawn[1:2]):
        return [], end
    cuts = [(left + 1, right) for left, right in pairwise(borders)]
    return [_stacked(lines[top + 1 : bottom], cuts) for top, bottom in pairwise(rules) if bottom > top + 1], end


def _ruled_rows(lines: Sequence[_Line], at: int) -> tuple[Sequence[Row], int]:
    """Return the rows of a table between rules of equals signs; a line without a first cell continues a row."""
    rules = [at]
    for place in range(at + 1, len(lines)):
        if _RULE.fullmatch(lines[place].text):
            rules.append(place)
            if len(rules) == 3 or not (lines[place + 1].text.strip() if place + 1 < len(lines) else ""):  # noqa: PLR2004 -- above the names, below them, at the end
                break
    if len(rules) < 3:  # noqa: PLR2004 -- without a rule below the names of the columns there are none
        return [], rules[-1] + 1
    top, below, bottom = rules
    cuts = [(match.start(), match.end()) for match in re.finditer("=+", lines[at].text)]
    cuts[-1] = (cuts[-1][0], max(len(line.text) for line in lines[top:bottom]))
    rows: list[list[_Line]] = []
    for line in lines[below + 1 : bottom]:
        if any(line.text[left - 1 : left].strip() for left, _ in cuts[1:]):
            return [], bottom + 1
        if line.text[: cuts[0][1]].strip() or not rows:
            rows.append([line])
        elif line.text.strip():
            rows[-1].append(line)
    return [_stacked(lines[top + 1 : below], cuts), *(_stacked(row, cuts) for row in rows)], bottom + 1


def _stacked(lines: Sequence[_Line], cuts: Sequence[tuple[int, int]]) -> Row:
    """Return the row that these lines hold, cut at these columns."""
    cells = tuple(" ".join(part for line in lines if (part := line.text[a:b].strip())) for a, b in cuts)
    first = lines[0].start + len(lines[0].text) - len(lines[0].text.lstrip())
    return Row(cells, first, lines[-1].start + len(lines[-1].text.rstrip()))
