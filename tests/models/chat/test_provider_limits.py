import asyncio

import pytest

from fakes.chat import CLEAR, chatting, output_request
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Slow
from fakes.time import in_no_time
from quaestor.contracts.errors import ModelUnavailable
from quaestor.contracts.model import Provider


async def ask_many(provider: Provider, calls: int, seconds: float) -> OpenAIServer:
    async with chatting(Slow(seconds=seconds, then=CLEAR), provider) as chat:
        await asyncio.gather(*(chat.ask(output_request(key=f"call/{number}")) for number in range(calls)))
        return chat.server


async def test_no_more_requests_are_in_flight_than_allowed() -> None:
    assert (await ask_many(Provider(in_flight=3), calls=9, seconds=0.01)).busiest == 3


async def test_all_requests_that_are_allowed_are_in_flight() -> None:
    assert (await ask_many(Provider(in_flight=8), calls=8, seconds=0.3)).busiest == 8


@in_no_time
async def test_requests_are_spread_over_the_minute() -> None:
    began = asyncio.get_running_loop().time()
    server = await ask_many(Provider(per_minute=1200), calls=5, seconds=0)
    assert all(request.at - began >= 0.05 * place for place, request in enumerate(server.requests))


async def test_a_connection_is_used_again() -> None:
    async with chatting() as chat:
        for _ in range(3):
            await chat.ask()
        assert chat.server.connections == 1


async def test_a_closed_line_opens_again() -> None:
    async with chatting() as chat:
        await chat.ask()
        await chat.client.close()
        await chat.client.close()
        assert (await chat.ask()).text == CLEAR


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with chatting() as chat:
        assert (await chat.ask()).text == CLEAR


async def test_an_address_with_https_is_never_asked_in_plain() -> None:
    async with chatting(
        provider=Provider(retries=0), seconds=0.5, url=lambda url: url.replace("http", "https")
    ) as chat:
        with pytest.raises(ModelUnavailable, match=r"at https://.*no connection"):
            await chat.ask()
        assert chat.server.requests == []
