"""The services that plugins build on: in a running session, and in one that is replayed from a log."""

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from quaestor.contracts.context import ClosableT
from quaestor.contracts.database import Database
from quaestor.contracts.event import Event
from quaestor.contracts.lazy import LazyImport, deferred
from quaestor.contracts.library import Document, Library
from quaestor.contracts.ports import Clock, SearchEngine
from quaestor.contracts.report_settings import ANY_SOURCE, SourceBounds
from quaestor.contracts.settings import Settings
from quaestor.contracts.source import ANY_DATE, DateRange
from quaestor.contracts.todo import TodoOptions
from quaestor.contracts.tools import AnyTool
from quaestor.runtime.registry import get_todo_plugin
from quaestor.storage.originals import OriginalFiles

if TYPE_CHECKING:
    from quaestor.tools.hybrid_search import SemanticSearch
    from quaestor.tools.mcp import McpServers
    from quaestor.tools.passage_search import SearchPassages
    from quaestor.tools.sandbox import SandboxSelection

_SERVER_TIME_SHARE = 0.9
"""Of the time limit of a tool call, for what a server or a database may take: so the message names it, not the tool."""

# The HTTP client, the sandbox and MCP are imported at their first use: most runs need one of them or none.
# So is the search of documents, as many commands read the log alone.
_WEB, _WORKSPACE, _MCP = "quaestor.runtime.web_services", "quaestor.runtime.workspace_services", "quaestor.tools.mcp"
_RECORDED = "quaestor.tools.recorded_tools"
_load_engines: Callable[[Sequence[str], Mapping[str, str]], Sequence[SearchEngine]] = deferred(f"{_WEB}:load_engines")
_web_search_tool: Callable[[Sequence[SearchEngine], SourceBounds], AnyTool] = deferred(f"{_WEB}:SearchWeb")
_fetch_tool: Callable[..., AnyTool] = deferred(f"{_WEB}:fetch_tool")
_read_document: Callable[[bytes, str, str], Awaitable[Document]] = deferred(f"{_WEB}:read_document")
_open_embeddings: "Callable[[str, Settings, Mapping[str, str], Library, float], SemanticSearch]" = deferred(
    "quaestor.runtime.embeddings:open_embeddings"
)
_semantic_search_tool: "Callable[[Library, str, SemanticSearch, DateRange], AnyTool]" = deferred(
    "quaestor.tools.hybrid_search:HybridSearch"
)
_search_tool: "Callable[..., SearchPassages]" = deferred("quaestor.tools.passage_search:SearchPassages")
_file_tools: Callable[[Path], Sequence[AnyTool]] = deferred(f"{_WORKSPACE}:file_tools")
_select_sandbox: "Callable[[], Awaitable[SandboxSelection]]" = deferred(f"{_WORKSPACE}:select_sandbox")
_program_tools: "Callable[[Path, SandboxSelection], Sequence[AnyTool]]" = deferred(f"{_WORKSPACE}:program_tools")
_database_tool: "Callable[[Mapping[str, Database], SearchPassages | None, Mapping[str, str], float], AnyTool]" = (
    deferred(f"{_WORKSPACE}:database_tool")
)
_open_servers: "Callable[..., McpServers]" = deferred(f"{_MCP}:McpServers")
_survey_servers: "Callable[[McpServers], AnyTool]" = deferred(f"{_MCP}:SurveyServers")
_consult_server: "Callable[[McpServers, Library, Clock], AnyTool]" = deferred(f"{_MCP}:ConsultServer")
_operate_server: "Callable[[McpServers, Library, Clock], AnyTool]" = deferred(f"{_MCP}:OperateServer")


class Connections:
    """What the sessions of one process share: open connections, the sandbox, a temporary folder."""

    def __init__(self, home: Path | None = None) -> None:
        self.home = home
        """Where originals of fetched files are kept; None: nowhere."""
        self._opened: dict[Hashable, Any] = {}
        self._temporary_folder: TemporaryDirectory[str] | None = None
        self.sandbox: SandboxSelection | None = None
        """The sandbox in which programs run; None: not selected yet."""

    def shared(self, key: Hashable, connect: Callable[[], ClosableT]) -> ClosableT:
        """Return the connection that was opened under a key; open it when there is none yet."""
        if key not in self._opened:
            self._opened[key] = connect()
        connection: ClosableT = self._opened[key]
        return connection

    def engines(self, names: Sequence[str], environment: Mapping[str, str]) -> Sequence[SearchEngine]:
        """Return search engines, each opened once, so that it keeps the rate limit of its service.

        Without names these are the engines that the environment sets up.
        """
        missing = [name for name in names if ("engine", name) not in self._opened]
        found = [name for name in names if name not in missing]
        if missing or not names:
            for engine in _load_engines(missing, environment):
                self._opened.setdefault(("engine", engine.name), engine)
                found.append(engine.name)
        return [self._opened["engine", name] for name in names or found]

    def temporary_folder(self) -> Path:
        """Return a folder that is removed at the end, the same at every call."""
        if self._temporary_folder is None:
            self._temporary_folder = TemporaryDirectory(prefix="quaestor-")
        return Path(self._temporary_folder.name)

    async def close(self) -> None:
        """Close all connections and remove the temporary folder."""
        for connection in self._opened.values():
            await connection.close()
        if self._temporary_folder:
            self._temporary_folder.cleanup()


class HomeContext:
    """The services of one home in this process; a `RunContext`."""

    def __init__(
        self,
        library: Library,
        settings: Settings,
        environment: Mapping[str, str],
        clock: Clock,
        connections: Connections,
        *,
        originals: OriginalFiles | None = None,
    ) -> None:
        self.originals = originals
        self.library = library
        self.settings = settings
        self.environment = environment
        self.clock = clock
        self.connections = connections

    def of_session(self, session_id: str) -> "HomeContext":
        """Return these services for one session, which names the sources that it sees for itself."""
        library = self.library.of_session(session_id)
        home = self.connections.home
        originals = OriginalFiles(self.settings.data_folder(home), session_id) if home else None
        return HomeContext(library, self.settings, self.environment, self.clock, self.connections, originals=originals)

    def search(self, corpus: str, *, embeddings: str | None = None, dates: DateRange = ANY_DATE) -> AnyTool:
        """Return the tool `search` over a corpus. Raises as `semantic_search` does."""
        if embeddings is None or not corpus:
            return _search_tool(self.library, corpus, dates=dates)
        return _semantic_search_tool(self.library, corpus, self.semantic_search(embeddings), dates)

    def semantic_search(self, model: str) -> "SemanticSearch":
        """Return the search by an embedding model, shared so that no text is embedded twice.

        Raises UsageError for an unknown model, SetupError for a missing key.
        """
        return self.shared(
            ("embeddings", model),
            lambda: _open_embeddings(model, self.settings, self.environment, self.library, self._server_seconds),
        )

    def engines(self, names: Sequence[str]) -> Sequence[SearchEngine]:
        """Return the search engines with these names. Raises UsageError, SetupError for one that cannot be opened."""
        return self.connections.engines(names, self.environment) if names else ()

    def web_search(self, engines: Sequence[str], sources: SourceBounds = ANY_SOURCE) -> AnyTool:
        """Return the tool that queries these search engines for pages within bounds. Raises as `engines` does."""
        return _web_search_tool(self.engines(engines), sources)

    def fetch(self, allows_host: Callable[[str], bool] = lambda _: True) -> AnyTool:
        """Return the tool `fetch`, which keeps to the settings on robots.txt and pauses, and to these hosts."""
        given = (self.settings, self.environment, self.library, self.clock, self.originals)
        return _fetch_tool(*given, allows_host=allows_host)

    async def read(self, content: bytes, media_type: str, uri: str) -> Document:
        """Return the text of a document. Raises ToolFailed when it cannot be read, MissingExtra."""
        return await _read_document(content, media_type, uri)

    def files(self, folder: Path) -> Sequence[AnyTool]:
        """Return the tools `read_file` and `write_file` in a folder."""
        return _file_tools(folder)

    async def programs(self, folder: Path) -> Sequence[AnyTool]:
        """Return the tools `shell` and `python`; the first call tries which sandbox works on this machine."""
        if self.connections.sandbox is None:
            self.connections.sandbox = await _select_sandbox()
        return _program_tools(folder, self.connections.sandbox)

    def databases(self, names: Sequence[str], corpus: str = "", dates: DateRange = ANY_DATE) -> AnyTool:
        """Return the tool that reads the databases with these names, and the documents of a corpus of these days."""
        named = {name: self.settings.databases[name] for name in names if name in self.settings.databases}
        documents = _search_tool(self.library, corpus, dates=dates) if corpus else None
        return _database_tool(named, documents, self.environment, self._server_seconds)

    def servers(self) -> Sequence[AnyTool]:
        """Return the tools that survey, consult and operate the MCP servers of the settings."""
        servers = self.shared("mcp", lambda: _open_servers(self.settings.mcp, self.environment, self._server_seconds))
        return (
            _survey_servers(servers),
            _consult_server(servers, self.library, self.clock),
            _operate_server(servers, self.library, self.clock),
        )

    async def todo_tools(self, kind: str, options: TodoOptions) -> Sequence[AnyTool]:
        """Return the tools of the workflow that carries out todos of a kind, for its states alone.

        Raises UsageError when there is none.
        """
        workflow = get_todo_plugin(kind).as_todo
        tools = await workflow.tools(self, options) if workflow else ()
        for tool in tools:
            tool.states = frozenset(workflow.states) if workflow else None
        return tools

    def temporary_folder(self) -> Path:
        """Return a folder that is removed when the home is closed, the same at every call."""
        return self.connections.temporary_folder()

    def shared(self, key: Hashable, connect: Callable[[], ClosableT]) -> ClosableT:
        """Return the connection that was opened under a key; open it when there is none yet."""
        return self.connections.shared(key, connect)

    @property
    def _server_seconds(self) -> float:
        return self.settings.call_seconds * _SERVER_TIME_SHARE


class ReplayContext(HomeContext):
    """The services of a replay: what reaches outside is answered from the log of the replayed session."""

    def __init__(self, home: HomeContext, session_id: str, recorded: Sequence[Event]) -> None:
        super().__init__(home.library, home.settings, home.environment, home.clock, home.connections)
        self._session_id = session_id
        self._recorded = recorded

    @override
    def search(self, corpus: str, *, embeddings: str | None = None, dates: DateRange = ANY_DATE) -> AnyTool:
        return self._from_log("RecordedSearch")

    @override
    def engines(self, names: Sequence[str]) -> Sequence[SearchEngine]:
        return ()

    @override
    def web_search(self, engines: Sequence[str], sources: SourceBounds = ANY_SOURCE) -> AnyTool:
        return self._from_log("RecordedWebSearch")

    @override
    def fetch(self, allows_host: Callable[[str], bool] = lambda _: True) -> AnyTool:
        return self._from_log("RecordedFetch")

    @override
    def servers(self) -> Sequence[AnyTool]:
        return [self._from_log(name) for name in ("RecordedSurvey", "RecordedConsult", "RecordedOperate")]

    def _from_log(self, name: str) -> AnyTool:
        recorded: LazyImport[Callable[[str, Sequence[Event]], AnyTool]] = LazyImport(f"{_RECORDED}:{name}")
        return recorded.load()(self._session_id, self._recorded)
