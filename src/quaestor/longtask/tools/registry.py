"""The tools of long tasks, loaded when one is asked for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from quaestor.contracts.lazy import LazyImport
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.tools.names import TOOL_PLACES, ToolName
from quaestor.longtask.tools.task_tool import TaskTool

AnyTaskTool = TaskTool[Any, Any]
_TASK_TOOLS: Mapping[str, LazyImport[AnyTaskTool]] = MappingProxyType(
    {name: LazyImport(place) for name, place in TOOL_PLACES.items()}
)


def find_tool(name: str) -> AnyTaskTool | None:
    """Return what long tasks know of a tool, or None when they have no such tool."""
    known = _TASK_TOOLS.get(name)
    return known.load() if known else None


def task_tools() -> tuple[AnyTaskTool, ...]:
    """Return all of them, in their order."""
    return tuple(known.load() for known in _TASK_TOOLS.values())


def available_tools(options: TaskOptions) -> tuple[ToolName, ...]:
    """Return the tools that a task may call; what searches is there only where there is something to search."""
    return tuple(tool.name for tool in task_tools() if tool.name in options.tools and tool.is_available(options))


def has_side_effects(name: str) -> bool:
    """Return whether a tool may change something, so that a person may have to approve its calls."""
    tool = find_tool(name)
    return tool is not None and tool.has_side_effects
