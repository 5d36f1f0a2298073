"""Errors of the OpenAI-compatible API, as the official SDK raises them."""

from collections.abc import Sequence
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

from faces.server.openai.asked import RESEARCH, SOURCES, ask
from faces.server.openai.conftest import Connect
from faces.server.served import Serve, Served
from fakes.sittings import LIGHTHOUSE

pytestmark = pytest.mark.asyncio(loop_scope="session")

REFUSED: Sequence[tuple[dict[str, Any], str | None, str]] = [
    ({"extra_body": {"colour": "red"}}, "colour", "unknown_parameter"),
    ({"instructions": "Answer in rhymes."}, "instructions", "invalid"),
    ({"max_output_tokens": 10}, "max_output_tokens", "invalid"),
    ({"store": False}, "store", "invalid"),
    ({"metadata": {"k": "v" * 513}}, "metadata.k", "invalid"),
    ({"tools": [{"type": "function", "name": "f"}]}, "tools.0", "invalid"),
    ({"text": {"format": {"type": "json_object"}}}, "text.format.type", "invalid"),
    ({"input": [{"role": "system", "content": "Rhyme."}]}, None, "usage"),
    ({"input": ""}, None, "usage"),
    ({"tools": [{"type": "file_search", "vector_store_ids": ["nowhere"]}]}, None, "usage"),
    ({"previous_response_id": "resp_1_2", "conversation": "conv_1"}, None, "usage"),
]


async def test_a_parameter_that_cannot_be_honoured_is_refused_by_its_name(client: AsyncOpenAI) -> None:
    for given, param, code in REFUSED:
        with pytest.raises(openai.BadRequestError) as refused:
            await ask(client, **given)
        error = refused.value
        assert (error.param, error.code, error.type) == (param, code, "invalid_request_error"), given
        assert error.message


async def test_what_clients_always_send_is_taken(client: AsyncOpenAI) -> None:
    sent: Any = {
        "temperature": 1,
        "top_p": 1,
        "parallel_tool_calls": True,
        "store": True,
        "truncation": "auto",
        "user": "u",
        "include": ["web_search_call.action.sources"],
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "service_tier": "auto",
    }
    assert (await ask(client, **sent)).status == "completed"


async def test_who_may_not_call_is_refused_as_by_the_native_api(served: Served, connect: Connect) -> None:
    reader = await connect(served, "read")
    with pytest.raises(openai.PermissionDeniedError, match="scope"):
        await ask(reader)
    assert [model.id for model in (await reader.models.list()).data] == ["quaestor-research", "quaestor-task"]
    unknown = reader.with_options(api_key="quaestor_none")
    with pytest.raises(openai.AuthenticationError) as refused:
        await unknown.models.list()
    assert refused.value.type == "authentication_error"
    browser = served.anonymous()
    await browser.get("/login", params={"code": served.state.login_code or ""})
    assert (await browser.get("/v1/models")).status_code == 200
    body = {"model": RESEARCH, "input": LIGHTHOUSE}
    assert (await browser.post("/v1/responses", json=body)).json()["error"]["type"] == "permission_error"


async def test_a_tenant_finds_neither_responses_nor_conversations_of_another(
    served: Served, client: AsyncOpenAI, connect: Connect
) -> None:
    response = await ask(client)
    assert response.conversation
    other = await connect(served, tenant="acme")
    for attempt in (
        other.responses.retrieve(response.id),
        other.responses.cancel(response.id),
        other.responses.delete(response.id),
        other.responses.input_items.list(response.id),
        other.conversations.retrieve(response.conversation.id),
        other.conversations.delete(response.conversation.id),
        other.responses.create(model=RESEARCH, input="And?", previous_response_id=response.id),
        other.responses.create(model=RESEARCH, input="And?", conversation=response.conversation.id),
    ):
        with pytest.raises(openai.NotFoundError) as refused:
            await attempt
        assert refused.value.code == "unknown_session"


async def test_an_id_that_names_nothing_is_not_found(client: AsyncOpenAI) -> None:
    response = await ask(client)
    others = (response.id.removesuffix("_0") + f"_{anchor}" for anchor in (1, 5, 10**6))
    for name in ("resp_1_0", "resp_x", "resp_1_99999999999999999999", "../../etc", "conv_1", *others):
        with pytest.raises(openai.NotFoundError):
            await client.responses.retrieve(name)


async def test_a_model_or_a_path_that_there_is_not_is_not_found(client: AsyncOpenAI) -> None:
    assert (await client.models.retrieve(RESEARCH)).owned_by == "quaestor"
    for attempt in (client.models.retrieve("gpt-5"), ask(client, model="gpt-5")):
        with pytest.raises(openai.NotFoundError) as refused:
            await attempt
        assert refused.value.code == "model_not_found"
    with pytest.raises(openai.NotFoundError):
        await client.embeddings.create(model=RESEARCH, input="x")


async def test_who_comes_too_often_is_asked_to_wait_and_a_body_has_its_limit(serve: Serve, connect: Connect) -> None:
    served = await serve(requests_a_minute=1, body_bytes=100).begin()
    client = (await connect(served)).with_options(max_retries=0)
    await client.models.list()
    with pytest.raises(openai.RateLimitError) as refused:
        await client.models.list()
    assert refused.value.response.headers["x-should-retry"] == "true"
    with pytest.raises(openai.APIStatusError) as large:
        await ask(client, "x" * 200)
    assert (large.value.status_code, large.value.type) == (413, "invalid_request_error")


async def test_a_stream_for_which_there_is_no_room_begins_no_turn(serve: Serve, connect: Connect) -> None:
    served = await serve(streams=0).begin()
    client = (await connect(served)).with_options(max_retries=0)
    await served.upload()
    chat: Any = {"model": RESEARCH, "messages": [{"role": "user", "content": LIGHTHOUSE}], "tools": SOURCES}
    for asked in (ask(client, stream=True), client.chat.completions.create(**chat, stream=True)):
        with pytest.raises(openai.InternalServerError, match="streams are open"):
            await asked
    assert await served.quaestor.sessions() == []
