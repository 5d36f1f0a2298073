"""A tool that gives again what it gave in an earlier session."""

import json
from collections.abc import Iterable, Mapping
from typing import ClassVar

from pydantic import JsonValue

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import NotRecorded, ToolFailed
from quaestor.contracts.event import Event, ToolRequested, ToolResponded
from quaestor.contracts.noun import Noun
from quaestor.contracts.tools import SearchGiven, SearchResults


class RecordedSearch:
    """The search tool, answered from a session's log; a `Tool`."""

    name: ClassVar[str] = "search"
    description: ClassVar[str] = "Finds passages that an earlier session found."
    takes: ClassVar[type[Noun]] = SearchGiven
    gives: ClassVar[type[Noun]] = SearchResults
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, session_id: str, events: Iterable[Event]) -> None:
        self._session_id = session_id
        self._outcomes = _outcomes(events)

    async def run(self, given: Noun) -> SearchResults:
        """Give the recorded hits. Raises ToolFailed with the recorded error, NotRecorded for an unknown query."""
        outcome = self._outcomes.get(_key(given.model_dump(mode="json")))
        if outcome is None:
            raise NotRecorded(f"the log of session {self._session_id} has no search for {given.model_dump_json()}")
        if outcome.error is not None:
            raise ToolFailed(outcome.error)
        return SearchResults.model_validate(outcome.result)


def _outcomes(events: Iterable[Event]) -> Mapping[str, ToolResponded]:
    asked: dict[str, str] = {}
    found: dict[str, ToolResponded] = {}
    for event in events:
        match event.payload:
            case ToolRequested(tool="search", key=key, given=given):
                asked[key] = _key(given)
            case ToolResponded(tool="search", key=key) as outcome if key in asked:
                found[asked[key]] = outcome
            case _:
                pass
    return found


def _key(given: JsonValue) -> str:
    return json.dumps(given, sort_keys=True)
