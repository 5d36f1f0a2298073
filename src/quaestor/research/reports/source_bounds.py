"""What a search did otherwise than it was asked: pages that bounds left out, and words in whose place others were."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from quaestor.contracts.tools import SimilarWord
from quaestor.research.options import ResearchOptions
from quaestor.research.reports.fixed_words import ReportWords
from quaestor.research.todos.tool_outcomes import ToolOutcomes

_MAX_LISTED = 10


def left_out_notes(
    outcomes: ToolOutcomes, options: ResearchOptions, words: ReportWords, similar: Iterable[SimilarWord]
) -> tuple[str, ...]:
    """Return a line on each word that no source spells so, and on the pages that a domain or a date left out."""
    hits = [hit for answer in outcomes.found.values() for hit in answer.hits]
    sources = [page.source for page in outcomes.pages.values() if page.source]
    seen = dict.fromkeys((*options.urls, *(hit.url for hit in hits)))
    dated = {hit.url: hit.published for hit in hits} | {source.uri: source.published for source in sources}
    return (
        *(words.similar.format(word=f"“{one.word}”", found=f"“{one.found}”") for one in similar),
        *_note(words.left_out_domain, (_site(url) for url in seen if not options.allows(url))),
        *_note(words.left_out_date, (url for url, day in dated.items() if not options.dates.holds(day))),
    )


def _note(text: str, places: Iterable[str]) -> Iterator[str]:
    """Return what was left out, each place once; of very many the first ones and their number."""
    named = list(dict.fromkeys(places))
    more = f" … ({len(named)})" if len(named) > _MAX_LISTED else ""
    if named:
        yield text.format(pages=", ".join(named[:_MAX_LISTED]) + more)


def _site(url: str) -> str:
    return urlsplit(url).hostname or url
