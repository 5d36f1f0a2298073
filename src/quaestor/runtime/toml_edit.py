"""One setting written into a TOML file, whose other lines and comments stay as they are."""

import json
import re
from collections.abc import Sequence

from pydantic import JsonValue

from quaestor.contracts.errors import UsageError
from quaestor.files import parse_toml

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def set_in_toml(text: str, path: Sequence[str], value: JsonValue) -> str:
    """Return a TOML text with the value at a path, as `("providers", "lab", "output")`.

    Raises UsageError where that cannot be done without a change of anything else, as for a value of several lines.
    """
    *table, name = path
    start, end = _find_table(text, table)
    if start is None:
        header = ".".join(map(_key, table))
        changed = f"{text.rstrip()}\n\n[{header}]\n{_key(name)} = {_literal(value)}\n".lstrip()
    else:
        changed = text[:start] + _set_line(text[start:end], name, value) + text[end:]
    if _parsed(changed) != _with_value(_parsed(text), path, value):
        raise UsageError(f"{'.'.join(path)} cannot be changed without a change of other settings; edit the file itself")
    return changed


def _find_table(text: str, table: Sequence[str]) -> tuple[int | None, int]:
    """Return where the lines of a table begin and end; None as its beginning where it is not in the text."""
    start = 0
    if table:
        header = r"[ \t]*\.[ \t]*".join(rf"[\"']?{re.escape(part)}[\"']?" for part in table)
        found = re.search(rf"^[ \t]*\[[ \t]*{header}[ \t]*\][^\n]*(?:\n|\Z)", text, re.MULTILINE)
        if found is None:
            return None, len(text)
        start = found.end()
    following = _HEADER.search(text, start)
    return start, following.start() if following else len(text)


def _set_line(lines: str, name: str, value: JsonValue) -> str:
    line = f"{_key(name)} = {_literal(value)}"
    present = re.compile(rf"^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*=[^\n]*", re.MULTILINE)
    if present.search(lines):
        return present.sub(lambda _: line, lines, count=1)
    body = lines.rstrip("\n")
    gap = lines[len(body) :] if body else lines
    return f"{body}\n{line}\n{gap[1:]}" if body else f"{line}\n{lines}"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _literal(value: JsonValue) -> str:
    match value:
        case dict():
            return f"{{{', '.join(f'{_key(name)} = {_literal(inner)}' for name, inner in value.items())}}}"
        case list():
            return f"[{', '.join(map(_literal, value))}]"
        case None:
            raise UsageError("TOML has no value for null; leave the setting out of the file")
        case _:
            return json.dumps(value, ensure_ascii=False)


def _with_value(values: dict[str, JsonValue], path: Sequence[str], value: JsonValue) -> dict[str, JsonValue]:
    name, *rest = path
    if not rest:
        return {**values, name: value}
    inner = values.get(name, {})
    return {**values, name: _with_value(inner if isinstance(inner, dict) else {}, rest, value)}


def _parsed(text: str) -> dict[str, JsonValue]:
    try:
        return parse_toml(text.encode())
    except ValueError as error:
        raise UsageError(f"the file would not be valid TOML any more: {error}; edit it yourself") from error
