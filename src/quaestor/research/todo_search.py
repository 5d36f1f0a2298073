"""Searching and browsing: what one loop of a todo asks the documents, the web and servers, and what came of it.

    SEARCHING: every query to the documents and to every engine   FETCHING: the best pages, and what these point to;
    then the best passages of those pages for every query; for those that an agent chose without one, for the task

A page may be fetched only when the user named it, a search returned it or a fetched page holds it. Where private text
is kept apart, a todo of the planner's own asks the web and servers in its first loop, before it was shown anything, and
no todo asks them later: so nothing that documents or servers said can stand in a query, a call or the choice of a page.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from quaestor.contracts.action import ToolRun
from quaestor.contracts.mcp import ConsultInput, SurveyInput
from quaestor.contracts.source import Hit, Sha256
from quaestor.contracts.tools import SearchInput
from quaestor.contracts.web import FetchInput, Link, PickInput, SearchWebInput
from quaestor.evidence.ranking import RRF_K
from quaestor.evidence.tokenization import content_terms
from quaestor.research.contracts.plan import Todo
from quaestor.research.options import ResearchOptions
from quaestor.research.todo_state import TodoState
from quaestor.research.tool_outcomes import (
    ToolOutcomes,
    fetch_key,
    pick_key,
    search_key,
    server_call_key,
    survey_key,
    web_search_key,
)

ToolInput = SearchInput | SearchWebInput | FetchInput | PickInput | ConsultInput | SurveyInput

_MIN_SHARED_TERMS = 2
"""Words that a link must share with the queries to be followed; one alone is in every menu."""
_HITS_PER_ENGINE = 10
_MAX_CHOICES = 12
"""Pages that an agent is told it may choose."""


def may_search_outside(todo: Todo, options: ResearchOptions) -> bool:
    """Say whether a todo may ask the web and servers: with private text kept apart, only one that owes it nothing."""
    owes = todo.depth > 0 or todo.retries is not None or bool(todo.dependencies)
    return not (options.isolates_private_text and owes)


def pending_runs(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> Iterator[ToolRun]:
    """Give the tool runs of this step that have no outcome yet; there are none in a step that waits for a model."""
    runs: Iterable[ToolRun]
    match life.step:
        case "surveying":
            servers = SurveyInput(servers=options.servers)
            runs = [_tool_run(life, survey_key(options.servers), "SCOUTING", "survey", servers)]
        case "searching":
            runs = _search_runs(life, options)
        case "fetching":
            runs = _fetch_runs(life)
        case "picking":
            runs = _passage_runs(life, outcomes, options)
        case _:
            return
    yield from (run for run in runs if run.key not in outcomes)


def pages_to_fetch(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> tuple[str, ...]:
    """Give the pages to read in this loop: those named or chosen beforehand, then the best that the engines found."""
    if not life.outward:
        return life.urls
    chosen = (url for url in life.chosen if may_fetch(url, outcomes, options))
    best = [url for url in _ranked_urls(life.queries, outcomes, options) if url not in life.visited_pages]
    return tuple(dict.fromkeys((*life.urls, *chosen, *best[: options.pages])))


def selectable_pages(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> tuple[str, ...]:
    """Give the pages that an agent may choose next, with what is known of them: those found, then those linked."""
    if not life.outward:
        return ()
    titles = {hit.url: hit.title for answer in outcomes.found.values() for hit in answer.hits}
    pages = {url: titles.get(url, "") for url in (*options.urls, *_ranked_urls(life.executed, outcomes, options))}
    links = _page_links(life.visited_pages, outcomes)
    shared = _count_shared_terms(links.values(), (life.task, *life.executed))
    for url in sorted(links, key=lambda url: -shared[url]):
        if shared[url] >= _MIN_SHARED_TERMS:
            pages.setdefault(url, links[url].text)
    return tuple(f"{url} {title}".strip() for url, title in pages.items() if url not in life.visited_pages)[
        :_MAX_CHOICES
    ]


def disallowed_pages(life: TodoState) -> tuple[str, ...]:
    """Say which of the pages that an agent chose were not fetched, once this loop's pages are known."""
    why = "was neither named by the user, nor found by a search, nor linked from a page that was read"
    return tuple(f"fetch: {url} {why}" for url in life.chosen if url not in life.urls)


def relevant_links(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> tuple[str, ...]:
    """Give the links of this loop's pages that say what the queries say, the best first, half a loop's at most."""
    links = _page_links(life.urls, outcomes) if life.outward else {}
    shared = _count_shared_terms(links.values(), life.queries)
    fitting = [
        url for url in links if shared[url] >= _MIN_SHARED_TERMS and url not in (*life.urls, *life.visited_pages)
    ]
    return tuple(sorted(fitting, key=lambda url: -shared[url])[: options.pages // 2])


def readable_sources(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> tuple[Sha256, ...]:
    """Give the sources of this loop's pages that were read and are not too new; equal texts once."""
    read = (page.source for url in life.urls if (page := outcomes.page(url)) and page.source)
    return tuple(dict.fromkeys(source.sha256 for source in read if not _is_too_new(source.published, options.as_of)))


def rankings(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> list[tuple[Hit, ...]]:
    """Give what every query brought, from the documents and from the pages of this loop, and what servers answered."""
    sources = readable_sources(life, outcomes, options)
    queries = [key for query in life.queries for key in (search_key(query), pick_key(query, sources))]
    calls = [run.key for run in _server_runs(life)]
    keys = [*queries, *calls] if life.queries else [pick_key(life.task, sources), *calls]
    return [outcomes.searches[key].hits for key in keys if key in outcomes.searches]


def search_errors(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> tuple[tuple[str, ...], bool]:
    """Give the errors of this loop's searches, and whether every one of them failed."""
    errors = [outcomes.search_error(run.key) for run in _search_runs(life, options)]
    return tuple(error for error in errors if error), bool(errors) and all(errors)


def page_errors(life: TodoState, outcomes: ToolOutcomes) -> tuple[str, ...]:
    """Give why pages of this loop could not be read."""
    pages = (outcomes.page(url) for url in life.urls)
    return tuple(page.error for page in pages if page and page.error)


def tools_used(life: TodoState, options: ResearchOptions) -> tuple[str, ...]:
    """Name the tools that this loop used."""
    used = (
        ("search", life.queries and options.corpus),
        ("search_web", life.queries and _available_engines(life, options)),
        ("consult", life.read_calls),
        ("operate", life.write_calls),
        ("fetch", life.urls),
    )
    return tuple(name for name, use in used if use)


def may_fetch(url: str, outcomes: ToolOutcomes, options: ResearchOptions) -> bool:
    """Say whether a page may be fetched."""
    return (
        url in options.urls
        or any(hit.url == url for answer in outcomes.found.values() for hit in answer.hits)
        or any(link.url == url for page in outcomes.pages.values() for link in page.links)
    )


def _search_runs(life: TodoState, options: ResearchOptions) -> Iterator[ToolRun]:
    for query in life.queries:
        if options.corpus:
            given = SearchInput(query=query, limit=options.hits)
            yield _tool_run(life, search_key(query), "SEARCHING", "search", given)
        for engine in _available_engines(life, options):
            asked = SearchWebInput(engine=engine, query=query, limit=_HITS_PER_ENGINE, before=options.as_of)
            yield _tool_run(life, web_search_key(engine, query), "SEARCHING", "search_web", asked)
    yield from _server_runs(life)


def _available_engines(life: TodoState, options: ResearchOptions) -> tuple[str, ...]:
    return options.engines if life.outward else ()


def _server_runs(life: TodoState) -> Iterator[ToolRun]:
    for given in life.read_calls:
        yield _tool_run(life, server_call_key("consult", given), "SEARCHING", "consult", given)
    for given in life.write_calls:
        yield _tool_run(life, server_call_key("operate", given), "SEARCHING", "operate", given)


def _fetch_runs(life: TodoState) -> Iterator[ToolRun]:
    return (_tool_run(life, fetch_key(url), "FETCHING", "fetch", FetchInput(url=url)) for url in life.urls)


def _passage_runs(life: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> Iterator[ToolRun]:
    sources = readable_sources(life, outcomes, options)
    for query in life.queries or (life.task,):
        given = PickInput(query=query, sources=sources, limit=options.hits)
        yield _tool_run(life, pick_key(query, sources), "FETCHING", "pick", given)


def _tool_run(life: TodoState, key: str, state: str, tool: str, given: ToolInput) -> ToolRun:
    return ToolRun(key=key, state=state, todo_id=life.todo_id, tool=tool, given=given)


def _ranked_urls(queries: Sequence[str], outcomes: ToolOutcomes, options: ResearchOptions) -> Iterable[str]:
    """Give the pages that the engines found, the best first, by reciprocal rank over all queries and engines."""
    keys = [web_search_key(engine, query) for query in queries for engine in options.engines]
    scores: dict[str, float] = {}
    for answer in (outcomes.found[key] for key in keys if key in outcomes.found):
        for rank, hit in enumerate(answer.hits, 1):
            if not _is_too_new(hit.published, options.as_of):
                scores[hit.url] = scores.get(hit.url, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores, key=lambda url: -scores[url])


def _page_links(urls: Iterable[str], outcomes: ToolOutcomes) -> dict[str, Link]:
    """Give the links of some pages by where they lead; of those to one place the first."""
    links: dict[str, Link] = {}
    for url in urls:
        page = outcomes.page(url)
        links = {link.url: link for link in (page.links if page else ())} | links
    return links


def _count_shared_terms(links: Iterable[Link], queries: Iterable[str]) -> dict[str, int]:
    """Count for every link the words that it shares with queries."""
    terms = frozenset(term for query in queries for term in content_terms(query))
    return {link.url: len(terms.intersection(content_terms(link.text))) for link in links}


def _is_too_new(published: date | None, as_of: date | None) -> bool:
    return bool(published and as_of and published > as_of)
