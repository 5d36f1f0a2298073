"""The tools of long tasks: files of a workspace, programs in a sandbox, searches."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quaestor.contracts.errors import UsageError
from quaestor.contracts.ports import Library
from quaestor.contracts.tools import AnyTool
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.dump_tool import DumpWorkspace
from quaestor.longtask.tools.registry import task_tools
from quaestor.runtime.research_tools import ResearchTools
from quaestor.runtime.settings import Settings, user_settings_file
from quaestor.tools.database import SearchDatabase
from quaestor.tools.engines import SearchWeb
from quaestor.tools.passage_search import SearchPassages
from quaestor.tools.sandbox import SandboxSelection, SnippetRunner, select_sandbox
from quaestor.tools.workspace import ReadFile, RunPython, RunShell, WorkspaceFolder, WriteFile

_QUERY_TIME_SHARE = 0.9
"""Of the time limit of a tool call, for what a query may take: so it is the database that is named when it is over."""


class TaskTools:
    """Gives tasks their tools, with the settings and the environment of this process; one sandbox serves them all."""

    def __init__(
        self, library: Library, settings: Settings, environment: Mapping[str, str], toolbox: ResearchTools
    ) -> None:
        self._library = library
        self._settings = settings
        self._environment = environment
        self._toolbox = toolbox
        self._choice: SandboxSelection | None = None

    async def tools(self, options: TaskOptions) -> Sequence[AnyTool]:
        """Give the tools of a task. Raises UsageError for a task without a folder."""
        if not options.workspace:
            raise UsageError("the task has no workspace; name the folder in which it works")
        built = [await tool.build(self, options) for tool in task_tools() if tool.name in options.tools]
        return [DumpWorkspace(WorkspaceFolder(Path(options.workspace))), *built]

    def files(self, folder: Path) -> Sequence[AnyTool]:
        """Return the tools `read_file` and `write_file` in a folder."""
        return ReadFile(WorkspaceFolder(folder)), WriteFile(WorkspaceFolder(folder))

    async def programs(self, folder: Path) -> Sequence[AnyTool]:
        """Return the tools `shell` and `python`, which run in the sandbox and write to this folder alone."""
        choice = await self._sandbox()
        refusal = "; ".join(choice.standing.reasons)
        snippets = SnippetRunner() if choice.standing.snippets else None
        workspace = WorkspaceFolder(folder)
        return (
            RunShell(workspace, choice.sandbox, refusal),
            RunPython(workspace, choice.sandbox, refusal, snippets=snippets),
        )

    def web_search(self, engines: Sequence[str]) -> AnyTool:
        """Return the tool that queries these search engines."""
        return SearchWeb(self._toolbox.search_engines(engines))

    def databases(self, names: Sequence[str], corpus: str = "") -> AnyTool:
        """Return the tool that reads the databases with these names, and the documents of a corpus."""
        documents = SearchPassages(self._library, corpus) if corpus else None
        known = {name: self._settings.databases[name] for name in names if name in self._settings.databases}
        seconds = self._settings.call_seconds * _QUERY_TIME_SHARE
        own = user_settings_file(self._environment).parent
        return SearchDatabase(known, documents, self._environment, seconds, folder=own)

    async def _sandbox(self) -> SandboxSelection:
        if self._choice is None:
            self._choice = await select_sandbox()
        return self._choice
