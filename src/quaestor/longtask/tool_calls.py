"""A tool call of a worker: what its tool is given, and how it is told."""

import json
from collections.abc import Mapping
from types import MappingProxyType

from quaestor.contracts.base import Contract
from quaestor.contracts.database import DatabaseInput
from quaestor.contracts.web import SearchWebInput
from quaestor.contracts.workspace import PythonInput, ReadFileInput, ShellInput, WriteFileInput
from quaestor.longtask.contracts import TOOLS, TaskToolCall, ToolName

SEARCH_RESULTS = 5
"""Results of one search."""
SIDE_EFFECT_TOOLS: frozenset[ToolName] = frozenset({"shell", "python", "write_file"})
"""Tools that change something; a person may have to approve them."""
_REQUIRED_ARGUMENTS: Mapping[ToolName, str] = MappingProxyType(
    {
        "shell": "a `command`",
        "python": "a `code`",
        "read_file": "a `path`",
        "write_file": "a `path` and a `content`",
        "search_web": "a `query`",
        "search_database": "a `query`",
    }
)
_MAX_LINE_CHARACTERS = 200


def known_tool(call: TaskToolCall) -> ToolName | None:
    """Return the tool of a call, or None when there is no such tool."""
    return next((name for name in TOOLS if name == call.tool), None)


def build_tool_input(call: TaskToolCall, seconds: float, folder: str = "") -> Contract | str:
    """Return what the tool of a call is given, or what is missing; `seconds` is the time limit unless it names one."""
    limit = call.seconds or seconds
    match known_tool(call), call:
        case "shell", TaskToolCall(command=str(command)) if command:
            return ShellInput(folder=folder, command=command, seconds=limit)
        case "python", TaskToolCall(code=str(code)) if code:
            return PythonInput(folder=folder, code=code, seconds=limit)
        case "read_file", TaskToolCall(path=str(path)) if path:
            return ReadFileInput(folder=folder, path=path, offset=call.offset or 0)
        case "write_file", TaskToolCall(path=str(path), content=str(content)) if path:
            return WriteFileInput(folder=folder, path=path, content=content)
        case "search_web", TaskToolCall(query=str(query)) if query:
            return SearchWebInput(query=query, limit=SEARCH_RESULTS)
        case "search_database", _:
            return DatabaseInput(query=call.query or "", database=call.database or "", limit=SEARCH_RESULTS)
        case None, _:
            return f"there is no tool {call.tool[:_MAX_LINE_CHARACTERS]!r}"
        case tool, _:
            return f"{tool} takes {_REQUIRED_ARGUMENTS[tool]}"


def call_signature(call: TaskToolCall) -> str:
    """Return a call word for word, as JSON; equal calls have equal words."""
    return json.dumps(call.model_dump(mode="json", exclude_none=True), ensure_ascii=False, sort_keys=True)


def describe_call(call: TaskToolCall) -> str:
    """Return a call on one line."""
    said = call.command or call.query or call.path or call.code or ""
    line = f"{call.tool}: {' '.join(said.split())}" if said else call.tool
    return line if len(line) <= _MAX_LINE_CHARACTERS else f"{line[:_MAX_LINE_CHARACTERS]}[...]"
