import asyncio
from itertools import pairwise

import pytest

from fakes.http_server import Connection, head
from fakes.site import Names, Network, Serve, Site, in_turn, leading_to, page, raw
from fakes.time import in_no_time
from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.guard import Allowlist, Guard
from quaestor.tools.fetch.guarded_client import GuardedClient
from quaestor.tools.fetch.page_fetcher import PageFetcher
from quaestor.tools.fetch.politeness import MAX_ROBOTS_BYTES, FetchPolicy, RobotsCache
from quaestor.tools.fetch.url import parse_url

CALM = FetchPolicy(pause_seconds=0)
FORBIDDEN = page("user-agent: *\ndisallow: /private", "text/plain")


def web(site: Site, policy: FetchPolicy = CALM) -> PageFetcher:
    return PageFetcher(Allowlist(), policy, Names(), Network(site))


async def test_a_page_that_robots_txt_forbids_is_not_asked_for() -> None:
    async with Site({"/robots.txt": FORBIDDEN, "/private": page(), "/public": page()}) as site:
        visitor = web(site)
        with pytest.raises(ToolFailed, match=r"the robots\.txt of its site asks crawlers not to fetch it; use another"):
            await visitor.get("http://example.org/private?x")
        await visitor.get("http://example.org/public")
        assert site.targets == ["/robots.txt", "/public"]


async def test_a_redirect_does_not_lead_around_it() -> None:
    serves = {"/robots.txt": FORBIDDEN, "/public": leading_to("/public/../private"), "/private": page()}
    async with Site(serves) as site:
        with pytest.raises(ToolFailed, match="asks crawlers not to"):
            await web(site).get("http://example.org/public")
        assert site.targets == ["/robots.txt", "/public"]


async def test_an_operator_may_turn_it_off() -> None:
    async with Site({"/robots.txt": FORBIDDEN, "/private": page("read")}) as site:
        fetched = await web(site, FetchPolicy(pause_seconds=0, obey_robots=False)).get("http://example.org/private")
        assert (fetched.content, site.targets) == (b"read", ["/private"])


async def test_every_site_is_asked_once_for_itself() -> None:
    async with Site({"/": page()}) as site:
        visitor = web(site)
        for url in ("http://a.example/", "http://a.example/", "http://a.example:8080/", "http://b.example/"):
            await visitor.get(url)
        asked = [(each.target, each.headers["host"]) for each in site.asked]
    assert [host for target, host in asked if target == "/robots.txt"] == ["a.example", "a.example:8080", "b.example"]


@pytest.mark.parametrize(("robots", "together"), [("disallow: /private", 2), ("crawl-delay: 0", 1)])
async def test_two_pages_of_a_host_are_fetched_together_unless_robots_txt_asks_for_a_delay(
    robots: str, together: int
) -> None:
    inside = most = 0
    met = asyncio.Event()

    async def slow(connection: Connection) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        if inside == together:
            met.set()
        async with asyncio.timeout(200):
            await met.wait()
        await asyncio.sleep(0.02)  # in which one too many would come
        inside -= 1
        await page()(connection)

    wishes = page(f"user-agent: *\n{robots}", "text/plain")
    async with Site({"/robots.txt": wishes}, other=lambda _: slow) as site:
        visitor = web(site)
        await asyncio.gather(*(visitor.get(f"http://example.org/{number}") for number in range(4)))
    assert most == together


@pytest.mark.parametrize(("kept_seconds", "most_kept", "asked"), [(9, 2, 3), (9, 1, 5), (-1, 2, 5)])
async def test_wishes_are_kept_for_a_time_and_of_the_last_sites(kept_seconds: int, most_kept: int, asked: int) -> None:
    async with Site({"/robots.txt": FORBIDDEN}) as site:
        way = GuardedClient(Guard(Allowlist()), "quaestor", Names(), Network(site))
        wishes = RobotsCache(way, kept_seconds, most_kept)
        for host in ("a", "b", "a", "c", "a"):
            robots = await wishes.of(parse_url(f"http://{host}.example/"))
            assert not robots.allow("/private")
        assert len(site.asked) == asked


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
async def test_a_site_without_wishes_has_none(status: int) -> None:
    async with Site({"/robots.txt": page("disallow: /", status=status), "/": page("read")}) as site:
        assert (await web(site).get("http://example.org/")).content == b"read"


@pytest.mark.parametrize("status", [429, 500, 503, 204, 304])
async def test_a_site_whose_wishes_cannot_be_known_is_left_alone_and_asked_again_later(status: int) -> None:
    async with Site({"/robots.txt": in_turn(page(status=status), FORBIDDEN), "/": page("read")}) as site:
        visitor = web(site)
        with pytest.raises(ToolFailed, match=rf"robots\.txt was answered by {status}, so nothing may be fetched there"):
            await visitor.get("http://example.org/")
        assert (await visitor.get("http://example.org/")).content == b"read"
        assert site.targets == ["/robots.txt", "/robots.txt", "/"]


@pytest.mark.parametrize(
    ("serve", "reason"),
    [
        (raw(b"\x00\x01garbage\r\n\r\n"), "broke the rules of HTTP"),
        (raw(), "broke the rules of HTTP"),
        (leading_to("http://127.0.0.1/"), "this machine's own"),
        (leading_to("file:///etc/passwd"), "no http or https URL"),
        (page("x", headers={"Content-Encoding": "br"}), "not asked for"),
    ],
)
async def test_a_robots_txt_that_does_not_come_forbids_the_page(serve: Serve, reason: str) -> None:
    async with Site({"/robots.txt": serve, "/": page()}) as site:
        with pytest.raises(ToolFailed, match=reason):
            await web(site).get("http://example.org/")
        assert site.targets == ["/robots.txt"]


async def test_five_redirects_of_a_robots_txt_are_followed_and_six_are_as_none() -> None:
    hops: dict[str, Serve] = {f"/{hop}": leading_to(f"/{hop + 1}") for hop in range(1, 6)}
    last: dict[str, Serve] = {"/robots.txt": leading_to("/1"), "/private": page("read")}
    async with Site({**hops, **last, "/5": FORBIDDEN}) as site:
        with pytest.raises(ToolFailed, match="asks crawlers not to"):
            await web(site).get("http://example.org/private")
    async with Site({**hops, **last, "/6": FORBIDDEN}) as site:
        assert (await web(site).get("http://example.org/private")).content == b"read"
        assert "/6" not in site.targets


async def test_of_a_long_robots_txt_the_beginning_counts() -> None:
    lines = b"user-agent: *\ndisallow: /private\n"
    endless = raw(head(200, {"Content-Type": "text/plain"}), lines, b"#" * MAX_ROBOTS_BYTES, b"#" * MAX_ROBOTS_BYTES)
    async with Site({"/robots.txt": endless, "/private": page()}) as site:
        with pytest.raises(ToolFailed, match="asks crawlers not to"):
            await web(site).get("http://example.org/private")


@pytest.mark.parametrize(("wanted", "least"), [("0.03", 0.03), ("3600", 0.05)])
@in_no_time
async def test_a_site_may_ask_for_a_longer_pause_up_to_a_limit(wanted: str, least: float) -> None:
    robots = page(f"user-agent: *\ncrawl-delay: {wanted}", "text/plain")
    async with Site({"/robots.txt": robots, "/": page()}) as site:
        visitor = web(site, FetchPolicy(pause_seconds=0, max_pause_seconds=0.05))
        for _ in range(3):
            await visitor.get("http://example.org/")
        times = [asked.at for asked in site.asked if asked.target == "/"]
    assert all(after - before >= least for before, after in pairwise(times))
