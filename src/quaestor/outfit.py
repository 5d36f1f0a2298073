"""What a session is fitted out with: its options when it starts, its models and tools whenever it runs.

Keys and addresses are those of the moment. What must not change from a session's start to its end, prices and ceilings
among it, is in its options.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from quaestor.agents.roster import Roster, load
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.options import ResearchOptions, RunOptions
from quaestor.contracts.ports import Clock, CorpusState, Library, Model, Replies, Tool
from quaestor.contracts.price import Price
from quaestor.contracts.task import TaskOptions
from quaestor.kernel.perform import TRIES, Performer
from quaestor.kernel.rerun import Rerun
from quaestor.kits import AnyKit, find
from quaestor.models.cached import CachedModel
from quaestor.models.catalogue import Catalogue, is_local
from quaestor.models.replay import ReplayModel, record
from quaestor.models.routed import RoutedModel
from quaestor.settings import Settings
from quaestor.toolbox import Toolbox
from quaestor.tools.deposit import Deposit
from quaestor.tools.recorded import again
from quaestor.workflows.parts import tasking

if TYPE_CHECKING:
    from quaestor.desk import Desk
    from quaestor.workshop import Workshop

Said = TypeVar("Said", bound=RunOptions)
REPLAY = "replay:"
_CHARACTERS_A_TOKEN = 3
_STANDING_CHARACTERS = 6_000
"""What a prompt holds beside the material: rules, schema, question and task."""
_LEAST_CHARACTERS = 1_000
_REPLY_TOKENS = 4_096


class Outfit:
    """Fits sessions out, with the settings and the environment of this process."""

    def __init__(
        self, library: Library, replies: Replies, settings: Settings, environment: Mapping[str, str], clock: Clock
    ) -> None:
        self._library = library
        self._replies = replies
        self.settings = settings
        self._clock = clock
        self._catalogue = Catalogue(settings.providers, environment, settings.call_seconds)
        self._toolbox = Toolbox(library, settings, environment, clock)
        self._environment = environment
        self._desk: Desk | None = None
        self._workshop: Workshop | None = None
        self._scratch: TemporaryDirectory[str] | None = None

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
        said = self.modelled(find("research"), said, settings)
        if said.orchestrate:
            cards = _told(find("research"), said).cards(self._toolbox.choosable(said))
            said = said.model_copy(update={"agents": cards})
        return fitting(said, self._window(said, settings))

    def task(self, settings: Settings, corpus: CorpusState | None) -> TaskOptions:
        """Give what a long task starts with. Raises UsageError for a model or an engine that cannot be meant."""
        said = settings.task_options().model_copy(
            update={
                "engines": self._toolbox.engines(settings),
                "corpus": corpus.corpus if corpus else "",
            }
        )
        return self.modelled(find("longtask"), said, settings)

    def modelled(self, kit: AnyKit, said: Said, settings: Settings) -> Said:
        """Give options of any workflow with its models as they are recorded, and their prices.

        Raises UsageError for a model, a role or a budget that cannot be meant, SetupError for a missing key.
        """
        roster = _roster(kit, said)
        if roster:
            _refuse_roleless(said.models, roster)
        located = {
            "model": self._catalogue.located(said.model),
            "models": {role: self._catalogue.located(name) for role, name in _by_role(said, roster).items()},
            "fallback": tuple(map(self._catalogue.located, said.fallback)),
        }
        said = said.model_copy(update=located)
        day = self._clock.now().date()
        prices = {name: self._catalogue.price(name, settings.prices, day) for name in _remote(said)}
        _refuse_unpriced(said, prices)
        return said.model_copy(update={"prices": {name: price for name, price in prices.items() if price}})

    def _window(self, said: RunOptions, settings: Settings) -> int | None:
        windows = (settings.window or self._catalogue.window(name, said.prices.get(name)) for name in _remote(said))
        return min(windows, default=None)

    async def performer(
        self, kit: AnyKit, options: RunOptions, recorded: Sequence[Event] | None, state: object = None
    ) -> Performer:
        """Give what performs a session's actions.

        `recorded` is the log of the session that it replays, if it does; `state` what the session knows.
        """
        if recorded is not None and options.replays:
            model: Model = ReplayModel(record(options.replays, recorded))
            tries = TRIES
            rerun: Rerun | None = Rerun(recorded)
        else:
            routed = self._routed(kit, options)
            model = CachedModel(routed, self._replies) if options.cache else routed
            tries = max(TRIES, routed.longest)
            rerun = None
        return Performer(
            model=model,
            tools=await self._tools(kit, options, recorded, state),
            clock=self._clock,
            seconds=self.settings.call_seconds,
            model_seconds=self.settings.patience_seconds,
            tries=tries,
            rerun=rerun,
        )

    async def _tools(
        self, kit: AnyKit, options: RunOptions, recorded: Sequence[Event] | None, state: object
    ) -> Mapping[str, Tool]:
        match options:
            case ResearchOptions():
                return {**self._toolbox.tools(options, recorded), **await self._with_programs(options, recorded)}
            case TaskOptions():
                tools = await self._programs(options)
            case _ if kit.workflow.name == "decision":
                tools = await self._trading(options, state)
            case _:
                tools = kit.tools(options)
        if recorded is not None and options.replays:
            tools = [again(tool, options.replays, recorded) for tool in tools]
        return {tool.name: tool for tool in tools}

    async def _programs(self, options: TaskOptions) -> Sequence[Tool]:
        from quaestor.workshop import Workshop  # noqa: PLC0415 -- sandbox and databases, which most runs spare

        if self._workshop is None:
            self._workshop = Workshop(self._library, self.settings, self._environment, self._toolbox)
        return await self._workshop.tools(options)

    async def _trading(self, options: RunOptions, state: object) -> Sequence[Tool]:
        from quaestor.contracts.mandate import DecisionOptions  # noqa: PLC0415 -- markets and brokers, as above
        from quaestor.desk import Desk  # noqa: PLC0415
        from quaestor.workflows.decision_state import DecisionState, reached  # noqa: PLC0415

        if self._desk is None:
            self._desk = Desk(self._environment, self._clock)
        at = reached(state) if isinstance(state, DecisionState) else None
        said = DecisionOptions.model_validate(options)
        return (*self._desk.tools(said, at), *(await self._quant_python() if said.python else ()))

    async def _quant_python(self) -> Sequence[Tool]:
        """Give the quant its Python, in a folder that is gone when this process ends."""
        if self._scratch is None:
            self._scratch = TemporaryDirectory(prefix="quaestor-")
        tools = await self._programs(TaskOptions(workspace=self._scratch.name, tools=("python",)))
        return [tool for tool in tools if tool.name == "python"]

    async def _with_programs(self, options: ResearchOptions, recorded: Sequence[Event] | None) -> Mapping[str, Tool]:
        """Give what todos of kind tool need, if there may be any."""
        if not options.allow:
            return {}
        tools = [Deposit(self._library, self._clock), *await self._programs(tasking.task_options(options))]
        if recorded is not None and options.replays:
            tools = [again(tool, options.replays, recorded) for tool in tools]
        return {tool.name: tool for tool in tools}

    def check(self, settings: Settings) -> None:
        """Raise what `options` would, as far as it can be known before there is a corpus."""
        self.options(settings, None)

    def unpriced(self, options: RunOptions) -> tuple[str, ...]:
        """Name the models of a session whose price is not known."""
        return tuple(name for name in _remote(options) if name not in options.prices)

    async def close(self) -> None:
        """Close the connections to providers, search engines and servers."""
        await self._catalogue.close()
        await self._toolbox.close()
        if self._desk:
            await self._desk.close()
        if self._scratch:
            self._scratch.cleanup()

    def _routed(self, kit: AnyKit, options: RunOptions) -> RoutedModel:
        roster = _roster(kit, options) or Roster({})
        models = {
            name: self._catalogue.model(name, roster, options.prices.get(name), options.output_tokens, kit.rules)
            for name in (options.model, *options.models.values(), *options.fallback)
        }
        after = [models[name] for name in options.fallback]
        by_role = {role: (models[name], *after) for role, name in options.models.items()}
        return RoutedModel((models[options.model], *after), by_role)


def fitting(options: ResearchOptions, window: int | None) -> ResearchOptions:
    """Give options whose prompts fit into a window of so many tokens, at three characters a token."""
    if window is None:
        return options
    usual = options.output_tokens or _REPLY_TOKENS
    reply = min(usual, window // 4)
    room = max((window - reply) * _CHARACTERS_A_TOKEN - _STANDING_CHARACTERS, _LEAST_CHARACTERS)
    return options.model_copy(
        update={
            "output_tokens": reply if reply < usual else options.output_tokens,
            "reading_characters": min(options.reading_characters, room),
            "prompt_characters": min(options.prompt_characters, room * 2 // 3),
        }
    )


def _roster(kit: AnyKit, options: RunOptions) -> Roster | None:
    """Read the agents; None when nobody in this run would be told anything, named a role or delegated to."""
    orchestrated = isinstance(options, ResearchOptions) and options.orchestrate
    if not (orchestrated or options.agents_dir or options.models or _remote(options)):
        return None
    return _told(kit, options)


def _told(kit: AnyKit, options: RunOptions) -> Roster:
    own = (Path(options.agents_dir),) if options.agents_dir else ()
    return load((*((kit.agents,) if kit.agents else ()), *own), kit.givens)


def _by_role(options: RunOptions, roster: Roster | None) -> Mapping[str, str]:
    """Give the models of single roles: as the settings say, else as the agent's own file does."""
    told = [agent for agent in roster.agents if not agent.built_in] if roster else []
    own = {agent.name: agent.front.model for agent in told if agent.front.model}
    return {**own, **options.models}


def _refuse_roleless(models: Mapping[str, str], roster: Roster) -> None:
    roles = [agent.name for agent in roster.agents]
    strange = [role for role in models if role not in roles]
    if strange:
        raise UsageError(
            f"no agent has the role {', '.join(strange)}, so no model can answer for it; roles are {', '.join(roles)}"
        )


def _remote(options: RunOptions) -> tuple[str, ...]:
    named = dict.fromkeys((options.model, *options.models.values(), *options.fallback))
    return tuple(name for name in named if not is_local(name))


def _refuse_unpriced(options: RunOptions, prices: Mapping[str, Price | None]) -> None:
    unknown = [name for name, price in prices.items() if price is None]
    if options.budget.dollars is not None and unknown:
        raise UsageError(
            f"the price of {', '.join(unknown)} is not known, so {options.budget.dollars} dollars are no wall; "
            f'write it below [prices."{unknown[0]}"] in quaestor.toml, or limit max_tokens'
        )
