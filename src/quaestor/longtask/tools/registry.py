"""The tools of long tasks, loaded when one is asked for."""

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from types import MappingProxyType
from typing import Any

from typing_extensions import override

from quaestor.contracts.codec import ToolTypes
from quaestor.contracts.errors import SetupError
from quaestor.contracts.installed import load_installed
from quaestor.contracts.lazy import LazyImport
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.tools.names import BUILT_IN_TOOLS, INSTALLED_TOOLS, TOOL_PLACES, TOOLS
from quaestor.longtask.tools.task_tool import TaskTool

AnyTaskTool = TaskTool[Any, Any]
_TASK_TOOLS: Mapping[str, LazyImport[AnyTaskTool]] = MappingProxyType(
    {name: LazyImport(place) for name, place in TOOL_PLACES.items()}
)


def find_tool(name: str) -> AnyTaskTool | None:
    """Return what long tasks know of a tool, or None when they have no such tool.

    Raises SetupError for one of another package that cannot be loaded.
    """
    if known := _TASK_TOOLS.get(name):
        return known.load()
    return _load_installed_tool(INSTALLED_TOOLS[name]) if name in INSTALLED_TOOLS else None


def built_in_tools() -> tuple[AnyTaskTool, ...]:
    """Return all built-in tools, in their order."""
    return tuple(known.load() for known in _TASK_TOOLS.values())


def allowed_tools(options: TaskOptions) -> tuple[AnyTaskTool, ...]:
    """Return the tools that a task with these options may call. Raises as `find_tool`."""
    return tuple(tool for name in TOOLS if name in options.tools and (tool := find_tool(name)))


def available_tools(options: TaskOptions) -> tuple[str, ...]:
    """Return the names of the allowed tools; what searches is there only where there is something to search."""
    return tuple(tool.name for tool in allowed_tools(options) if tool.is_available(options))


def describe_tools(options: TaskOptions) -> tuple[str, ...]:
    """Return what the worker is shown of the available tools; what takes what is in its prompt for built-in ones."""
    return tuple(
        tool.name if tool.name in BUILT_IN_TOOLS else f"{tool.name}: takes {tool.required_arguments}"
        for tool in allowed_tools(options)
        if tool.is_available(options)
    )


def has_side_effects(name: str) -> bool:
    """Return whether a tool may change something, so that a person may have to approve its calls."""
    tool = find_tool(name)
    return tool is not None and tool.has_side_effects


def _load_installed_tool(point: EntryPoint) -> AnyTaskTool:
    tool = load_installed(point, "task tool")
    if not isinstance(tool, TaskTool) or tool.name != point.name:
        raise SetupError(f"{point.value} of the entry point {point.name!r} is no TaskTool of that name")
    return tool


class InstalledToolTypes(Mapping[str, ToolTypes]):
    """The contracts of the tools of other packages; none of one that cannot be loaded, so that logs stay readable."""

    @override
    def __getitem__(self, name: str) -> ToolTypes:
        try:
            tool = _load_installed_tool(INSTALLED_TOOLS[name])
        except SetupError as error:
            raise KeyError(name) from error
        return ToolTypes(tool.input_type, tool.output_type)

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(INSTALLED_TOOLS)

    @override
    def __len__(self) -> int:
        return len(INSTALLED_TOOLS)
