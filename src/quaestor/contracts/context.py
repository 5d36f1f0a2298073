"""What a workflow's plugin can build on: the services of the process that starts or runs its sessions.

SetupContext   resolves what settings name, when a session starts     -> the session's recorded options
RunContext     opens what the options name, whenever the session runs -> its tools
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import Field, JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.library import CorpusState, Document, Library
from quaestor.contracts.ports import Clock, SearchEngine
from quaestor.contracts.report_settings import ANY_SOURCE, SourceBounds
from quaestor.contracts.roles import AgentCard
from quaestor.contracts.settings import RunOptions, Settings
from quaestor.contracts.source import ANY_DATE, DateRange
from quaestor.contracts.todo import TodoOptions
from quaestor.contracts.tools import AnyTool

OptionsT = TypeVar("OptionsT", bound=RunOptions)


class SessionRequest(Contract):
    """What a new session is asked to do, and over which sources."""

    text: str = Field(description="The question, the task or the objective.")
    corpus: CorpusState | None = Field(default=None, description="The indexed documents; None: no documents.")
    urls: tuple[str, ...] = Field(default=(), description="Pages that the user named.")
    options: Mapping[str, JsonValue] = Field(
        default={}, description="Options of the workflow that replace what the settings say, by name."
    )


class SetupContext(Protocol):
    """The resolution of what the options of a new session name."""

    @property
    def settings(self) -> Settings:
        """The settings of the session."""

    def engine_names(self) -> tuple[str, ...]:
        """Return the names of the search engines that the settings ask for.

        Raises UsageError for an unknown name, SetupError for an engine whose key or address is missing.
        """

    def embedding_model(self) -> str | None:
        """Return the embedding model that the settings name, once it is known to be reachable.

        Raises UsageError for an unknown model, SetupError for a missing key.
        """

    def server_names(self) -> tuple[str, ...]:
        """Return the names of the MCP servers. Raises MissingExtra when their package is not installed."""

    def resolve_models(self, options: OptionsT) -> OptionsT:
        """Return options with their models as they are recorded, and the prices of these.

        Raises UsageError for an unknown model, role or price, SetupError for a missing key.
        """

    def smallest_window(self, options: RunOptions) -> int | None:
        """Return the smallest window of the remote models of resolved options, in tokens; None without such a model."""

    def agent_cards(self, options: RunOptions, tools: Collection[str]) -> tuple[AgentCard, ...]:
        """Return the agents to which a run with these tools can delegate.

        Raises UsageError for an agent whose declared tools the run does not have.
        """

    def todo_options(self, kind: str, options: TodoOptions) -> JsonValue:
        """Return the own options of the workflow that carries out todos of a kind, as that resolves them.

        Raises UsageError for a kind that no workflow carries out, and for options that it cannot use.
        """

    def workspace(self, text: str, options: RunOptions, named: str) -> str:
        """Return the folder that is `named`, else one in the home that equal sessions share.

        Raises UsageError for a folder in which no session can work, or from which programs would reach the home.
        """


class Closable(Protocol):
    """A connection that is closed with the home."""

    async def close(self) -> None:
        """Close it."""


ClosableT = TypeVar("ClosableT", bound=Closable)


class RunContext(Protocol):
    """The connections of tools. They are shared by all sessions of the process and closed with the home."""

    @property
    def clock(self) -> Clock:
        """The clock of the process."""

    @property
    def library(self) -> Library:
        """The stored sources and corpora of the home."""

    @property
    def settings(self) -> Settings:
        """The settings of the process."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment variables of the process."""

    def search(self, corpus: str, *, embeddings: str | None = None, dates: DateRange = ANY_DATE) -> AnyTool:
        """Return the tool `search` over a corpus, by words and, with an embedding model, by meaning.

        Sources dated outside `dates` are left out.
        """

    def engines(self, names: Sequence[str]) -> Sequence[SearchEngine]:
        """Return search engines by their names.

        Raises UsageError for an unknown name, SetupError for a missing key.
        """

    def web_search(self, engines: Sequence[str], sources: SourceBounds = ANY_SOURCE) -> AnyTool:
        """Return the tool that queries these search engines for pages within bounds. Raises as `engines` does."""

    def fetch(self, allows_host: Callable[[str], bool] = ...) -> AnyTool:
        """Return the tool `fetch`, from the URL of a page of an allowed host to a stored source."""

    async def read(self, content: bytes, media_type: str, uri: str) -> Document:
        """Return the text of a document, read from its bytes. Raises ToolFailed, MissingExtra when it cannot be."""

    def files(self, folder: Path) -> Sequence[AnyTool]:
        """Return the tools `read_file` and `write_file` in a folder."""

    async def programs(self, folder: Path) -> Sequence[AnyTool]:
        """Return the tools `shell` and `python`, which run in the sandbox and write to this folder alone."""

    def databases(self, names: Sequence[str], corpus: str = "", dates: DateRange = ANY_DATE) -> AnyTool:
        """Return the tool that reads the databases with these names, and the documents of a corpus of these days."""

    def servers(self) -> Sequence[AnyTool]:
        """Return the tools that survey, consult and operate the MCP servers of the settings."""

    async def todo_tools(self, kind: str, options: TodoOptions) -> Sequence[AnyTool]:
        """Return the tools of the workflow that carries out todos of a kind.

        Raises UsageError for a kind that no workflow carries out, and what that workflow raises.
        """

    def temporary_folder(self) -> Path:
        """Return a folder that is removed when the home is closed, the same at every call."""

    def shared(self, key: Hashable, connect: Callable[[], ClosableT]) -> ClosableT:
        """Return the connection that was opened under a key; open it when there is none yet."""
