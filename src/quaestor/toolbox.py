"""The tools a session runs with: those that search and read its sources, and those that prove what is said of them."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from quaestor.contracts.errors import MissingExtra, SetupError, UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.ports import Clock, Engine, Library, Tool
from quaestor.contracts.provider import Provider
from quaestor.models.providers import base_url, key_of, named, provider_of
from quaestor.settings import Settings
from quaestor.tools.pick import Pick
from quaestor.tools.prove import Prove, Verify
from quaestor.tools.recheck import Recheck
from quaestor.tools.recorded import RECORDED
from quaestor.tools.search import Search

if TYPE_CHECKING:
    from quaestor.tools.mcp import Servers
    from quaestor.tools.nearness import Nearness

_SHARE_OF_A_CALL = 0.9
"""Of the time limit of a tool call, for what a server may take: so it is the server that is named when it is over."""


class Toolbox:
    """Gives sessions their tools, with the settings and the environment of this process."""

    def __init__(self, library: Library, settings: Settings, environment: Mapping[str, str], clock: Clock) -> None:
        self._library = library
        self._settings = settings
        self._environment = environment
        self._clock = clock
        self._engines: dict[str, Engine] = {}
        self._servers: Servers | None = None
        self._nearness: dict[str, Nearness] = {}

    def engines(self, settings: Settings) -> tuple[str, ...]:
        """Name the search engines that settings ask for.

        Raises UsageError for a name that is not known, SetupError for one whose key or address is missing.
        """
        if settings.web is None:
            return ()
        return tuple(engine.name for engine in self._asked(settings.web))

    def embeddings(self, settings: Settings) -> str | None:
        """Name the embedding model that settings ask for, once it is known how it is reached.

        Raises UsageError for a name that means none, SetupError for a missing key.
        """
        if settings.embeddings is not None:
            self._near(settings.embeddings)
        return settings.embeddings

    def servers(self, settings: Settings) -> tuple[str, ...]:
        """Name the servers whose tools agents may use; none where nothing is delegated to agents.

        Raises MissingExtra when there are some and the package that speaks to them is not installed.
        """
        if not settings.mcp or not settings.orchestrate:
            return ()
        if find_spec("mcp") is None:
            raise MissingExtra("servers are set up below [mcp], which need an extra: pip install 'quaestor[mcp]'")
        return tuple(settings.mcp)

    def choosable(self, options: ResearchOptions) -> frozenset[str]:
        """Name the tools that agents of a session may choose."""
        operable = any(self._settings.mcp[name].allow for name in options.servers if name in self._settings.mcp)
        present = {
            "search": True,
            "fetch": options.engines or options.urls,
            "consult": options.servers,
            "operate": operable,
        }
        return frozenset(name for name, is_there in present.items() if is_there)

    def tools(self, options: ResearchOptions, recorded: Sequence[Event] | None) -> Mapping[str, Tool]:
        """Give the tools of a session by name; `recorded` is the log of the session that it replays, if it does."""
        tools: list[Tool] = [Pick(self._library), Prove(self._library), Verify(self._library)]
        if recorded is not None and options.replays:
            tools += [kind(options.replays, recorded) for kind in RECORDED]
        else:
            tools.append(self._search(options))
            web = self._web(options)
            tools += web
            tools.append(Recheck(self._library, next((tool for tool in web if tool.name == "fetch"), None)))
            tools += self._asking(options)
        return {tool.name: tool for tool in tools}

    def searching(self, names: Sequence[str]) -> Sequence[Engine]:
        """Give the search engines with these names, shared by all sessions of this process."""
        return self._asked(names) if names else ()

    async def close(self) -> None:
        """Close the connections to embedding models, search engines and servers."""
        for nearness in self._nearness.values():
            await nearness.close()
        if self._servers:
            await self._servers.close()
        for engine in self._engines.values():
            await engine.close()

    def _search(self, options: ResearchOptions) -> Tool:
        if options.embeddings is None or not options.corpus:
            return Search(self._library, options.corpus, before=options.as_of)
        from quaestor.tools.fused import FusedSearch  # noqa: PLC0415 -- only for who wants embeddings

        return FusedSearch(self._library, options.corpus, self._near(options.embeddings), options.as_of)

    def _near(self, name: str) -> "Nearness":
        """Give what embeds by a model, shared by all sessions of this process, so that nothing is embedded twice."""
        if name not in self._nearness:
            from quaestor.tools.embedding import Embedding, service  # noqa: PLC0415 -- the HTTP client, as below
            from quaestor.tools.nearness import Nearness  # noqa: PLC0415

            provider, address = self._reached(name)
            seconds = self._settings.call_seconds
            reached = service(named(name).provider, provider, address, seconds)
            embedder = Embedding(name, named(name).model, reached, self._environment)
            self._nearness[name] = Nearness(self._library, embedder, seconds * _SHARE_OF_A_CALL)
        return self._nearness[name]

    def _reached(self, name: str) -> tuple[Provider, str]:
        """Give who serves an embedding model, and where."""
        where = named(name).provider
        provider = provider_of(name, self._settings.providers)
        address = base_url(where, provider, self._environment)
        if provider.dialect != "chat" or address is None:
            raise UsageError(
                f"{where} cannot be asked for embeddings; name a model of another provider, as ollama:NAME, or write "
                f"dialect chat and the base_url of its API in the manner of OpenAI below [providers.{where}]"
            )
        if key_of(where, provider, self._environment) is None and provider.key_env and address == provider.base_url:
            raise SetupError(
                f"the embeddings {name} need a key: set {provider.key_env}, or name a model that needs none, "
                "as ollama:NAME"
            )
        return provider, address

    def _web(self, options: ResearchOptions) -> Sequence[Tool]:
        if not options.engines and not options.urls:
            return ()
        from quaestor.tools.engines import WebSearch  # noqa: PLC0415 -- the HTTP client, which runs over files spare
        from quaestor.tools.fetch.allowance import VARIABLE, read_allowance  # noqa: PLC0415
        from quaestor.tools.fetch.manners import Manners  # noqa: PLC0415
        from quaestor.tools.fetch.tool import Fetch  # noqa: PLC0415
        from quaestor.tools.fetch.web import Web  # noqa: PLC0415
        from quaestor.tools.reading import parse  # noqa: PLC0415

        said = self._settings
        manners = Manners(robots=said.robots, pause_seconds=said.pause_seconds, contact=said.contact or "")
        web = Web(read_allowance(self._environment.get(VARIABLE, "")), manners)
        fetch = Fetch(web, parse, self._library, self._clock)
        return (WebSearch(self._asked(options.engines)), fetch)

    def _asking(self, options: ResearchOptions) -> Sequence[Tool]:
        if not options.servers:
            return ()
        from quaestor.tools.mcp import Consult, Operate, Servers, SurveyServers  # noqa: PLC0415 -- an extra

        if self._servers is None:
            seconds = self._settings.call_seconds * _SHARE_OF_A_CALL
            self._servers = Servers(self._settings.mcp, self._environment, seconds)
        library, clock = self._library, self._clock
        return (
            SurveyServers(self._servers),
            Consult(self._servers, library, clock),
            Operate(self._servers, library, clock),
        )

    def _asked(self, names: Sequence[str]) -> Sequence[Engine]:
        """Give engines that are shared by all sessions of this process, so that each keeps the pace of its service."""
        from quaestor.tools.engines import engines  # noqa: PLC0415 -- as above

        unmade = [name for name in names if name not in self._engines]
        made = engines(unmade, self._environment) if unmade or not names else ()
        for engine in made:
            self._engines.setdefault(engine.name, engine)
        return [self._engines[name] for name in names or [engine.name for engine in made]]
