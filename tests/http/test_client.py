"""One request: what is sent, what comes back, and how it fails."""

import logging
from collections.abc import Callable

import httpx2
import pytest

from fakes.services import Reply, Service
from quaestor.http.body import read_body, read_error_text
from quaestor.http.client import HttpClient
from quaestor.http.endpoint import Credential, Redaction, build_endpoint, parse_base_url
from quaestor.http.errors import BodyTooLarge, ConnectionFailed, ProtocolViolation, ResponseTimeout, UndecodableBody
from quaestor.http.limits import RateLimit

QUICK = RateLimit(timeout_seconds=60)


async def fetch(reply: Reply | Callable[[], Reply], limit: RateLimit = QUICK, max_bytes: int = 10_000) -> bytes:
    async with Service(lambda _: reply() if callable(reply) else reply) as server:
        client = HttpClient(limit)
        try:
            async with client.send("GET", httpx2.URL(server.url), {}) as response:
                return await read_body(response, max_bytes)
        finally:
            await client.close()


async def test_only_the_given_headers_are_sent_and_no_cookie_comes_back() -> None:
    async with Service(lambda _: Reply(headers={"Set-Cookie": "a=b"})) as server:
        client = HttpClient(QUICK)
        for _ in range(2):
            async with client.send("POST", httpx2.URL(server.url), {"x-key": "k"}, b"body") as response:
                assert await read_body(response, 100) == b""
        await client.close()
        assert [set(request.headers) for request in server.requests] == [{"host", "x-key", "content-length"}] * 2
        assert server.connections == 1


async def test_a_redirect_is_a_response_like_any_other() -> None:
    async with Service(lambda _: Reply(status=302, headers={"Location": "/b"})) as server:
        client = HttpClient(QUICK)
        async with client.send("GET", httpx2.URL(server.url), {}) as response:
            assert response.status_code == 302
        await client.close()
        assert len(server.requests) == 1


async def test_a_key_in_a_url_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with Service(lambda _: Reply()) as server:
        endpoint = build_endpoint(parse_base_url(server.url), Credential(key="sesame-open", parameter="key"))
        client = HttpClient(QUICK)
        async with client.send("GET", endpoint.url("path", {"q": "a b"}), endpoint.headers) as response:
            await read_body(response, 100)
        await client.close()
        assert server.requests[0].parameters == {"q": "a b", "key": "sesame-open"}
    assert "sesame" not in caplog.text


async def test_no_whole_response_in_time_is_a_timeout() -> None:
    with pytest.raises(ResponseTimeout, match=r"no answer within 0\.3 s"):
        await fetch(Reply(after=60), RateLimit(timeout_seconds=0.3))


async def test_a_connection_that_ends_in_the_middle_is_an_error() -> None:
    with pytest.raises(ProtocolViolation, match="broke the rules of HTTP"):
        await fetch(Reply(b"half", cut=True))


async def test_without_a_server_nothing_was_sent() -> None:
    async with Service(lambda _: Reply()) as server:
        pass
    client = HttpClient(QUICK)
    with pytest.raises(ConnectionFailed, match=r"no connection \("):
        async with client.send("GET", httpx2.URL(server.url), {}):
            pass
    await client.close()


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_at_a_port_that_no_server_can_have_nothing_was_sent(scheme: str) -> None:
    client = HttpClient(QUICK)
    with pytest.raises(ConnectionFailed, match=r"no connection \(.*port must be 0-65535"):
        async with client.send("GET", httpx2.URL(f"{scheme}://127.0.0.1:92511"), {}):
            pass
    await client.close()


async def test_a_length_over_the_limit_is_refused_before_the_body_is_read() -> None:
    with pytest.raises(BodyTooLarge, match="more than 100 bytes"):
        await fetch(Reply(headers={"Content-Length": "200"}), max_bytes=100)


async def test_a_coding_that_was_not_asked_for_is_no_body_and_no_error_text() -> None:
    coded = Reply(b"...", status=500, headers={"Content-Encoding": "br"})
    with pytest.raises(UndecodableBody, match="encoded as 'br'"):
        await fetch(coded)
    async with Service(lambda _: coded) as server:
        client = HttpClient(QUICK)
        async with client.send("GET", httpx2.URL(server.url), {}) as response:
            assert await read_error_text(response, 100) == ""
        await client.close()


def test_every_spelling_of_a_credential_is_redacted_the_longest_first() -> None:
    redaction = Redaction.of('a/b"c', "a", None, "")
    assert redaction.redact(r'a/b"c a\/b"c a/b\"c a%2Fb%22c a/b%22c') == "[key] [key] [key] [key] [key]"
    assert redaction.redact_reply("a") == "a"
    assert Redaction.of("sixteen-letters!").redact_reply("<sixteen-letters!>") == "<[key]>"


def test_a_password_in_the_base_url_becomes_a_header_and_is_redacted() -> None:
    endpoint = build_endpoint(parse_base_url("https://anna:p%40ss@host/v1?token=staple"), Credential(key="k" * 20))
    assert endpoint.headers["authorization"] == "Basic YW5uYTpwQHNz"
    assert endpoint.display_url == "https://host/v1"
    assert str(endpoint.url("models")) == "https://host/v1/models?token=staple"
    assert endpoint.redaction.redact("p@ss YW5uYTpwQHNz") == "[key] [key]"


@pytest.mark.parametrize(
    "text", ["host/v1", "ftp://host", "http://", "http://host:port", "http://host:0", "http://host:92511"]
)
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no address"):
        parse_base_url(text)
