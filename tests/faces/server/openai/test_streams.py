"""Streams of responses by the official Python SDK: accumulated, continued behind any event, and cut off."""

from collections.abc import Sequence
from typing import Any

import pytest
from openai import AsyncOpenAI

from faces.server.openai.asked import RESEARCH, SOURCES, ask
from faces.server.openai.conftest import Connect
from faces.server.served import Serve
from fakes.papers import QUESTION
from fakes.sittings import LIGHTHOUSE

pytestmark = pytest.mark.asyncio(loop_scope="session")

_ENDS = {"response.completed", "response.failed", "response.incomplete", "response.cancelled"}


async def followed(client: AsyncOpenAI, response_id: str, after: int | None = None) -> Sequence[Any]:
    options: Any = {} if after is None else {"starting_after": after}
    return [event async for event in await client.responses.retrieve(response_id, stream=True, **options)]


async def test_a_stream_leads_from_its_creation_to_the_whole_response(client: AsyncOpenAI) -> None:
    events = [event async for event in await ask(client, stream=True)]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert [event.type for event in events[:3]] == ["response.created", "response.queued", "response.in_progress"]
    assert [event.type for event in events if event.type in _ENDS] == [events[-1].type] == ["response.completed"]
    assert not any("error" in event.to_dict(warnings=False) for event in events)
    response = events[-1].response
    assert (await client.responses.retrieve(response.id)).to_dict(warnings=False) == response.to_dict(warnings=False)
    added = [event.item.id for event in events if event.type == "response.output_item.added"]
    done = [event.item.to_dict(warnings=False) for event in events if event.type == "response.output_item.done"]
    assert added == [item.id for item in response.output]
    assert sorted(item["id"] for item in done) == sorted(added)
    assert all(item in done for item in (item.to_dict(warnings=False) for item in response.output))
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert text == response.output_text
    for number in {0, 2, len(events) // 2, *range(len(events) - 12, len(events) - 1)}:
        again = await followed(client, response.id, number)
        assert (again[0].type, again[0].sequence_number) == ("response.created", number)
        assert [event.to_dict(warnings=False) for event in again[1:]] == [
            event.to_dict(warnings=False) for event in events[number + 1 :]
        ]
    [created] = await followed(client, response.id, len(events) - 1)
    assert created.response.to_dict(warnings=False) == response.to_dict(warnings=False)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # the SDK copies items that it does not know
async def test_a_stream_that_goes_on_accumulates_to_the_same_response(client: AsyncOpenAI) -> None:
    async with client.responses.stream(model=RESEARCH, input=LIGHTHOUSE, tools=SOURCES) as stream:
        response = await stream.get_final_response()
    assert "1831" in response.output_text
    async with client.responses.stream(response_id=response.id, starting_after=3) as stream:
        numbers = [event.sequence_number async for event in stream]
        assert numbers == list(range(4, 4 + len(numbers)))
        assert (await stream.get_final_response()).output_text == response.output_text
    events = await followed(client, response.id)
    for number in range(0, len(events), 5):
        items: dict[int, str] = {}
        for event in await followed(client, response.id, number):
            match event.type:
                case "response.created":
                    written = [item.to_dict(warnings=False) for item in event.response.output]
                    parts = ("".join(part["text"] for part in item.get("content") or ()) for item in written)
                    items = dict(enumerate(parts))
                case "response.output_item.added":
                    items[event.output_index] = ""
                case "response.output_text.delta":
                    items[event.output_index] += event.delta
                case _:
                    pass
        assert "".join(items.values()) == response.output_text, number


async def test_the_stream_of_a_turn_that_reached_its_budget_ends_as_incomplete(client: AsyncOpenAI) -> None:
    events = [event async for event in await ask(client, QUESTION, stream=True, max_tool_calls=2)]
    assert (events[-1].type, events[-1].response.status) == ("response.incomplete", "incomplete")
    assert events[-1].response.incomplete_details


async def test_a_stream_shows_a_pause_and_ends_with_the_session(serve: Serve, connect: Connect) -> None:
    served = await serve(sessions=0, heartbeat_seconds=0.05).begin()
    await served.upload()
    client, native = await connect(served), await served.client()
    begun = await ask(client, background=True)
    session_id = begun.metadata["quaestor_session"]

    async def command(kind: str) -> None:
        answer = await native.post(f"/api/v1/sessions/{session_id}/commands", json={"kind": kind})
        assert answer.status_code == 200, answer.text

    await command("pause")
    stream = await client.responses.retrieve(begun.id, stream=True)
    states, kinds = [], []
    async for event in stream:
        kinds.append(event.type)
        if event.type == "response.in_progress":
            states.append(event.response.metadata and event.response.metadata["quaestor_state"])
            if states[-1] == "paused":
                await command("cancel")
                await served.quaestor.run(session_id)
    assert states == ["running", "paused", "running"]
    assert kinds[-1] == "response.cancelled"
