"""How much of a reply is read."""

import gzip
from collections.abc import Callable

import pytest

from fakes.chat import CLEAR, chatting, output_request
from fakes.openai_wire import Answer, Raw, Status
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.model import Provider

LONG = "the reply is longer than 2,097,152 bytes; answer in fewer words"
MEGABYTE = b"x" * (1024 * 1024)
EVENT = b'data: {"choices":[{"delta":{"content":"' + b" ".join(b"%d" % number for number in range(9_000)) + b'"}}]}\n\n'
START = b'{"choices":[{"message":{"content":"'


def zipped() -> Raw:
    return Raw(pieces=(gzip.compress(MEGABYTE * 100, 1),), headers={"Content-Encoding": "gzip"})


@pytest.mark.parametrize(
    "make",
    [
        lambda: Raw(pieces=(START, MEGABYTE), endless=True),
        lambda: Raw(pieces=(b"data: ", MEGABYTE), content_type="text/event-stream", endless=True),
        lambda: Raw(pieces=(EVENT,), content_type="text/event-stream", endless=True),
        zipped,
    ],
    ids=["one text", "one event", "many events", "zipped"],
)
async def test_no_more_than_two_megabytes_of_a_reply_are_read(make: Callable[[], Raw]) -> None:
    async with chatting(make(), Provider(stream=True)) as chat:
        reply = await chat.ask()
        ceiling = chat.model.prepare(output_request()).ceiling
    assert (reply.text, reply.fault) == ("", LONG)
    assert chat.server.charged[0].output_tokens == 1000
    assert chat.server.charged[0].input_tokens + 1000 < reply.spend.tokens <= ceiling.tokens


async def test_a_reply_just_short_enough_is_read() -> None:
    end = b'"},"finish_reason":"stop"}]}'
    text = b"x" * (2 * 1024 * 1024 - len(START) - len(end))
    async with chatting(Raw(pieces=(START, text, end))) as chat:
        assert (await chat.ask()).text == text.decode()
    async with chatting(Raw(pieces=(START, text, b"x", end))) as chat:
        assert (await chat.ask()).fault == LONG


async def test_an_endless_error_is_an_error() -> None:
    async with chatting(Raw(status=418, pieces=(MEGABYTE,), endless=True)) as chat:
        with pytest.raises(ModelRefused, match="answered 418: xxx"):
            await chat.ask()


async def test_after_a_reply_that_was_too_long_the_line_goes_on() -> None:
    answers: list[Answer] = [Raw(pieces=(START, MEGABYTE), endless=True), Status(status=500)]
    async with chatting(lambda _: answers.pop(0) if answers else CLEAR, Provider(in_flight=1)) as chat:
        assert (await chat.ask()).fault == LONG
        assert (await chat.ask()).text == CLEAR


async def test_a_zipped_reply_that_nobody_asked_for_is_read() -> None:
    body = gzip.compress(b'{"choices":[{"message":{"content":"zipped"},"finish_reason":"stop"}]}')
    async with chatting(Raw(pieces=(body,), headers={"Content-Encoding": "gzip"})) as chat:
        assert (await chat.ask()).text == "zipped"


async def test_a_long_stream_of_short_pieces_is_read() -> None:
    piece = b'data: {"choices":[{"delta":{"content":"x","padding":"' + b"y" * 30_000 + b'"}}]}\n\n'
    async with chatting(Raw(pieces=(piece,) * 100 + (b"data: [DONE]\n\n",), content_type="text/event-stream")) as chat:
        assert (await chat.ask()).text == "x" * 100


async def test_a_stream_that_only_keeps_alive_comes_to_its_time_limit() -> None:
    waiting = Raw(pieces=(b": processing\n\n",), content_type="text/event-stream", endless=True)
    async with chatting(waiting, seconds=0.2) as chat:
        with pytest.raises(ModelFailed, match=r"no answer within 0\.2 s"):
            await chat.ask()
