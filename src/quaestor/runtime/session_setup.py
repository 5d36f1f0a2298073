"""The setup of a session: its options, its models with their prices, and its agents."""

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import JsonValue

from quaestor.contracts.cost import Price
from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.contracts.event import Event, Forked
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.lazy import deferred
from quaestor.contracts.roles import AgentCard, PromptInput
from quaestor.contracts.session import LOCAL_TENANT, task_key
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.contracts.todo import TodoOptions
from quaestor.models.catalogue import ModelCatalogue
from quaestor.runtime.context import HomeContext
from quaestor.runtime.registry import (
    AnyPlugin,
    RoleInputs,
    built_in_plugins,
    get_todo_plugin,
    is_built_in,
    with_todos,
)

if TYPE_CHECKING:
    from quaestor.agents.registry import AgentRegistry

# The reader of agents and its templates are imported at their first use: nobody prompts the offline model.
_AGENTS = "quaestor.agents.registry"
_ReadAgents = Callable[[Sequence[Path], Sequence[Path], Mapping[str, type[PromptInput]]], "AgentRegistry"]
_load_agents: _ReadAgents = deferred(f"{_AGENTS}:load_agents")
_check_agents: _ReadAgents = deferred(f"{_AGENTS}:check_agents")

OptionsT = TypeVar("OptionsT", bound=RunOptions)
WORKSPACES_FOLDER = "workspaces"
"""The folder in the home where sessions work, each in one of its own."""


class SessionSetup(Immutable):
    """The resolution of the options of a new session of one workflow; a `SetupContext`."""

    plugin: AnyPlugin
    settings: Settings
    services: HomeContext
    catalogue: ModelCatalogue
    home: Path
    tenant: str

    def engine_names(self) -> tuple[str, ...]:
        """Return the names of the search engines that the settings ask for; an empty list is those that are set up."""
        if self.settings.web is None:
            return ()
        engines = self.services.connections.engines(self.settings.web, self.services.environment)
        return tuple(engine.name for engine in engines)

    def embedding_model(self) -> str | None:
        """Return the embedding model of the settings, once it is known to be reachable."""
        if self.settings.embeddings is not None:
            self.services.semantic_search(self.settings.embeddings)
        return self.settings.embeddings

    def server_names(self) -> tuple[str, ...]:
        """Return the names of the MCP servers. Raises MissingExtra when their package is not installed."""
        if self.settings.mcp and find_spec("mcp") is None:
            raise MissingExtra("servers are set up below [mcp], which need an extra", "mcp")
        return tuple(self.settings.mcp)

    def resolve_models(self, options: OptionsT) -> OptionsT:
        """Return options with their models as they are recorded, and the prices of these.

        Raises UsageError for an unknown model, role or price, SetupError for a missing key.
        """
        roster = roster_if_needed(self.plugin, options, self.catalogue)
        if roster:
            _reject_unknown_roles(options, roster)
        located = options.revised(
            model=self.catalogue.resolve_name(options.model),
            models={role: self.catalogue.resolve_name(name) for role, name in _models_by_role(options, roster).items()},
            fallback=tuple(map(self.catalogue.resolve_name, options.fallback)),
        )
        day = self.services.clock.now().date()
        prices = {
            name: self.catalogue.price(name, self.settings.prices, day)
            for name in remote_models(located, self.catalogue)
        }
        _require_prices(located, prices)
        return located.revised(prices={name: price for name, price in prices.items() if price})

    def smallest_window(self, options: RunOptions) -> int | None:
        """Return the tokens that the smallest remote model of resolved options takes; None without a remote model."""
        windows = (
            self.settings.window or self.catalogue.window(name, options.prices.get(name))
            for name in remote_models(options, self.catalogue)
        )
        return min(windows, default=None)

    def agent_cards(self, options: RunOptions, tools: Collection[str]) -> tuple[AgentCard, ...]:
        """Return the agents to which a run with these tools can delegate."""
        return _roster(self.plugin, options).cards(tools)

    def todo_options(self, kind: str, options: TodoOptions) -> JsonValue:
        """Return the own options of the workflow that carries out todos of a kind, as that resolves them."""
        workflow = get_todo_plugin(kind).as_todo
        return workflow.configure(self, options) if workflow else options.own

    def workspace(self, text: str, options: RunOptions, named: str) -> str:
        """Return the folder that is `named`, else one in the home whose name equal sessions of a tenant share."""
        if not named:
            identity = options.model_dump_json(include=set(options.identity))
            if self.tenant != LOCAL_TENANT:
                identity = f"{identity} {self.tenant}"
            return str(self.settings.data_folder(self.home) / WORKSPACES_FOLDER / task_key(f"{text} {identity}")[:16])
        if Path(named).is_file():
            raise UsageError(f"the workspace {named} is a file; name a folder")
        for title, folder in (("home", self.home), ("shared folder", self.settings.data_folder(self.home))):
            if folder.is_relative_to(named):
                raise UsageError(f"the workspace {named} holds the {title} {folder}; name another folder")
        return named


def remote_models(options: RunOptions, catalogue: ModelCatalogue) -> tuple[str, ...]:
    """Return the models of a session that a provider serves, each once."""
    named = dict.fromkeys((options.model, *options.models.values(), *options.fallback))
    return tuple(name for name in named if not catalogue.is_local(name))


def roster_if_needed(plugin: AnyPlugin, options: RunOptions, catalogue: ModelCatalogue) -> "AgentRegistry | None":
    """Read the agents of a session; None when no model is prompted in it, and no role is named."""
    if not (options.agents_dir or options.models or remote_models(options, catalogue)):
        return None
    return _roster(plugin, options)


def _roster(plugin: AnyPlugin, options: RunOptions) -> "AgentRegistry":
    return load_roster(
        with_todos(plugin, options.todo_kinds), (Path(options.agents_dir),) if options.agents_dir else ()
    )


def _models_by_role(options: RunOptions, roster: "AgentRegistry | None") -> Mapping[str, str]:
    """Return the models of single roles: as the settings say, else as the agent's own file does."""
    users = [agent for agent in roster.agents if not agent.built_in] if roster else []
    own = {agent.name: agent.front.model for agent in users if agent.front.model}
    return {**own, **options.models}


def _reject_unknown_roles(options: RunOptions, roster: "AgentRegistry") -> None:
    roles = [agent.name for agent in roster.agents]
    unknown = [role for role in options.models if role not in roles]
    if unknown:  # the settings may name roles of other workflows, which are read only here
        roles = sorted({*roles, *(agent.name for agent in load_all_agents().agents)})
        unknown = [role for role in unknown if role not in roles]
    if unknown:
        raise UsageError(
            f"no agent has the role {', '.join(unknown)}, so no model can answer for it; roles are {', '.join(roles)}"
        )


def _require_prices(options: RunOptions, prices: Mapping[str, Price | None]) -> None:
    unknown = [name for name, price in prices.items() if price is None]
    if options.budget.dollars is not None and unknown:
        raise UsageError(
            f"the price of {', '.join(unknown)} is not known, so {options.budget.dollars} dollars are no wall; "
            f'write it below [prices."{unknown[0]}"] in quaestor.toml, or limit max_tokens'
        )


def load_roster(plugin: AnyPlugin, directories: Sequence[Path] = ()) -> "AgentRegistry":
    """Read the agents of a workflow, then those of each directory, which replace others of their name.

    Raises UsageError with one line per fault, of all files.
    """
    built_in = plugin.agents if is_built_in(plugin) else ()
    brought = () if is_built_in(plugin) else plugin.agents
    return _load_agents(built_in, (*brought, *directories), RoleInputs(plugin))


def load_all_agents(directories: Sequence[Path] = ()) -> "AgentRegistry":
    """Read the agents of all built-in workflows, then those of each directory. Raises as `load_roster` does."""
    return _load_agents(_built_in_folders(), directories, RoleInputs())


def check_all_agents(directories: Sequence[Path] = ()) -> "AgentRegistry":
    """Read all agents as `load_all_agents` does, and compile every template. Raises as `load_roster` does."""
    return _check_agents(_built_in_folders(), directories, RoleInputs())


def _built_in_folders() -> tuple[Path, ...]:
    return tuple(dict.fromkeys(folder for plugin in built_in_plugins() for folder in plugin.agents))


def require_own_settings(session_id: str, forks: Sequence[Event], at: int) -> None:
    """Raise UsageError for a fork at an event before which a log came from another home.

    A bundle's settings and standing approvals are whoever's who made it; the event that its import adds, and which has
    the session itself as its origin, replaces them.
    """
    owner = session_id
    for event in reversed(forks):
        match event.payload:
            case Forked(origin=origin) if origin != owner:
                owner = origin  # whose log the events before are
            case Forked() if at < event.seq:
                raise UsageError(
                    f"the first {event.seq - 1} events of session {session_id} came from another home, with settings "
                    f"and approvals of that one; fork it at event {event.seq} or later"
                )
            case _:
                pass
