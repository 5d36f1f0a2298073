"""Tables in JSON: arrays of objects, and the records of JSON Lines as their reader writes them."""

import json
import re
from collections.abc import Iterator, Mapping

from quaestor.evidence.table_rows import Row, Table

_RECORD = re.compile(r"^# Record \d+\n\n(?P<fields>(?:[^\n:]+:[^\n]*(?:\n|\Z))+)(?=\n|\Z)", re.MULTILINE)
_ARRAY = re.compile(r'(?:"(?P<key>[^"\\]*)"\s*:\s*)?\[\s*(?=\{)')
_GAP = re.compile(r"[\s,]*")


def json_tables(text: str) -> Iterator[Table]:
    """Yield the arrays of objects in a text of JSON, each with the plain values beside it."""
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


def record_tables(text: str) -> Iterator[Table]:
    """Yield the table of the records of JSON Lines, as their reader writes them: a heading, and a line a field.

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
