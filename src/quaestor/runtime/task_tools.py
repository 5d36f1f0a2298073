"""The tools of long tasks: files of a workspace, programs in a sandbox, searches."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quaestor.contracts.errors import UsageError
from quaestor.contracts.ports import Library
from quaestor.contracts.tools import AnyTool
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.dump_tool import DumpWorkspace
from quaestor.runtime.research_tools import ResearchTools
from quaestor.runtime.settings import Settings, user_settings_file
from quaestor.tools.database import SearchDatabase
from quaestor.tools.passage_search import SearchPassages
from quaestor.tools.sandbox import SandboxSelection, SnippetRunner, select_sandbox
from quaestor.tools.workspace import ReadFile, RunPython, RunShell, SearchWeb, WorkspaceFolder, WriteFile

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
        folder = WorkspaceFolder(Path(options.workspace))
        tools: list[AnyTool] = [DumpWorkspace(folder), ReadFile(folder), WriteFile(folder)]
        if {"shell", "python"} & set(options.tools):
            choice = await self._sandbox()
            refusal = "; ".join(choice.standing.reasons)
            tools += [
                RunShell(folder, choice.sandbox, refusal),
                RunPython(
                    folder, choice.sandbox, refusal, snippets=SnippetRunner() if choice.standing.snippets else None
                ),
            ]
        if "search_web" in options.tools:
            tools.append(SearchWeb(self._toolbox.search_engines(options.engines)))
        if "search_database" in options.tools:
            tools.append(self._databases(options))
        return tools

    async def _sandbox(self) -> SandboxSelection:
        if self._choice is None:
            self._choice = await select_sandbox()
        return self._choice

    def _databases(self, options: TaskOptions) -> AnyTool:
        documents = SearchPassages(self._library, options.corpus) if options.corpus else None
        named = {name: self._settings.databases[name] for name in options.databases if name in self._settings.databases}
        seconds = self._settings.call_seconds * _QUERY_TIME_SHARE
        own = user_settings_file(self._environment).parent
        return SearchDatabase(named, documents, self._environment, seconds, folder=own)
