"""The stream over HTTP: one order for all, nothing lost or seen twice by who comes back, ended when it is over."""

import asyncio
import json
from collections.abc import Sequence

import pytest

from faces.server.served import Serve, Served, Streamed, parse_stream, until
from quaestor.app.watching.following import StreamHub, StreamPosition
from quaestor.contracts.command import Answer
from quaestor.contracts.event import Event

UNCLEAR = "When was it built?"


async def test_who_comes_back_after_any_event_misses_nothing_and_sees_nothing_twice(served: Served) -> None:
    session_id = await served.finished()
    whole = await served.events(session_id)
    assert len({one.id for one in whole}) == len(whole) > 20
    assert any("." in one.id for one in whole)
    client = await served.client()
    for number, seen in enumerate(whole[:-1]):
        path = f"/api/v1/sessions/{session_id}/events"
        answer = await client.get(path, headers={"Last-Event-ID": seen.id}, params={"after": "1"})
        assert parse_stream(answer.text) == whole[number + 1 :]
    over = await client.get(f"/api/v1/sessions/{session_id}/events", params={"after": whole[-1].id})
    assert over.status_code == 204


async def test_every_event_is_one_of_the_published_stream_with_its_number(served: Served) -> None:
    session_id = await served.finished()
    expected = [event.model_dump(mode="json") async for event in served.quaestor.stream(session_id)]
    streamed = await served.events(session_id)
    assert [json.loads(one.data) for one in streamed] == expected
    assert [one.event for one in streamed] == [event["type"] for event in expected]
    assert [int(one.id.partition(".")[0]) for one in streamed] == [event["seq"] for event in expected]


async def test_many_readers_see_the_same_while_it_happens(served: Served) -> None:
    await served.upload()
    session_id = await served.start(UNCLEAR)
    readers = [asyncio.create_task(served.events(session_id)) for _ in range(20)]
    await served.asked(session_id)
    assert not any(reader.done() for reader in readers)
    assert await served.quaestor.tell(session_id, Answer(text="the Aldmouth lighthouse")) is None
    served.state.carry(session_id)
    first, *others = await asyncio.gather(*readers)
    assert all(other == first for other in others)
    assert first[-1].event == "finished"
    assert served.state.open_streams == 0


async def test_a_snapshot_comes_first_and_then_what_is_new(served: Served) -> None:
    session_id = await served.finished()
    [snapshot] = await served.events(session_id, snapshot="true")
    assert (snapshot.event, snapshot.id) == ("snapshot", "")
    details = json.loads(snapshot.data)
    assert (details["id"], details["status"]["state"]) == (session_id, "finished")
    with_past = await served.events(session_id, snapshot="true", after="10")
    assert with_past[0].event == "snapshot"
    assert with_past[1:] == await served.events(session_id, after="10")


async def test_a_silent_stream_beats(serve: Serve) -> None:
    served = await serve(heartbeat_seconds=0.05).begin()
    await served.upload()
    session_id = await served.start(UNCLEAR)
    client = await served.client()
    beats, head = 0, ""
    async with client.stream("GET", f"/api/v1/sessions/{session_id}/events") as answer:
        async for piece in answer.aiter_text():
            head = head or piece
            beats += piece.count(": heartbeat\n\n")
            if beats > 2:
                break
    assert head.startswith("retry: 2000\n\n")
    assert answer.headers["content-type"].startswith("text/event-stream")


async def test_too_many_streams_are_refused_politely(serve: Serve) -> None:
    served = await serve(streams=2).begin()
    await served.upload()
    session_id = await served.start(UNCLEAR)
    client = await served.client()
    path = f"/api/v1/sessions/{session_id}/events"
    async with client.stream("GET", path) as first, client.stream("GET", path) as second:
        reading = first.aiter_text(), second.aiter_text()  # kept, as a reader that is forgotten leaves
        for each in reading:
            await anext(each)
        refused = await client.get(path)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "10")

    async def is_free() -> bool:
        return served.state.open_streams == 0

    await until(is_free)
    async with client.stream("GET", path) as third:
        assert third.status_code == 200


async def test_a_client_that_leaves_stops_nothing(served: Served) -> None:
    await served.upload()
    session_id = await served.start(questions=False)
    client = await served.client()
    async with client.stream("GET", f"/api/v1/sessions/{session_id}/events") as answer:
        await anext(answer.aiter_text())
    assert (await served.events(session_id))[-1].event == "finished"


async def test_a_slow_reader_is_read_for_page_by_page(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    session_id = await served.finished()
    monkeypatch.setattr("quaestor.app.watching.following._PAGE_EVENTS", 5)
    count = (await served.quaestor.session(session_id)).events
    asked: list[int] = []
    read = served.quaestor.events

    async def counted(session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        asked.append(limit or 0)
        return await read(session_id, after, limit)

    monkeypatch.setattr(served.quaestor, "events", counted)
    pages = StreamHub(served.quaestor).pages(session_id, StreamPosition(), 1)
    first = await anext(pages)
    assert (asked, {item.position.seq <= 5 for item in first}) == ([5], {True})
    assert [item async for page in pages for item in page]
    assert len(asked) == -(-count // 5)


@pytest.mark.parametrize("to_end", [True, False], ids=["coming back", "from the begin"])
async def test_many_readers_of_a_long_log_at_once_read_it_once(
    served: Served, monkeypatch: pytest.MonkeyPatch, *, to_end: bool
) -> None:
    session_id = await served.finished()
    monkeypatch.setattr("quaestor.app.watching.following._PAGE_EVENTS", 5)
    count = (await served.quaestor.session(session_id)).events
    read = served.quaestor.events
    looks = 0

    async def counted(session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        nonlocal looks
        looks += 1
        return await read(session_id, after, limit)

    monkeypatch.setattr(served.quaestor, "events", counted)
    hub, readers = StreamHub(served.quaestor), 20

    async def last() -> list[StreamPosition]:
        pages = hub.pages(session_id, StreamPosition(count - 1 if to_end else 0), 1)
        return [item.position async for page in pages for item in page]

    found = await asyncio.gather(*(last() for _ in range(readers)))
    assert all(places == found[0] != [] for places in found)
    assert looks <= count // 5 + 3


async def test_the_streams_end_with_the_server_and_go_on_with_the_next(serve: Serve) -> None:
    served = await serve().begin()
    await served.upload()
    session_id = await served.start(UNCLEAR)
    client = await served.client()
    text = ""
    async with client.stream("GET", f"/api/v1/sessions/{session_id}/events") as answer:
        async for piece in answer.aiter_text():
            text += piece
            if "clarification_needed" in text:
                served.state.hub.close()
    assert parse_stream(text)[-1].event in {"clarification_needed", "status"}


@pytest.mark.parametrize("place", ["x", "-1", "1.x", "٣", "1" * 30, "1.1.1"])
async def test_a_place_that_is_none_is_refused(served: Served, place: str) -> None:
    session_id = await served.finished()
    client = await served.client()
    answer = await client.get(f"/api/v1/sessions/{session_id}/events", params={"after": place})
    assert (answer.status_code, "no place in a stream" in answer.json()["detail"]) == (400, True)


@pytest.mark.parametrize("place", ["0", "12", "12.3"])
def test_a_place_is_written_as_it_is_read(place: str) -> None:
    assert str(StreamPosition.parse(place)) == place


async def test_the_log_is_read_by_type_number_and_count(served: Served) -> None:
    session_id = await served.finished()
    client = await served.client()

    async def log(**query: str | int) -> list[dict[str, object]]:
        answer = await client.get(f"/api/v1/sessions/{session_id}/log", params=query)
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.text.splitlines()]

    whole = await log()
    assert await log(after=5) == whole[5:]
    assert await log(after=5, limit=3) == whole[5:8]
    assert [event["payload"]["type"] for event in await log(type="todo_recorded")] == ["todo_recorded"]  # type: ignore[index]
    assert (await client.get(f"/api/v1/sessions/{session_id}/log", params={"type": "x"})).status_code == 400


async def test_who_asks_for_an_unknown_session_gets_no_stream(served: Served) -> None:
    client = await served.client()
    answer = await client.get("/api/v1/sessions/20200101-000000-abcdef/events")
    assert answer.status_code == 404
    assert "there is no session" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/api/v1/sessions/{}/events", "/sessions/{}/live", "/v1/responses/resp_{}_0"])
async def test_the_stream_of_a_session_that_is_erased_comes_to_an_end(serve: Serve, path: str) -> None:
    served = await serve(sessions=0).begin()
    await served.upload()
    session_id = await served.start()
    client = await served.client()
    async with (
        asyncio.timeout(300),
        client.stream("GET", path.format(session_id), params={"stream": "true"}) as answer,
    ):
        parts = answer.aiter_text()
        assert await anext(parts)
        assert (await client.delete(f"/api/v1/sessions/{session_id}")).status_code == 204
        assert not [part async for part in parts if "finished" in part]
    assert served.state.open_streams == 0


def test_a_cut_stream_is_read_as_far_as_it_came_whole() -> None:
    text = "retry: 2000\n\nid: 1\nevent: status\ndata: {}\n\n: heartbeat\n\nid: 2\nevent: sta"
    assert parse_stream(text) == [Streamed("1", "status", "{}")]
