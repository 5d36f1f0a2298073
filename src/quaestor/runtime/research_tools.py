"""The tools a session runs with: those that search and read its sources, and those that prove what is said of them."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from quaestor.contracts.errors import MissingExtra, SetupError, UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.model import Provider
from quaestor.contracts.ports import Clock, Library, SearchEngine
from quaestor.contracts.tools import AnyTool
from quaestor.models.providers import parse_model_name, resolve_api_key, resolve_base_url, resolve_provider
from quaestor.research.options import ResearchOptions
from quaestor.research.tools.passages import SelectPassages
from quaestor.research.tools.verification import LocateQuotes, RecheckSources, VerifyQuotes
from quaestor.runtime.settings import Settings
from quaestor.tools.passage_search import SearchPassages
from quaestor.tools.recorded_tools import RECORDED_TOOLS

if TYPE_CHECKING:
    from quaestor.tools.hybrid_search import SemanticSearch
    from quaestor.tools.mcp import McpServers

_SERVER_TIME_SHARE = 0.9
"""Of the time limit of a tool call, for what a server may take: so it is the server that is named when it is over."""


class ResearchTools:
    """Gives sessions their tools, with the settings and the environment of this process."""

    def __init__(self, library: Library, settings: Settings, environment: Mapping[str, str], clock: Clock) -> None:
        self._library = library
        self._settings = settings
        self._environment = environment
        self._clock = clock
        self._engines: dict[str, SearchEngine] = {}
        self._servers: McpServers | None = None
        self._nearness: dict[str, SemanticSearch] = {}

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
            self._nearness_index(settings.embeddings)
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

    def tools(self, options: ResearchOptions, recorded: Sequence[Event] | None) -> Mapping[str, AnyTool]:
        """Give the tools of a session by name; `recorded` is the log of the session that it replays, if it does."""
        tools: list[AnyTool] = [SelectPassages(self._library), LocateQuotes(self._library), VerifyQuotes(self._library)]
        if recorded is not None and options.replays:
            tools += [kind(options.replays, recorded) for kind in RECORDED_TOOLS]
        else:
            tools.append(self._search(options))
            web = self._web(options)
            tools += web
            tools.append(RecheckSources(self._library, next((tool for tool in web if tool.name == "fetch"), None)))
            tools += self._asking(options)
        return {tool.name: tool for tool in tools}

    def search_engines(self, names: Sequence[str]) -> Sequence[SearchEngine]:
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

    def _search(self, options: ResearchOptions) -> AnyTool:
        if options.embeddings is None or not options.corpus:
            return SearchPassages(self._library, options.corpus, before=options.as_of)
        from quaestor.tools.hybrid_search import HybridSearch  # noqa: PLC0415 -- only for who wants embeddings

        return HybridSearch(self._library, options.corpus, self._nearness_index(options.embeddings), options.as_of)

    def _nearness_index(self, name: str) -> "SemanticSearch":
        """Give what embeds by a model, shared by all sessions of this process, so that nothing is embedded twice."""
        if name not in self._nearness:
            from quaestor.tools.embedding_client import EmbeddingClient, embedding_service  # noqa: PLC0415 -- the HTTP client, as below
            from quaestor.tools.hybrid_search import SemanticSearch  # noqa: PLC0415

            provider, address = self._reached(name)
            seconds = self._settings.call_seconds
            reached = embedding_service(parse_model_name(name).provider, provider, address, seconds)
            embedder = EmbeddingClient(name, parse_model_name(name).model, reached, self._environment)
            self._nearness[name] = SemanticSearch(self._library, embedder, seconds * _SERVER_TIME_SHARE)
        return self._nearness[name]

    def _reached(self, name: str) -> tuple[Provider, str]:
        """Give who serves an embedding model, and where."""
        where = parse_model_name(name).provider
        provider = resolve_provider(name, self._settings.providers)
        address = resolve_base_url(where, provider, self._environment)
        if provider.dialect != "chat" or address is None:
            raise UsageError(
                f"{where} cannot be asked for embeddings; name a model of another provider, as ollama:NAME, or write "
                f"dialect chat and the base_url of its API in the manner of OpenAI below [providers.{where}]"
            )
        if (
            resolve_api_key(where, provider, self._environment) is None
            and provider.key_env
            and address == provider.base_url
        ):
            raise SetupError(
                f"the embeddings {name} need a key: set {provider.key_env}, or name a model that needs none, "
                "as ollama:NAME"
            )
        return provider, address

    def _web(self, options: ResearchOptions) -> Sequence[AnyTool]:
        if not options.engines and not options.urls:
            return ()
        from quaestor.tools.engines import QuerySearchEngine  # noqa: PLC0415 -- the HTTP client, which runs over files spare
        from quaestor.tools.fetch.guard import ALLOWLIST_VARIABLE, parse_allowlist  # noqa: PLC0415
        from quaestor.tools.fetch.page_fetcher import PageFetcher  # noqa: PLC0415
        from quaestor.tools.fetch.politeness import FetchPolicy  # noqa: PLC0415
        from quaestor.tools.fetch.tool import FetchPage  # noqa: PLC0415
        from quaestor.tools.reading import parse  # noqa: PLC0415

        said = self._settings
        manners = FetchPolicy(obey_robots=said.robots, pause_seconds=said.pause_seconds, contact=said.contact or "")
        web = PageFetcher(parse_allowlist(self._environment.get(ALLOWLIST_VARIABLE, "")), manners)
        fetch = FetchPage(web, parse, self._library, self._clock)
        return (QuerySearchEngine(self._asked(options.engines)), fetch)

    def _asking(self, options: ResearchOptions) -> Sequence[AnyTool]:
        if not options.servers:
            return ()
        from quaestor.tools.mcp import ConsultServer, McpServers, OperateServer, SurveyServers  # noqa: PLC0415 -- an extra

        if self._servers is None:
            seconds = self._settings.call_seconds * _SERVER_TIME_SHARE
            self._servers = McpServers(self._settings.mcp, self._environment, seconds)
        library, clock = self._library, self._clock
        return (
            SurveyServers(self._servers),
            ConsultServer(self._servers, library, clock),
            OperateServer(self._servers, library, clock),
        )

    def _asked(self, names: Sequence[str]) -> Sequence[SearchEngine]:
        """Give engines that are shared by all sessions of this process, so that each keeps the pace of its service."""
        from quaestor.tools.engines import load_engines  # noqa: PLC0415 -- as above

        unmade = [name for name in names if name not in self._engines]
        made = load_engines(unmade, self._environment) if unmade or not names else ()
        for engine in made:
            self._engines.setdefault(engine.name, engine)
        return [self._engines[name] for name in names or [engine.name for engine in made]]
