"""Tools that return again what they returned in an earlier session."""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ReplayMiss, ToolFailed, ToolUnavailable
from quaestor.contracts.event import Event, ToolInterrupted, ToolRequested, ToolResponded
from quaestor.contracts.mcp import INTERRUPTED, ConsultInput, McpToolSurvey, SurveyInput
from quaestor.contracts.tools import AnyTool, InputT, OutputT, SearchInput, SearchResults, Tool
from quaestor.contracts.web import FetchInput, Page, SearchWebInput, WebResults
from quaestor.contracts.workspace import DumpInput, DumpResult

_TIME_DEPENDENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|[0-9a-f]{64}")
"""Times, and hashes of texts that have some in them."""


class RecordedTool(Tool[InputT, OutputT]):
    """A tool that is answered from a session's log; a subclass names the tool."""

    repeatable = True

    def __init__(self, session_id: str, events: Iterable[Event]) -> None:
        self._session_id = session_id
        self._outcomes = self._read(events)

    @override
    async def run(self, given: InputT) -> OutputT:
        """Return what was recorded. Raises ToolFailed with the recorded error, ReplayMiss for a call never made."""
        asked = self._call_key(given)
        outcomes = self._outcomes.get(asked)
        if not outcomes:
            raise ReplayMiss(f"the log of session {self._session_id} has no {self.name} for {asked}")
        outcome = outcomes.popleft() if len(outcomes) > 1 else outcomes[0]
        if outcome.error is not None:
            raise (ToolUnavailable if outcome.unavailable else ToolFailed)(outcome.error)
        return self.output_type.model_validate(outcome.result)

    def _call_key(self, given: Contract) -> str:
        """Return the text by which equal calls are found."""
        return given.model_dump_json()

    def _read(self, events: Iterable[Event]) -> Mapping[str, deque[ToolResponded]]:
        """Return the outcomes in order, by the key of their call as this release writes it."""
        names = {self.name, *self.aliases}
        asked: dict[str, str] = {}
        found: defaultdict[str, deque[ToolResponded]] = defaultdict(deque)
        for event in events:
            match event.payload:
                case ToolRequested(tool=tool, key=key, given=given) if tool in names:
                    asked[key] = self._call_key(self.input_type.model_validate(given))
                case ToolResponded(tool=tool, key=key) as outcome if tool in names and key in asked:
                    if found[asked[key]] and found[asked[key]][-1].unavailable:
                        found[asked[key]].pop()  # it was done again once the service answered
                    found[asked[key]].append(outcome)
                case ToolInterrupted(tool=tool, key=key) if tool in names and key in asked:
                    interrupted = ToolResponded(
                        key=key,
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


class RecordedSearch(RecordedTool[SearchInput, SearchResults]):
    """The search tool, answered from a session's log."""

    name = "search"
    description = "Finds passages that an earlier session found."


class RecordedWebSearch(RecordedTool[SearchWebInput, WebResults]):
    """The web search tool, answered from a session's log."""

    name = "search_web"
    aliases = frozenset({"web_search"})
    description = "Finds pages that an earlier session found."


class RecordedFetch(RecordedTool[FetchInput, Page]):
    """The fetch tool, answered from a session's log; what it fetched is stored."""

    name = "fetch"
    description = "Gives a page as an earlier session fetched it."


class RecordedSurvey(RecordedTool[SurveyInput, McpToolSurvey]):
    """The survey tool, answered from a session's log."""

    name = "survey"
    description = "Says which tools an earlier session's servers offered."
    spend = Spend()


class RecordedConsult(RecordedTool[ConsultInput, SearchResults]):
    """The consult tool, answered from a session's log; the recorded text is stored."""

    name = "consult"
    description = "Gives what a server said in an earlier session."


class RecordedOperate(RecordedConsult):
    """The operate tool, answered from a session's log; nothing is done again, so it may be asked again."""

    name = "operate"
    description = "Gives what a server said of what it did in an earlier session."


class RecordedDump(RecordedTool[DumpInput, DumpResult]):
    """The dump tool, answered from a session's log: no file is written, and the input has the time."""

    name = "dump"
    description = "Says what an earlier session found in its workspace."
    spend = Spend()

    @override
    def _call_key(self, given: Contract) -> str:
        return _TIME_DEPENDENT.sub("", given.model_dump_json(exclude={"cut_off"}))


class _ReplayedTool(RecordedTool[Contract, Contract]):
    """Any tool, answered from a session's log."""

    def __init__(self, tool: AnyTool, session_id: str, events: Iterable[Event]) -> None:
        self.name, self.aliases, self.description, self.spend = tool.name, tool.aliases, tool.description, tool.spend
        self.input_type, self.output_type, self.states = tool.input_type, tool.output_type, tool.states
        super().__init__(session_id, events)


def replay_tool(tool: AnyTool, session_id: str, events: Iterable[Event]) -> AnyTool:
    """Return a tool that repeats what another one returned in a session; a pure tool is used as it is."""
    if tool.pure or isinstance(tool, RecordedTool):
        return tool
    if tool.name == RecordedDump.name:
        return RecordedDump(session_id, events)
    return _ReplayedTool(tool, session_id, events)
