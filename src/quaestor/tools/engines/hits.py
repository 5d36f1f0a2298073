"""From what an engine found to what was wanted."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from quaestor.contracts.web import WebHit, WebResults, WebSearchGiven

_LONGEST_URL = 2_000


def wanted(hits: Iterable[WebHit], given: WebSearchGiven) -> WebResults:
    """Give the hits that are pages of the web, each once, in order, not later than wanted and not more.

    A hit without a date stays.
    """
    kept = [hit for hit in _once(hits) if not (given.before and hit.published and hit.published > given.before)]
    return WebResults(hits=tuple(kept[: given.limit]))


def _once(hits: Iterable[WebHit]) -> Iterator[WebHit]:
    seen: set[str] = set()
    for hit in hits:
        if _is_page(hit.url) and hit.url not in seen:
            seen.add(hit.url)
            yield hit


def _is_page(url: str) -> bool:
    if len(url) > _LONGEST_URL or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:  # brackets that hold no IPv6 address
        return False
