"""Tools that give again what they gave in an earlier session."""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ReplayMiss, ToolFailed
from quaestor.contracts.event import Event, ToolInterrupted, ToolRequested, ToolResponded
from quaestor.contracts.mcp import INTERRUPTED, ConsultInput, McpToolSurvey, SurveyInput
from quaestor.contracts.ports import PureTool, Tool
from quaestor.contracts.tools import SearchInput, SearchResults
from quaestor.contracts.web import EngineSearchInput, FetchInput, Page, WebResults
from quaestor.contracts.workspace import DumpInput, DumpResult

_TIME_DEPENDENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|[0-9a-f]{64}")
"""Times, and hashes of texts that have some in them."""


class RecordedTool:
    """A tool that is answered from a session's log; a `Tool` once a subclass says which."""

    name: ClassVar[str]
    description: ClassVar[str]
    takes: ClassVar[type[Contract]]
    gives: ClassVar[type[Contract]]
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, session_id: str, events: Iterable[Event]) -> None:
        self._session_id = session_id
        self._outcomes = self._read(events)

    async def run(self, given: Contract) -> Contract:
        """Give what was recorded. Raises ToolFailed with the recorded error, NotRecorded for what was never asked."""
        asked = self._said(given)
        outcomes = self._outcomes.get(asked)
        if not outcomes:
            raise ReplayMiss(f"the log of session {self._session_id} has no {self.name} for {asked}")
        outcome = outcomes.popleft() if len(outcomes) > 1 else outcomes[0]
        if outcome.error is not None:
            raise ToolFailed(outcome.error)
        return self.gives.model_validate(outcome.result)

    def _said(self, given: Contract) -> str:
        """Give what tells one question from another."""
        return given.model_dump_json()

    def _read(self, events: Iterable[Event]) -> Mapping[str, deque[ToolResponded]]:
        """Give the outcomes in their order, by what was asked, written as this release writes it."""
        asked: dict[str, str] = {}
        found: defaultdict[str, deque[ToolResponded]] = defaultdict(deque)
        for event in events:
            match event.payload:
                case ToolRequested(tool=self.name, key=key, given=given):
                    asked[key] = self._said(self.takes.model_validate(given))
                case ToolResponded(tool=self.name, key=key) as outcome if key in asked:
                    found[asked[key]].append(outcome)
                case ToolInterrupted(tool=self.name, key=key, todo_id=todo_id) if key in asked:
                    interrupted = ToolResponded(
                        key=key,
                        todo_id=todo_id,
                        tool=self.name,
                        result=None,
                        error=INTERRUPTED,
                        spend=self.spend,
                        milliseconds=0,
                    )
                    found[asked[key]].append(interrupted)
                case _:
                    pass
        return found


class RecordedSearch(RecordedTool):
    """The search tool, answered from a session's log."""

    name: ClassVar[str] = "search"
    description: ClassVar[str] = "Finds passages that an earlier session found."
    takes: ClassVar[type[Contract]] = SearchInput
    gives: ClassVar[type[Contract]] = SearchResults


class RecordedWebSearch(RecordedTool):
    """The web search tool, answered from a session's log."""

    name: ClassVar[str] = "web_search"
    description: ClassVar[str] = "Finds pages that an earlier session found."
    takes: ClassVar[type[Contract]] = EngineSearchInput
    gives: ClassVar[type[Contract]] = WebResults


class RecordedFetch(RecordedTool):
    """The fetch tool, answered from a session's log; what it fetched is stored."""

    name: ClassVar[str] = "fetch"
    description: ClassVar[str] = "Gives a page as an earlier session fetched it."
    takes: ClassVar[type[Contract]] = FetchInput
    gives: ClassVar[type[Contract]] = Page


class RecordedSurvey(RecordedTool):
    """The survey tool, answered from a session's log."""

    name: ClassVar[str] = "survey"
    description: ClassVar[str] = "Says which tools an earlier session's servers offered."
    takes: ClassVar[type[Contract]] = SurveyInput
    gives: ClassVar[type[Contract]] = McpToolSurvey
    spend: ClassVar[Spend] = Spend()


class RecordedConsult(RecordedTool):
    """The consult tool, answered from a session's log; what was said is stored."""

    name: ClassVar[str] = "consult"
    description: ClassVar[str] = "Gives what a server said in an earlier session."
    takes: ClassVar[type[Contract]] = ConsultInput
    gives: ClassVar[type[Contract]] = SearchResults


class RecordedOperate(RecordedConsult):
    """The operate tool, answered from a session's log; nothing is done again, so it may be asked again."""

    name: ClassVar[str] = "operate"
    description: ClassVar[str] = "Gives what a server said of what it did in an earlier session."


class RecordedDump(RecordedTool):
    """The dump tool, answered from a session's log: no file is written. What it was given tells the time."""

    name: ClassVar[str] = "dump"
    description: ClassVar[str] = "Says what an earlier session found in its workspace."
    takes: ClassVar[type[Contract]] = DumpInput
    gives: ClassVar[type[Contract]] = DumpResult
    spend: ClassVar[Spend] = Spend()

    @override
    def _said(self, given: Contract) -> str:
        return _TIME_DEPENDENT.sub("", given.model_dump_json())


def replay_tool(tool: Tool, session_id: str, events: Iterable[Event]) -> Tool:
    """Give a tool that gives what another one gave in a session; one that is pure is used as it is."""
    if isinstance(tool, PureTool | RecordedTool):
        return tool
    if tool.name == RecordedDump.name:
        return RecordedDump(session_id, events)

    class Again(RecordedTool):
        name: ClassVar[str] = tool.name
        description: ClassVar[str] = tool.description
        takes: ClassVar[type[Contract]] = tool.takes
        gives: ClassVar[type[Contract]] = tool.gives
        spend: ClassVar[Spend] = tool.spend

    return Again(session_id, events)
