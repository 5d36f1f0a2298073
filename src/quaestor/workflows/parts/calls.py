"""A tool call of a worker: what its tool is given, and how it is told."""

import json
from collections.abc import Mapping
from types import MappingProxyType

from quaestor.contracts.database import DatabaseGiven
from quaestor.contracts.noun import Noun
from quaestor.contracts.task import TOOLS, Call, ToolName
from quaestor.contracts.web import WebSearchGiven
from quaestor.contracts.workspace import PythonGiven, ReadFileGiven, ShellGiven, WriteFileGiven

RESULTS = 5
"""Results of one search."""
WITH_EFFECTS: frozenset[ToolName] = frozenset({"shell", "python", "write_file"})
"""Tools that change something; a person may have to approve them."""
_TAKES: Mapping[ToolName, str] = MappingProxyType(
    {
        "shell": "a `command`",
        "python": "a `code`",
        "read_file": "a `path`",
        "write_file": "a `path` and a `content`",
        "search_web": "a `query`",
        "search_database": "a `query`",
    }
)
_LONGEST_LINE = 200


def named(call: Call) -> ToolName | None:
    """Give the tool of a call, or None when there is no such tool."""
    return next((name for name in TOOLS if name == call.tool), None)


def given(call: Call, seconds: float, folder: str = "") -> Noun | str:
    """Give what the tool of a call is given, or what is missing; `seconds` is the time limit unless it names one."""
    limit = call.seconds or seconds
    match named(call), call:
        case "shell", Call(command=str(command)) if command:
            return ShellGiven(folder=folder, command=command, seconds=limit)
        case "python", Call(code=str(code)) if code:
            return PythonGiven(folder=folder, code=code, seconds=limit)
        case "read_file", Call(path=str(path)) if path:
            return ReadFileGiven(folder=folder, path=path, offset=call.offset or 0)
        case "write_file", Call(path=str(path), content=str(content)) if path:
            return WriteFileGiven(folder=folder, path=path, content=content)
        case "search_web", Call(query=str(query)) if query:
            return WebSearchGiven(query=query, limit=RESULTS)
        case "search_database", _:
            return DatabaseGiven(query=call.query or "", database=call.database or "", limit=RESULTS)
        case None, _:
            return f"there is no tool {call.tool[:_LONGEST_LINE]!r}"
        case tool, _:
            return f"{tool} takes {_TAKES[tool]}"


def exactly(call: Call) -> str:
    """Give a call word for word, as JSON; equal calls have equal words."""
    return json.dumps(call.model_dump(mode="json", exclude_none=True), ensure_ascii=False, sort_keys=True)


def told(call: Call) -> str:
    """Tell a call on one line."""
    said = call.command or call.query or call.path or call.code or ""
    line = f"{call.tool}: {' '.join(said.split())}" if said else call.tool
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}[...]"
