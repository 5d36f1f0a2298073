"""Chat completions by the official Python SDK: whole, streamed, asked on, and with questions to the person."""

from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

from faces.server.openai.asked import RESEARCH, SOURCES, UNCLEAR
from faces.server.openai.conftest import Connect
from faces.server.served import Serve, Served
from fakes.sittings import BELL, LIGHTHOUSE

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def chat(client: AsyncOpenAI, *messages: str, **options: Any) -> Any:  # noqa: ANN401 -- as the SDK says
    """Send a history in which the person and the assistant speak by turns."""
    roles = ("user", "assistant")
    history: Any = [{"role": roles[place % 2], "content": text} for place, text in enumerate(messages)]
    return await client.chat.completions.create(
        **{"model": RESEARCH, "messages": history, "extra_body": {"tools": SOURCES}, **options}
    )


def content(completion: Any) -> str:  # noqa: ANN401 -- as the SDK says
    text: str = completion.choices[0].message.content
    return text


async def test_a_chat_names_the_session_answers_and_goes_on_with_it(served: Served, client: AsyncOpenAI) -> None:
    asked = await chat(client, UNCLEAR)
    assert content(asked).endswith("?")
    answered = await chat(client, UNCLEAR, content(asked), "the lighthouse")
    assert "1831" in content(answered)
    more = await chat(client, UNCLEAR, content(asked), "the lighthouse", content(answered), BELL)
    assert "1844" in content(more)
    session, *_ = await served.quaestor.sessions()
    link = f"[Session {session.id}]({served.url}/sessions/{session.id})"
    assert all(content(each).startswith(link) for each in (asked, answered, more))
    assert (more.object, more.choices[0].finish_reason, len({asked.id, answered.id, more.id})) == (
        "chat.completion",
        "stop",
        3,
    )


async def test_a_streamed_chat_begins_at_once_reasons_and_ends_with_the_report(client: AsyncOpenAI) -> None:
    stream = await chat(client, LIGHTHOUSE, stream=True, stream_options={"include_usage": True})
    chunks = [chunk async for chunk in stream]
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert deltas[0].role == "assistant"
    assert "/sessions/" in deltas[0].reasoning_content
    reasoning = "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas)
    assert len(reasoning.splitlines()) > 5
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage
    text = "".join(delta.content or "" for delta in deltas)
    assert text.startswith("[Session ")
    assert "1831" in text
    places = [place for place, delta in enumerate(deltas) if getattr(delta, "reasoning_content", None)]
    assert max(places) < min(place for place, delta in enumerate(deltas) if delta.content)


async def test_a_chat_says_after_its_limit_that_the_session_is_running(serve: Serve, connect: Connect) -> None:
    served = await serve(sessions=0, foreground_seconds=0.1, heartbeat_seconds=0.1).begin()
    await served.upload()
    client = await connect(served)
    assert "still running" in content(await chat(client, LIGHTHOUSE))
    [session] = await served.quaestor.sessions()
    stream = await chat(client, LIGHTHOUSE, stream=True)
    first = await anext(aiter(stream))
    assert session.id in first.choices[0].delta.reasoning_content
    native = await served.client()
    await native.post(f"/api/v1/sessions/{session.id}/commands", json={"kind": "pause"})
    assert "paused" in "".join([chunk.choices[0].delta.content or "" async for chunk in stream])


async def test_a_chat_takes_no_instructions_and_no_history_of_another_tenant(
    served: Served, client: AsyncOpenAI, connect: Connect
) -> None:
    with pytest.raises(openai.BadRequestError, match="instructions"):
        await chat(client, messages=[{"role": "system", "content": "Rhyme."}, {"role": "user", "content": LIGHTHOUSE}])
    mine = await chat(client, LIGHTHOUSE)
    with pytest.raises(openai.BadRequestError, match="no collection"):
        await chat(await connect(served, tenant="acme"), LIGHTHOUSE, content(mine), "And?")


async def test_a_chat_that_is_repeated_with_its_key_gives_its_first_answer(client: AsyncOpenAI) -> None:
    key = {"Idempotency-Key": "chat-1"}
    asked = [await chat(client, f"{LIGHTHOUSE} In a chat.", extra_headers=key) for _ in range(2)]
    assert (asked[0].id, content(asked[0])) == (asked[1].id, content(asked[1]))
