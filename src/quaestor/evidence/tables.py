"""Tables in texts: of Markdown, CSV, reStructuredText, and arrays of objects in JSON, each row with its place.

A table that is not read to its end without doubt (spanned cells, rows of other lengths) is not returned at all; only a
row of a CSV file may end early, as many programs leave out the empty cells at its end.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from quaestor.contracts.immutable import Immutable, replace
from quaestor.evidence.heading_blocks import plain_heading

_DELIMITERS: Mapping[str, str] = {".csv": ",", ".tsv": "\t", ".parquet": ","}
TABLE_FILES = tuple(_DELIMITERS)
"""The ends of the names of files whose text is rows, the first of which names the columns."""
_JSON_SUFFIXES = (".json",)
_RECORD_SUFFIXES = (".jsonl", ".ndjson")
DATA_SUFFIXES = frozenset({*_DELIMITERS, *_JSON_SUFFIXES, *_RECORD_SUFFIXES})
"""Endings of files that hold rows and no document of their own."""
_RECORD = re.compile(r"^# Record \d+\n\n(?P<fields>(?:[^\n:]+:[^\n]*(?:\n|\Z))+)(?=\n|\Z)", re.MULTILINE)
_MARKDOWN_RULE = re.compile(r"(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_PIPE = re.compile(r"(?<!\\)\|")
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*")
_DIRECTIVE = re.compile(r"(?P<indent>[ \t]*)\.\. csv-table::[ \t]*(?P<title>.*)")
_OPTION = re.compile(r"[ \t]*:(?P<name>[\w-]+):[ \t]*(?P<value>.*)")
_GRID_RULE = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*")
_RULE = re.compile(r"[ \t]*=+(?: +=+)+[ \t]*")
_ADORNMENT = re.compile(r"([=\-~^\"'#*+.:_])\1{2,}[ \t]*")
_ARRAY = re.compile(r'(?:"(?P<key>[^"\\]*)"\s*:\s*)?\[\s*(?=\{)')
_GAP = re.compile(r"[\s,]*")


class Row(Immutable):
    """The cells of a row; its words are the characters from `start` up to `end` of the text."""

    cells: tuple[str, ...]
    start: int
    end: int


class Table(Immutable):
    """A whole table: what is written above it, the names of its columns, and its rows, each with a cell a column."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    beside: str = ""
    """Of an array in JSON, the plain values beside it."""


class _Line(Immutable):
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def find_tables(text: str, suffix: str) -> tuple[Table, ...]:
    """Return the tables of a text in order; `suffix` is that of its file, with its dot."""
    kind = suffix.casefold()
    if kind in _DELIMITERS:
        rows = [row for row in _csv_rows(text, 0, _delimiter(text, kind)) if any(row.cells)]
        titles, named = _without_titles(rows)
        return tuple(_table(titles[0] if titles else "", _without_counter(_padded(named))))
    if kind in _RECORD_SUFFIXES:
        return tuple(_records(text))
    if kind in _JSON_SUFFIXES:
        return tuple(_json_tables(text))
    if "|" not in text and "==" not in text and "csv-table::" not in text:
        return ()
    return tuple(_drawn_tables(_lines(text)))


def _delimiter(text: str, kind: str) -> str:
    """Return what parts the cells of a file: of CSV a semicolon where its first line has more of these than commas.

    So spreadsheets write it in countries where a comma is in the numbers. A line with neither is a title above.
    """
    usual = _DELIMITERS[kind]
    first = next((line for line in text.split("\n") if ";" in line or "," in line), "")
    return ";" if usual == "," and first.count(";") > first.count(",") else usual


def _without_titles(rows: Sequence[Row]) -> tuple[Sequence[str], Sequence[Row]]:
    """Return the titles above the names of columns, as spreadsheets have them, each alone in its row; and the rest."""
    titles = [row.cells[0] for row in takewhile(lambda row: not any(row.cells[1:]), rows)]
    rest = rows[len(titles) :]
    return (titles, rest) if rest else ((), rows)


def _table(caption: str, rows: Sequence[Row]) -> Iterator[Table]:
    """Return the table whose first row names its columns, if all its rows are as long."""
    if len(rows) > 1 and all(rows[0].cells) and all(len(row.cells) == len(rows[0].cells) for row in rows):
        yield Table(caption, rows[0].cells, tuple(rows[1:]))


def _padded(rows: Sequence[Row]) -> list[Row]:
    """Return the rows, those of two cells or more filled up with empty ones to the length of the first."""
    length = len(rows[0].cells) if rows else 0
    return [
        replace(row, cells=(*row.cells, *[""] * (length - len(row.cells)))) if 1 < len(row.cells) < length else row
        for row in rows
    ]


def _without_counter(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows without a first column that has no name and counts them, as programs for statistics write it."""
    first = [row.cells[0] for row in rows]
    counts = (list(map(str, range(start, start + len(first) - 1))) for start in (0, 1))
    is_counted = len(first) > 1 and not first[0] and first[1:] in counts
    return [replace(row, cells=row.cells[1:]) for row in rows] if is_counted else rows


def _csv_rows(text: str, start: int, delimiter: str) -> list[Row]:
    """Return the rows of CSV that begins at this place; none where a part of it is no CSV, as a quote that is open."""
    try:
        return list(_read_csv(text, start, delimiter))
    except csv.Error:
        return []


def _read_csv(text: str, start: int, delimiter: str) -> Iterator[Row]:
    place = begin = start

    def lines() -> Iterator[str]:
        nonlocal place
        for line in text.splitlines(keepends=True):
            place += len(line)
            yield line

    for cells in csv.reader(lines(), delimiter=delimiter, skipinitialspace=True, strict=True):
        words = text[begin - start : place - start]
        lead = len(words) - len(words.lstrip())
        yield Row(tuple(cell.strip() for cell in cells), begin + lead, begin + max(len(words.rstrip()), lead))
        begin = place


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for raw in text.split("\n"):
        lines.append(_Line(start, raw.rstrip("\r")))
        start += len(raw) + 1
    return lines


def _drawn_tables(lines: Sequence[_Line]) -> Iterator[Table]:
    heading = ""
    at = 0
    while at < len(lines):
        text = lines[at].text
        if match := _HEADING.fullmatch(text):
            heading = plain_heading(match[1])
        elif at and lines[at - 1].text.strip() and _ADORNMENT.fullmatch(text):
            heading = plain_heading(lines[at - 1].text)
        if at and "|" in text and "|" in lines[at - 1].text and _MARKDOWN_RULE.fullmatch(text.strip()):
            found, at = _markdown_rows(lines, at)
        elif directive := _DIRECTIVE.fullmatch(text):
            heading = directive["title"].strip() or heading
            found, at = _directive_rows(lines, at, len(directive["indent"].expandtabs()))
        elif _GRID_RULE.fullmatch(text):
            found, at = _grid_rows(lines, at)
        elif _RULE.fullmatch(text):
            found, at = _ruled_rows(lines, at)
        else:
            at += 1
            continue
        yield from _table(heading, found)


def _markdown_rows(lines: Sequence[_Line], rule: int) -> tuple[list[Row], int]:
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


def _directive_rows(lines: Sequence[_Line], at: int, indent: int) -> tuple[list[Row], int]:
    """Return the rows of a csv-table directive, and the number of the line after it; none where it names no columns."""
    end = at + 1
    while end < len(lines) and (not lines[end].text.strip() or _indent(lines[end]) > indent):
        end += 1
    options: dict[str, str] = {}
    body = at + 1
    while body < end and (option := _OPTION.fullmatch(lines[body].text)):
        options[option["name"]] = option["value"].strip()
        body += 1
    if body >= end or "file" in options or "url" in options or options.get("delim", ",") != ",":
        return [], end
    start = lines[body].start
    text = "\n".join(line.text for line in lines[body:end])
    rows = [row for row in _csv_rows(text, start, ",") if any(row.cells)]
    named = [row for row in _csv_rows(options.get("header", ""), 0, ",") if row.cells]
    heads = "0" if named else "1"
    return [*named, *rows] if options.get("header-rows", "0") == heads else [], end


def _grid_rows(lines: Sequence[_Line], at: int) -> tuple[list[Row], int]:
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


def _ruled_rows(lines: Sequence[_Line], at: int) -> tuple[list[Row], int]:
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


def _indent(line: _Line) -> int:
    return len(line.text.expandtabs()) - len(line.text.expandtabs().lstrip())


def _json_tables(text: str) -> Iterator[Table]:
    opened = [(match["key"] or "", match.end()) for match in _ARRAY.finditer(text)]
    top = len(text) - len(text.lstrip())
    alone = _objects(text, top, "")
    beside = " ".join(filter(None, map(_scalar, alone[0][0].values()))) if alone else ""
    for key, start in opened or [("", top)]:
        objects = _objects(text, start, "]") if opened else alone
        columns = tuple(dict.fromkeys(name for one, _, _ in objects for name in one))
        rows = tuple(Row(tuple(_scalar(one.get(name)) for name in columns), a, b) for one, a, b in objects)
        if columns and len(rows) > bool(not opened):
            yield Table(key, columns, rows, beside if opened else "")


def _objects(text: str, start: int, close: str) -> list[tuple[Mapping[str, object], int, int]]:
    """Return the objects that follow each other from this place on up to `close`; none where anything else follows."""
    decoder = json.JSONDecoder()
    objects: list[tuple[Mapping[str, object], int, int]] = []
    while text[start : start + 1] == "{":
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return []
        objects.append((found, start, end))
        gap = _GAP.match(text, end)
        start = gap.end() if gap else end
    return objects if text[start : start + 1] == close else []


def _records(text: str) -> Iterator[Table]:
    """Return the table of the records of JSON Lines, as their reader writes them: a heading, and a line a field.

    A field that some record has as a paragraph is no column; where others have it on a line, there is no table.
    """
    read = [(match.start("fields"), match["fields"].rstrip("\n")) for match in _RECORD.finditer(text)]
    pairs = [[line.partition(":")[::2] for line in fields.split("\n")] for _, fields in read]
    columns = tuple(dict.fromkeys(key for record in pairs for key, _ in record))
    if any(f"\n{key}:\n\n" in text for key in columns):
        return
    if columns and len(read) == text.count("# Record "):
        values = [{key: value.strip() for key, value in record} for record in pairs]
        rows = (
            Row(tuple(value.get(name, "") for name in columns), start, start + len(fields))
            for (start, fields), value in zip(read, values, strict=True)
        )
        yield Table("", columns, tuple(rows))


def _scalar(value: object) -> str:
    if value is None or isinstance(value, dict | list):
        return ""
    return value if isinstance(value, str) else json.dumps(value)
