"""Which pages of the web a todo reads: named by the user, found by an engine, or linked from a page that was read."""

from collections.abc import Iterable, Sequence

from quaestor.contracts.source import Sha256
from quaestor.contracts.web import Link
from quaestor.evidence.ranking import RRF_K
from quaestor.evidence.tokenization import content_terms
from quaestor.research.options import ResearchOptions
from quaestor.research.todos.state import TodoState
from quaestor.research.todos.steps import SearchRequests
from quaestor.research.todos.tool_outcomes import ToolOutcomes, web_search_key

_MIN_SHARED_TERMS = 2
"""Words that a link must share with the queries to be followed; one alone is in every menu."""
_MAX_CHOICES = 12
"""Pages that an agent is shown to choose from."""


def may_fetch(url: str, outcomes: ToolOutcomes, options: ResearchOptions) -> bool:
    """Return whether a page was named by the user, found by an engine or linked from a page that was read."""
    return options.allows(url) and (
        url in options.urls
        or any(hit.url == url for answer in outcomes.found.values() for hit in answer.hits)
        or any(link.url == url for page in outcomes.pages.values() for link in page.links)
    )


def pages_to_fetch(
    state: TodoState, requests: SearchRequests, outcomes: ToolOutcomes, options: ResearchOptions
) -> tuple[str, ...]:
    """Return the pages of this loop: those the user named, in the first loop; those chosen; then the best found."""
    named = tuple(url for url in options.urls if url not in state.visited_pages and options.allows(url))
    if options.only_named or not state.has_outside_access:
        return named
    chosen = (url for url in requests.chosen if may_fetch(url, outcomes, options))
    best = [url for url in _ranked_urls(requests.queries, outcomes, options) if url not in state.visited_pages]
    return tuple(dict.fromkeys((*named, *chosen, *best[: options.pages])))


def selectable_pages(state: TodoState, outcomes: ToolOutcomes, options: ResearchOptions) -> tuple[str, ...]:
    """Return the pages that an agent may choose next, each with its title: those found, then those linked."""
    if not state.has_outside_access:
        return ()
    titles = {hit.url: hit.title for answer in outcomes.found.values() for hit in answer.hits}
    named = filter(options.allows, options.urls)
    pages = {url: titles.get(url, "") for url in (*named, *_ranked_urls(state.executed, outcomes, options))}
    links = _page_links(state.visited_pages, outcomes, options)
    shared = _count_shared_terms(links.values(), (state.task, *state.executed))
    for url in sorted(links, key=lambda url: -shared[url]):
        if shared[url] >= _MIN_SHARED_TERMS:
            pages.setdefault(url, links[url].text)
    return tuple(f"{url} {title}".strip() for url, title in pages.items() if url not in state.visited_pages)[
        :_MAX_CHOICES
    ]


def disallowed_pages(requests: SearchRequests) -> tuple[str, ...]:
    """Return a line for each page that an agent chose and that was not fetched."""
    why = "was neither named by the user, nor found by a search, nor linked from a page that was read"
    return tuple(f"fetch: {url} {why}" for url in requests.chosen if url not in requests.pages)


def relevant_links(
    state: TodoState, requests: SearchRequests, outcomes: ToolOutcomes, options: ResearchOptions
) -> tuple[str, ...]:
    """Return the links of this loop's pages that share words with the queries, best first, at most half a loop's."""
    links = _page_links(requests.pages, outcomes, options) if state.has_outside_access else {}
    shared = _count_shared_terms(links.values(), requests.queries)
    known = (*requests.pages, *state.visited_pages)
    fitting = [url for url in links if shared[url] >= _MIN_SHARED_TERMS and url not in known]
    return tuple(sorted(fitting, key=lambda url: -shared[url])[: options.pages // 2])


def readable_sources(requests: SearchRequests, outcomes: ToolOutcomes, options: ResearchOptions) -> tuple[Sha256, ...]:
    """Return the sources of this loop's pages that were read and are dated as wanted; equal texts once."""
    read = (page.source for url in requests.pages if (page := outcomes.page(url)) and page.source)
    return tuple(dict.fromkeys(source.sha256 for source in read if options.dates.holds(source.published)))


def page_errors(requests: SearchRequests, outcomes: ToolOutcomes) -> tuple[str, ...]:
    """Return why pages of this loop could not be read."""
    pages = (outcomes.page(url) for url in requests.pages)
    return tuple(page.error for page in pages if page and page.error)


def _ranked_urls(queries: Sequence[str], outcomes: ToolOutcomes, options: ResearchOptions) -> Iterable[str]:
    """Rank the pages that the engines found by reciprocal rank over all queries and engines, best first."""
    keys = [web_search_key(engine, query) for query in queries for engine in options.engines]
    scores: dict[str, float] = {}
    for answer in (outcomes.found[key] for key in keys if key in outcomes.found):
        for rank, hit in enumerate(answer.hits, 1):
            if options.dates.holds(hit.published) and options.allows(hit.url):
                scores[hit.url] = scores.get(hit.url, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores, key=lambda url: -scores[url])


def _page_links(urls: Iterable[str], outcomes: ToolOutcomes, options: ResearchOptions) -> dict[str, Link]:
    """Return the links of some pages that may be followed, by URL; of several to one page the first."""
    links: dict[str, Link] = {}
    for url in () if options.only_named else urls:
        page = outcomes.page(url)
        links = {link.url: link for link in (page.links if page else ()) if options.allows(link.url)} | links
    return links


def _count_shared_terms(links: Iterable[Link], queries: Iterable[str]) -> dict[str, int]:
    """Count for every link the words that it shares with queries."""
    terms = frozenset(term for query in queries for term in content_terms(query))
    return {link.url: len(terms.intersection(content_terms(link.text))) for link in links}
