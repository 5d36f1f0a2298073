"""What long tasks publish: other workflows can run the rounds of a task as a part of their own sessions."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from pydantic import JsonValue

from quaestor.contracts.context import RunContext
from quaestor.contracts.errors import UsageError
from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import OfflineRules
from quaestor.contracts.roles import PromptInput
from quaestor.contracts.tools import AnyTool
from quaestor.longtask.contracts import RoundInput, TaskOptions, TaskPlanInput
from quaestor.longtask.tools.registry import TOOLS

AGENTS = Path(__file__).parent / "prompts"
"""The folder of the agents that play the roles of a task."""
ROLE_INPUTS: tuple[type[PromptInput], ...] = (TaskPlanInput, RoundInput)

task_rules: Callable[[], OfflineRules] = deferred("quaestor.longtask.offline_rules:offline_rules")
task_tools: Callable[[RunContext, TaskOptions], Awaitable[Sequence[AnyTool]]] = deferred(
    "quaestor.longtask.session:task_tools"
)


def parse_tool_names(option: str, words: Sequence[str] | None) -> list[JsonValue] | None:
    """Return the tools that an option of the command line names, each once; None when it was not given.

    Raises UsageError for a name that no tool of tasks has.
    """
    if words is None:
        return None
    names = list(dict.fromkeys(name for word in words for part in word.split(",") if (name := part.strip())))
    if unknown := [name for name in names if name not in TOOLS]:
        raise UsageError(f"{option} {', '.join(unknown)}: there is no such tool; tools are {', '.join(TOOLS)}")
    return [*names]
