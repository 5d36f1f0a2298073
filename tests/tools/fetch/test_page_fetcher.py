"""Whatever a server does, a fetch ends soon, stays small and says what happened."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from fakes.http_server import head
from fakes.site import Names, Network, Serve, Site, endless, in_turn, leading_to, page, raw
from fakes.time import in_no_time
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.immutable import replace
from quaestor.tools.fetch.guard import Allowlist, parse_allowlist
from quaestor.tools.fetch.page_fetcher import FetchedContent, PageFetcher
from quaestor.tools.fetch.politeness import FetchPolicy

CALM = FetchPolicy(pause_seconds=0, obey_robots=False)
HASTY = replace(CALM, timeout_seconds=0.15)
TIMED = replace(CALM, timeout_seconds=10)
SMALL = replace(CALM, max_bytes=100_000)
HTML = {"Content-Type": "text/html"}


@asynccontextmanager
async def visiting(
    serves: dict[str, Serve] | Serve, policy: FetchPolicy = CALM
) -> AsyncIterator[tuple[Site, PageFetcher]]:
    """Serve on loopback, which an operator allows."""
    async with Site(serves if isinstance(serves, dict) else {"/": serves}) as site:
        yield site, PageFetcher(parse_allowlist(f"127.0.0.1:{site.port}"), policy)


async def fetched(serve: Serve, policy: FetchPolicy = CALM) -> FetchedContent:
    async with visiting(serve, policy) as (site, web):
        return await web.get(site.url)


async def test_a_page_is_given_as_its_server_sent_it() -> None:
    async with visiting(page("<p>ä</p>", "text/html; charset=utf-8")) as (site, web):
        assert await web.get(f"{site.url}#part") == FetchedContent(
            f"{site.url}/", "text/html; charset=utf-8", "<p>ä</p>".encode()
        )


async def test_nothing_is_sent_that_could_tell_of_anything_else() -> None:
    cookie = {"Set-Cookie": "a=b", "Location": "/next"}
    serves = {"/": page(status=302, headers=cookie), "/next": page(headers=cookie)}
    async with visiting(serves, replace(CALM, contact="https://example.org/bot")) as (site, web):
        await web.get(site.url)
        await web.get(f"{site.url}/next")
        assert [asked.target for asked in site.asked] == ["/", "/next", "/next"]
        for asked in site.asked:
            assert set(asked.headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}
            assert asked.headers["user-agent"].startswith("quaestor/")
            assert asked.headers["user-agent"].endswith(" (+https://example.org/bot)")
            assert asked.headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed_to_other_hosts_too(status: int) -> None:
    serves = {"/a": leading_to("//b.example/b", status), "/b": leading_to("/c", status), "/c": page("there")}
    async with Site(serves) as site:
        network = Network(site)
        found = await PageFetcher(Allowlist(), CALM, Names(), network).get("http://a.example/a")
        assert [(asked.headers["host"], asked.target) for asked in site.asked] == [
            ("a.example", "/a"),
            ("b.example", "/b"),
            ("b.example", "/c"),
        ]
    assert (found.url, found.content) == ("http://b.example/c", b"there")


async def test_a_redirect_to_a_host_that_is_left_out_is_not_followed() -> None:
    async with Site({"/a": leading_to("//b.example/b", 302)}) as site:
        policy = replace(CALM, allows_host=lambda host: host == "a.example")
        with pytest.raises(ToolFailed, match=r"leave b\.example out"):
            await PageFetcher(Allowlist(), policy, Names(), Network(site)).get("http://a.example/a")
        assert site.targets == ["/a"]


@pytest.mark.parametrize(
    "location",
    [
        *("http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest/", "//10.0.0.1/", "http://2130706433/"),
        *(
            "http://localhost/",
            "http://metadata.google.internal/",
            "http://rebound.example/",
            "http://[::ffff:10.0.0.1]/",
        ),
        *(
            "file:///etc/passwd",
            "gopher://127.0.0.1:6379/x",
            "http://8.8.8.8:22/",
            "http://a@8.8.8.8/",
            "/\\127.0.0.1/",
        ),
    ],
)
async def test_a_redirect_is_guarded_as_what_was_asked_for(location: str) -> None:
    async with Site({"/": leading_to(location)}) as site:
        network = Network(site)
        with pytest.raises(ToolFailed, match=r"^http://a\.example/ ?.* was not fetched: .*; "):
            await PageFetcher(Allowlist(), CALM, Names({"rebound.example": [["127.0.0.1"]]}), network).get(
                "http://a.example/"
            )
    assert len(network.connected) == 1


async def test_five_redirects_are_followed_and_no_sixth() -> None:
    serves = {f"/{hop}": leading_to(f"/{hop + 1}") for hop in range(6)} | {"/6": page("there")}
    async with visiting(serves) as (site, web):
        assert (await web.get(f"{site.url}/1")).content == b"there"
        with pytest.raises(ToolFailed, match=r"/0, which leads to .*/5, was not fetched: it redirects more than 5"):
            await web.get(f"{site.url}/0")


async def test_a_redirect_to_itself_ends() -> None:
    async with visiting(leading_to("/")) as (site, web):
        with pytest.raises(ToolFailed, match="redirects more than 5 times"):
            await web.get(site.url)
        assert len(site.asked) == 6


@pytest.mark.parametrize(
    ("serve", "reason"),
    [
        (page(status=404), "its server answered 404; use another page"),
        (page(status=403), "answered 403"),
        (page(status=500), "answered 500"),
        (page(status=204), "answered 204"),
        (page(status=206), "answered 206"),
        (page(status=300), "answered 300"),
        (page(status=304), "answered 304"),
        (raw(head(101, {"Upgrade": "h2c", "Connection": "upgrade"})), "broke the rules of HTTP"),
        (page(status=302), "leads nowhere"),
        (page(content_type="image/png"), "it is 'image/png', which is not read; use a page, a text or a PDF"),
        (page(content_type="video/mp4; " + "x" * 999), "which is not read"),
        (page(headers={"Content-Encoding": "br"}), "was not asked for"),
        (page(gzip.compress(b"a" * 99)[:-9], headers={"Content-Encoding": "gzip"}), "in the middle of a gzip"),
        (raw(head(200, HTML | {"Content-Length": "100"}) + b"short"), "the server broke the rules of HTTP"),
        (raw(head(200, HTML | {"Transfer-Encoding": "chunked"}) + b"5\r\nshort\r\n"), "broke the rules of HTTP"),
        (raw(head(200, HTML | {"Content-Length": "2, 3"}) + b"abc"), "broke the rules of HTTP"),
        (raw(head(200, HTML | {"Content-Length": "-1"})), "broke the rules of HTTP"),
        (raw(head(200, HTML | {"Content-Length": "1", "Transfer-Encoding": "x"})), "broke the rules of HTTP"),
        (raw(b"<html>HTTP 0.9 has no head</html>\r\n\r\n"), "broke the rules of HTTP"),
        (raw(b"SSH-2.0-OpenSSH_9.9\r\n"), "broke the rules of HTTP"),
        (raw(b"HTTP/1.1 \x1b[2J" + b"x" * 50_000 + b"\r\n\r\n"), "broke the rules of HTTP"),
        (raw(), "broke the rules of HTTP"),
        (raw(head(200, {"A": "b" * 200_000})), "broke the rules of HTTP"),
        (raw(head(200, {f"A{place}": "b" for place in range(20_000)})), "broke the rules of HTTP"),
        (endless(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n" * 1000), "broke the rules of HTTP"),
        (endless(b"HTTP/1.1 200 OK\r\nA: ", b"b" * 9999), "broke the rules of HTTP"),
        (endless(head(200, HTML | {"Transfer-Encoding": "chunked"}), b"0" * 9999), "broke the rules of HTTP"),
    ],
)
async def test_what_is_no_page_is_not_taken_for_one(serve: Serve, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason) as caught:
        await fetched(serve)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "content_type",
    [
        *(
            "text/html",
            "TEXT/HTML;charset=x",
            "application/xhtml+xml",
            "text/plain",
            "text/markdown",
            "application/pdf",
        ),
        *("application/json", "application/ld+json", "text/xml", "application/atom+xml", "text/csv", ""),
        *("application/octet-stream", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        *("application/vnd.oasis.opendocument.text", "text/html, text/html"),
    ],
)
async def test_texts_and_documents_are_fetched(content_type: str) -> None:
    assert (await fetched(page("words", content_type))).content == b"words"


@pytest.mark.parametrize(
    "content_type",
    ["image/svg+xml", "application/zip", "application/javascript", "text/css", "audio/mpeg", "html", "*/*"],
)
async def test_other_things_are_not(content_type: str) -> None:
    with pytest.raises(ToolFailed, match="which is not read"):
        await fetched(page("words", content_type))


async def test_more_than_was_announced_is_not_read() -> None:
    assert (await fetched(raw(head(200, HTML | {"Content-Length": "4"}) + b"page, and more"))).content == b"page"


async def test_early_hints_are_passed_over() -> None:
    answer = head(200, HTML | {"Content-Length": "4"}) + b"page"
    assert (await fetched(raw(head(103, {"Link": "</a>"}), head(100, {}), answer))).content == b"page"


BOMB = gzip.compress(bytes(1_000_000))


@pytest.mark.parametrize(
    "serve",
    [
        page(bytes(100_001)),
        page(BOMB, headers={"Content-Encoding": "gzip"}),
        raw(head(200, HTML | {"Content-Length": str(10**12)})),
        raw(head(200, HTML | {"Content-Length": "9" * 20})),
        endless(head(200, HTML), b"x" * 9999),
        endless(head(200, HTML | {"Transfer-Encoding": "chunked"}), b"400\r\n" + b"x" * 1024 + b"\r\n"),
        endless(head(200, HTML | {"Content-Encoding": "gzip"}), BOMB),
        endless(head(200, HTML | {"Content-Encoding": "gzip"}), gzip.compress(b"")),
    ],
)
async def test_a_page_without_end_is_left_at_the_limit(serve: Serve) -> None:
    with pytest.raises(ToolFailed, match="has more than 100,000 bytes; use a shorter page"):
        await fetched(serve, SMALL)


async def test_a_page_as_long_as_the_limit_is_read() -> None:
    assert len((await fetched(page(bytes(100_000)), SMALL)).content) == 100_000


@pytest.mark.parametrize(
    "serve",
    [
        raw(b"", seconds=60),
        endless(b"", b"H", seconds=0.01),
        endless(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n", seconds=0.01),
        endless(b"", head(103, {}), seconds=0.001),
        endless(head(200, HTML), b"x", seconds=0.01),
        endless(head(200, HTML | {"Transfer-Encoding": "chunked"}), b"1\r\nx\r\n", seconds=0.01),
        endless(head(200, HTML | {"Content-Encoding": "gzip"}), gzip.compress(b""), seconds=0.01),
    ],
)
async def test_a_page_that_drips_is_left_when_its_time_is_up(serve: Serve) -> None:
    with pytest.raises(ToolFailed, match=r"did not come within 0\.15 s; fetch it later or use another page"):
        await fetched(serve, HASTY)


@pytest.mark.parametrize("other", ["", "//{}.example"])
@in_no_time
async def test_redirects_share_the_time_of_a_page_whatever_host_they_lead_to(other: str) -> None:
    serves: dict[str, Serve] = {}
    for hop in range(5):
        onward = {"Location": f"{other.format(hop)}/{hop + 1}", "Content-Length": "0"}
        serves[f"/{hop}"] = raw(b"", head(302, onward), seconds=3)
    async with Site({**serves, "/5": page()}) as site:
        with pytest.raises(ToolFailed, match="did not come within"):
            await PageFetcher(Allowlist(), TIMED, Names(), Network(site)).get("http://a.example/0")
        assert 1 < len(site.asked) < 5


@in_no_time
async def test_the_time_that_other_pages_take_is_not_counted() -> None:
    slow = raw(b"", head(200, HTML) + b"page", seconds=3)
    async with visiting(slow, TIMED) as (site, web):
        pages = await asyncio.gather(*(web.get(site.url) for _ in range(3)))
    assert [each.content for each in pages] == [b"page"] * 3


@pytest.mark.parametrize("status", [429, 503])
async def test_a_busy_server_is_asked_again_when_it_says(status: int) -> None:
    busy = page(status=status, headers={"Retry-After": "0"})
    async with visiting(in_turn(busy, busy, page("there"))) as (site, web):
        assert (await web.get(site.url)).content == b"there"
        assert len(site.asked) == 3


async def test_a_server_that_stays_busy_is_left_alone() -> None:
    async with visiting(page(status=503, headers={"Retry-After": "0"})) as (site, web):
        with pytest.raises(ToolFailed, match=r"its server is busy \(503\) for 0 s or more; fetch it later"):
            await web.get(site.url)
        assert len(site.asked) == 3


@pytest.mark.parametrize(("headers", "seconds"), [({"Retry-After": "100"}, 100), ({}, 1), ({"Retry-After": "soon"}, 1)])
async def test_a_wait_beyond_the_time_of_a_page_is_not_begun(headers: dict[str, str], seconds: int) -> None:
    async with visiting(page(status=429, headers=headers), replace(CALM, timeout_seconds=seconds * 0.9)) as (site, web):
        with pytest.raises(ToolFailed, match=rf"busy \(429\) for {seconds} s or more; fetch it later"):
            await web.get(site.url)
        assert len(site.asked) == 1


async def test_a_host_that_asks_to_wait_is_not_asked_for_another_page_meanwhile() -> None:
    busy = page(status=429, headers={"Retry-After": "100"})
    async with visiting({"/": busy, "/other": page()}) as (site, web):
        for path, reason in (("/", "is busy"), ("/other", "asks for a pause of 100 s")):
            with pytest.raises(ToolFailed, match=reason):
                await web.get(site.url + path)
        assert site.targets == ["/"]


async def test_an_error_shows_the_url_on_one_line_and_without_credentials() -> None:
    with pytest.raises(ToolFailed) as caught:
        await PageFetcher(Allowlist(), CALM, Names(), Network()).get(
            "http://me:secret@example.org/\x1b[2J\r\n" + "x" * 999
        )
    message = str(caught.value)
    assert message.startswith("http://***@example.org/\\x1b[2J\\r\\nxxx")
    assert "secret" not in message
    assert message.isprintable()
    assert len(message) < 220


async def test_a_fetch_that_is_given_up_leaves_nothing_open() -> None:
    async with visiting(endless(head(200, HTML), b"x", seconds=0.01)) as (site, web):
        fetching = asyncio.create_task(web.get(site.url))
        while not site.asked:  # noqa: ASYNC110 -- nothing tells that a request has come
            await asyncio.sleep(0.001)
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching
        site.serves["/"] = page("next")
        assert (await web.get(site.url)).content == b"next"
