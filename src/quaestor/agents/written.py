"""YAML as texts, lists and mappings alone: nothing in it makes an object, and everything in it knows its line."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

from quaestor.agents.page import Fault, refuse, told
from quaestor.contracts.errors import UsageError

Plain = str | list["Plain"] | dict[str, "Plain"]

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Resolves no type, so `no` stays a word; the one in C where there is one."""

_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")}


class Written(NamedTuple):
    """What stands in YAML, and where."""

    value: Plain
    root: yaml.Node | None

    def line(self, place: Sequence[str | int]) -> int:
        """Give the line of a field, or of the innermost field around it that is there."""
        line, node = 1, self.root
        for step in place:
            entry = _entry(node, step)
            if entry is None:
                break
            key, node = entry
            line = _line(key)
        return line


def read_yaml(path: Path, text: str) -> Written:
    """Read YAML that begins at the first line of a file. Raises UsageError that names the file and the line."""
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        said = error.problem if isinstance(error, yaml.MarkedYAMLError) else str(error).splitlines()[0]
        line = min(mark.line, text.count("\n")) + 1 if mark else 1
        fault = Fault(line, "front matter", f"this is no YAML: {said}")
        raise UsageError(told(path, fault)) from error
    faults: list[Fault] = []
    value = (_plain(root, faults, set()) if root else None) or {}
    refuse(path, faults)
    return Written(value, root)


def _plain(node: yaml.Node, faults: list[Fault], seen: set[int]) -> Plain:
    if id(node) in seen:
        faults.append(Fault(_line(node), "front matter", "an alias cannot be used here; write the value again"))
        return ""
    seen.add(id(node))
    if node.tag not in _TAGS:
        faults.append(Fault(_line(node), "front matter", f"the tag {node.tag} cannot be used here; leave it out"))
    match node:
        case yaml.MappingNode():
            found: dict[str, Plain] = {}
            for key, value in node.value:
                name = str(key.value)
                if name in found:
                    faults.append(Fault(_line(key), name, "stands here a second time"))
                found[name] = _plain(value, faults, seen)
            return found
        case yaml.SequenceNode():
            return [_plain(item, faults, seen) for item in node.value]
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
