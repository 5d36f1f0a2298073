"""The source file of an agent, its YAML with line numbers, and the faults found in it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

from quaestor.contracts.errors import UsageError
from quaestor.files import MAX_TEXT_BYTES, read_regular_file, require_shallow_yaml


class Fault(NamedTuple):
    """A fault and its position; `field` is a field of the front matter or a tag of the template."""

    line: int
    field: str
    message: str


class SourceFile(NamedTuple):
    """A text file: its bytes as they are hashed, its text with lines ended by line feeds."""

    path: Path
    content: bytes
    text: str


def read_source(path: Path) -> SourceFile:
    """Read a file. Raises UsageError when it cannot be read, is no UTF-8, or holds a NUL."""
    try:
        content = read_regular_file(path, MAX_TEXT_BYTES)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; make it a readable file or remove it") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte {content[error.start]:#04x} is no UTF-8; save the file as UTF-8"
        raise UsageError(format_fault(path, Fault(line, "encoding", message))) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UsageError(format_fault(path, Fault(line, "text", "a NUL character cannot stand in an agent; remove it")))
    return SourceFile(path, content, text.replace("\r\n", "\n"))


def format_fault(path: Path, fault: Fault) -> str:
    """Return a fault as one line that names the file, the line and the field."""
    return f"{path}, line {fault.line}, {fault.field}: {fault.message}"


def raise_faults(path: Path, faults: Iterable[Fault]) -> None:
    """Raise UsageError with one line for each fault, if there is any."""
    lines = [format_fault(path, fault) for fault in faults]
    if lines:
        raise UsageError("\n".join(lines))


YamlValue = str | list["YamlValue"] | dict[str, "YamlValue"]

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Resolves no types, so `no` stays a word; written in C where available."""

_PLAIN_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")}


class LocatedYaml(NamedTuple):
    """A value from YAML, with the nodes that know its lines."""

    value: YamlValue
    root: yaml.Node | None

    def line(self, path: Sequence[str | int]) -> int:
        """Return the line of a field, or of the innermost existing field around it."""
        line, node = 1, self.root
        for step in path:
            entry = _entry(node, step)
            if entry is None:
                break
            key, node = entry
            line = _line(key)
        return line


def read_yaml(path: Path, text: str) -> LocatedYaml:
    """Parse YAML that begins at the first line of a file. Raises UsageError that names the file and the line."""
    try:
        root = _compose(text)
    except ValueError as error:
        raise UsageError(format_fault(path, Fault(1, "front matter", f"{error}; write it flatter"))) from error
    except yaml.YAMLError as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        problem = error.problem if isinstance(error, yaml.MarkedYAMLError) else str(error).splitlines()[0]
        line = min(mark.line, text.count("\n")) + 1 if mark else 1
        fault = Fault(line, "front matter", f"this is no YAML: {problem}")
        raise UsageError(format_fault(path, fault)) from error
    faults: list[Fault] = []
    value = (_to_value(root, faults, set()) if root else None) or {}
    raise_faults(path, faults)
    return LocatedYaml(value, root)


@lru_cache(maxsize=128)
def _compose(text: str) -> yaml.Node | None:
    """Compose the nodes of YAML, which nothing changes. Raises ValueError when too deep, YAMLError when malformed."""
    require_shallow_yaml(text)
    return yaml.compose(text, Loader=_LOADER)


def _to_value(node: yaml.Node, faults: list[Fault], seen: set[int]) -> YamlValue:
    if id(node) in seen:
        faults.append(Fault(_line(node), "front matter", "an alias cannot be used here; write the value again"))
        return ""
    seen.add(id(node))
    if node.tag not in _PLAIN_TAGS:
        faults.append(Fault(_line(node), "front matter", f"the tag {node.tag} cannot be used here; leave it out"))
    match node:
        case yaml.MappingNode():
            found: dict[str, YamlValue] = {}
            for key, value in node.value:
                name = str(key.value)
                if name in found:
                    faults.append(Fault(_line(key), name, "is a duplicate"))
                found[name] = _to_value(value, faults, seen)
            return found
        case yaml.SequenceNode():
            return [_to_value(item, faults, seen) for item in node.value]
        case _:
            return str(node.value)


def _entry(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    match node:
        case yaml.MappingNode():
            return next(((key, value) for key, value in node.value if key.value == step), None)
        case yaml.SequenceNode() if isinstance(step, int):
            return node.value[step], node.value[step]
        case _:
            return None


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
