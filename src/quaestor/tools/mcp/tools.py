"""The tools by which agents use servers: survey says what there is, consult reads, operate does what was allowed."""

import asyncio
from typing import ClassVar
from urllib.parse import quote

from typing_extensions import override

from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.library import Document, Library
from quaestor.contracts.mcp import ConsultInput, McpToolSurvey, SurveyInput
from quaestor.contracts.ports import Clock
from quaestor.contracts.source import Hit, Passage
from quaestor.contracts.tools import SearchResults, Tool
from quaestor.evidence.passages import split_passages
from quaestor.tools.mcp.connection import one_line, result_text
from quaestor.tools.mcp.servers import McpServers

MEDIA_TYPE = "text/plain"
MAX_PASSAGES = 12
"""Passages of one answer that are given, its first ones; all of it is stored."""


class SurveyServers(Tool[SurveyInput, McpToolSurvey]):
    """A `Tool` that asks servers for their tools."""

    name = "survey"
    description = "Says which tools the connected servers offer."
    repeatable = True
    spend = Spend()

    def __init__(self, servers: McpServers) -> None:
        self._servers = servers

    @override
    async def run(self, given: SurveyInput) -> McpToolSurvey:
        """Return what all of them offer, in their order; one that cannot be asked does not hold up the others."""
        surveys = await asyncio.gather(*map(self._surveyed, given.servers))
        return McpToolSurvey(
            offers=tuple(offer for survey in surveys for offer in survey.offers),
            failures=tuple(failure for survey in surveys for failure in survey.failures),
        )

    async def _surveyed(self, name: str) -> McpToolSurvey:
        try:
            return await self._servers.survey(name)
        except ToolFailed as failed:
            return McpToolSurvey(failures=(str(failed),))


class ConsultServer(Tool[ConsultInput, SearchResults]):
    """A `Tool` that calls a read-only tool of a server and stores its result as a source."""

    name = "consult"
    description = "Asks a tool of a connected server that only reads; only those that are offered to you."
    repeatable = True
    _reading: ClassVar[bool] = True

    def __init__(self, servers: McpServers, library: Library, clock: Clock) -> None:
        self._servers = servers
        self._library = library
        self._clock = clock

    @override
    async def run(self, given: ConsultInput) -> SearchResults:
        """Return the first passages of the answer. Raises ToolFailed that names the server and the tool."""
        text = result_text(given.tool, await self._servers.ask(given, reading=self._reading))
        if not text.strip():
            return SearchResults()
        document = Document(uri=_uri(given), title=one_line(given.call), media_type=MEDIA_TYPE, text=text)
        source = await self._library.keep(document, self._clock.now())
        passages = (
            Passage(source=source.sha256, start=start, end=end, text=text[start:end], heading=heading)
            for start, end, heading in split_passages(text, source.media_type)[:MAX_PASSAGES]
        )
        return SearchResults(
            hits=tuple(
                Hit(passage=passage, title=source.title, uri=source.uri, score=round(1 / place, 4))
                for place, passage in enumerate(passages, 1)
            )
        )


class OperateServer(ConsultServer):
    """A `Tool` that calls an allowed tool of a server which is not read-only, and that is never run again."""

    name = "operate"
    description = "Uses a tool of a connected server that may change something; only those offered to you."
    repeatable = False
    _reading: ClassVar[bool] = False


def _uri(given: ConsultInput) -> str:
    server, _, tool = given.tool.partition(".")
    return f"mcp://{server}/{quote(tool)}?{quote(given.written)}"
