"""Turns, limits and secrets of what is sent."""

import asyncio
import logging
from collections.abc import Callable

import pytest
from typing_extensions import override

from fakes.http_server import Connection, Request
from fakes.services import Reply, Service
from fakes.time import in_no_time
from quaestor.contracts.errors import SetupError, ToolFailed, UsageError
from quaestor.contracts.web import WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.commercial_web import Tavily
from quaestor.tools.engines.keyless_web import Searxng
from quaestor.tools.engines.scholarly_json import Openalex
from quaestor.tools.engines.scholarly_xml import Arxiv, Pubmed
from tools.engines.dialects import DIALECTS, QUICK

GIVEN = WebSearchInput(query="zinc")
EMPTY = Reply(b'{"results": []}')


@in_no_time
async def test_requests_keep_their_distance() -> None:
    async with Service(lambda _: EMPTY) as server:
        engine = DIALECTS["searxng"].engine(server.url, rate_limit=RateLimit(min_interval=5))
        await asyncio.gather(*(engine.search(GIVEN) for _ in range(3)))
        await engine.close()
    first, _, third = (request.at for request in server.requests)
    assert third - first >= 9  # two distances, less what the first connection took


async def test_a_service_that_wants_one_request_at_a_time_gets_one() -> None:
    async with Service(lambda _: EMPTY) as server:
        engine = DIALECTS["searxng"].engine(server.url, rate_limit=RateLimit(in_flight=1))
        await asyncio.gather(*(engine.search(GIVEN) for _ in range(5)))
        await engine.close()
    assert (len(server.requests), server.busiest) == (5, 1)


async def test_other_services_are_asked_at_the_same_time() -> None:
    async with Service(lambda _: EMPTY) as server:
        engine = DIALECTS["searxng"].engine(server.url)
        await asyncio.gather(*(engine.search(GIVEN) for _ in range(4)))
        await engine.close()
    assert server.busiest > 1


@in_no_time
async def test_retry_after_holds_back_every_search() -> None:
    replies = [Reply(status=429, headers={"Retry-After": "2"})]
    async with Service(lambda _: replies.pop() if replies else EMPTY) as server:
        engine = DIALECTS["searxng"].engine(server.url)
        first = asyncio.create_task(engine.search(GIVEN))
        while not server.requests:  # noqa: ASYNC110 -- nothing tells that a request has come
            await asyncio.sleep(0.001)
        await asyncio.sleep(1)  # skipped once the answer, which is on its way, has come
        await engine.search(GIVEN)
        await first
        await engine.close()
    assert all(later.at - server.requests[0].at >= 2 for later in server.requests[1:])


async def test_a_service_that_does_not_answer_in_time_fails_the_search() -> None:
    async with Service(lambda _: Reply(after=60)) as server:
        engine = DIALECTS["searxng"].engine(server.url, rate_limit=RateLimit(timeout_seconds=2))
        with pytest.raises(ToolFailed, match=f"searxng at {server.url} gave no answer within 2 s"):
            await engine.search(GIVEN)
        await engine.close()
    assert len(server.requests) == 1


class Gathering(Service):
    """Answers nobody before so many have asked, and counts how many more come meanwhile."""

    def __init__(self, reply: Callable[[Request], Reply], width: int) -> None:
        super().__init__(reply)
        self.inside = self.most = 0
        self._width = width
        self._met = asyncio.Event()

    @override
    async def answer(self, request: Request, connection: Connection) -> bool:
        self.inside += 1
        self.most = max(self.most, self.inside)
        if self.inside == self._width:
            self._met.set()
        await self._met.wait()
        answered = await super().answer(request, connection)
        self.inside -= 1
        return answered


@pytest.mark.parametrize("name", DIALECTS)
async def test_a_service_is_asked_as_wide_as_its_limit_allows_and_no_wider(name: str) -> None:
    dialect = DIALECTS[name]
    width = dialect.kind.service.rate_limit.in_flight
    hits = [dialect.hit(1)]
    async with Gathering(lambda asked: Reply(dialect.speak(asked.path, hits), after=0.02), width) as server:
        engine = dialect.engine(server.url, rate_limit=RateLimit(in_flight=width, timeout_seconds=200))
        await asyncio.gather(*(engine.search(GIVEN) for _ in range(width + 3)))
        await engine.close()
    assert server.most == width


def test_services_are_asked_no_faster_than_they_allow() -> None:
    assert Arxiv.service.rate_limit.min_interval >= 3
    assert Arxiv.service.rate_limit.in_flight == 1
    assert Pubmed.service.rate_limit.min_interval >= 1 / 3
    assert all(dialect.kind.service.rate_limit.timeout_seconds == 15 for dialect in DIALECTS.values())


async def test_an_engine_may_be_closed_unused_and_twice() -> None:
    engine = DIALECTS["searxng"].engine("http://127.0.0.1:9")
    await engine.close()
    await engine.close()


async def test_the_name_and_password_of_an_address_are_sent_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with Service(lambda asked: Reply(asked.headers["authorization"].encode(), status=400)) as server:
        engine = Searxng({"SEARXNG_URL": server.url.replace("//", "//anna:p%40ssw0rd@")}, QUICK)
        with pytest.raises(ToolFailed, match=r"answered 400: Basic \[key\]; look at SEARXNG_URL") as caught:
            await engine.search(GIVEN)
        await engine.close()
    assert server.requests[0].headers["authorization"] == "Basic YW5uYTpwQHNzdzByZA=="
    assert "ssw0rd" not in f"{caught.value} {caplog.text}"


async def test_a_server_that_does_not_give_json_says_what_to_set() -> None:
    async with Service(lambda _: Reply(b"Forbidden", status=403)) as server:
        engine = DIALECTS["searxng"].engine(server.url)
        with pytest.raises(ToolFailed, match=r"answered 403: Forbidden; look at SEARXNG_URL; .* format json"):
            await engine.search(GIVEN)
        await engine.close()


@pytest.mark.parametrize("url", ["metals.example", "ftp://metals.example", "http://", "https://a/?k=1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="SEARXNG_URL is no"):
        Searxng({"SEARXNG_URL": url})


@pytest.mark.parametrize("key", ["tvly 1", "tvly\n1", "tvly…", "\x7f"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_told(key: str) -> None:
    with pytest.raises(SetupError, match="TAVILY_API_KEY has characters no key has") as caught:
        Tavily({"TAVILY_API_KEY": key})
    assert key not in str(caught.value)


def test_white_space_around_a_key_is_no_part_of_it() -> None:
    Tavily({"TAVILY_API_KEY": "tvly-1\n"})


@pytest.mark.parametrize("key", ["", "  "])
def test_a_key_that_is_needed_is_named(key: str) -> None:
    with pytest.raises(SetupError, match="set TAVILY_API_KEY"):
        Tavily({"TAVILY_API_KEY": key})
    Openalex({"OPENALEX_API_KEY": key})
