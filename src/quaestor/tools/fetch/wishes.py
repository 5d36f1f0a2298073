"""The robots.txt of every site that pages are fetched from, asked for at most once a day."""

import asyncio

from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.manners import AGENT
from quaestor.tools.fetch.robots import MOST_BYTES, Robots, read_robots
from quaestor.tools.fetch.url import Url, redirected
from quaestor.tools.fetch.way import Answer, Way

_PATH = "/robots.txt"
_ACCEPT = "text/plain,*/*;q=0.5"
_REDIRECTS = 5
_KEPT_SECONDS = 24 * 60 * 60
_MOST_KEPT = 256
_OK = 200
_ASKED_TOO_OFTEN = 429
_CLIENT_ERRORS = range(400, 500)


class Wishes:
    """Knows what sites ask of crawlers, of the last `most_kept` sites; one is scheme, host and port (RFC 9309, 2.3)."""

    def __init__(self, way: Way, kept_seconds: float = _KEPT_SECONDS, most_kept: int = _MOST_KEPT) -> None:
        self._way = way
        self._kept_seconds = kept_seconds
        self._most_kept = most_kept
        self._known: dict[str, tuple[Robots, float]] = {}

    async def of(self, url: Url) -> Robots:
        """Give the wishes of a URL's site; a site without a robots.txt has none.

        Raises ToolFailed when its robots.txt cannot be read now: then nothing may be fetched (RFC 9309, 2.3.1.4).
        """
        now = asyncio.get_running_loop().time()
        robots, asked_at = self._known.pop(url.origin, (None, now))
        if robots is None or asked_at + self._kept_seconds < now:
            robots, asked_at = await self._follow(url.at(_PATH)), now
        self._known[url.origin] = robots, asked_at
        if len(self._known) > self._most_kept:
            del self._known[next(iter(self._known))]
        return robots

    async def _follow(self, url: Url) -> Robots:
        for _ in range(_REDIRECTS + 1):
            async with self._way.ask(url, _ACCEPT) as answer:
                if answer.redirect is None:
                    return await _read(answer)
                url = redirected(url, answer.redirect)
        return Robots()


async def _read(answer: Answer) -> Robots:
    if answer.status == _OK:
        return await asyncio.to_thread(read_robots, await answer.read_beginning(MOST_BYTES), AGENT)
    if answer.status in _CLIENT_ERRORS and answer.status != _ASKED_TOO_OFTEN:
        return Robots()
    raise ToolFailed(
        f"its robots.txt was answered by {answer.status}, so nothing may be fetched there; fetch it later or use "
        "another page"
    )
