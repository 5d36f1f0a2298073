"""A tool call of a worker: the input of its tool, its signature, and its description on one line."""

import json

from quaestor.contracts.base import Contract
from quaestor.longtask.contracts import TaskToolCall
from quaestor.longtask.tools.registry import find_tool

_MAX_LINE_CHARACTERS = 200


def build_tool_input(call: TaskToolCall, seconds: float, folder: str = "") -> Contract | str:
    """Return the input of the tool of a call, or what is missing; `seconds` is the time limit unless it names one."""
    tool = find_tool(call.tool)
    if tool is None:
        return f"there is no tool {call.tool[:_MAX_LINE_CHARACTERS]!r}"
    given: Contract | None = tool.build_input(call, folder, call.seconds or seconds)
    return given or f"{tool.name} takes {tool.required_arguments}"


def call_signature(call: TaskToolCall) -> str:
    """Return a call as JSON; equal calls have an equal one."""
    return json.dumps(call.model_dump(mode="json", exclude_none=True), ensure_ascii=False, sort_keys=True)


def describe_call(call: TaskToolCall) -> str:
    """Return a call on one line."""
    said = call.command or call.query or call.path or call.code or ""
    line = f"{call.tool}: {' '.join(said.split())}" if said else call.tool
    return line if len(line) <= _MAX_LINE_CHARACTERS else f"{line[:_MAX_LINE_CHARACTERS]}[...]"
