"""What a session runs with: its options when it starts, its models and tools whenever it runs.

Keys and addresses are those of the moment. What must not change from a session's start to its end, prices and ceilings
among it, is in its options.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from quaestor.contracts.base import Contract
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.cost import Price
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.lazy import deferred
from quaestor.contracts.library import Library
from quaestor.contracts.limits import SharedLimits
from quaestor.contracts.model import ModelRequest
from quaestor.contracts.ports import Clock, Model, PromptBuilder, ReplyCache
from quaestor.contracts.roles import Prompt, RoleInput
from quaestor.contracts.session import LOCAL_TENANT
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.contracts.tokens import TokenListener
from quaestor.contracts.tools import AnyTool
from quaestor.kernel.executor import Executor
from quaestor.kernel.model_calls import MAX_TRIES
from quaestor.kernel.replay_schedule import ReplaySchedule
from quaestor.kernel.tool_table import index_tools
from quaestor.models.catalogue import ModelCatalogue
from quaestor.models.wrappers import CachedModel, RoutedModel
from quaestor.runtime.context import Connections, HomeContext, ReplayContext
from quaestor.runtime.head_files import HeadFiles, record_file
from quaestor.runtime.private_home import FOLLOWERS_FOLDER
from quaestor.runtime.registry import FILE_MODELS, AnyPlugin, with_todos
from quaestor.runtime.session_setup import SessionSetup, remote_models, roster_if_needed
from quaestor.runtime.signing import HeadSigner
from quaestor.runtime.token_feed import TokenFeed

if TYPE_CHECKING:
    from quaestor.agents.registry import AgentRegistry

# Few sessions are replays.
_replay_model: Callable[[str, Sequence[Event]], Model] = deferred("quaestor.models.replay:ReplayModel")
_replay_tool: Callable[[AnyTool, str, Sequence[Event]], AnyTool] = deferred("quaestor.tools.recorded_tools:replay_tool")

# Nobody asks the offline model for a schema.
_load_schemas: Callable[[type[Contract]], None] = deferred("quaestor.models.chat.request:load_schemas")

OptionsT = TypeVar("OptionsT", bound=RunOptions)


class _NoAgents:
    """The agents of a session in which no model is prompted; a `PromptBuilder`."""

    def prompt(self, request: ModelRequest) -> Prompt:
        """Raise UsageError."""
        raise UsageError(f"no agent has the role {request.role}: no model of this session is prompted")


class Resources:
    """The resources of the sessions of one home, opened with the settings and the environment of this process."""

    def __init__(
        self,
        library: Library,
        replies: ReplyCache,
        settings: Settings,
        environment: Mapping[str, str],
        clock: Clock,
        *,
        home: Path,
        limits: SharedLimits | None = None,
    ) -> None:
        self.settings = settings
        self.connections = Connections(home)
        self.environment = environment
        self._replies = replies
        self._clock = clock
        self._home = home
        self._services = HomeContext(library, settings, environment, clock, self.connections)
        self._catalogue = open_catalogue(settings, environment, limits)
        self.signer = HeadSigner(environment)
        self.tokens = TokenFeed()
        anchors = Path(settings.anchors) if settings.anchors else None
        self.head_files = HeadFiles(home, record_file(environment, home), anchors)

    def configure(
        self, plugin: AnyPlugin, request: SessionRequest, settings: Settings, tenant: str = LOCAL_TENANT
    ) -> RunOptions:
        """Return the options of a new session of a tenant.

        Raises UsageError for a model, an agent, an engine or a budget that cannot be used, SetupError for a missing
        key.
        """
        options: RunOptions = plugin.configure_session(self._setup(plugin, settings, tenant), request)
        return options

    def resolve_models(self, plugin: AnyPlugin, options: OptionsT, settings: Settings) -> OptionsT:
        """Return options of a workflow with their models as they are recorded, and their prices.

        Raises UsageError for a model, a role or a budget that cannot be used, SetupError for a missing key.
        """
        return self._setup(plugin, settings).resolve_models(options)

    async def performer(
        self,
        session_id: str,
        plugin: AnyPlugin,
        options: RunOptions,
        recorded: Sequence[Event] | None,
        state: object,
    ) -> Executor:
        """Return what performs a session's actions.

        `recorded` is the log of the session that it replays, if it does; `state` what the session has come to.
        """
        services = self._services.of_session(session_id)
        later_steps: Sequence[Callable[[], object]] = ()
        if recorded is not None and options.replays:
            model = _replay_model(options.replays, recorded)
            tries = MAX_TRIES
            rerun: ReplaySchedule | None = ReplaySchedule(recorded)
            await services.library.adopt(options.replays)
            context = ReplayContext(services, options.replays, recorded)
            made = await plugin.tools(context, options, state)
            tools: Sequence[AnyTool] = [_replay_tool(tool, options.replays, recorded) for tool in made]
        else:
            roster = roster_if_needed(plugin, options, self._catalogue)
            routed = self._routed(plugin, options, roster or _NoAgents(), self.tokens.listener(session_id))
            later_steps = _later_steps(plugin, roster) if roster else ()
            model = CachedModel(routed, self._replies) if options.cache else routed
            tries = max(MAX_TRIES, routed.longest_chain)
            rerun = None
            tools = await plugin.tools(services, options, state)
        return Executor(
            model=model,
            tools=index_tools(tools),
            clock=self._clock,
            seconds=self.settings.call_seconds,
            model_seconds=self.settings.patience_seconds,
            tries=tries,
            rerun=rerun,
            later_steps=later_steps,
        )

    def unpriced(self, options: RunOptions) -> tuple[str, ...]:
        """Return the models of a session whose price is not known."""
        return tuple(name for name in remote_models(options, self._catalogue) if name not in options.prices)

    def current_prices(self, settings: Settings) -> Mapping[str, Price | None]:
        """Return what the remote models that settings name for roles charge today; None where that is not known.

        Raises UsageError for the name of a model that cannot be read.
        """
        day = self._clock.now().date()
        named = dict.fromkeys((settings.model, *settings.models.values()))
        return {
            name: self._catalogue.price(name, settings.prices, day)
            for name in named
            if not self._catalogue.is_local(name)
        }

    @property
    def followers_folder(self) -> Path:
        """The folder in which is remembered how far copies are whose targets cannot be asked."""
        return self._home / FOLLOWERS_FOLDER

    async def close(self) -> None:
        """Close the connections to providers, search engines, servers and exchanges."""
        await self._catalogue.close()
        await self.connections.close()

    def _setup(self, plugin: AnyPlugin, settings: Settings, tenant: str = LOCAL_TENANT) -> SessionSetup:
        return SessionSetup(plugin, settings, self._services, self._catalogue, self._home, tenant)

    def _routed(
        self, plugin: AnyPlugin, options: RunOptions, prompts: PromptBuilder, on_tokens: TokenListener
    ) -> RoutedModel:
        rules = with_todos(plugin, options.todo_kinds).offline_rules
        models = {
            name: self._catalogue.model(
                name, prompts, options.prices.get(name), options.output_tokens, rules, on_tokens=on_tokens
            )
            for name in (options.model, *options.models.values(), *options.fallback)
        }
        after = [models[name] for name in options.fallback]
        by_role = {role: (models[name], *after) for role, name in options.models.items()}
        return RoutedModel((models[options.model], *after), by_role)


def _later_steps(plugin: AnyPlugin, roster: "AgentRegistry") -> Sequence[Callable[[], object]]:
    """Return what reads each prompt and builds each schema: the first of either takes a millisecond."""
    contracts = dict.fromkeys(each.gives for each in plugin.role_inputs() if issubclass(each, RoleInput))
    return (*(agent.load for agent in roster.agents), *(partial(_load_schemas, contract) for contract in contracts))


def open_catalogue(
    settings: Settings, environment: Mapping[str, str], limits: SharedLimits | None = None
) -> ModelCatalogue:
    """Return the models of these settings and this environment, with those that answer from a file."""
    file_models = {kind: deferred(place) for kind, place in FILE_MODELS.items()}
    return ModelCatalogue(settings.providers, environment, settings.call_seconds, file_models, limits)
