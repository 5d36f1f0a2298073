"""What a session is fitted out with: its options when it starts, its models and tools whenever it runs.

Keys and addresses are those of the moment. What must not change from a session's start to its end, prices and ceilings
among it, is in its options.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quaestor.agents.roster import Roster, load
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.ports import Clock, CorpusState, Library, Model, Replies
from quaestor.contracts.price import Price
from quaestor.kernel.perform import TRIES, Performer
from quaestor.kernel.rerun import Rerun
from quaestor.models.cached import CachedModel
from quaestor.models.catalogue import Catalogue, is_local
from quaestor.models.replay import ReplayModel, record
from quaestor.models.routed import RoutedModel
from quaestor.settings import Settings
from quaestor.toolbox import Toolbox

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
        self._replies = replies
        self.settings = settings
        self._clock = clock
        self._catalogue = Catalogue(settings.providers, environment, settings.call_seconds)
        self._toolbox = Toolbox(library, settings, environment, clock)

    def options(self, settings: Settings, corpus: CorpusState | None, urls: Sequence[str] = ()) -> ResearchOptions:
        """Give what a session over a corpus, the web and pages the user named starts with.

        Raises UsageError for a model, an agent, an engine or a budget that cannot be meant, SetupError for a missing
        key.
        """
        said = settings.research_options()
        roster = _roster(said)
        if roster:
            _refuse_roleless(said.models, roster)
        said = said.model_copy(
            update={
                "model": self._catalogue.located(said.model),
                "models": {role: self._catalogue.located(name) for role, name in _by_role(said, roster).items()},
                "fallback": tuple(map(self._catalogue.located, said.fallback)),
                "embeddings": self._toolbox.embeddings(settings),
                "engines": self._toolbox.engines(settings),
                "servers": self._toolbox.servers(settings),
                "urls": tuple(urls),
            }
        )
        if roster and said.orchestrate:
            said = said.model_copy(update={"agents": roster.cards(self._toolbox.choosable(said))})
        if corpus:
            over = {"corpus": corpus.corpus, "roots": corpus.roots, "documents": corpus.documents}
            said = said.model_copy(update=over)
        prices = {
            name: self._catalogue.price(name, settings.prices, self._clock.now().date()) for name in _remote(said)
        }
        _refuse_unpriced(said, prices)
        known = {name: price for name, price in prices.items() if price}
        windows = (settings.window or self._catalogue.window(name, price) for name, price in prices.items())
        return fitting(said.model_copy(update={"prices": known}), min(windows, default=None))

    def performer(self, options: ResearchOptions, recorded: Sequence[Event] | None) -> Performer:
        """Give what performs a session's actions; `recorded` is the log of the session that it replays, if it does."""
        if recorded is not None and options.replays:
            model: Model = ReplayModel(record(options.replays, recorded))
            tries = TRIES
            rerun: Rerun | None = Rerun(recorded)
        else:
            routed = self._routed(options)
            model = CachedModel(routed, self._replies) if options.cache else routed
            tries = max(TRIES, routed.longest)
            rerun = None
        return Performer(
            model=model,
            tools=self._toolbox.tools(options, recorded),
            clock=self._clock,
            seconds=self.settings.call_seconds,
            model_seconds=self.settings.patience_seconds,
            tries=tries,
            rerun=rerun,
        )

    def check(self, settings: Settings) -> None:
        """Raise what `options` would, as far as it can be known before there is a corpus."""
        self.options(settings, None)

    def unpriced(self, options: ResearchOptions) -> tuple[str, ...]:
        """Name the models of a session whose price is not known."""
        return tuple(name for name in _remote(options) if name not in options.prices)

    async def close(self) -> None:
        """Close the connections to providers, search engines and servers."""
        await self._catalogue.close()
        await self._toolbox.close()

    def _routed(self, options: ResearchOptions) -> RoutedModel:
        roster = _roster(options) or Roster({})
        models = {
            name: self._catalogue.model(name, roster, options.prices.get(name), options.output_tokens)
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


def _roster(options: ResearchOptions) -> Roster | None:
    """Read the agents; None when nobody in this run would be told anything, named a role or delegated to."""
    if not (options.orchestrate or options.agents_dir or options.models or _remote(options)):
        return None
    return load((Path(options.agents_dir),) if options.agents_dir else ())


def _by_role(options: ResearchOptions, roster: Roster | None) -> Mapping[str, str]:
    """Give the models of single roles: as the settings say, else as the agent's own file does."""
    own = {agent.name: agent.front.model for agent in roster.agents if agent.front.model} if roster else {}
    return {**own, **options.models}


def _refuse_roleless(models: Mapping[str, str], roster: Roster) -> None:
    roles = [agent.name for agent in roster.agents]
    strange = [role for role in models if role not in roles]
    if strange:
        raise UsageError(
            f"no agent has the role {', '.join(strange)}, so no model can answer for it; roles are {', '.join(roles)}"
        )


def _remote(options: ResearchOptions) -> tuple[str, ...]:
    named = dict.fromkeys((options.model, *options.models.values(), *options.fallback))
    return tuple(name for name in named if not is_local(name))


def _refuse_unpriced(options: ResearchOptions, prices: Mapping[str, Price | None]) -> None:
    unknown = [name for name, price in prices.items() if price is None]
    if options.budget.dollars is not None and unknown:
        raise UsageError(
            f"the price of {', '.join(unknown)} is not known, so {options.budget.dollars} dollars are no wall; "
            f'write it below [prices."{unknown[0]}"] in quaestor.toml, or limit max_tokens'
        )
