"""What one loop of a todo asks of tools that all todos share, and what came of it.

A loop searches the documents, asks engines and servers, fetches the best pages and picks their best passages. A page
is fetched only when the user named it, a search returned it or a fetched page links to it. Where private text is kept
apart, a todo of the planner's own searches the web and calls servers in its first loop, before it was shown anything,
and no todo does later: so nothing that documents or servers hold can get into a query, a call or the choice of a page.
"""

from collections.abc import Iterable, Iterator
from typing import assert_never

from quaestor.contracts.action import ToolRun
from quaestor.contracts.immutable import replace
from quaestor.contracts.mcp import ConsultInput, SurveyInput
from quaestor.contracts.source import Hit
from quaestor.contracts.tools import SearchInput
from quaestor.contracts.web import FetchInput, PickInput, SearchWebInput
from quaestor.research.contracts.plan import Todo
from quaestor.research.options import ResearchOptions
from quaestor.research.todos import page_choice, steps
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import SearchRequests
from quaestor.research.todos.tool_outcomes import (
    EngineSearchOutcome,
    ToolOutcomes,
    fetch_key,
    pick_key,
    search_key,
    server_call_key,
    survey_key,
    web_search_key,
)

ToolInput = SearchInput | SearchWebInput | FetchInput | PickInput | ConsultInput | SurveyInput

_HITS_PER_ENGINE = 10


def may_search_outside(todo: Todo, options: ResearchOptions) -> bool:
    """Return whether a todo may search the web and call servers.

    Where private text is kept apart, a todo may not that private text may have led to: a follow-up, a retry, or one
    that depends on others.
    """
    derived = todo.depth > 0 or todo.retries is not None or bool(todo.dependencies)
    return not (options.isolates_private_text and derived)


def pending_runs(state: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> Iterator[ToolRun]:
    """Return the tool runs of this step that have no outcome yet; none at a step that waits for no shared tool."""
    runs: Iterable[ToolRun]
    match state.step:
        case steps.Surveying():
            servers = SurveyInput(servers=options.servers)
            runs = [_tool_run(state, survey_key(options.servers), "SCOUTING", "survey", servers)]
        case steps.Searching(requests=requests):
            runs = _search_runs(state, requests, options)
        case steps.Fetching(requests=requests):
            # Asked after every page: only what is left is built.
            runs = _fetch_runs(state, (url for url in requests.pages if outcomes.page(url) is None))
        case steps.Picking(requests=requests):
            runs = _passage_runs(state, requests, outcomes, options)
        case steps.Scouting() | steps.Delegating() | steps.Working() | steps.Querying() | steps.Reading():
            return
        case steps.Quoting() | steps.Reviewing() | steps.Recording() | steps.Recorded():
            return
        case never:
            assert_never(never)
    yield from (run for run in runs if run.key not in outcomes)


def rankings(
    state: TodoState, requests: SearchRequests, outcomes: ToolOutcomes, options: ResearchOptions
) -> list[tuple[Hit, ...]]:
    """Return the hits of every query, from the documents and from the pages of this loop, and of the server calls."""
    sources = page_choice.readable_sources(requests, outcomes, options)
    queries = [key for query in requests.queries for key in (search_key(query), pick_key(query, sources))]
    calls = [run.key for run in _server_runs(state, requests)]
    keys = [*queries, *calls] if requests.queries else [pick_key(state.task, sources), *calls]
    return [outcomes.searches[key].hits for key in keys if key in outcomes.searches]


def search_errors(
    state: TodoState, requests: SearchRequests, outcomes: ToolOutcomes, options: ResearchOptions
) -> tuple[tuple[str, ...], bool]:
    """Return the errors of this loop's searches, and whether every one of them failed."""
    errors = [outcomes.search_error(run.key) for run in _search_runs(state, requests, options)]
    return tuple(error for error in errors if error), bool(errors) and all(errors)


def find_outage(state: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> EngineSearchOutcome | None:
    """Return an outage that leaves a todo nothing to go on with: every engine that it asked was out of order.

    What no engine was asked is no evidence of absence, so the todo waits until the engines are asked again.
    """
    match state.step:
        case steps.Searching(requests=requests) if not (state.findings or state.unread or state.recalled):
            runs = list(_search_runs(state, requests, options))
        case _:
            return None
    asked = [outcomes.found[run.key] for run in runs if run.key in outcomes.found]
    if not asked or not all(each.unavailable for each in asked) or any(run.key not in outcomes for run in runs):
        return None
    found = any(hits for hits in rankings(state, requests, outcomes, options))
    if found or requests.pages:
        return None
    return replace(asked[0], retry_at=min((each.retry_at for each in asked if each.retry_at), default=None))


def tools_used(state: TodoState, requests: SearchRequests, options: ResearchOptions) -> tuple[str, ...]:
    """Return the names of the tools that this loop used."""
    used = (
        ("search", requests.queries and options.corpus),
        ("search_web", requests.queries and _available_engines(state, options)),
        ("consult", requests.read_calls),
        ("operate", requests.write_calls),
        ("fetch", requests.pages),
    )
    return tuple(name for name, use in used if use)


def _search_runs(state: TodoState, requests: SearchRequests, options: ResearchOptions) -> Iterator[ToolRun]:
    for query in requests.queries:
        if options.corpus:
            given = SearchInput(query=query, limit=options.hits)
            yield _tool_run(state, search_key(query), "SEARCHING", "search", given)
        for engine in _available_engines(state, options):
            asked = SearchWebInput(engine=engine, query=query, limit=_HITS_PER_ENGINE, before=options.as_of)
            yield _tool_run(state, web_search_key(engine, query), "SEARCHING", "search_web", asked)
    yield from _server_runs(state, requests)


def _available_engines(state: TodoState, options: ResearchOptions) -> tuple[str, ...]:
    return options.engines if state.has_outside_access else ()


def _server_runs(state: TodoState, requests: SearchRequests) -> Iterator[ToolRun]:
    for given in requests.read_calls:
        yield _tool_run(state, server_call_key("consult", given), "SEARCHING", "consult", given)
    for given in requests.write_calls:
        yield _tool_run(state, server_call_key("operate", given), "SEARCHING", "operate", given)


def _fetch_runs(state: TodoState, urls: Iterable[str]) -> Iterator[ToolRun]:
    return (_tool_run(state, fetch_key(url), "FETCHING", "fetch", FetchInput(url=url)) for url in urls)


def _passage_runs(
    state: TodoState, requests: SearchRequests, outcomes: ToolOutcomes, options: ResearchOptions
) -> Iterator[ToolRun]:
    sources = page_choice.readable_sources(requests, outcomes, options)
    for query in requests.queries or (state.task,):
        given = PickInput(query=query, sources=sources, limit=options.hits)
        yield _tool_run(state, pick_key(query, sources), "FETCHING", "pick", given)


def _tool_run(state: TodoState, key: str, table_state: str, tool: str, given: ToolInput) -> ToolRun:
    return ToolRun(key=key, state=table_state, todo_id=state.todo_id, tool=tool, given=given)
