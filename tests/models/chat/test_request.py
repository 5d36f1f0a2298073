import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quaestor.models.chat
from fakes.chat import CLEAR, chatting, output_request, tools_request
from fakes.openai_wire import Asked, Call, Calls, Said
from fakes.prompts import PlainPrompts
from quaestor.contracts.base import Contract
from quaestor.contracts.model import OutputMode, Provider
from quaestor.contracts.roles import Message, Prompt, RoleInput
from quaestor.models.chat.request import RequestMode, build_body, prompt_with_schema
from quaestor.models.chat.wire import Body, OutputBody, ToolsBody
from quaestor.research.contracts.roles import Clarity, PlanInput

MODES: Sequence[OutputMode] = get_args(OutputMode)
MODE = RequestMode(model="small", output="schema", stream=False, uses_max_completion_tokens=False)


async def asked(mode: OutputMode, prompts: PlainPrompts | None = None) -> Asked:
    async with chatting(provider=Provider(output=mode), prompts=prompts) as chat:
        assert (await chat.ask()).text == CLEAR
        return chat.server.asked[0]


async def test_the_messages_limit_and_temperature_are_the_prompts() -> None:
    sent = await asked("schema")
    assert [message.role for message in sent.messages] == ["system", "user"]
    assert sent.messages[0].content == "You are the clarifier."
    assert (sent.model, sent.max_tokens, sent.max_completion_tokens, sent.temperature) == ("small", 1000, None, 0.2)


async def test_no_temperature_is_sent_where_the_prompt_has_none() -> None:
    assert (await asked("schema", PlainPrompts(temperature=None))).temperature is None


async def test_the_limit_of_output_tokens_can_be_set_for_the_model() -> None:
    async with chatting(max_output_tokens=50) as chat:
        await chat.ask()
        assert chat.server.asked[0].max_tokens == 50


async def test_schema_mode_sends_a_strict_schema_named_after_the_contract() -> None:
    sent = await asked("schema")
    assert sent.response_format
    assert sent.response_format.json_schema
    assert (sent.response_format.json_schema.name, sent.response_format.json_schema.strict) == ("Clarity", True)
    assert sent.response_format.json_schema.contract["required"] == ["is_clear", "questions", "assumptions"]
    assert "is_clear" not in sent.messages[0].content


async def test_object_mode_sends_the_schema_in_the_system_message() -> None:
    sent = await asked("object")
    assert sent.response_format
    assert sent.response_format.type == "json_object"
    assert sent.messages[0].content.startswith("You are the clarifier.\n\nAnswer with one JSON object")
    assert '"is_clear":{"type":"boolean"}' in sent.messages[0].content


async def test_prompt_mode_sends_words_alone() -> None:
    sent = await asked("prompt")
    assert (sent.response_format, sent.tools) == (None, ())
    assert '"is_clear":{"type":"boolean"}' in sent.messages[0].content


async def test_a_prompt_without_a_system_message_gets_one() -> None:
    sent = await asked("prompt", PlainPrompts(system=False))
    assert [message.role for message in sent.messages] == ["system", "user"]
    assert sent.messages[0].content.startswith("Answer with one JSON object")


async def test_tool_mode_forces_one_tool_whose_arguments_are_the_reply() -> None:
    def reply(asked: Asked) -> Calls:
        return Calls(calls=(Call(name=asked.tools[0].function.name, arguments=CLEAR, id="c1"),))

    async with chatting(reply, Provider(output="tool")) as chat:
        answer = await chat.ask(output_request(PlanInput(question="Why?")))
        sent = chat.server.asked[0]
    assert (answer.text, answer.calls, answer.fault) == (CLEAR, (), None)
    assert [tool.function.name for tool in sent.tools] == ["plan_draft"]
    assert sent.tools[0].function.description == "What a planner answers: the todos, and its assumptions."
    assert sent.tool_choice == {"type": "function", "function": {"name": "plan_draft"}}


async def test_words_are_taken_in_tool_mode_too() -> None:
    async with chatting(CLEAR, Provider(output="tool")) as chat:
        assert (await chat.ask()).text == CLEAR


@pytest.mark.parametrize("mode", MODES)
async def test_offered_tools_are_never_sent_with_a_format_or_a_contract(mode: OutputMode) -> None:
    async with chatting(provider=Provider(output=mode)) as chat:
        await chat.ask(tools_request())
        sent = chat.server.asked[0]
    assert [tool.function.name for tool in sent.tools] == ["search"]
    assert (sent.tool_choice, sent.response_format) == ("auto", None)
    assert sent.messages[0].content == "You are the scout."


def test_no_type_of_body_has_both_tools_and_a_format() -> None:
    kinds: tuple[type[Contract], ...] = get_args(Body)
    assert set(kinds) == {OutputBody, ToolsBody}
    assert not [kind for kind in kinds if {"tools", "response_format"} <= kind.model_fields.keys()]


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_prepared_is_what_is_sent(mode: OutputMode) -> None:
    async with chatting(provider=Provider(output=mode)) as chat:
        prepared = chat.model.prepare(output_request())
        reply = await chat.model.answer(output_request(), prepared)
        sent = chat.server.asked[0]
    assert prepared.model == "test:small"
    assert prepared.prompt
    assert [message.text for message in prepared.prompt.messages] == [message.content for message in sent.messages]
    assert reply.notes == ()


@given(
    st.lists(st.builds(Message, role=st.sampled_from(["system", "user", "assistant"]), text=st.text()), min_size=1),
    st.sampled_from(MODES),
)
def test_the_schema_is_told_once_however_often_it_is_told(messages: list[Message], output_mode: OutputMode) -> None:
    prompt = Prompt(agent="a", sha256="0" * 64, messages=tuple(messages), max_output_tokens=1)
    mode = RequestMode(model="small", output=output_mode, stream=False, uses_max_completion_tokens=False)
    once = prompt_with_schema(output_request(), prompt, mode)
    assert prompt_with_schema(output_request(), once, mode) == once
    assert once.messages[-len(messages) + 1 :] == prompt.messages[1:] or len(messages) == 1


def test_only_openai_itself_gets_the_new_name_of_the_limit() -> None:
    prompt = PlainPrompts().prompt(output_request())
    body = build_body(
        output_request(),
        prompt,
        RequestMode(model="small", output="schema", stream=False, uses_max_completion_tokens=True),
    )
    assert (body.max_tokens, body.max_completion_tokens) == (None, 1000)


async def test_a_stream_asks_for_its_usage() -> None:
    async with chatting(provider=Provider(stream=True)) as chat:
        await chat.ask()
        assert chat.server.asked[0].stream
        assert chat.server.asked[0].stream_options == {"include_usage": True}


class Loose(Contract):
    """Anything at all."""

    values: Mapping[str, int]


class LooseGiven(RoleInput):
    gives: ClassVar[type[Contract]] = Loose


async def test_a_contract_with_a_place_for_free_json_is_sent_as_it_is_and_not_as_strict() -> None:
    async with chatting('{"values": {}}') as chat:
        await chat.ask(output_request(LooseGiven()))
        sent = chat.server.asked[0].response_format
    assert sent
    assert sent.json_schema
    assert not sent.json_schema.strict
    assert sent.json_schema.contract["properties"] == {
        "values": {"additionalProperties": {"type": "integer"}, "type": "object"}
    }


def test_the_words_around_a_schema_stand_in_a_file() -> None:
    template = Path(quaestor.models.chat.__file__).with_name("contract.prompt").read_text(encoding="utf-8")
    prompt = prompt_with_schema(
        output_request(), PlainPrompts(system=False).prompt(output_request()), MODE.downgraded() or MODE
    )
    before, after = template.split("{{schema}}")
    schema = prompt.messages[0].text.removeprefix(before).removesuffix(after.rstrip())
    assert json.loads(schema)["required"] == ["is_clear"]
    assert not re.search(r'"title"', schema)
    assert json.loads(schema)["properties"].keys() == Clarity.model_fields.keys()


async def test_the_server_sees_who_asks() -> None:
    async with chatting(Said(text=CLEAR), key="secret") as chat:
        await chat.ask()
        headers = chat.server.requests[0].headers
    assert headers["authorization"] == "Bearer secret"
    assert headers["user-agent"].startswith("quaestor/")
    assert headers["accept-encoding"] == "identity"


async def test_without_a_key_no_authorization_is_sent() -> None:
    async with chatting(key=None) as chat:
        await chat.ask()
        assert "authorization" not in chat.server.requests[0].headers


@pytest.mark.parametrize("mode", MODES)
async def test_the_schema_of_a_plan_names_the_kinds_of_this_run_alone(mode: OutputMode) -> None:
    async with chatting('{"todos": [{"task": "Count."}]}', Provider(output=mode)) as chat:
        await chat.ask(output_request(PlanInput(question="Why?", kinds=("research", "survey"))))
        sent = chat.server.asked[0].model_dump_json()
    assert '"enum":["research","survey"]' in sent.replace("\\", "")
    assert "[a-z][a-z0-9_-]" not in sent
