"""The tools of long tasks: files of a workspace, programs in a sandbox, searches."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quaestor.contracts.errors import UsageError
from quaestor.contracts.ports import Library, Tool
from quaestor.contracts.task import TaskOptions
from quaestor.settings import Settings, user_file
from quaestor.toolbox import Toolbox
from quaestor.tools.database import SearchDatabase
from quaestor.tools.sandbox import Choice, Glue, choose
from quaestor.tools.search import Search
from quaestor.tools.workspace import Dump, Folder, Python, ReadFile, SearchWeb, Shell, WriteFile

_SHARE_OF_A_CALL = 0.9
"""Of the time limit of a tool call, for what a query may take: so it is the database that is named when it is over."""


class Workshop:
    """Gives tasks their tools, with the settings and the environment of this process; one sandbox serves them all."""

    def __init__(self, library: Library, settings: Settings, environment: Mapping[str, str], toolbox: Toolbox) -> None:
        self._library = library
        self._settings = settings
        self._environment = environment
        self._toolbox = toolbox
        self._choice: Choice | None = None

    async def tools(self, options: TaskOptions) -> Sequence[Tool]:
        """Give the tools of a task. Raises UsageError for a task without a folder."""
        if not options.workspace:
            raise UsageError("the task has no workspace; name the folder in which it works")
        folder = Folder(Path(options.workspace))
        tools: list[Tool] = [Dump(folder), ReadFile(folder), WriteFile(folder)]
        if {"shell", "python"} & set(options.tools):
            choice = await self._sandbox()
            refusal = "; ".join(choice.standing.reasons)
            tools += [
                Shell(folder, choice.sandbox, refusal),
                Python(folder, choice.sandbox, refusal, snippets=Glue() if choice.standing.glue else None),
            ]
        if "search_web" in options.tools:
            tools.append(SearchWeb(self._toolbox.searching(options.engines)))
        if "search_database" in options.tools:
            tools.append(self._databases(options))
        return tools

    async def _sandbox(self) -> Choice:
        if self._choice is None:
            self._choice = await choose()
        return self._choice

    def _databases(self, options: TaskOptions) -> Tool:
        documents = Search(self._library, options.corpus) if options.corpus else None
        named = {name: self._settings.databases[name] for name in options.databases if name in self._settings.databases}
        seconds = self._settings.call_seconds * _SHARE_OF_A_CALL
        own = user_file(self._environment).parent
        return SearchDatabase(named, documents, self._environment, seconds, folder=own)
