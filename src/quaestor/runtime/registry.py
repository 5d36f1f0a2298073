"""The workflows there are, by name: those that are built in, and those of other packages."""

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

from typing_extensions import override

from quaestor.contracts.codec import CORE_CODEC, Codec
from quaestor.contracts.errors import QuaestorError, UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.immutable import replace
from quaestor.contracts.installed import load_installed
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.plugin import TodoWorkflow, WorkflowPlugin
from quaestor.contracts.progress import EventDescription
from quaestor.contracts.roles import PromptInput
from quaestor.contracts.suggestion import suggest
from quaestor.contracts.workflow import Workflow

_LOGGER = logging.getLogger("quaestor")

AnyPlugin = WorkflowPlugin[Any, Any]
ENTRY_POINT_GROUP = "quaestor.workflows"
"""The entry points by which other packages bring workflows; each leads to a `WorkflowPlugin`."""

_BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "research": "quaestor.research",
        "longtask": "quaestor.longtask",
        "decision": "quaestor.trading",
    }
)
"""The packages of the built-in workflows: `plugin:PLUGIN` and, so that a command is found fast, `commands:COMMANDS`."""

_TODO_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "tool": "longtask",
    }
)
"""The workflows that carry out todos of a kind with another name than theirs."""

FILE_MODELS: Mapping[str, str] = MappingProxyType(
    {
        "script": "quaestor.models.scripted:open_script",
        "playbook": "quaestor.longtask.playbook:open_playbook",
    }
)
"""Models that answer from a file, by the prefix of their names."""


def get_plugin(name: str) -> AnyPlugin:
    """Return the plugin of a workflow; with what reads the log of todos that other workflows carry out, if it has such.

    Raises UsageError for an unknown name, or when what a package brings under it is not a plugin of this name, and
    SetupError when that cannot be loaded.
    """
    plugin = _load_plugin(name)
    if plugin.with_todos is None:
        return plugin
    others = TodoWorkflows()
    return _with_todo_logs(plugin, plugin.with_todos(others), others)


def get_todo_plugin(kind: str) -> AnyPlugin:
    """Return the plugin of the workflow that carries out todos of a kind. Raises UsageError when there is none."""
    plugin = _find_todo_plugin(kind)
    if plugin is None:
        raise UsageError(f"no workflow carries out todos of kind {kind!r}; kinds are {', '.join(TodoWorkflows())}")
    return plugin


def with_todos(plugin: AnyPlugin, kinds: Iterable[str]) -> AnyPlugin:
    """Return a plugin with the agents, role inputs and offline rules of the workflows that carry out these todos.

    Raises UsageError for a kind that no workflow carries out.
    """
    parts = tuple({part.workflow.name: part for part in map(get_todo_plugin, kinds)}.values())
    if not parts:
        return plugin
    return replace(
        plugin,
        agents=tuple(folder for each in (plugin, *parts) for folder in each.agents),
        role_inputs=lambda: tuple(kind for each in (plugin, *parts) for kind in each.role_inputs()),
        offline_rules=lambda: tuple(rule for each in (plugin, *parts) for rule in each.offline_rules()),
    )


class TodoWorkflows(Mapping[str, TodoWorkflow]):
    """The workflows that carry out todos of others, by kind; each is imported when it is asked for."""

    def __init__(self) -> None:
        self._plugins: dict[str, AnyPlugin | None] = {}

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*_TODO_KINDS, *workflow_names())))

    def plugin(self, kind: str) -> AnyPlugin | None:
        """Return the plugin behind a kind; None when there is none."""
        if kind not in self._plugins:
            self._plugins[kind] = _find_todo_plugin(kind) if kind in self._names else None
        return self._plugins[kind]

    def plugins(self) -> Iterator[AnyPlugin]:
        """Iterate over the plugins of all kinds."""
        return (plugin for kind in self._names if (plugin := self.plugin(kind)))

    @override
    def __getitem__(self, kind: str) -> TodoWorkflow:
        plugin = self.plugin(kind)
        if plugin is None or plugin.as_todo is None:
            raise KeyError(kind)
        return plugin.as_todo

    @override
    def __iter__(self) -> Iterator[str]:
        return (kind for kind in self._names if self.plugin(kind))

    @override
    def __len__(self) -> int:
        return sum(1 for _ in self)


def _find_todo_plugin(kind: str) -> AnyPlugin | None:
    name = _TODO_KINDS.get(kind, kind)
    if name not in workflow_names() or kind in _TODO_KINDS.values():
        return None
    plugin = _load_plugin(name)
    return plugin if plugin.as_todo else None


def _with_todo_logs(plugin: AnyPlugin, workflow: Workflow[Any], others: TodoWorkflows) -> AnyPlugin:
    """Return a plugin that decodes and describes the events of todos that other workflows carry out."""

    def describe(event: Event) -> EventDescription | None:
        described = plugin.describe(event)
        if described or event.state in plugin.workflow.table:
            return described
        for other in others.plugins():
            if other.as_todo and event.state in other.as_todo.states:
                return other.describe(event)
        return None

    codec = plugin.codec.extended(lambda: (other.codec for other in others.plugins()))
    return replace(plugin, workflow=workflow, codec=codec, describe=describe)


def _load_plugin(name: str) -> AnyPlugin:
    if name in _BUILT_IN:
        built_in: LazyImport[AnyPlugin] = LazyImport(f"{_BUILT_IN[name]}.plugin:PLUGIN")
        return built_in.load()
    if point := _installed().get(name):
        return _load_entry_point(point)
    known = workflow_names()
    raise UsageError(f"there is no workflow {name!r}; {suggest(name, known)}there are {', '.join(known)}")


def get_codec(name: str) -> Codec:
    """Return the codec of a workflow; the core's, which leaves contracts JSON, where the workflow is not installed."""
    return get_plugin(name).codec if name in _BUILT_IN or name in _installed() else CORE_CODEC


def workflow_names() -> tuple[str, ...]:
    """Return the names of all workflows, the built-in ones first."""
    return (*_BUILT_IN, *_installed())


def built_in_plugins() -> tuple[AnyPlugin, ...]:
    """Return the plugins of the built-in workflows."""
    return tuple(get_plugin(name) for name in _BUILT_IN)


def built_in_commands() -> dict[str, str]:
    """Return the commands of the built-in workflows by name, each as `module:attribute`; no plugin is imported."""
    commands: dict[str, str] = {}
    for package in _BUILT_IN.values():
        of_package: LazyImport[Mapping[str, str]] = LazyImport(f"{package}.commands:COMMANDS")
        commands |= of_package.load()
    return commands


def installed_commands() -> dict[str, str]:
    """Return the commands that workflows of other packages bring, by name; one that cannot be loaded is reported."""
    commands: dict[str, str] = {}
    for point in _installed().values():
        try:
            commands |= _load_entry_point(point).commands
        except QuaestorError as error:
            _LOGGER.warning("%s", error)
    return commands


def is_built_in(plugin: AnyPlugin) -> bool:
    """Return whether a plugin came with the program."""
    return plugin.workflow.name in _BUILT_IN


class RoleInputs(Mapping[str, type[PromptInput]]):
    """What agents may name as their input, by name.

    Another workflow than `plugin` is imported only when an input is asked for that `plugin` does not have.
    """

    def __init__(self, plugin: AnyPlugin | None = None) -> None:
        self._own = {kind.__name__: kind for kind in plugin.role_inputs()} if plugin else {}

    @cached_property
    def _all(self) -> dict[str, type[PromptInput]]:
        built_in = {kind.__name__: kind for plugin in built_in_plugins() for kind in plugin.role_inputs()}
        return {**built_in, **self._own}

    @override
    def __getitem__(self, name: str) -> type[PromptInput]:
        return self._own[name] if name in self._own else self._all[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    @override
    def __len__(self) -> int:
        return len(self._all)


def _installed() -> Mapping[str, EntryPoint]:
    """Return the workflows of other packages by name, in its order."""
    return _search_packages(tuple(sys.path))


@lru_cache(maxsize=1)
def _search_packages(_path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Search every installed package, which takes longer than many a command; again only on another path.

    None takes the name of a built-in workflow.
    """
    found = entry_points(group=ENTRY_POINT_GROUP)
    return MappingProxyType({name: found[name] for name in sorted(found.names - _BUILT_IN.keys())})


def _load_entry_point(point: EntryPoint) -> AnyPlugin:
    plugin = load_installed(point, "workflow")
    if not isinstance(plugin, WorkflowPlugin) or plugin.workflow.name != point.name:
        raise UsageError(f"{point.value} of the entry point {point.name} is not a plugin of a workflow {point.name}")
    return plugin
