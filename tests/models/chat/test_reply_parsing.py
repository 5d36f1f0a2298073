import json
from decimal import Decimal

import pytest
from pydantic import JsonValue

from fakes.chat import CLEAR, PRICE, chatting, output_request, tools_request
from fakes.openai_wire import Answer, Asked, Call, Calls, Raw, Said
from quaestor.contracts.cost import Usage
from quaestor.contracts.event import ToolCall
from quaestor.contracts.model import Provider

SEARCH = Call(name="search", arguments='{"query": "sky"}', id="c1")


def completion(message: JsonValue, **more: JsonValue) -> Raw:
    """Return a body with this message."""
    body: JsonValue = {"choices": [{"message": message, "finish_reason": "stop"}], **more}
    return Raw(pieces=(json.dumps(body).encode(),))


def counted(usage: JsonValue) -> Raw:
    return completion({"content": CLEAR}, usage=usage)


async def test_usage_is_the_servers_and_is_paid_at_the_price() -> None:
    usage: JsonValue = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 600},
    }
    async with chatting(counted(usage)) as chat:
        reply = await chat.ask()
    assert reply.usage == Usage(input_tokens=1000, cached_tokens=600, output_tokens=100)
    assert (reply.spend.model_calls, reply.spend.tokens, reply.priced) == (1, 1100, True)
    assert reply.spend.dollars == PRICE.cost(reply.usage)


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 7}, (10, 7, 2)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": None}, (10, 0, 2)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": None}}, (10, 0, 2)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 99}}, (10, 10, 2)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 112}, (10, 0, 102)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12, "cost": 0.1}, (10, 0, 2)),
    ],
)
async def test_every_server_counts_in_its_own_way(usage: JsonValue, read: tuple[int, int, int]) -> None:
    async with chatting(counted(usage)) as chat:
        reply = await chat.ask()
    assert reply.usage
    assert (reply.usage.input_tokens, reply.usage.cached_tokens, reply.usage.output_tokens) == read


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        "?",
        {"prompt_tokens": -1, "completion_tokens": 2},
        {"prompt_tokens": 1},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": 0, "completion_tokens": 2},
        {"prompt_tokens": 10, "completion_tokens": 0},
    ],
)
async def test_without_a_count_the_spend_is_estimated_from_above(usage: JsonValue) -> None:
    async with chatting(counted(usage)) as chat:
        ceiling = chat.model.prepare(output_request()).ceiling
        reply = await chat.ask()
    assert (reply.text, reply.usage) == (CLEAR, None)
    assert reply.notes == ("the server counts no tokens; estimated from above",)
    assert len(chat.server.requests[0].raw) + len(CLEAR) < reply.spend.tokens < ceiling.tokens
    assert 0 < reply.spend.dollars < ceiling.dollars


async def test_a_reply_that_says_nothing_may_have_taken_no_token() -> None:
    silent = completion({"content": ""}, usage={"prompt_tokens": 10, "completion_tokens": 0})
    async with chatting(silent) as chat:
        reply = await chat.ask()
    assert reply.usage == Usage(input_tokens=10, output_tokens=0)


async def test_an_estimate_is_never_above_the_ceiling() -> None:
    async with chatting(completion({"content": "x" * 50_000}), Provider(output="prompt")) as chat:
        assert (await chat.ask()).spend == chat.model.prepare(output_request()).ceiling


async def test_without_a_price_no_dollars_count() -> None:
    async with chatting(price=None) as chat:
        prepared = chat.model.prepare(output_request())
        reply = await chat.ask()
    assert (prepared.ceiling.dollars, reply.spend.dollars, reply.priced) == (Decimal(0), Decimal(0), False)
    assert reply.spend.tokens > 0


@pytest.mark.parametrize(
    ("answer", "text", "fault"),
    [
        (
            Said(text="{", finish="length"),
            "{",
            "cut off after 1 tokens, at most 1000 are allowed; answer in fewer words",
        ),
        (
            Said(text="{", finish="length", counted=False),
            "{",
            "cut off after 1000 tokens, at most 1000 are allowed; answer in fewer words",
        ),
        (Said(text="", finish="content_filter"), "", "the provider's content filter stopped the reply"),
        (Said(text="", refusal="I won't."), "", "the model refuses: I won't."),
        (Calls(calls=(SEARCH,), text="Let me see."), "Let me see.", "a tool call, where a Clarity is wanted"),
        (Said(text=""), "", None),
        ("Well, hard to say.", "Well, hard to say.", None),
        ('{"is_clear": tr', '{"is_clear": tr', None),
        ("不清楚", "不清楚", None),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
async def test_what_is_wrong_with_a_reply_is_said(
    answer: Answer, text: str, fault: str | None, *, stream: bool
) -> None:
    async with chatting(answer, Provider(stream=stream)) as chat:
        reply = await chat.ask()
    assert (reply.text, reply.calls, reply.fault) == (text, (), fault)


async def test_a_server_cuts_at_the_limit_that_was_sent() -> None:
    async with chatting("x" * 1000, max_output_tokens=20) as chat:
        reply = await chat.ask()
    assert (reply.text, reply.fault) == (
        "x" * 80,
        "cut off after 20 tokens, at most 20 are allowed; answer in fewer words",
    )


async def test_another_tool_than_the_output_tool_is_a_fault() -> None:
    async with chatting(Calls(calls=(SEARCH,)), Provider(output="tool")) as chat:
        assert (await chat.ask()).fault == "a tool call, where a Clarity is wanted"


@pytest.mark.parametrize("stream", [False, True])
async def test_calls_of_tools_come_with_their_refs(*, stream: bool) -> None:
    calls = Calls(calls=(SEARCH, SEARCH.model_copy(update={"id": "c2"})), text=None if stream else "I search.")
    async with chatting(calls, Provider(stream=stream)) as chat:
        reply = await chat.ask(tools_request())
    given: JsonValue = {"query": "sky"}
    assert reply.calls == (
        ToolCall(ref="c1", tool="search", given=given),
        ToolCall(ref="c2", tool="search", given=given),
    )
    assert (reply.text, reply.fault) == ("" if stream else "I search.", None)


async def test_a_missing_or_repeated_id_is_made_up_the_same_every_time() -> None:
    nameless = SEARCH.model_copy(update={"id": None})
    async with chatting(Calls(calls=(nameless, SEARCH, SEARCH))) as chat:
        replies = [await chat.ask(tools_request()) for _ in range(2)]
    assert [[call.ref for call in reply.calls] for reply in replies] == [["call-1", "c1", "call-3"]] * 2


@pytest.mark.parametrize(
    "arguments", ['{"query": ', "[1]", "sky", '{"query": 1e999}', '{"query": NaN}', "{'query': 'sky'}"]
)
async def test_a_call_whose_arguments_are_no_object_is_left_out_and_noted(arguments: str) -> None:
    broken = Call(name="search", arguments=arguments, id="c0")
    async with chatting(Calls(calls=(broken, SEARCH), text="I search.")) as chat:
        reply = await chat.ask(tools_request())
    assert [call.ref for call in reply.calls] == ["c1"]
    assert reply.text == "I search."
    assert reply.notes == (f"a call of 'search' was left out, its arguments are no JSON object: {arguments}",)


@pytest.mark.parametrize("arguments", ["", {}, None])
async def test_a_tool_without_parameters_may_be_called_with_nothing(arguments: JsonValue) -> None:
    call: JsonValue = {"id": "c1", "function": {"name": "search", "arguments": arguments}}
    async with chatting(completion({"content": None, "tool_calls": [call]})) as chat:
        assert (await chat.ask(tools_request())).calls == (ToolCall(ref="c1", tool="search", given={}),)


async def test_words_where_tools_were_offered_are_no_fault() -> None:
    async with chatting("Nothing to look up.") as chat:
        reply = await chat.ask(tools_request())
    assert (reply.text, reply.calls, reply.fault) == ("Nothing to look up.", (), None)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": '{"is_'}, {"type": "image"}, {"type": "text", "text": 'clear"}'}], '{"is_clear"}'),
        (None, ""),
        ("\ud83d\ude00 \ud83d", "\U0001f600 ?"),
    ],
)
async def test_a_text_comes_in_many_shapes(content: JsonValue, text: str) -> None:
    async with chatting(completion({"content": content, "reasoning": "Hm."})) as chat:
        assert (await chat.ask()).text == text


async def test_a_reply_may_begin_with_a_mark_of_its_byte_order() -> None:
    pieces = (b"\xef\xbb\xbf", *completion({"content": CLEAR}).pieces)
    async with chatting(Raw(pieces=pieces)) as chat:
        assert (await chat.ask()).text == CLEAR


async def test_a_reply_in_the_output_tool_is_read_though_words_stand_beside_it() -> None:
    def reply(asked: Asked) -> Calls:
        return Calls(calls=(SEARCH, Call(name=asked.tools[0].function.name, arguments=CLEAR)), text="Here you are.")

    async with chatting(reply, Provider(output="tool")) as chat:
        answer = await chat.ask()
    assert (answer.text, answer.fault) == (CLEAR, None)
