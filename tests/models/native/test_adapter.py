"""An SDK takes what it is sent as it comes; whatever stands in a reply, it is read or the call failed."""

import json
from collections.abc import Iterator

import pytest
from pydantic import JsonValue

from fakes.chat import CLEAR, tools_request
from fakes.native import MODELS, natively
from fakes.native_wire import Responses, dialect
from fakes.openai_wire import Call, Calls, Raw, Said
from fakes.sample import sample
from quaestor.contracts.cost import Usage
from quaestor.contracts.errors import ModelFailed

PATHS = {
    "anthropic": "/v1/messages",
    "bedrock": "/model/m/converse",
    "google": "/v1beta/models/m:generateContent",
    "mistral": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
}
ANSWER = Calls(calls=(Call(name="search", arguments='{"query": "x"}', id="aB3dE6gH9"),), text="Hm.")
COUNTED = Usage(input_tokens=100, output_tokens=20)
STRANGE: tuple[JsonValue, ...] = (None, -5, float("inf"), "\ud83d", [{}], {"a": 1})
pytestmark = [
    pytest.mark.filterwarnings("ignore:Failed to extract usage"),  # what pydantic-ai tells of a wrong count
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings"),
]


def changed(value: JsonValue) -> Iterator[JsonValue]:
    """Return a reply with something strange in the place of each of its parts."""
    yield from STRANGE
    match value:
        case dict():
            for name, part in value.items():
                yield {other: kept for other, kept in value.items() if other != name}
                yield from ({**value, name: strange} for strange in changed(part))
        case list():
            for place, part in enumerate(value):
                yield from ([*value[:place], strange, *value[place + 1 :]] for strange in changed(part))
        case _:
            pass


@pytest.mark.parametrize("kind", sorted(MODELS))
@pytest.mark.parametrize("step", sample([3 * len(STRANGE) + 1, 1], lambda place: place == 0, "some", "every"))
async def test_whatever_stands_in_a_reply_it_is_read_or_lost(kind: str, step: int) -> None:
    spoken = dialect(PATHS[kind])
    assert spoken
    bodies = list(changed(spoken.answer(ANSWER, COUNTED)))[::step]
    waiting = iter(bodies)
    async with natively(kind, lambda _: Raw(pieces=(json.dumps(next(waiting)).encode(),))) as native:
        prepared = native.model.prepare(tools_request())
        for body in bodies:
            try:
                reply = await native.model.answer(tools_request(), prepared)
            except ModelFailed as failed:
                assert failed.spend == prepared.ceiling, body  # noqa: PT017 -- either is right
            else:
                reply.model_dump_json()
                assert reply.spend.tokens <= prepared.ceiling.tokens, body


@pytest.mark.parametrize("count", [-5, 0, 1.5, "many"])
async def test_an_answer_with_a_wrong_count_is_worth_more_than_its_count(count: JsonValue) -> None:
    body = {**Responses().answer(Said(text=CLEAR), COUNTED), "usage": {"input_tokens": 100, "output_tokens": count}}
    async with natively("openai-responses", Raw(pieces=(json.dumps(body).encode(),))) as native:
        reply = await native.ask()
    assert (reply.text, reply.usage) == (CLEAR, None)
    assert reply.notes == ("the server counts no tokens; estimated from above",)


@pytest.mark.parametrize("kind", sorted(MODELS))
async def test_a_reply_that_is_nested_too_deep_is_lost(kind: str) -> None:
    async with natively(kind, Raw(pieces=(b'{"content":' + b"[" * 100_000 + b"]" * 100_000 + b"}",))) as native:
        with pytest.raises(ModelFailed, match="cannot be read"):
            await native.ask()
