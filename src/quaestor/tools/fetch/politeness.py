"""Polite fetching: limits, turns at a host, and what a robots.txt asks of crawlers (RFC 9309)."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import quote

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.immutable import Immutable
from quaestor.http.errors import SlotTimeout
from quaestor.http.limits import Throttle
from quaestor.tools.fetch.guarded_client import GuardedClient, GuardedResponse
from quaestor.tools.fetch.url import Url, resolve_redirect
from quaestor.version import __version__

USER_AGENT_NAME = "quaestor"
"""The product name that a robots.txt can name."""
MAX_ROBOTS_BYTES = 500 * 1024
"""More of a robots.txt need not be read (RFC 9309, 2.5)."""
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_ENCODED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")
_ROBOTS_PATH = "/robots.txt"
_ACCEPT = "text/plain,*/*;q=0.5"
_MAX_REDIRECTS = 5
_CACHE_SECONDS = 24 * 60 * 60
_MAX_CACHED_SITES = 256
_OK = 200
_TOO_MANY_REQUESTS = 429
_CLIENT_ERRORS = range(400, 500)


class FetchPolicy(Immutable):
    """The limits of a fetch. The defaults are the documented ones; tests and operators may want others."""

    timeout_seconds: float = 30
    """For one page, from its turn over its robots.txt, all redirects and retries to its last byte."""
    max_wait_seconds: float = 80
    """For a turn at a host that other pages of the same run are fetched from."""
    max_bytes: int = 10_000_000
    """Of one page, compressed or not."""
    max_redirects: int = 5
    max_retries: int = 2
    """Of a page whose server is busy."""
    pause_seconds: float = 1
    """Between two pages of one host."""
    allows_host: Callable[[str], bool] = lambda _: True
    """Whether pages of a host are fetched, also where a redirect leads to it."""
    max_pause_seconds: float = 10
    """The longest pause between two pages that a robots.txt may ask for."""
    obey_robots: bool = True
    """Whether to keep to what a robots.txt asks."""
    contact: str = ""
    """An address or URL where the owner of a site can complain, sent in `User-Agent`."""

    @property
    def user_agent(self) -> str:
        """Return the value of `User-Agent`."""
        return f"{USER_AGENT_NAME}/{__version__}" + (f" (+{self.contact})" if self.contact else "")


@dataclass(slots=True, eq=False)
class _Host:
    throttle: Throttle = field(default_factory=lambda: Throttle(in_flight=1))
    is_wide: bool = False


class HostSlot:
    """The turn of one page at a host; its holder may ask the host as often as the page needs."""

    def __init__(self, host: _Host, pause: float) -> None:
        self._host = host
        self.pause = pause
        """Seconds from the end of this turn to the start of the next."""

    def delay(self, seconds: float) -> None:
        """Delay the next turn at this host for so many seconds."""
        self._host.throttle.pause_for(seconds)

    def allow_pairs(self) -> None:
        """Let two pages of this host be fetched at the same time from now on."""
        if not self._host.is_wide:
            self._host.is_wide = True
            self._host.throttle.widen()


class HostThrottle:
    """A throttle that grants turns at hosts in the order of the requests: one at a time each, or two where allowed.

    It belongs to the event loop it is first used in.
    """

    def __init__(self, pause: float, max_wait: float) -> None:
        self._pause = pause
        self._max_wait = max_wait
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[HostSlot]:
        """Wait for a turn at a host. Raises ToolFailed when it does not come within the longest wait."""
        known = self._hosts.setdefault(host, _Host())
        slot = HostSlot(known, self._pause)
        try:
            async with known.throttle.slot(self._max_wait):
                try:
                    yield slot
                finally:
                    # Also after a failure: a host in trouble needs its pause all the more.
                    slot.delay(slot.pause)
        except SlotTimeout as error:
            if error.pause is None:
                raise ToolFailed(f"other pages of {host} took {self._max_wait:g} s; fetch it later") from error
            raise ToolFailed(f"{host} asks for a pause of {error.pause:.0f} s; fetch it later") from error


class RobotsRule(Immutable):
    """One line that allows or disallows the paths which a pattern fits; `weight` is the length of the pattern."""

    allow: bool
    parts: tuple[str, ...]
    """The literal parts between the wildcards."""
    to_end: bool
    weight: int

    def matches(self, path: str) -> bool:
        """Return whether a path, as `_normalize_path` writes it, fits."""
        first, *rest = self.parts
        if not path.startswith(first):
            return False
        if not rest:
            return not self.to_end or path == first
        *middle, last = rest
        place = len(first)
        for part in middle:
            place = path.find(part, place)
            if place < 0:
                return False
            place += len(part)
        # The last part must match at the end, but not overlap what the parts before it took.
        return path.endswith(last) and len(path) - len(last) >= place if self.to_end else path.find(last, place) >= 0


class RobotsRules(Immutable):
    """The rules for one crawler, and the seconds it is asked to wait between two pages, if any."""

    rules: tuple[RobotsRule, ...] = ()
    delay: float | None = None

    def allow(self, target: str) -> bool:
        """Return whether a path with its query may be fetched: the longest matching rule decides, `Allow` in a tie."""
        path = _normalize_path(target)
        best = max(((rule.weight, rule.allow) for rule in self.rules if rule.matches(path)), default=(0, True))
        return best[1] or path == "/robots.txt"


def parse_robots(content: bytes, agent: str) -> RobotsRules:
    """Read the rules for the crawler of this product name, else those for all crawlers, else none."""
    own, others = _Group(), _Group()
    open_groups: tuple[_Group, ...] = ()
    listing = False
    for key, value in _fields(content[:MAX_ROBOTS_BYTES].decode("utf-8", errors="replace").removeprefix("\ufeff")):
        if key == "user-agent":
            named = _TOKEN.match(value)
            matched = {agent.lower(): own, "*": others}.get(named[0].lower() if named else "")
            # Lines that name crawlers one after the other begin one group together.
            open_groups = open_groups if listing else ()
            if matched and matched not in open_groups:
                open_groups = (*open_groups, matched)
            own.named = own.named or matched is own
            listing = True
        elif key in {"allow", "disallow"}:
            listing = False  # only a rule ends the list of crawlers that a group is for
            for group in open_groups if value else ():
                group.rules.append(_parse_rule(value, allow=key == "allow"))
        elif key == "crawl-delay" and _SECONDS.fullmatch(value):
            for group in open_groups:
                group.delay = max(group.delay or 0.0, float(value))
    chosen = own if own.named else others
    return RobotsRules(tuple(dict.fromkeys(chosen.rules)), chosen.delay)


@dataclass(slots=True, eq=False)
class _Group:
    """What is gathered for one crawler, from as many places as there are."""

    named: bool = False
    rules: list[RobotsRule] = field(default_factory=list)
    delay: float | None = None


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in re.split(r"\r\n|\r|\n", text):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _parse_rule(pattern: str, *, allow: bool) -> RobotsRule:
    inner = pattern.removesuffix("$")
    parts = tuple(map(_normalize_path, re.sub(r"\*+", "*", inner).split("*")))
    to_end = inner != pattern
    return RobotsRule(allow, parts, to_end, sum(map(len, parts)) + len(parts) - 1 + to_end)


def _normalize_path(path: str) -> str:
    """Write a path in one way: encoded what is special or not ASCII, not what need not be (RFC 9309, 2.2.2, 2.2.3)."""
    return quote(_ENCODED.sub(_decode_unreserved, path), safe="%/:?#[]@!&'()+,;=-._~")


def _decode_unreserved(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if _UNRESERVED.fullmatch(character) else found[0].upper()


class RobotsCache:
    """A cache of robots.txt of the last `most_kept` sites; a site is scheme, host and port (RFC 9309, 2.3)."""

    def __init__(
        self, client: GuardedClient, kept_seconds: float = _CACHE_SECONDS, most_kept: int = _MAX_CACHED_SITES
    ) -> None:
        self._client = client
        self._cache_seconds = kept_seconds
        self._max_sites = most_kept
        self._known: dict[str, tuple[RobotsRules, float]] = {}

    async def of(self, url: Url) -> RobotsRules:
        """Return the rules of a URL's site; a site without a robots.txt has none.

        Raises ToolFailed when its robots.txt cannot be read now: then nothing may be fetched (RFC 9309, 2.3.1.4).
        """
        now = asyncio.get_running_loop().time()
        # Taken out and put back at the end, so that the site that was not asked for longest is the first.
        robots, asked_at = self._known.pop(url.origin, (None, now))
        if robots is None or asked_at + self._cache_seconds < now:
            robots, asked_at = await self._follow(url.with_target(_ROBOTS_PATH)), now
        self._known[url.origin] = robots, asked_at
        if len(self._known) > self._max_sites:
            del self._known[next(iter(self._known))]
        return robots

    async def _follow(self, url: Url) -> RobotsRules:
        for _ in range(_MAX_REDIRECTS + 1):
            async with self._client.ask(url, _ACCEPT) as answer:
                if answer.redirect is None:
                    return await _read_answer(answer)
                url = resolve_redirect(url, answer.redirect)
        return RobotsRules()


async def _read_answer(answer: GuardedResponse) -> RobotsRules:
    if answer.status == _OK:
        return await asyncio.to_thread(parse_robots, await answer.read_beginning(MAX_ROBOTS_BYTES), USER_AGENT_NAME)
    if answer.status in _CLIENT_ERRORS and answer.status != _TOO_MANY_REQUESTS:
        return RobotsRules()
    raise ToolFailed(
        f"its robots.txt was answered by {answer.status}, so nothing may be fetched there; fetch it later or use "
        "another page"
    )
