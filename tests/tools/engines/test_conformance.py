"""What every engine that asks a service must do, whatever the service."""

import gzip
import logging
from collections.abc import Callable, Sequence
from datetime import date
from itertools import chain, repeat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.http_server import Request
from fakes.sample import sample
from fakes.services import Reply, Service
from fakes.time import in_no_time
from quaestor.contracts.errors import QuaestorError, SetupError, ToolFailed
from quaestor.contracts.web import WebHit, WebSearchInput
from tools.engines.dialects import DIALECTS, KEY, Dialect

GIVEN = WebSearchInput(query="the price of zinc")
Answering = Callable[[Request], Reply]


def finding(dialect: Dialect, hits: Sequence[WebHit]) -> Answering:
    return lambda asked: Reply(dialect.speak(asked.path, hits))


def failing(first: Sequence[Reply], then: Answering) -> Answering:
    replies = chain(first, repeat(None))
    return lambda asked: next(replies) or then(asked)


async def searched(
    dialect: Dialect, answering: Answering, wanted: WebSearchInput = GIVEN
) -> tuple[Sequence[WebHit], Service]:
    async with Service(answering) as server:
        engine = dialect.engine(server.url)
        try:
            return (await engine.search(wanted)).hits, server
        finally:
            await engine.close()


async def failed(dialect: Dialect, answering: Answering) -> tuple[QuaestorError, Service]:
    async with Service(answering) as server:
        engine = dialect.engine(server.url)
        with pytest.raises(QuaestorError) as caught:
            await engine.search(GIVEN)
        await engine.close()
    return caught.value, server


async def test_hits_come_in_order_with_all_that_is_said_of_them(dialect: Dialect) -> None:
    hits = [dialect.hit(number, snippet=f"Words of {number}.", published=date(2024, 5, number)) for number in (3, 1, 2)]
    assert list((await searched(dialect, finding(dialect, hits)))[0]) == hits


async def test_what_is_not_said_is_empty(dialect: Dialect) -> None:
    hits = [dialect.hit(1)]
    assert list((await searched(dialect, finding(dialect, hits)))[0]) == hits


async def test_not_more_than_wanted_are_given_and_the_first_of_them(dialect: Dialect) -> None:
    hits = [dialect.hit(number) for number in range(1, 9)]
    found, _ = await searched(dialect, finding(dialect, hits), GIVEN.model_copy(update={"limit": 3}))
    assert list(found) == hits[:3]


async def test_later_pages_are_left_out_and_those_without_a_date_stay(dialect: Dialect) -> None:
    days = [date(2024, 6, 30), date(2024, 7, 1), None, date(2023, 1, 1)]
    hits = [dialect.hit(number, published=published) for number, published in enumerate(days, 1)]
    until = GIVEN.model_copy(update={"before": date(2024, 6, 30)})
    found, _ = await searched(dialect, finding(dialect, hits), until)
    assert list(found) == [hits[0], hits[2], hits[3]]


async def test_the_limit_counts_what_is_wanted(dialect: Dialect) -> None:
    hits = [dialect.hit(1, published=date(2025, 1, 1)), dialect.hit(2), dialect.hit(3)]
    until = WebSearchInput(query="zinc", limit=2, before=date(2024, 6, 30))
    assert list((await searched(dialect, finding(dialect, hits), until))[0]) == hits[1:]


@pytest.mark.parametrize("words", ["Größe und Maß", "亜鉛の価格は 上がる", "цена цинка", "سعر الزنك", "zinc 🪙 price"])
async def test_any_script_goes_there_and_comes_back(dialect: Dialect, words: str) -> None:
    hits = [dialect.hit(1, title=words, snippet=words)]
    found, server = await searched(dialect, finding(dialect, hits), WebSearchInput(query=words))
    assert list(found) == hits
    asked = server.requests[0]
    sent = " ".join(map(str, (asked.body if asked.raw else asked.parameters).values()))
    assert words.split(maxsplit=1)[0] in sent


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(min_size=1, max_size=600))
async def test_any_query_is_asked(dialect: Dialect, query: str) -> None:
    assert (await searched(dialect, finding(dialect, []), WebSearchInput(query=query)))[0] == ()


async def test_nothing_found_is_an_answer(dialect: Dialect) -> None:
    found, server = await searched(dialect, finding(dialect, []))
    assert found == ()
    assert len(server.requests) == 1


async def test_a_page_is_given_once(dialect: Dialect) -> None:
    hits = [dialect.hit(1), dialect.hit(2), dialect.hit(1)]
    assert list((await searched(dialect, finding(dialect, hits)))[0]) == hits[:2]


async def test_html_is_taken_out_of_snippets(dialect: Dialect) -> None:
    html = "<p>If a &lt; b</p><p>the <b class='m'>price</b> falls</p> <script>alert(1)</script><!-- no -->&amp; stays"
    found, _ = await searched(dialect, finding(dialect, [dialect.hit(1, snippet=html)]))
    assert found[0].snippet == "If a < b the price falls & stays"


async def test_html_is_taken_out_of_titles(dialect: Dialect) -> None:
    found, _ = await searched(dialect, finding(dialect, [dialect.hit(1, title="The <em>price</em> of zinc")]))
    assert found[0].title == "The price of zinc"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "file:///etc/passwd", "ftp://a.example/", "//a.example/", "http://[a/", "http:///b"]
)
async def test_only_pages_of_the_web_are_given(url: str) -> None:
    dialect = DIALECTS["searxng"]
    other = dialect.hit(1).model_copy(update={"url": url})
    assert list((await searched(dialect, finding(dialect, [other, dialect.hit(2)])))[0]) == [dialect.hit(2)]


@pytest.mark.parametrize("status", sample([408, 429, 500, 503], lambda place: place in {0, 3}))
async def test_a_busy_service_is_asked_again(dialect: Dialect, status: int) -> None:
    found, server = await searched(dialect, failing([Reply(status=status)] * 2, finding(dialect, [dialect.hit(1)])))
    assert list(found) == [dialect.hit(1)]
    assert server.requests[0].parameters == server.requests[2].parameters
    assert server.requests[0].raw == server.requests[2].raw


@pytest.mark.parametrize("status", [429, 500])
@in_no_time
async def test_retry_after_is_honoured(dialect: Dialect, status: int) -> None:
    busy = Reply(status=status, headers={"Retry-After": "0.05"})
    found, server = await searched(dialect, failing([busy], finding(dialect, [dialect.hit(1)])))
    assert list(found) == [dialect.hit(1)]
    assert server.requests[1].at - server.requests[0].at >= 0.05


async def test_a_service_that_fails_three_times_fails_the_search(dialect: Dialect) -> None:
    error, server = await failed(dialect, lambda _: Reply(b"<h1>out of order</h1>", status=500))
    assert len(server.requests) == 3
    assert isinstance(error, ToolFailed)
    assert str(error) == (
        f"{dialect.kind.name} at {server.url} answered 500 (asked 3 times): out of order; try again later"
    )


async def test_a_cut_connection_is_tried_again(dialect: Dialect) -> None:
    found, _ = await searched(dialect, failing([Reply(b"{", cut=True)], finding(dialect, [dialect.hit(1)])))
    assert list(found) == [dialect.hit(1)]


async def test_a_connection_that_is_always_cut_fails_the_search(dialect: Dialect) -> None:
    error, server = await failed(dialect, lambda _: Reply(b"{", cut=True))
    assert len(server.requests) == 3
    assert isinstance(error, ToolFailed)
    assert "the connection failed" in str(error)


async def test_a_service_that_is_not_there_fails_the_search(dialect: Dialect) -> None:
    async with Service(lambda _: Reply()) as server:
        url = server.url
    engine = dialect.engine(url)
    with pytest.raises(ToolFailed, match=f"{dialect.kind.name} at {url} gave no answer"):
        await engine.search(GIVEN)
    await engine.close()


async def test_a_web_page_in_place_of_an_answer_fails_the_search(dialect: Dialect) -> None:
    page = b"<!doctype html><html><body><p>Please log in &amp; <br>pay</body></html>"
    error, server = await failed(dialect, lambda _: Reply(page, headers={"Content-Type": "text/html"}))
    assert len(server.requests) == 1
    assert isinstance(error, ToolFailed)
    assert f"{dialect.kind.name} at {server.url} gave an answer that is no " in str(error)


async def test_an_answer_of_another_shape_says_what_is_missing(dialect: Dialect) -> None:
    error, server = await failed(dialect, lambda _: Reply(dialect.wrong))
    assert isinstance(error, ToolFailed)
    assert str(error).startswith(f"{dialect.kind.name} at {server.url} gave an answer without {dialect.missing}")


@pytest.mark.parametrize(
    "body",
    sample(
        [b"", b"[]", b"null", b"7", b'{"results": 7}', b"\xff\xfe", b"[" * 100_000, b"{}"], lambda place: place % 2 == 0
    ),
)
async def test_whatever_else_comes_fails_the_search_alone(dialect: Dialect, body: bytes) -> None:
    error, _ = await failed(dialect, lambda _: Reply(body))
    assert isinstance(error, ToolFailed)
    assert str(error).startswith(dialect.kind.name)


@pytest.mark.parametrize("packed", [False, True])
async def test_a_long_answer_is_not_read_to_its_end(dialect: Dialect, *, packed: bool) -> None:
    long = dialect.speak("/esearch.fcgi", [dialect.hit(1)]) + b" " * 3_000_000
    reply = Reply(gzip.compress(long), headers={"Content-Encoding": "gzip"}) if packed else Reply(long)
    error, _ = await failed(dialect, lambda _: reply)
    assert isinstance(error, ToolFailed)
    assert "more than 2,097,152 bytes" in str(error)


async def test_a_redirect_is_not_followed(dialect: Dialect) -> None:
    elsewhere = Reply(status=302, headers={"Location": "http://127.0.0.1:9/"})
    error, server = await failed(dialect, lambda _: elsewhere)
    assert isinstance(error, ToolFailed)
    assert f"answered 302: nothing; look at {'' if not dialect.key else dialect.key}" in str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [401, 403])
async def test_a_key_that_is_refused_stops_the_run_and_is_not_told(keyed: Dialect, status: int) -> None:
    error, server = await failed(keyed, lambda asked: Reply(_everything(asked), status=status))
    assert isinstance(error, SetupError)
    assert keyed.key in str(error)
    assert "[key]" in str(error)
    assert KEY not in str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", sample([200, 400, 429, 500], lambda place: place % 2 == 0))
async def test_a_key_is_in_no_error(keyed: Dialect, status: int) -> None:
    error, server = await failed(keyed, lambda asked: Reply(_everything(asked), status=status))
    assert KEY in _everything(server.requests[0]).decode()
    assert KEY not in str(error)
    assert "0123456789" not in str(error)


async def test_a_key_is_in_no_log(keyed: Dialect, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await searched(keyed, finding(keyed, [keyed.hit(1)]))
    assert "0123456789" not in caplog.text


async def test_proxies_of_the_environment_are_not_used(dialect: Dialect, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    assert list((await searched(dialect, finding(dialect, [dialect.hit(1)])))[0]) == [dialect.hit(1)]


def _everything(asked: Request) -> bytes:
    return " ".join((*asked.headers.values(), *asked.parameters.values())).encode()
