"""The tools search_web and search_database: what others wrote, found by a query."""

from typing_extensions import override

from quaestor.contracts.context import RunContext
from quaestor.contracts.database import DatabaseInput, DatabaseResults
from quaestor.contracts.tools import AnyTool, InputT, OutputT
from quaestor.contracts.web import SearchWebInput, WebResults
from quaestor.longtask.contracts import TaskOptions, TaskToolCall
from quaestor.longtask.state import WorkspaceState
from quaestor.longtask.tools.task_tool import ResultSummary, TaskTool, one_line, truncate_middle

SEARCH_RESULTS = 5
"""Results of one search."""
_MAX_SNIPPET_CHARACTERS = 200


class _Search(TaskTool[InputT, OutputT]):
    """What all searches have in common."""

    required_arguments = "a `query`"

    @override
    def untrusted_source(self, result: OutputT | None, workspace: WorkspaceState, round_number: int) -> str | None:
        """Return the search, also one that failed: the text of an error may come from outside as well."""
        return f"{self.name} in round {round_number}"


class _SearchWeb(_Search[SearchWebInput, WebResults]):
    """The tool that searches the web."""

    name = "search_web"

    @override
    def is_available(self, options: TaskOptions) -> bool:
        """Return whether there is a search engine."""
        return bool(options.engines)

    @override
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> SearchWebInput | None:
        """Return the query."""
        return SearchWebInput(query=call.query, limit=SEARCH_RESULTS) if call.query else None

    @override
    def summarize(self, result: WebResults) -> ResultSummary:
        """Return the title, the address and the beginning of the snippet of every page."""
        hits = result.hits[:SEARCH_RESULTS]
        lines = (f"{hit.title} <{hit.url}>\n{hit.snippet[:_MAX_SNIPPET_CHARACTERS]}" for hit in hits)
        return ResultSummary(truncate_middle("\n".join(lines) or "nothing was found"))

    @override
    async def build(self, context: RunContext, options: TaskOptions) -> AnyTool:
        """Return the tool for the engines of the task."""
        return context.web_search(options.engines, options.sources)


class _SearchDatabase(_Search[DatabaseInput, DatabaseResults]):
    """The tool that reads databases and searches the documents."""

    name = "search_database"

    @override
    def is_available(self, options: TaskOptions) -> bool:
        """Return whether there is a database or a corpus."""
        return bool(options.databases or options.corpus)

    @override
    def build_input(self, call: TaskToolCall, folder: str, seconds: float) -> DatabaseInput:
        """Return the query; without one the tables are listed."""
        return DatabaseInput(query=call.query or "", database=call.database or "", limit=SEARCH_RESULTS)

    @override
    def summarize(self, result: DatabaseResults) -> ResultSummary:
        """Return the rows, tables or passages as text."""
        return ResultSummary(truncate_middle(result.text), one_line(result.fault) if result.fault else None)

    @override
    async def build(self, context: RunContext, options: TaskOptions) -> AnyTool:
        """Return the tool for the databases of the task."""
        return context.databases(options.databases, options.corpus, options.sources.dates)


SEARCH_WEB = _SearchWeb()
SEARCH_DATABASE = _SearchDatabase()
