import json

import pytest
from pydantic import JsonValue

from fakes.chat import CLEAR, Chat, chatting, output_request, tools_request
from fakes.openai_wire import Raw
from quaestor.contracts.errors import ModelFailed
from quaestor.contracts.model import Provider

STREAM = Provider(stream=True)
KIND = "text/event-stream"
SKY = "Blau wie der Himmel über 東京 \U0001f600"


def delta(content: str, finish: str | None = None) -> str:
    choice: JsonValue = {"delta": {"content": content}, "finish_reason": finish}
    return json.dumps({"choices": [choice]}, ensure_ascii=False)


def stream(*events: str, size: int = 10_000, done: bool = True) -> Raw:
    sent = "".join(f"{event}\n\n" for event in events).encode()
    pieces = tuple(sent[start : start + size] for start in range(0, len(sent), size))
    return Raw(pieces=pieces, content_type=KIND, done=done)


def calling(*parts: JsonValue) -> Raw:
    events = [json.dumps({"choices": [{"delta": {"tool_calls": [part]}}]}) for part in parts]
    return stream(*(f"data: {event}" for event in events), "data: [DONE]")


async def ask(answer: Raw) -> str:
    async with chatting(answer, STREAM) as chat:
        return (await chat.ask()).text


async def test_a_stream_is_joined_and_counted() -> None:
    async with chatting(SKY, STREAM) as chat:
        reply = await chat.ask()
    assert (reply.text, reply.fault, reply.notes) == (SKY, None, ())
    assert reply.usage == chat.server.charged[0]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 64])
async def test_a_stream_may_be_cut_anywhere_also_within_a_character(size: int) -> None:
    assert await ask(stream(f"data: {delta(SKY)}", "data: [DONE]", size=size)) == SKY


async def test_comments_other_fields_and_data_of_many_lines_are_understood() -> None:
    first = "\n".join(f"data: {line}" for line in json.dumps(json.loads(delta("one ")), indent=1).splitlines())
    events = (": keep-alive", first, f"event: message\nid: 7\nretry: 10\ndata:{delta('two')}", "data: [DONE]")
    assert await ask(stream(*events)) == "one two"


async def test_lines_may_end_in_any_way() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        sent = f"data: {delta('one ')}\n\ndata: {delta('two', 'stop')}\n\n".encode().replace(b"\n", end)
        assert (
            await ask(Raw(pieces=tuple(sent[at : at + 1] for at in range(len(sent))), content_type=KIND)) == "one two"
        )


async def test_a_stream_that_says_done_is_not_waited_for() -> None:
    waiting = Raw(
        pieces=(f"data: {delta(CLEAR)}\n\ndata: [DONE]\n\n".encode(), b": \n"), content_type=KIND, endless=True
    )
    assert await ask(waiting) == CLEAR


async def test_a_reason_to_finish_ends_a_stream_as_well() -> None:
    assert await ask(stream(f"data: {delta(CLEAR, 'stop')}")) == CLEAR


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (stream(f"data: {delta(CLEAR)}"), "the stream ended before the answer did"),
        (stream(f"data: {delta(CLEAR)}", done=False), "the connection was cut"),
        (stream('data: {"choices": [{"del'), "not the JSON of a chat completion"),
        (stream('data: {"error": {"message": "overloaded"}}'), "an error in place of an answer: overloaded"),
        (stream(": nothing"), "the stream ended before the answer did"),
    ],
)
async def test_a_stream_that_breaks_off_may_have_been_charged(answer: Raw, reason: str) -> None:
    async with chatting(answer, STREAM) as chat:
        with pytest.raises(ModelFailed, match=reason) as caught:
            await chat.ask()
        assert caught.value.spend == chat.model.prepare(output_request()).ceiling


async def test_a_server_that_knows_no_streams_is_understood() -> None:
    async with chatting(CLEAR, STREAM, streams=False) as chat:
        reply = await chat.ask()
    assert reply.text == CLEAR
    assert reply.usage == chat.server.charged[0]


async def test_a_server_that_only_knows_streams_is_understood() -> None:
    async with chatting(stream(f"data: {delta(CLEAR, 'stop')}")) as chat:
        assert (await chat.ask()).text == CLEAR


async def test_the_last_count_of_a_stream_holds() -> None:
    counts = [{"prompt_tokens": 5, "completion_tokens": number} for number in (1, 2)]
    events = [json.dumps({"choices": [], "usage": count}) for count in counts]
    async with chatting(stream(*(f"data: {event}" for event in (*events, delta("x", "stop")))), STREAM) as chat:
        reply = await chat.ask()
    assert reply.usage
    assert reply.usage.output_tokens == 2


@pytest.mark.parametrize(
    "parts",
    [
        (
            {"index": 0, "id": "a", "function": {"name": "search", "arguments": '{"query"'}},
            {"index": 0, "function": {"arguments": ': "x"}'}},
            {"index": 1, "id": "b", "function": {"name": "search", "arguments": '{"query": "y"}'}},
        ),
        (
            {"index": 0, "id": "a", "function": {"name": "search", "arguments": '{"query": "x"}'}},
            {"index": 0, "id": "b", "function": {"name": "search", "arguments": '{"query": "y"}'}},
        ),
        (
            {"index": 0, "id": "a", "function": {"name": "search", "arguments": '{"query"'}},
            {"index": 1, "id": "b", "function": {"name": "search", "arguments": '{"query": '}},
            {"index": 0, "id": "a", "function": {"arguments": ': "x"}'}},
            {"index": 1, "id": "b", "function": {"arguments": '"y"}'}},
        ),
        (
            {"function": {"name": "search", "arguments": '{"query": "x"}'}},
            {"function": {"name": "search", "arguments": '{"query": "y"}'}},
        ),
    ],
)
async def test_calls_are_joined_however_their_parts_are_marked(parts: tuple[JsonValue, ...]) -> None:
    async with chatting(calling(*parts), STREAM) as chat:
        reply = await chat.ask(tools_request())
    assert [call.given for call in reply.calls] == [{"query": "x"}, {"query": "y"}]


async def streamed_twice(chat: Chat) -> list[str]:
    return [(await chat.ask()).text for _ in range(2)]


async def test_one_stream_follows_another() -> None:
    async with chatting(SKY, STREAM) as chat:
        assert await streamed_twice(chat) == [SKY, SKY]


@pytest.mark.parametrize("piece", ["and so on, ", "\n", '{"claim": "The sky is blue.", "quotes": []}, ', "ha"])
async def test_a_reply_that_repeats_itself_is_stopped(piece: str) -> None:
    endless = Raw(
        pieces=(f"data: {delta('[1, ')}\n\n".encode(), f"data: {delta(piece)}\n\n".encode()),
        content_type=KIND,
        endless=True,
    )
    async with chatting(endless, STREAM) as chat:
        reply = await chat.ask()
    assert reply.fault == "stopped, because it repeated itself without an end; answer in fewer words, and end"
    assert len(reply.text) < 4_000


async def test_a_table_of_like_rows_is_no_repetition() -> None:
    rows = "".join(f"| {number} | the same words in every row of this table | 0 |\n" for number in range(24))
    async with chatting(rows, STREAM) as chat:
        assert (await chat.ask()).fault is None


async def test_what_a_stream_brought_until_the_time_limit_is_a_reply_that_was_cut_off() -> None:
    words = tuple(f"data: {delta(f'{number}, ')}\n\n".encode() for number in range(20))
    endless = Raw(pieces=(*words, b": waiting\n\n"), content_type=KIND, endless=True)
    async with chatting(endless, STREAM, seconds=1) as chat, chatting(endless, STREAM, seconds=20) as patient:
        try:
            reply = await chat.ask()
        except ModelFailed:  # nothing came within a second: the machine is busy
            reply = await patient.ask()
    assert reply.text.startswith("0, 1, 2, ")
    assert reply.fault == "cut off at the time limit of a call; answer in fewer words"
