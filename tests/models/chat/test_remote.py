"""What may be sent again is: what a server did not answer, and what never reached it."""

import asyncio
from itertools import pairwise

import pytest

from fakes.chat import CLEAR, chatting, output_request
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Answer, Asked, Cut, Hang, Raw, Reply, Slow, Status
from fakes.time import in_no_time
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed, ModelUnavailable
from quaestor.contracts.model import Provider

ONCE = Spend(model_calls=1)


def failing(times: int, answer: Answer) -> Reply:
    """Return a reply that is `answer` so many times, and then a good one."""
    left = [answer] * times

    def reply(_: Asked) -> Answer:
        return left.pop() if left else CLEAR

    return reply


async def requested(server: OpenAIServer) -> None:
    """Wait until the first request has come."""
    while not server.requests:  # noqa: ASYNC110 -- nothing tells that a request has come
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("status", [408, 409, 429, 502, 503, 504, 529])
async def test_a_busy_server_is_asked_again(status: int) -> None:
    async with chatting(failing(2, Status(status=status))) as chat:
        reply = await chat.ask()
        assert len(chat.server.requests) == 3
    assert (reply.text, reply.spend.model_calls) == (CLEAR, 1)
    assert reply.notes == (f"{status}, waited 0.0 s", f"{status}, waited 0.0 s")


@in_no_time
async def test_every_try_waits_longer() -> None:
    async with chatting(failing(4, Status(status=503))) as chat:
        await chat.ask()
        times = [request.at for request in chat.server.requests]
    waits = [after - before for before, after in pairwise(times)]
    assert all(wait >= 0.002 * 2**place for place, wait in enumerate(waits))


async def test_a_server_that_stays_busy_fails_the_call_at_no_cost() -> None:
    async with chatting(Status(status=503, message="over capacity"), Provider(retries=2)) as chat:
        with pytest.raises(ModelFailed) as caught:
            await chat.ask()
        assert len(chat.server.requests) == 3
        assert str(caught.value) == (
            f"test:small at {chat.server.url} answered 503: over capacity (after 2 retries); try again later"
        )
    assert caught.value.spend == ONCE


async def test_a_call_whose_time_is_up_between_two_requests_says_what_was_answered() -> None:
    async with chatting(Status(status=503, message="over capacity", headers={"Retry-After": "60"})) as chat:
        with pytest.raises(TimeoutError) as caught:
            async with asyncio.timeout(0.5):
                await chat.ask()
        notes = getattr(caught.value.__cause__, "__notes__", [])
    assert notes == [f"test:small at {chat.server.url} answered 503: over capacity"]


async def test_retries_may_be_forbidden() -> None:
    async with chatting(Status(status=429), Provider(retries=0)) as chat:
        with pytest.raises(ModelFailed):
            await chat.ask()
        assert len(chat.server.requests) == 1


@in_no_time
async def test_retry_after_is_honoured_and_noted() -> None:
    async with chatting(failing(1, Status(status=429, headers={"Retry-After": "0.2"}))) as chat:
        reply = await chat.ask()
        first, second = chat.server.requests
    assert second.at - first.at >= 0.2
    assert reply.notes == ("429, waited 0.2 s",)


@in_no_time
async def test_retry_after_may_be_a_date() -> None:
    dates = {"Date": "Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After": "Thu, 01 Jan 2026 00:00:01 GMT"}
    async with chatting(failing(1, Status(status=503, headers=dates))) as chat:
        assert (await chat.ask()).notes == ("503, waited 1.0 s",)


@pytest.mark.parametrize("status", [429, 503])
@in_no_time
async def test_retry_after_holds_back_every_call_to_the_provider(status: int) -> None:
    async with chatting(failing(1, Status(status=status, headers={"Retry-After": "2"}))) as chat:
        first = asyncio.create_task(chat.ask(output_request(key="a")))
        await requested(chat.server)
        await asyncio.sleep(1)  # skipped once its answer, which is on its way, has come
        await chat.ask(output_request(key="b"))
        await first
        times = [request.at for request in chat.server.requests]
    assert len(times) == 3
    assert times[1] - times[0] >= 2


async def test_a_fault_of_one_call_holds_back_no_other() -> None:
    async with chatting(failing(1, Status(status=500, headers={"Retry-After": "60"}))) as chat:
        first = asyncio.create_task(chat.ask(output_request(key="a")))
        await requested(chat.server)
        assert (await chat.ask(output_request(key="b"))).text == CLEAR
        first.cancel()


async def test_a_server_that_is_not_there_yet_is_tried_again() -> None:
    async with chatting() as away:
        port = int(away.server.url.split(":")[2].removesuffix("/v1"))
    async with chatting(provider=Provider(retries=14), url=lambda _: away.server.url) as chat:
        call = asyncio.create_task(chat.ask())
        await asyncio.sleep(0.01)
        async with OpenAIServer(lambda _: CLEAR, port=port) as late:
            reply = await call
            assert len(late.requests) == 1
    assert reply.text == CLEAR
    assert reply.notes[0].startswith("no connection (")


async def test_a_server_that_never_comes_is_out_of_order() -> None:
    async with chatting() as away:
        pass
    async with chatting(provider=Provider(retries=1), url=lambda _: away.server.url) as chat:
        with pytest.raises(ModelUnavailable, match=r"no connection .*; see to the server or the network, or write its"):
            await chat.ask()


MAY_BE_CHARGED: dict[str, tuple[Answer, str]] = {
    "a hang": (Hang(), r"no answer within 0\.2 s"),
    "a cut before the headers": (Cut(text=CLEAR, after="nothing"), "the connection was cut"),
    "a cut body": (Cut(text=CLEAR, after="half"), "the connection was cut"),
    "a page": (
        Raw(pieces=(b"<html>Sign in</html>",), content_type="text/html"),
        "not the JSON .*: <html>Sign in</html>",
    ),
    "half an answer": (Raw(pieces=(b'{"choices": [',)), "not the JSON"),
    "another JSON": (Raw(pieces=(b'{"status": "ok"}',)), 'not a chat completion: {"status": "ok"}'),
    "an error with status 200": (
        Raw(pieces=(b'{"error": {"message": "upstream"}}',)),
        "an error in place .*: upstream",
    ),
    "nested too deep": (Raw(pieces=(b"[" * 100_000,)), "not the JSON"),
    "nothing": (Raw(pieces=()), "not the JSON .*: nothing"),
    "a slow end": (Raw(pieces=(b'{"choices"',), done=False), "the connection was cut"),
}


@pytest.mark.parametrize("name", MAY_BE_CHARGED)
async def test_what_may_have_been_charged_is_not_sent_again(name: str) -> None:
    answer, reason = MAY_BE_CHARGED[name]
    async with chatting(answer, seconds=0.2 if name == "a hang" else 10) as chat:
        with pytest.raises(ModelFailed, match=reason) as caught:
            await chat.ask()
        assert len(chat.server.requests) == 1
        assert caught.value.spend == chat.model.prepare(output_request()).ceiling


async def test_a_call_without_a_reply_waits_before_it_is_made_again() -> None:
    async with chatting() as chat:
        again = await chat.ask(output_request(failures=1))
        first = await chat.ask(output_request())
    assert (again.notes, first.notes) == (("no reply before, waited 0.0 s",), ())


async def test_the_time_limit_is_the_providers_own_if_it_has_one() -> None:
    async with chatting(Slow(seconds=0.3, then=CLEAR), Provider(seconds=300), seconds=0.1) as chat:
        assert (await chat.ask()).text == CLEAR


async def test_a_call_can_be_cancelled_and_the_line_goes_on() -> None:
    async with chatting(failing(1, Hang()), Provider(in_flight=1)) as chat:
        call = asyncio.create_task(chat.ask())
        await requested(chat.server)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await chat.ask()).text == CLEAR
