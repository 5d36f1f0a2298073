"""The tools of long tasks by name, and the place that each is loaded from. A new one is a module here, and a line."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import AfterValidator

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
TOOLS = tuple(TOOL_PLACES)
"""Their names, in the order in which a worker is shown them."""


def _require_known(name: str) -> str:
    if name not in TOOL_PLACES:
        msg = f"there is no such tool; tools are {', '.join(TOOLS)}"
        raise ValueError(msg)
    return name


ToolName = Annotated[str, AfterValidator(_require_known)]
