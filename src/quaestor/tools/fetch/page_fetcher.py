"""Pages of the web, fetched under the guard and with manners."""

import asyncio
from dataclasses import dataclass

import httpcore2

from quaestor.contracts.errors import ToolFailed
from quaestor.http.retry import backoff, parse_retry_after
from quaestor.tools.fetch.guard import Allowlist, Guard
from quaestor.tools.fetch.guarded_client import GuardedClient, GuardedResponse, Resolver, resolve_host
from quaestor.tools.fetch.politeness import FetchPolicy, HostSlot, HostThrottle
from quaestor.tools.fetch.robots import RobotsCache
from quaestor.tools.fetch.url import Url, display_text, parse_url, resolve_redirect
from quaestor.tools.reading.media_types import HTML, MARKDOWN, OFFICE, PDF, PLAIN, RST

_BUSY_STATUSES = frozenset({429, 503})
_SUCCESS_STATUSES = frozenset({200, 203})
_BACKOFF_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class FetchedContent:
    """The content of a page and where it came from, after all redirects."""

    url: str
    content_type: str
    """As the server wrote it, or nothing."""
    content: bytes


class PageFetcher:
    """Fetches pages. It belongs to the event loop it is first used in.

    `lookup` and `network` are the only ways out: the one gives addresses of names, the other connects to addresses.
    """

    def __init__(
        self,
        allowed: Allowlist,
        manners: FetchPolicy,
        lookup: Resolver = resolve_host,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._policy = manners
        self._way = GuardedClient(Guard(allowed), manners.user_agent, lookup, network or httpcore2.AnyIOBackend())
        self._turns = HostThrottle(manners.pause_seconds, manners.max_wait_seconds)
        self._robots = RobotsCache(self._way)

    async def get(self, url: str) -> FetchedContent:
        """Fetch a page. Raises ToolFailed when it may not be fetched or cannot be."""
        trail: list[Url] = []
        try:
            trail.append(parse_url(url))
            return await self._follow_redirects(trail)
        except TimeoutError as error:
            limit = f"it did not come within {self._policy.seconds:g} s; fetch it later or use another page"
            raise ToolFailed(f"{_describe(url, trail)} was not fetched: {limit}") from error
        except ToolFailed as error:
            raise ToolFailed(f"{_describe(url, trail)} was not fetched: {error}") from error

    async def _follow_redirects(self, trail: list[Url]) -> FetchedContent:
        """Go from host to host; what is waited for a turn is not counted."""
        clock = asyncio.get_running_loop()
        left = self._policy.seconds
        while True:
            async with self._turns.at(trail[-1].host) as turn:
                until = clock.time() + left
                async with asyncio.timeout_at(until):
                    fetched = await self._fetch_on_host(trail, turn, until)
                left = until - clock.time()
            if fetched:
                return fetched

    async def _fetch_on_host(self, trail: list[Url], turn: HostSlot, until: float) -> FetchedContent | None:
        """Follow the trail as long as it stays at one host; None when it leads to another."""
        host = trail[-1].host
        while trail[-1].host == host:
            url = trail[-1]
            if self._policy.robots:
                await self._check_robots(url, turn)
            came = await self._ask(url, turn, until)
            if isinstance(came, FetchedContent):
                return came
            if len(trail) > self._policy.max_redirects:
                raise ToolFailed(f"it leads on more than {self._policy.max_redirects} times; use another page")
            trail.append(came)
        return None

    async def _check_robots(self, url: Url, turn: HostSlot) -> None:
        robots = await self._robots.of(url)
        wanted = min(robots.delay or 0.0, self._policy.max_pause_seconds)
        turn.pause = max(self._policy.pause_seconds, wanted)
        if not robots.allow(url.target):
            raise ToolFailed("the robots.txt of its site asks crawlers not to fetch it; use another page")

    async def _ask(self, url: Url, turn: HostSlot, until: float) -> FetchedContent | Url:
        """Ask for a URL until its server is not busy; give the page, or where it leads."""
        clock = asyncio.get_running_loop()
        tried = 0
        while True:
            async with self._way.ask(url, ACCEPT) as answer:
                if answer.status not in _BUSY_STATUSES:
                    return await self._take(url, answer)
            tried += 1
            asked = parse_retry_after(answer.headers)
            wait = backoff(str(url), tried, _BACKOFF_SECONDS) if asked is None else asked
            if tried > self._policy.retries or clock.time() + wait >= until:
                turn.hold(wait)
                raise ToolFailed(f"its server is busy ({answer.status}) for {wait:.0f} s or more; fetch it later")
            await asyncio.sleep(wait)

    async def _take(self, url: Url, answer: GuardedResponse) -> FetchedContent | Url:
        if answer.redirect is not None:
            if not answer.redirect:
                raise ToolFailed(f"its server answered {answer.status}, which leads nowhere; use another page")
            return resolve_redirect(url, answer.redirect)
        if answer.status not in _SUCCESS_STATUSES:
            raise ToolFailed(f"its server answered {answer.status}; use another page")
        content_type = answer.headers.get("content-type", "")
        if not is_accepted_content_type(content_type):
            raise ToolFailed(f"it is {content_type[:80]!r}, which is not read; use a page, a text or a PDF")
        return FetchedContent(str(url), content_type, await answer.read(self._policy.max_bytes))


def _describe(url: str, trail: list[Url]) -> str:
    redirects = f", which leads to {display_text(str(trail[-1]))}," if len(trail) > 1 else ""
    return f"{display_text(url)}{redirects}"


ACCEPT = f"{HTML},application/xhtml+xml,{MARKDOWN},{PLAIN};q=0.9,{PDF};q=0.9,*/*;q=0.5"
"""What is asked for, best first."""

_ACCEPTED = OFFICE | {
    *(HTML, PDF, PLAIN, MARKDOWN, RST, "application/xhtml+xml", "application/x-pdf", "text/rtf"),
    *("text/x-markdown", "text/csv", "text/xml", "application/xml", "text/json", "application/json"),
}
_TYPE_PREFIXES = ("application/", "text/")
_SUFFIXES = ("+xml", "+json")
_UNKNOWN_TYPES = frozenset({"", "application/octet-stream", "binary/octet-stream"})
"""What servers say of files that they know nothing of; whoever reads the bytes finds out."""


def is_accepted_content_type(content_type: str) -> bool:
    """Say whether content is fetched that a server calls so."""
    told = content_type.partition(";")[0].partition(",")[0].strip().lower()
    return told in _ACCEPTED | _UNKNOWN_TYPES or (told.startswith(_TYPE_PREFIXES) and told.endswith(_SUFFIXES))
