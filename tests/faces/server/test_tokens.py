"""The words of models as they come: for clients that want them, by a server that streams them."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from faces.server.served import COLLECTION, Serve, Served, Streamed, until
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
    following = asyncio.create_task(served.events(session_id, **query))
    await carried(served, session_id)
    return await following


async def carried(served: Served, session_id: str) -> None:
    """Run a session once it is followed."""

    async def is_followed() -> bool:
        return served.state.open_streams > 0

    await until(is_followed)
    await asyncio.sleep(0.1)
    assert (await served.quaestor.run(session_id)).outcome == "done"


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
    chatting = asyncio.create_task((await online.client()).post("/v1/chat/completions", json=body))

    async def begun() -> bool:
        return bool(await online.quaestor.sessions())

    await until(begun)
    [session] = await online.quaestor.sessions()
    await carried(online, session.id)
    chunks = [line.removeprefix("data: ") for line in (await chatting).text.splitlines() if line.startswith("data: {")]
    reasoning = "".join(
        choice["delta"].get("reasoning_content", "") for chunk in chunks for choice in json.loads(chunk)["choices"]
    )
    assert '"findings"' in reasoning
