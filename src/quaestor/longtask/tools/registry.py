"""The tools of long tasks by name. A new one is a module beside this one, and a line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator

from quaestor.contracts.lazy import LazyImport

if TYPE_CHECKING:  # a task's tools import its contracts, and these import the names below
    from quaestor.longtask.tools.task_tool import TaskTool

    AnyTaskTool = TaskTool[Any, Any]

_TASK_TOOLS: Mapping[str, "LazyImport[AnyTaskTool]"] = MappingProxyType(
    {
        "shell": LazyImport("quaestor.longtask.tools.programs:SHELL"),
        "python": LazyImport("quaestor.longtask.tools.programs:PYTHON"),
        "search_web": LazyImport("quaestor.longtask.tools.searches:SEARCH_WEB"),
        "search_database": LazyImport("quaestor.longtask.tools.searches:SEARCH_DATABASE"),
        "read_file": LazyImport("quaestor.longtask.tools.files:READ_FILE"),
        "write_file": LazyImport("quaestor.longtask.tools.files:WRITE_FILE"),
    }
)
TOOLS = tuple(_TASK_TOOLS)
"""Their names, in the order in which a worker is shown them."""


def _require_known(name: str) -> str:
    if name not in _TASK_TOOLS:
        msg = f"there is no such tool; tools are {', '.join(TOOLS)}"
        raise ValueError(msg)
    return name


ToolName = Annotated[str, AfterValidator(_require_known)]


def find_tool(name: str) -> "AnyTaskTool | None":
    """Return what long tasks know of a tool, or None when they have no such tool."""
    known = _TASK_TOOLS.get(name)
    return known.load() if known else None


def task_tools() -> "tuple[AnyTaskTool, ...]":
    """Return all of them, in their order."""
    return tuple(known.load() for known in _TASK_TOOLS.values())


def has_side_effects(name: str) -> bool:
    """Return whether a tool may change something, so that a person may have to approve its calls."""
    tool = find_tool(name)
    return tool is not None and tool.has_side_effects
