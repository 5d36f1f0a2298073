"""Pages found by the library ddgs, which reads the result pages of public search engines."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

from quaestor.contracts.errors import MissingExtra, ToolFailed
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.web import WebHit, WebResults, WebSearchInput
from quaestor.tools.engines.response import clean_snippet, clean_title
from quaestor.tools.engines.text_fields import one_line
from quaestor.tools.engines.web_search import filter_hits

if TYPE_CHECKING:
    from ddgs import DDGS

Finder = Callable[[str, int], Sequence[Mapping[str, object]]]
"""Finds at most so many pages for a query, each with `href`, `title` and `body`; raises ToolFailed."""

_LIBRARY: "LazyImport[type[DDGS]]" = LazyImport("ddgs:DDGS")
_LIBRARY_ERROR: LazyImport[type[Exception]] = LazyImport("ddgs.exceptions:DDGSException")
_SECONDS = 15
_NO_RESULTS = "No results found"


class Ddgs:
    """Finds pages of the web; a `SearchEngine`. Raises MissingExtra without the extra `ddgs`."""

    name: ClassVar[str] = "ddgs"

    def __init__(self, environment: Mapping[str, str], finder: Finder | None = None) -> None:
        self._finder = finder or _ddgs_finder(environment.get("DDGS_PROXY"))

    async def search(self, given: WebSearchInput) -> WebResults:
        """Return what is found, best first; no page has a date. Raises ToolFailed when there is no answer."""
        found = await asyncio.to_thread(self._finder, given.query, given.limit)
        if found and not any(each.get("href") for each in found):
            raise ToolFailed(f"ddgs gave {len(found)} hits without 'href'; see whether the library has changed")
        return filter_hits(map(_hit, found), given)

    async def close(self) -> None:
        """Do nothing: the library keeps no connection."""


def _hit(found: Mapping[str, object]) -> WebHit:
    url, name, body = (value if isinstance(value := found.get(key), str) else "" for key in ("href", "title", "body"))
    return WebHit(url=url, title=clean_title(name), snippet=clean_snippet(body))


def _ddgs_finder(proxy: str | None) -> Finder:
    if not find_spec("ddgs"):
        raise MissingExtra("the engine ddgs needs an extra: pip install 'quaestor[ddgs]'")
    library, library_error = _LIBRARY.load(), _LIBRARY_ERROR.load()

    def find(query: str, limit: int) -> Sequence[Mapping[str, object]]:
        try:
            return library(proxy=proxy, timeout=_SECONDS).text(query, max_results=limit)
        except library_error as error:
            if _NO_RESULTS in str(error):
                return ()
            raise ToolFailed(f"ddgs gave no answer ({one_line(str(error))}); try again later") from error

    return find
