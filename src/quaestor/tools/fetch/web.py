"""Pages of the web, fetched under the guard and with manners."""

import asyncio
from dataclasses import dataclass

import httpcore2

from quaestor.contracts.errors import ToolFailed
from quaestor.patience import asked_to_wait, backoff
from quaestor.tools.fetch.accepted import ACCEPT, is_accepted
from quaestor.tools.fetch.allowance import Allowance
from quaestor.tools.fetch.guard import Guard
from quaestor.tools.fetch.manners import Manners
from quaestor.tools.fetch.pinned import Resolve, resolve
from quaestor.tools.fetch.turns import Turn, Turns
from quaestor.tools.fetch.url import Url, read_url, redirected, shown
from quaestor.tools.fetch.way import Answer, Way
from quaestor.tools.fetch.wishes import Wishes

_BUSY = frozenset({429, 503})
_WHOLE = frozenset({200, 203})
_BACKOFF_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """The content of a page and where it came from, after all redirects."""

    url: str
    content_type: str
    """As the server wrote it, or nothing."""
    content: bytes


class Web:
    """Fetches pages. It belongs to the event loop it is first used in.

    `lookup` and `network` are the only ways out: the one gives addresses of names, the other connects to addresses.
    """

    def __init__(
        self,
        allowed: Allowance,
        manners: Manners,
        lookup: Resolve = resolve,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._manners = manners
        self._way = Way(Guard(allowed), manners.user_agent, lookup, network or httpcore2.AnyIOBackend())
        self._turns = Turns(manners.pause_seconds, manners.waiting_seconds)
        self._wishes = Wishes(self._way)

    async def get(self, url: str) -> Fetched:
        """Fetch a page. Raises ToolFailed when it may not be fetched or cannot be."""
        trail: list[Url] = []
        try:
            trail.append(read_url(url))
            return await self._travel(trail)
        except TimeoutError as error:
            limit = f"it did not come within {self._manners.seconds:g} s; fetch it later or use another page"
            raise ToolFailed(f"{_named(url, trail)} was not fetched: {limit}") from error
        except ToolFailed as error:
            raise ToolFailed(f"{_named(url, trail)} was not fetched: {error}") from error

    async def _travel(self, trail: list[Url]) -> Fetched:
        """Go from host to host; what is waited for a turn is not counted."""
        clock = asyncio.get_running_loop()
        left = self._manners.seconds
        while True:
            async with self._turns.at(trail[-1].host) as turn:
                until = clock.time() + left
                async with asyncio.timeout_at(until):
                    fetched = await self._stay(trail, turn, until)
                left = until - clock.time()
            if fetched:
                return fetched

    async def _stay(self, trail: list[Url], turn: Turn, until: float) -> Fetched | None:
        """Follow the trail as long as it stays at one host; None when it leads to another."""
        host = trail[-1].host
        while trail[-1].host == host:
            url = trail[-1]
            if self._manners.robots:
                await self._heed(url, turn)
            came = await self._ask(url, turn, until)
            if isinstance(came, Fetched):
                return came
            if len(trail) > self._manners.redirects:
                raise ToolFailed(f"it leads on more than {self._manners.redirects} times; use another page")
            trail.append(came)
        return None

    async def _heed(self, url: Url, turn: Turn) -> None:
        robots = await self._wishes.of(url)
        wanted = min(robots.delay or 0.0, self._manners.most_pause_seconds)
        turn.pause = max(self._manners.pause_seconds, wanted)
        if not robots.allow(url.target):
            raise ToolFailed("the robots.txt of its site asks crawlers not to fetch it; use another page")

    async def _ask(self, url: Url, turn: Turn, until: float) -> Fetched | Url:
        """Ask for a URL until its server is not busy; give the page, or where it leads."""
        clock = asyncio.get_running_loop()
        tried = 0
        while True:
            async with self._way.ask(url, ACCEPT) as answer:
                if answer.status not in _BUSY:
                    return await self._take(url, answer)
            tried += 1
            asked = asked_to_wait(answer.headers)
            wait = backoff(str(url), tried, _BACKOFF_SECONDS) if asked is None else asked
            if tried > self._manners.retries or clock.time() + wait >= until:
                turn.hold(wait)
                raise ToolFailed(f"its server is busy ({answer.status}) for {wait:.0f} s or more; fetch it later")
            await asyncio.sleep(wait)

    async def _take(self, url: Url, answer: Answer) -> Fetched | Url:
        if answer.redirect is not None:
            if not answer.redirect:
                raise ToolFailed(f"its server answered {answer.status}, which leads nowhere; use another page")
            return redirected(url, answer.redirect)
        if answer.status not in _WHOLE:
            raise ToolFailed(f"its server answered {answer.status}; use another page")
        content_type = answer.headers.get("content-type", "")
        if not is_accepted(content_type):
            raise ToolFailed(f"it is {content_type[:80]!r}, which is not read; use a page, a text or a PDF")
        return Fetched(str(url), content_type, await answer.read(self._manners.most_bytes))


def _named(url: str, trail: list[Url]) -> str:
    redirects = f", which leads to {shown(str(trail[-1]))}," if len(trail) > 1 else ""
    return f"{shown(url)}{redirects}"
