"""Responses by the official Python SDK: asked, polled, answered, asked on, cancelled and erased."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI
from openai.types.responses import Response

from faces.server.openai.asked import RESEARCH, UNCLEAR, ask, checked_items, poll
from faces.server.openai.conftest import Connect
from faces.server.served import Serve, Served, until
from fakes.papers import QUESTION
from fakes.sittings import BELL, LIGHTHOUSE, LIGHTS

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_foreground_call_answers_with_searches_a_cited_text_and_its_proofs(
    served: Served, client: AsyncOpenAI
) -> None:
    response = await ask(client)
    assert (response.status, response.model, response.error) == ("completed", RESEARCH, None)
    assert response.metadata["quaestor_state"] == "finished"
    items = checked_items(response)
    kinds = [item["type"] if isinstance(item, dict) else item.type for item in items]
    session_id = response.metadata["quaestor_session"]
    searches = [
        event
        async for event in served.quaestor.read_events(session_id)
        if event.type == "tool_requested" and getattr(event.payload, "tool", "") == "search"
    ]
    assert kinds.count("web_search_call") == len(searches) > 0
    assert kinds.count("message") == 1
    assert all(item.status == "completed" for item in items if not isinstance(item, dict))
    report = await (await served.client()).get(f"/api/v1/sessions/{session_id}/report.md")
    assert response.output_text == report.text
    Response.model_validate({**response.to_dict(warnings=False), "output": []})


async def test_every_annotation_is_at_its_mark_and_every_proof_is_in_its_source(
    served: Served, client: AsyncOpenAI
) -> None:
    response = await ask(client)
    text = response.output_text
    [message] = [item for item in response.output if item.type == "message"]
    proofs = {item.number: item for item in response.output if item.type == "quaestor:quote_proof"}
    annotations: list[Any] = message.content[0].annotations
    assert annotations
    assert proofs
    for annotation in annotations:
        mark = text[annotation.start_index : annotation.end_index]
        proof = proofs[int(mark.removeprefix("[").removesuffix("]"))]
        assert (annotation.type, annotation.index) == ("file_citation", annotation.end_index)
        assert (annotation.file_id, annotation.filename) == (proof.sha256, proof.uri.rpartition("/")[2])
        stored = await served.quaestor.library.text(proof.sha256)
        assert stored is not None
        assert stored[proof.start : proof.end] == proof.quote


async def test_a_background_response_is_polled_to_its_end(served: Served, client: AsyncOpenAI) -> None:
    given: Any = {"max_tool_calls": 50, "reasoning": {"effort": "medium"}, "metadata": {"ticket": "7"}}
    begun = await ask(client, background=True, **given)
    assert begun.status in {"queued", "in_progress"}
    assert begun.usage is None
    options = await served.quaestor.options(begun.metadata["quaestor_session"])
    assert options.budget.tool_calls == 50
    ended = await poll(client, begun.id)
    assert (ended.id, ended.status, ended.created_at) == (begun.id, "completed", begun.created_at)
    assert [(each.metadata or {}).get("ticket") for each in (begun, ended)] == ["7", "7"]
    assert "1831" in ended.output_text
    assert ended.usage
    assert ended.usage.total_tokens == ended.usage.input_tokens + ended.usage.output_tokens
    items = await client.responses.input_items.list(begun.id)
    assert [part.text for item in items.data for part in item.content] == [LIGHTHOUSE]


async def test_a_question_to_the_person_ends_a_response_and_the_next_one_answers_it(client: AsyncOpenAI) -> None:
    asked = await ask(client, UNCLEAR)
    assert (asked.status, asked.metadata["quaestor_state"]) == ("completed", "clarification_needed")
    assert asked.output_text.endswith("?")
    answered = await client.responses.create(model=RESEARCH, input="the lighthouse", previous_response_id=asked.id)
    assert (answered.status, answered.metadata and answered.metadata["quaestor_state"]) == ("completed", "finished")
    assert answered.id != asked.id
    assert answered.conversation == asked.conversation
    assert "1831" in answered.output_text
    assert (await client.responses.retrieve(asked.id)).to_dict() == asked.to_dict()


async def test_a_finished_session_is_asked_on_by_response_and_by_conversation(client: AsyncOpenAI) -> None:
    parts: Any = [{"type": "input_text", "text": LIGHTHOUSE}]
    first = await ask(client, input=[{"role": "user", "content": parts}])
    second = await client.responses.create(model=RESEARCH, input=BELL, previous_response_id=first.id)
    assert "1844" in second.output_text
    assert first.conversation
    third = await client.responses.create(model=RESEARCH, input="/refresh", conversation=first.conversation.id)
    assert third.status == "completed"
    assert len({first.id, second.id, third.id}) == 3
    found = await client.conversations.retrieve(first.conversation.id)
    assert (found.id, found.created_at) == (first.conversation.id, int(first.created_at))
    with pytest.raises(openai.BadRequestError, match="newer"):
        await client.responses.create(model=RESEARCH, input="And?", previous_response_id=first.id)


async def test_a_response_is_cancelled_and_stays_so(serve: Serve, connect: Connect) -> None:
    served = await serve(sessions=0).begin()
    await served.upload()
    client = await connect(served)
    begun = await ask(client, background=True)
    with pytest.raises(openai.ConflictError, match="still running") as refused:
        await client.responses.create(model=RESEARCH, input="And?", previous_response_id=begun.id)
    assert refused.value.response.headers["x-should-retry"] == "false"
    session_id, store = begun.metadata["quaestor_session"], served.quaestor.store
    cancelling = asyncio.create_task(client.responses.cancel(begun.id))

    async def is_told() -> bool:
        lease = await store.lease(session_id)
        return bool(lease and lease.is_released and await store.latest(session_id, {"cancelled"}))

    await until(is_told)
    await served.quaestor.run(session_id)
    assert (await cancelling).status == "cancelled"
    assert (await client.responses.cancel(begun.id)).status == "cancelled"


async def test_a_foreground_call_answers_after_its_limit_that_the_session_is_running(
    serve: Serve, connect: Connect
) -> None:
    served = await serve(sessions=0, foreground_seconds=0.1).begin()
    await served.upload()
    client = await connect(served)
    response = await ask(client)
    assert response.status == "queued"
    assert response.metadata["quaestor_url"] == f"{served.url}/sessions/{response.metadata['quaestor_session']}"
    await served.quaestor.run(response.metadata["quaestor_session"])
    assert (await client.responses.retrieve(response.id)).status == "completed"


async def test_a_call_whose_client_left_goes_on(served: Served, client: AsyncOpenAI) -> None:
    quaestor = served.quaestor
    before = {each.id for each in await quaestor.sessions()}

    async def begun() -> list[str]:
        return [each.id for each in await quaestor.sessions() if each.id not in before]

    asking = asyncio.create_task(ask(client, LIGHTS))
    [session_id] = await until(begun)
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking

    async def ended() -> str | None:
        return (await quaestor.session(session_id)).outcome

    assert await until(ended) == "done"


async def test_a_response_that_reached_its_budget_is_incomplete_and_one_without_evidence_says_so(
    client: AsyncOpenAI,
) -> None:
    response = await ask(client, QUESTION, max_tool_calls=2)
    assert (response.status, response.metadata["quaestor_outcome"]) == ("incomplete", "partial")
    assert "budget" in response.metadata["quaestor_statement"]
    response = await ask(client, "Who won the ice hockey world championship of 1977?")
    assert (response.status, response.metadata["quaestor_outcome"]) == ("completed", "no_result")
    assert response.output_text == response.metadata["quaestor_statement"]


async def test_the_only_response_is_erased_with_its_session_and_one_of_several_is_kept(
    served: Served, client: AsyncOpenAI
) -> None:
    first = await ask(client)
    second = await client.responses.create(model=RESEARCH, input=BELL, previous_response_id=first.id)
    with pytest.raises(openai.ConflictError, match="conversation"):
        await client.responses.delete(second.id)
    other = await ask(client, BELL)
    await client.responses.delete(other.id)
    with pytest.raises(openai.NotFoundError):
        await client.responses.retrieve(other.id)
    assert first.conversation
    assert (await client.conversations.delete(first.conversation.id)).deleted
    kept = {session.id for session in await served.quaestor.sessions()}
    assert not kept & {each.metadata["quaestor_session"] for each in (first, other)}


async def test_a_task_is_a_conversation_of_one_response(serve: Serve, connect: Connect, tmp_path: Path) -> None:
    book = tmp_path / "steps.yaml"
    book.write_text("- goal: A note.\n  plan: {Write: [Write it]}\n- say: Done.\n", encoding="utf-8")
    client = await connect(await serve({"model": f"playbook:{book}"}).begin())
    response = await client.responses.create(model="quaestor-task", input="Write a note.")
    assert (response.model, response.status) == ("quaestor-task", "completed")
    assert response.output_text
    with pytest.raises(openai.ConflictError, match="finished"):
        await client.responses.create(model="quaestor-task", input="More", previous_response_id=response.id)


async def test_a_request_without_sources_searches_the_default_collection(served: Served, connect: Connect) -> None:
    client = await connect(served, tenant="umbrella")
    with pytest.raises(openai.BadRequestError, match="no documents were named"):
        await client.responses.create(model=RESEARCH, input=LIGHTHOUSE)
    files = [("files", ("a.md", b"The Aldmouth lighthouse was built in 1831."))]
    assert (await (await served.client("run", "umbrella")).post("/api/v1/files", files=files)).status_code == 200
    assert "1831" in (await client.responses.create(model=RESEARCH, input=LIGHTHOUSE)).output_text


async def test_a_request_that_is_repeated_with_its_key_gives_its_first_response(client: AsyncOpenAI) -> None:
    key: Any = {"Idempotency-Key": "response-1"}
    question = f"{LIGHTHOUSE} Once."
    answers = await asyncio.gather(*(ask(client, question, background=True, extra_headers=key) for _ in range(3)))
    [response_id] = {answer.id for answer in answers}
    ended = await poll(client, response_id)
    again = await ask(client, question, background=True, extra_headers=key)
    assert (again.id, again.status, again.output_text) == (response_id, "completed", ended.output_text)
    next_key: Any = {"Idempotency-Key": "response-2"}
    asked_on = [await ask(client, BELL, previous_response_id=response_id, extra_headers=next_key) for _ in range(2)]
    assert asked_on[0].id == asked_on[1].id != response_id
    with pytest.raises(openai.BadRequestError, match="response-1"):
        await ask(client, BELL, extra_headers=key)
