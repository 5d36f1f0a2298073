"""The words of models as they come: for clients that want them, by a server that streams them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager

import httpx2
import pytest

from faces.server.served import COLLECTION, Serve, Served, Streamed, parse_stream
from fakes.openai_server import OpenAIServer
from fakes.researcher import Researcher
from fakes.sittings import LIGHTHOUSE
from quaestor.contracts.event import ModelResponded

MODEL = "fake:large"


@pytest.fixture
async def online(serve: Serve) -> AsyncIterator[Served]:
    """Return a server without a worker, whose model is one behind a server that streams."""
    async with OpenAIServer(Researcher((LIGHTHOUSE,))) as server:
        providers = {"fake": {"base_url": server.url, "stream": True}}
        served = await serve({"model": MODEL, "providers": providers}, sessions=0, heartbeat_seconds=0.05).begin()
        await served.upload()
        yield served


async def followed(served: Served, session_id: str, **query: str) -> list[Streamed]:
    """Follow a session from before it runs to its end, while it is run."""
    client = await served.client()
    return parse_stream(
        await carried(served, client.stream("GET", f"/api/v1/sessions/{session_id}/events", params=query))
    )


async def carried(served: Served, asking: AbstractAsyncContextManager[httpx2.Response]) -> str:
    """Run the session of the server once it is followed; return all that its follower was sent."""
    async with asking as answer:
        pieces, text = answer.aiter_text(), ""
        while text.count("\n\n") < 2:  # the first message comes before the words are followed, the second behind it
            text += await anext(pieces)
        [session] = await served.quaestor.sessions()
        running = asyncio.create_task(served.quaestor.run(session.id))
        text += "".join([piece async for piece in pieces])
    assert (await running).outcome == "done"
    return text


async def test_words_come_as_events_without_an_id_between_those_of_the_log(online: Served) -> None:
    session_id = await online.start(questions=False)
    seen = await followed(online, session_id, tokens="true")
    tokens = [json.loads(each.data) for each in seen if each.event == "token"]
    assert not any(each.id for each in seen if each.event == "token")
    replies = {
        event.payload.key: event.payload.reply
        async for event in online.quaestor.read_events(session_id)
        if isinstance(event.payload, ModelResponded)
    }
    heard: dict[str, str] = {}
    for each in tokens:
        heard[each["ref"]] = heard.get(each["ref"], "") + each["text"]
    assert heard
    assert {key: replies[key] for key in heard} == heard
    assert {each["agent"] for each in tokens} >= {"planner", "reader"}
    plain = await online.events(session_id)
    assert [each for each in seen if each.event != "token"] == plain


async def test_who_does_not_ask_for_words_gets_none_and_the_log_has_none(online: Served) -> None:
    session_id = await online.start(questions=False)
    assert "token" not in {each.event for each in await followed(online, session_id)}
    assert "token" not in {event.type async for event in online.quaestor.read_events(session_id)}


async def test_a_chat_has_the_words_as_reasoning(online: Served) -> None:
    body = {
        "model": "quaestor-research",
        "messages": [{"role": "user", "content": LIGHTHOUSE}],
        "tools": [{"type": "file_search", "vector_store_ids": [COLLECTION]}],
        "stream": True,
    }
    client = await online.client()
    text = await carried(online, client.stream("POST", "/v1/chat/completions", json=body))
    chunks = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
    reasoning = "".join(
        choice["delta"].get("reasoning_content", "") for chunk in chunks for choice in json.loads(chunk)["choices"]
    )
    assert '"findings"' in reasoning
