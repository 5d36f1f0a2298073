"""What a server refuses without a name for it is asked for in simpler forms, and what works is remembered."""

import pytest

from fakes.chat import CLEAR, chatting, output_request, tools_request
from fakes.openai_wire import Answer, Asked, Call, Calls, Reply, Status
from quaestor.contracts.errors import ModelRefused, ModelUnavailable
from quaestor.contracts.model import Provider


def refusing_silently(status: int, *features: str, message: str = "Internal Server Error") -> Reply:
    """Return a reply that refuses these features with a status and no reason."""

    def reply(asked: Asked) -> Answer:
        used = {
            "schema": bool(asked.response_format and asked.response_format.type == "json_schema"),
            "format": asked.response_format is not None,
            "temperature": asked.temperature is not None,
            "system": asked.messages[0].role == "system",
            "stream": asked.stream,
        }
        return Status(status=status, message=message) if any(used[name] for name in features) else CLEAR

    return reply


@pytest.mark.parametrize("status", [400, 415, 422, 500, 501])
@pytest.mark.parametrize(
    ("features", "note"),
    [
        (("schema",), "answered when asked with object"),
        (("format",), "answered when asked with prompt"),
        (("temperature",), "answered when asked without a temperature"),
        (("system",), "answered when the instructions were sent in the user's message"),
        (
            ("format", "temperature", "system"),
            (
                "answered when asked with prompt, asked without a temperature, "
                "the instructions were sent in the user's message"
            ),
        ),
    ],
)
async def test_a_request_that_succeeds_in_a_simpler_form_is_sent_in_it(
    status: int, features: tuple[str, ...], note: str
) -> None:
    async with chatting(refusing_silently(status, *features)) as chat:
        reply = await chat.ask()
    assert reply.text == CLEAR
    assert f"{status}, {note}" in reply.notes


async def test_a_server_error_that_names_the_feature_needs_no_second_try() -> None:
    message = "[{'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}]"
    async with chatting(refusing_silently(500, "schema", message=message)) as chat:
        await chat.ask()
        assert len(chat.server.requests) == 2
        await chat.ask()
        assert len(chat.server.requests) == 3


async def test_what_a_refusal_taught_is_remembered_at_once() -> None:
    async with chatting(refusing_silently(422, "format")) as chat:
        await chat.ask()
        sent = len(chat.server.requests)
        await chat.ask(output_request(key="clarify/2"))
        assert len(chat.server.requests) == sent + 1


async def test_what_a_server_error_taught_is_remembered_when_it_happened_twice() -> None:
    async with chatting(refusing_silently(500, "schema")) as chat:
        counts = []
        for number in range(3):
            before = len(chat.server.requests)
            await chat.ask(output_request(key=f"clarify/{number}"))
            counts.append(len(chat.server.requests) - before)
    assert counts == [3, 3, 1]  # the same again, then simpler


async def test_a_server_that_is_out_of_order_loses_no_feature() -> None:
    left = [Status(status=500)] * 3
    async with chatting(lambda _: left.pop() if left else CLEAR) as chat:
        await chat.ask()
        await chat.ask(output_request(key="clarify/2"))
        assert chat.server.asked[-1].response_format
        assert chat.server.asked[-1].response_format.type == "json_schema"


async def test_a_server_that_refuses_every_form_is_reported_with_its_first_error() -> None:
    async with chatting(Status(status=400, message="the moon is wrong")) as chat:
        with pytest.raises(ModelRefused, match="answered 400: the moon is wrong"):
            await chat.ask()
    async with chatting(Status(status=500, message="broken"), Provider(retries=2)) as chat:
        with pytest.raises(ModelUnavailable, match="answered 500: broken"):
            await chat.ask()


async def test_a_server_that_streams_nothing_is_asked_for_the_whole() -> None:
    async with chatting(refusing_silently(400, "stream"), Provider(stream=True)) as chat:
        assert (await chat.ask()).text == CLEAR
        assert not chat.server.asked[-1].stream


async def test_a_template_without_a_system_role_gets_the_instructions_from_the_user() -> None:
    def reply(asked: Asked) -> Answer:
        if asked.messages[0].role == "system":
            return Status(status=500, message="System role not supported")
        return Calls(calls=(Call(name="search", arguments='{"query": "x"}'),))

    async with chatting(reply) as chat:
        answer = await chat.ask(tools_request())
        assert [message.role for message in chat.server.asked[-1].messages] == ["user"]
    assert [call.tool for call in answer.calls] == ["search"]
