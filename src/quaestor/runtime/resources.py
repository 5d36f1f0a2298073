"""What a session is fitted out with: its options when it starts, its models and tools whenever it runs.

Keys and addresses are those of the moment. What must not change from a session's start to its end, prices and ceilings
among it, is in its options.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from quaestor.agents.registry import AgentRegistry, load_agents
from quaestor.contracts.cost import Price
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.options import RunOptions
from quaestor.contracts.ports import Clock, CorpusState, Library, Model, ReplyCache
from quaestor.contracts.tools import AnyTool
from quaestor.kernel.executor import MAX_TRIES, Executor
from quaestor.kernel.replay_schedule import ReplaySchedule
from quaestor.longtask.contracts import TaskOptions
from quaestor.models.catalogue import ModelCatalogue, is_builtin
from quaestor.models.replay import ReplayModel, read_recording
from quaestor.models.wrappers import CachedModel, RoutedModel
from quaestor.research import tool_todo
from quaestor.research.options import ResearchOptions
from quaestor.research.tools.passages import StoreOutputs
from quaestor.runtime.registry import AnyPlugin, get_plugin
from quaestor.runtime.research_tools import ResearchTools
from quaestor.runtime.settings import Settings
from quaestor.tools.recorded_tools import replay_tool

if TYPE_CHECKING:
    from quaestor.runtime.task_tools import TaskTools
    from quaestor.trading.session_tools import TradingTools

OptionsT = TypeVar("OptionsT", bound=RunOptions)
REPLAY_PREFIX = "replay:"
_CHARACTERS_PER_TOKEN = 3
_PROMPT_OVERHEAD_CHARACTERS = 6_000
"""What a prompt holds beside the material: rules, schema, question and task."""
_MIN_CHARACTERS = 1_000
_DEFAULT_REPLY_TOKENS = 4_096


class Resources:
    """Fits sessions out, with the settings and the environment of this process."""

    def __init__(
        self, library: Library, replies: ReplyCache, settings: Settings, environment: Mapping[str, str], clock: Clock
    ) -> None:
        self._library = library
        self._replies = replies
        self.settings = settings
        self._clock = clock
        self._catalogue = ModelCatalogue(settings.providers, environment, settings.call_seconds)
        self._toolbox = ResearchTools(library, settings, environment, clock)
        self._environment = environment
        self._desk: TradingTools | None = None
        self._workshop: TaskTools | None = None
        self._temporary_folder: TemporaryDirectory[str] | None = None

    def options(self, settings: Settings, corpus: CorpusState | None, urls: Sequence[str] = ()) -> ResearchOptions:
        """Give what a session over a corpus, the web and pages the user named starts with.

        Raises UsageError for a model, an agent, an engine or a budget that cannot be meant, SetupError for a missing
        key.
        """
        said = settings.research_options()
        said = said.model_copy(
            update={
                "embeddings": self._toolbox.embeddings(settings),
                "engines": self._toolbox.engines(settings),
                "servers": self._toolbox.servers(settings),
                "urls": tuple(urls),
            }
        )
        if corpus:
            over = {"corpus": corpus.corpus, "roots": corpus.roots, "documents": corpus.documents}
            said = said.model_copy(update=over)
        said = self.resolve_models(get_plugin("research"), said, settings)
        if said.orchestrate:
            cards = _load_roster(get_plugin("research"), said).cards(self._toolbox.choosable(said))
            said = said.model_copy(update={"agents": cards})
        return fit_to_window(said, self._smallest_window(said, settings))

    def task(self, settings: Settings, corpus: CorpusState | None) -> TaskOptions:
        """Give what a long task starts with. Raises UsageError for a model or an engine that cannot be meant."""
        said = settings.task_options().model_copy(
            update={
                "engines": self._toolbox.engines(settings),
                "corpus": corpus.corpus if corpus else "",
            }
        )
        return self.resolve_models(get_plugin("longtask"), said, settings)

    def resolve_models(self, kit: AnyPlugin, said: OptionsT, settings: Settings) -> OptionsT:
        """Give options of any workflow with its models as they are recorded, and their prices.

        Raises UsageError for a model, a role or a budget that cannot be meant, SetupError for a missing key.
        """
        roster = _roster_if_needed(kit, said)
        if roster:
            _reject_unknown_roles(said.models, roster)
        located = {
            "model": self._catalogue.resolve_name(said.model),
            "models": {
                role: self._catalogue.resolve_name(name) for role, name in _models_by_role(said, roster).items()
            },
            "fallback": tuple(map(self._catalogue.resolve_name, said.fallback)),
        }
        said = said.model_copy(update=located)
        day = self._clock.now().date()
        prices = {name: self._catalogue.price(name, settings.prices, day) for name in _remote_models(said)}
        _require_prices(said, prices)
        return said.model_copy(update={"prices": {name: price for name, price in prices.items() if price}})

    def _smallest_window(self, said: RunOptions, settings: Settings) -> int | None:
        windows = (
            settings.window or self._catalogue.window(name, said.prices.get(name)) for name in _remote_models(said)
        )
        return min(windows, default=None)

    async def performer(
        self, kit: AnyPlugin, options: RunOptions, recorded: Sequence[Event] | None, state: object = None
    ) -> Executor:
        """Give what performs a session's actions.

        `recorded` is the log of the session that it replays, if it does; `state` what the session knows.
        """
        if recorded is not None and options.replays:
            model: Model = ReplayModel(read_recording(options.replays, recorded))
            tries = MAX_TRIES
            rerun: ReplaySchedule | None = ReplaySchedule(recorded)
        else:
            routed = self._routed(kit, options)
            model = CachedModel(routed, self._replies) if options.cache else routed
            tries = max(MAX_TRIES, routed.longest_chain)
            rerun = None
        return Executor(
            model=model,
            tools=await self._tools(kit, options, recorded, state),
            clock=self._clock,
            seconds=self.settings.call_seconds,
            model_seconds=self.settings.patience_seconds,
            tries=tries,
            rerun=rerun,
        )

    async def _tools(
        self, kit: AnyPlugin, options: RunOptions, recorded: Sequence[Event] | None, state: object
    ) -> Mapping[str, AnyTool]:
        match options:
            case ResearchOptions():
                return {**self._toolbox.tools(options, recorded), **await self._tool_todo_tools(options, recorded)}
            case TaskOptions():
                tools = await self._task_tools(options)
            case _ if kit.workflow.name == "decision":
                tools = await self._trading_tools(options, state)
            case _:
                tools = kit.tools(options)
        if recorded is not None and options.replays:
            tools = [replay_tool(tool, options.replays, recorded) for tool in tools]
        return {tool.name: tool for tool in tools}

    async def _task_tools(self, options: TaskOptions) -> Sequence[AnyTool]:
        from quaestor.runtime.task_tools import TaskTools  # noqa: PLC0415 -- sandbox and databases, which most runs spare

        if self._workshop is None:
            self._workshop = TaskTools(self._library, self.settings, self._environment, self._toolbox)
        return await self._workshop.tools(options)

    async def _trading_tools(self, options: RunOptions, state: object) -> Sequence[AnyTool]:
        from quaestor.trading.contracts.mandate import DecisionOptions  # noqa: PLC0415 -- as above
        from quaestor.trading.session_tools import TradingTools  # noqa: PLC0415
        from quaestor.trading.state import DecisionState, current_cycle_time  # noqa: PLC0415

        if self._desk is None:
            self._desk = TradingTools(self._environment, self._clock)
        at = current_cycle_time(state) if isinstance(state, DecisionState) else None
        said = DecisionOptions.model_validate(options)
        return (*self._desk.tools(said, at), *(await self._python_tool() if said.python else ()))

    async def _python_tool(self) -> Sequence[AnyTool]:
        """Give the quant its Python, in a folder that is gone when this process ends."""
        if self._temporary_folder is None:
            self._temporary_folder = TemporaryDirectory(prefix="quaestor-")
        tools = await self._task_tools(TaskOptions(workspace=self._temporary_folder.name, tools=("python",)))
        return [tool for tool in tools if tool.name == "python"]

    async def _tool_todo_tools(
        self, options: ResearchOptions, recorded: Sequence[Event] | None
    ) -> Mapping[str, AnyTool]:
        """Give what todos of kind tool need, if there may be any."""
        if not options.allow:
            return {}
        tools = [StoreOutputs(self._library, self._clock), *await self._task_tools(tool_todo.task_options(options))]
        if recorded is not None and options.replays:
            tools = [replay_tool(tool, options.replays, recorded) for tool in tools]
        return {tool.name: tool for tool in tools}

    def check(self, settings: Settings) -> None:
        """Raise what `options` would, as far as it can be known before there is a corpus."""
        self.options(settings, None)

    def unpriced(self, options: RunOptions) -> tuple[str, ...]:
        """Name the models of a session whose price is not known."""
        return tuple(name for name in _remote_models(options) if name not in options.prices)

    async def close(self) -> None:
        """Close the connections to providers, search engines and servers."""
        await self._catalogue.close()
        await self._toolbox.close()
        if self._desk:
            await self._desk.close()
        if self._temporary_folder:
            self._temporary_folder.cleanup()

    def _routed(self, kit: AnyPlugin, options: RunOptions) -> RoutedModel:
        roster = _roster_if_needed(kit, options) or AgentRegistry({})
        models = {
            name: self._catalogue.model(name, roster, options.prices.get(name), options.output_tokens, kit.rules)
            for name in (options.model, *options.models.values(), *options.fallback)
        }
        after = [models[name] for name in options.fallback]
        by_role = {role: (models[name], *after) for role, name in options.models.items()}
        return RoutedModel((models[options.model], *after), by_role)


def fit_to_window(options: ResearchOptions, window: int | None) -> ResearchOptions:
    """Give options whose prompts fit into a window of so many tokens, at three characters a token."""
    if window is None:
        return options
    usual = options.output_tokens or _DEFAULT_REPLY_TOKENS
    reply = min(usual, window // 4)
    room = max((window - reply) * _CHARACTERS_PER_TOKEN - _PROMPT_OVERHEAD_CHARACTERS, _MIN_CHARACTERS)
    return options.model_copy(
        update={
            "output_tokens": reply if reply < usual else options.output_tokens,
            "reading_characters": min(options.reading_characters, room),
            "prompt_characters": min(options.prompt_characters, room * 2 // 3),
        }
    )


def _roster_if_needed(kit: AnyPlugin, options: RunOptions) -> AgentRegistry | None:
    """Read the agents; None when nobody in this run would be told anything, named a role or delegated to."""
    orchestrated = isinstance(options, ResearchOptions) and options.orchestrate
    if not (orchestrated or options.agents_dir or options.models or _remote_models(options)):
        return None
    return _load_roster(kit, options)


def _load_roster(kit: AnyPlugin, options: RunOptions) -> AgentRegistry:
    own = (Path(options.agents_dir),) if options.agents_dir else ()
    return load_agents((*((kit.agents,) if kit.agents else ()), *own), kit.input_types)


def _models_by_role(options: RunOptions, roster: AgentRegistry | None) -> Mapping[str, str]:
    """Give the models of single roles: as the settings say, else as the agent's own file does."""
    told = [agent for agent in roster.agents if not agent.built_in] if roster else []
    own = {agent.name: agent.front.model for agent in told if agent.front.model}
    return {**own, **options.models}


def _reject_unknown_roles(models: Mapping[str, str], roster: AgentRegistry) -> None:
    roles = [agent.name for agent in roster.agents]
    strange = [role for role in models if role not in roles]
    if strange:
        raise UsageError(
            f"no agent has the role {', '.join(strange)}, so no model can answer for it; roles are {', '.join(roles)}"
        )


def _remote_models(options: RunOptions) -> tuple[str, ...]:
    named = dict.fromkeys((options.model, *options.models.values(), *options.fallback))
    return tuple(name for name in named if not is_builtin(name))


def _require_prices(options: RunOptions, prices: Mapping[str, Price | None]) -> None:
    unknown = [name for name, price in prices.items() if price is None]
    if options.budget.dollars is not None and unknown:
        raise UsageError(
            f"the price of {', '.join(unknown)} is not known, so {options.budget.dollars} dollars are no wall; "
            f'write it below [prices."{unknown[0]}"] in quaestor.toml, or limit max_tokens'
        )
