import pytest

from fakes.chat import CLEAR, KEY, chatting, output_request, tools_request
from fakes.openai_wire import Answer, Asked, Raw, Status, refusing
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.model import Provider


def clear(_: Asked) -> Answer:
    return CLEAR


async def test_a_refused_schema_is_asked_for_as_an_object() -> None:
    async with chatting(refusing(clear, "json_schema")) as chat:
        reply = await chat.ask()
        kinds = [asked.response_format.type if asked.response_format else None for asked in chat.server.asked]
    assert kinds == ["json_schema", "json_object"]
    assert reply.text == CLEAR
    assert reply.notes == (
        "400, the server takes no output mode schema; asked with object",
        "the JSON Schema was added to the system message",
    )


async def test_a_refused_object_is_asked_for_in_words() -> None:
    async with chatting(refusing(clear, "json_schema", "json_object")) as chat:
        reply = await chat.ask()
        assert [bool(asked.response_format) for asked in chat.server.asked] == [True, True, False]
        assert "JSON Schema" in chat.server.asked[-1].messages[0].content
    assert (reply.text, len(reply.notes)) == (CLEAR, 3)


async def test_a_refused_tool_is_asked_for_in_words() -> None:
    async with chatting(refusing(clear, "tools"), Provider(output="tool")) as chat:
        reply = await chat.ask()
        assert [len(asked.tools) for asked in chat.server.asked] == [1, 0]
    assert reply.notes[0] == "400, the server takes no output mode tool; asked with prompt"


async def test_what_was_refused_is_not_asked_again() -> None:
    async with chatting(refusing(clear, "json_schema", "temperature")) as chat:
        await chat.ask()
        tries = len(chat.server.requests)
        prepared = chat.model.prepare(output_request())
        again = await chat.ask()
        assert len(chat.server.requests) == tries + 1 == 4
    assert again.notes == ()
    assert prepared.prompt
    assert "JSON Schema" in prepared.prompt.messages[0].text


async def test_a_call_that_was_prepared_before_the_refusal_is_noted() -> None:
    async with chatting(refusing(clear, "json_schema")) as chat:
        prepared = chat.model.prepare(output_request())
        await chat.ask()
        reply = await chat.model.answer(output_request(), prepared)
    assert reply.notes == ("the JSON Schema was added to the system message",)


async def test_a_refused_temperature_is_left_out() -> None:
    async with chatting(refusing(clear, "temperature")) as chat:
        reply = await chat.ask()
        assert [asked.temperature for asked in chat.server.asked] == [0.2, None]
    assert reply.notes == ("400, the server takes no temperature; asked without one",)


@pytest.mark.parametrize("status", [400, 404, 422])
@pytest.mark.parametrize(
    "message",
    [
        "This response_format type is unavailable now",
        "This model does not support response format `json_schema`. See supported models",
        "Invalid schema for output_format: minItems is not supported",
        "failed to parse grammar",
    ],
)
async def test_servers_say_in_many_words_that_they_take_no_schema(status: int, message: str) -> None:
    async with chatting(
        lambda asked: Status(status=status, message=message) if asked.response_format else CLEAR
    ) as chat:
        assert (await chat.ask()).text == CLEAR
        assert len(chat.server.requests) == 3


async def test_another_call_may_have_given_up_more_meanwhile() -> None:
    async with chatting(refusing(clear, "json_schema", "json_object", "temperature")) as chat:
        prepared = chat.model.prepare(output_request())
        await chat.ask()
        asked_before = len(chat.server.requests)
        await chat.model.answer(output_request(), prepared)
        assert len(chat.server.requests) == asked_before + 1


@pytest.mark.parametrize(
    ("answer", "advice"),
    [
        (Status(status=401, message="bad key"), "put a key that may use this model into SMALL_KEY"),
        (Status(status=403, message="not yours"), "put a key that may use this model into SMALL_KEY"),
        (Status(status=402, message="pay"), "see to the credit of the account"),
        (Status(status=404, message="no model small"), "see whether the base_url and the name of the model are right"),
        (Status(status=413, message="large"), "choose a model that takes longer prompts, or let it read less at once"),
        (Status(status=301, message="moved"), "write the base_url as the server has it now"),
        (Status(status=405, message="not here"), "choose another model, or change what the server names"),
        (Status(status=429, message="quota", code="insufficient_quota"), "see to the credit of the account"),
    ],
)
async def test_a_refusal_says_who_where_what_and_what_to_do(answer: Status, advice: str) -> None:
    async with chatting(answer, Provider(key_env="SMALL_KEY")) as chat:
        with pytest.raises(ModelRefused) as caught:
            await chat.ask()
        assert str(caught.value) == (
            f"test:small at {chat.server.url} answered {answer.status}: {answer.message}; {advice}"
        )
        assert len(chat.server.requests) == 1 or answer.status == 405  # which may be a refused feature


async def test_without_a_variable_for_the_key_one_is_asked_for() -> None:
    async with chatting(Status(status=401), key=None) as chat:
        with pytest.raises(ModelRefused, match="name the variable that holds it with key_env"):
            await chat.ask()


async def test_a_model_without_tools_is_named_as_such() -> None:
    async with chatting(refusing(clear, "tools")) as chat:
        with pytest.raises(ModelRefused, match="choose a model that can call tools"):
            await chat.ask(tools_request())
        assert len(chat.server.requests) == 1


async def test_a_prompt_that_is_too_long_is_no_refused_format() -> None:
    message = "maximum context length is 8192 tokens, with 500 in response_format"
    async with chatting(Status(status=400, message=message, code="context_length_exceeded")) as chat:
        with pytest.raises(ModelRefused, match="takes longer prompts"):
            await chat.ask()
        assert len(chat.server.requests) == 1


@pytest.mark.parametrize("code", ["json_validate_failed", "tool_use_failed"])
async def test_an_answer_that_the_server_itself_refused_may_have_been_charged(code: str) -> None:
    async with chatting(Status(status=400, message="Failed to generate JSON, see response_format", code=code)) as chat:
        with pytest.raises(ModelFailed, match="Failed to generate JSON") as caught:
            await chat.ask()
        assert caught.value.spend == chat.model.prepare(output_request()).ceiling
        assert len(chat.server.requests) == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error": {"message": "no such model", "code": 7}}', "no such model"),
        (b'[{"error": {"message": "no such model"}}]', "no such model"),
        (b'{"error": "no such model"}', "no such model"),
        (b'{"object": "error", "message": "no such model"}', "no such model"),
        (b'{"detail": "no such model"}', "no such model"),
        (
            b'{"error": {"message": "Provider returned error", "metadata": {"raw": "gone"}}}',
            "Provider returned error: gone",
        ),
        (b"<h1>no such\n\nmodel</h1>", "<h1>no such model</h1>"),
        (b'{"detail": [{"loc": 1}]}', '{"detail": [{"loc": 1}]}'),
        (b"\xff", "\ufffd"),
        (b"", "nothing"),
        (b"x" * 1000, f"{'x' * 300} ..."),
        (b"[" * 100_000, f"{'[' * 300} ..."),
    ],
)
async def test_every_server_has_its_own_shape_of_an_error(body: bytes, message: str) -> None:
    async with chatting(Raw(status=404, pieces=(body,))) as chat:
        with pytest.raises(ModelRefused) as caught:
            await chat.ask()
    assert f"answered 404: {message}; see" in str(caught.value)
    assert KEY not in str(caught.value)


async def test_the_base_url_must_have_its_path() -> None:
    async with chatting(url=lambda url: url.removesuffix("/v1")) as chat:
        with pytest.raises(ModelRefused, match="answered 404: no such path; see whether the base_url"):
            await chat.ask()
