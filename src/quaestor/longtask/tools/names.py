"""The tools of long tasks by name, and the place that each is loaded from. A new one is a module here, and a line.

Packages bring others by entry points; a task has these only where they are named to it.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from quaestor.contracts.errors import UsageError
from quaestor.contracts.suggestion import suggest

TOOL_PLACES: Mapping[str, str] = MappingProxyType(
    {
        "shell": "quaestor.longtask.tools.programs:SHELL",
        "python": "quaestor.longtask.tools.programs:PYTHON",
        "search_web": "quaestor.longtask.tools.searches:SEARCH_WEB",
        "search_database": "quaestor.longtask.tools.searches:SEARCH_DATABASE",
        "read_file": "quaestor.longtask.tools.files:READ_FILE",
        "write_file": "quaestor.longtask.tools.files:WRITE_FILE",
    }
)
ENTRY_POINT_GROUP = "quaestor.task_tools"
INSTALLED_TOOLS: Mapping[str, EntryPoint] = MappingProxyType(
    {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP) if point.name not in TOOL_PLACES}
)
"""Found once, because the states of the workflow name what may be called in them; none is loaded before its use."""
BUILT_IN_TOOLS = tuple(TOOL_PLACES)
"""Their names, in the order in which a worker is shown them."""
TOOLS = (*BUILT_IN_TOOLS, *sorted(INSTALLED_TOOLS))


def require_known(names: Iterable[str], option: str = "") -> None:
    """Raise UsageError for names that no tool of tasks has; `option` is what they were given to."""
    if unknown := [name for name in dict.fromkeys(names) if name not in TOOLS]:
        meant = suggest(unknown[0], TOOLS)
        raise UsageError(f"{option}{', '.join(unknown)}: there is no such tool; {meant}tools are {', '.join(TOOLS)}")
