"""The agents of a session: those of its workflow, and those in the user's own folders."""

from collections.abc import Sequence
from pathlib import Path

from quaestor.agents import registry
from quaestor.agents.registry import AgentRegistry
from quaestor.runtime.registry import AnyPlugin, RoleInputs, built_in_plugins, is_built_in


def load_roster(plugin: AnyPlugin, directories: Sequence[Path] = ()) -> AgentRegistry:
    """Read the agents of a workflow, then those of each directory, which replace others of their name.

    Raises UsageError with one line per fault, of all files.
    """
    built_in = plugin.agents if is_built_in(plugin) else ()
    brought = () if is_built_in(plugin) else plugin.agents
    return registry.load_agents(built_in, (*brought, *directories), RoleInputs(plugin))


def load_all_agents(directories: Sequence[Path] = ()) -> AgentRegistry:
    """Read the agents of all built-in workflows, then those of each directory. Raises as `load_roster` does."""
    return registry.load_agents(_built_in_folders(), directories, RoleInputs())


def check_all_agents(directories: Sequence[Path] = ()) -> AgentRegistry:
    """Read all agents as `load_all_agents` does, and compile every template. Raises as `load_roster` does."""
    return registry.check_agents(_built_in_folders(), directories, RoleInputs())


def _built_in_folders() -> tuple[Path, ...]:
    return tuple(dict.fromkeys(folder for plugin in built_in_plugins() for folder in plugin.agents))
