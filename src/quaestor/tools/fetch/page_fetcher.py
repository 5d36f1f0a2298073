"""Pages of the web, fetched through the guard at a polite rate."""

import asyncio

import httpcore2

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.immutable import Immutable
from quaestor.http.retry import backoff, parse_retry_after
from quaestor.tools.fetch.guard import Allowlist, Guard
from quaestor.tools.fetch.guarded_client import GuardedClient, GuardedResponse, Resolver, resolve_host
from quaestor.tools.fetch.politeness import FetchPolicy, HostSlot, HostThrottle, RobotsCache
from quaestor.tools.fetch.url import Url, display_text, parse_url, resolve_redirect
from quaestor.tools.reading.content_type import HTML, MARKDOWN, OFFICE, PDF, PLAIN, RST

_BUSY_STATUSES = frozenset({429, 503})
_SUCCESS_STATUSES = frozenset({200, 203})
_BACKOFF_SECONDS = 1.0
ACCEPT = f"{HTML},application/xhtml+xml,{MARKDOWN},{PLAIN};q=0.9,{PDF};q=0.9,*/*;q=0.5"
"""The media types to ask for, best first."""
_ACCEPTED = OFFICE | {
    *(HTML, PDF, PLAIN, MARKDOWN, RST, "application/xhtml+xml", "application/x-pdf", "text/rtf"),
    *("text/x-markdown", "text/csv", "text/xml", "application/xml", "text/json", "application/json"),
}
_TYPE_PREFIXES = ("application/", "text/")
_SUFFIXES = ("+xml", "+json")
_UNKNOWN_TYPES = frozenset({"", "application/octet-stream", "binary/octet-stream"})
"""Types that servers name for files they know nothing of; the reader looks at the bytes."""


class FetchedContent(Immutable):
    """The content of a page and its URL after all redirects."""

    url: str
    content_type: str
    """As the server wrote it; may be empty."""
    content: bytes


class PageFetcher:
    """A fetcher of pages. It belongs to the event loop it is first used in.

    `resolver` and `network` are the only ways out: the first returns the addresses of a name, the second connects to
    an address.
    """

    def __init__(
        self,
        allowlist: Allowlist,
        policy: FetchPolicy,
        resolver: Resolver = resolve_host,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._policy = policy
        self._client = GuardedClient(
            Guard(allowlist),
            policy.user_agent,
            resolver,
            network or httpcore2.AnyIOBackend(),
            policy.timeout_seconds,
        )
        self._throttle = HostThrottle(policy.pause_seconds, policy.max_wait_seconds)
        self._robots = RobotsCache(self._client)

    async def get(self, url: str) -> FetchedContent:
        """Fetch a page. Raises ToolFailed when it may not or cannot be fetched."""
        trail: list[Url] = []
        try:
            trail.append(parse_url(url))
            return await self._follow_redirects(trail)
        except TimeoutError as error:
            limit = f"it did not come within {self._policy.timeout_seconds:g} s; fetch it later or use another page"
            raise ToolFailed(f"{_describe(url, trail)} was not fetched: {limit}") from error
        except ToolFailed as error:
            raise ToolFailed(f"{_describe(url, trail)} was not fetched: {error}") from error

    async def _follow_redirects(self, trail: list[Url]) -> FetchedContent:
        """Follow redirects from host to host; the wait for a turn does not count against the time limit."""
        clock = asyncio.get_running_loop()
        remaining = self._policy.timeout_seconds
        while True:
            async with self._throttle.slot(trail[-1].host) as slot:
                deadline = clock.time() + remaining
                async with asyncio.timeout_at(deadline):
                    fetched = await self._fetch_on_host(trail, slot, deadline)
                remaining = deadline - clock.time()
            if fetched:
                return fetched

    async def _fetch_on_host(self, trail: list[Url], slot: HostSlot, deadline: float) -> FetchedContent | None:
        """Follow the trail while it stays at one host; None when it leads to another."""
        host = trail[-1].host
        if not self._policy.allows_host(host):
            raise ToolFailed(f"the domains of this run leave {host} out; use a page of another domain")
        while trail[-1].host == host:
            url = trail[-1]
            if self._policy.obey_robots:
                await self._check_robots(url, slot)
            else:
                slot.allow_pairs()
            result = await self._request_with_retries(url, slot, deadline)
            if isinstance(result, FetchedContent):
                return result
            if len(trail) > self._policy.max_redirects:
                raise ToolFailed(f"it redirects more than {self._policy.max_redirects} times; use another page")
            trail.append(result)
        return None

    async def _check_robots(self, url: Url, slot: HostSlot) -> None:
        robots = await self._robots.of(url)
        asked_pause = min(robots.delay or 0.0, self._policy.max_pause_seconds)
        slot.pause = max(self._policy.pause_seconds, asked_pause)
        if not robots.allow(url.target):
            raise ToolFailed("the robots.txt of its site asks crawlers not to fetch it; use another page")
        if robots.delay is None:
            slot.allow_pairs()

    async def _request_with_retries(self, url: Url, slot: HostSlot, deadline: float) -> FetchedContent | Url:
        """Request a URL until its server is not busy; return the page, or where it redirects."""
        clock = asyncio.get_running_loop()
        failures = 0
        while True:
            async with self._client.ask(url, ACCEPT) as response:
                if response.status not in _BUSY_STATUSES:
                    return await self._handle_response(url, response)
            failures += 1
            asked = parse_retry_after(response.headers)
            wait = backoff(str(url), failures, _BACKOFF_SECONDS) if asked is None else asked
            if failures > self._policy.max_retries or clock.time() + wait >= deadline:
                slot.delay(wait)
                raise ToolFailed(f"its server is busy ({response.status}) for {wait:.0f} s or more; fetch it later")
            await asyncio.sleep(wait)

    async def _handle_response(self, url: Url, response: GuardedResponse) -> FetchedContent | Url:
        if response.redirect is not None:
            if not response.redirect:
                raise ToolFailed(f"its server answered {response.status}, which leads nowhere; use another page")
            return resolve_redirect(url, response.redirect)
        if response.status not in _SUCCESS_STATUSES:
            raise ToolFailed(f"its server answered {response.status}; use another page")
        content_type = response.headers.get("content-type", "")
        if not is_accepted_content_type(content_type):
            raise ToolFailed(f"it is {content_type[:80]!r}, which is not read; use a page, a text or a PDF")
        return FetchedContent(str(url), content_type, await response.read(self._policy.max_bytes))


def _describe(url: str, trail: list[Url]) -> str:
    redirects = f", which leads to {display_text(str(trail[-1]))}," if len(trail) > 1 else ""
    return f"{display_text(url)}{redirects}"


def is_accepted_content_type(content_type: str) -> bool:
    """Return whether content of this type, as a server names it, is fetched."""
    media_type = content_type.partition(";")[0].partition(",")[0].strip().lower()
    if media_type in _ACCEPTED | _UNKNOWN_TYPES:
        return True
    return media_type.startswith(_TYPE_PREFIXES) and media_type.endswith(_SUFFIXES)
