"""Sessions over HTTP: begun once, listed page by page, commanded, and taken turn by turn."""

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from faces.server.served import COLLECTION, Serve, Served, until
from fakes.papers import write_papers
from fakes.sittings import BELL, LIGHTHOUSE
from quaestor.app import open_home
from quaestor.contracts.command import Pause
from quaestor.contracts.session import Lease
from quaestor.runtime.system import current_process

DOCS = [f"collection:{COLLECTION}"]
UNCLEAR = "When was it built?"
LATE = datetime(2999, 1, 1, tzinfo=UTC)


async def test_a_session_is_begun_carried_out_and_read(served: Served) -> None:
    await served.upload()
    client = await served.client()
    begun = await client.post("/api/v1/sessions", json={"text": LIGHTHOUSE, "docs": DOCS})
    assert (begun.status_code, begun.headers["location"]) == (201, f"/api/v1/sessions/{begun.json()['id']}")
    place = begun.headers["location"]
    streamed = await served.events(begun.json()["id"])
    assert streamed[-1].event == "finished"
    shown = (await client.get(place)).json()
    assert (shown["status"]["outcome"], shown["progress"], shown["asked"]) == ("done", "1/1", None)
    assert [todo["status"] for todo in shown["plan"]["todos"]] == ["done"]
    for kind, media in (("md", "text/markdown"), ("html", "text/html"), ("json", "application/json")):
        report = await client.get(f"{place}/report.{kind}")
        assert (report.status_code, report.headers["content-type"].partition(";")[0]) == (200, media)
        assert "1831" in report.text
        assert (await client.get(f"{place}/report", headers={"Accept": media})).text == report.text
    assert (await client.get(f"{place}/verify")).json()["faults"] == []
    assert (await client.get(f"{place}/spend")).json()["session_id"] == begun.json()["id"]
    traced = (await client.get(f"{place}/claims/1")).json()
    sha256 = traced["traces"][0]["source"]["sha256"]
    source = (await client.get(f"/api/v1/sources/{sha256}", params={"session": begun.json()["id"]})).json()
    quote = source["quotes"][0]
    assert source["text"][quote["start"] : quote["end"]] == quote["text"]
    log = [json.loads(line) for line in (await client.get(f"{place}/log")).text.splitlines()]
    assert [event["seq"] for event in log] == list(range(1, shown["events"] + 1))


async def test_a_report_is_read_in_the_formats_of_other_programs(served: Served) -> None:
    await served.upload()
    session_id = await served.start(LIGHTHOUSE)
    await served.events(session_id)
    client, place = await served.client(), f"/api/v1/sessions/{session_id}/exports"
    references = await client.get(f"{place}/bibtex")
    assert (references.headers["content-type"], references.text[:6]) == ("application/x-bibtex", "@misc{")
    assert f'filename="{session_id}-bibtex.bib"' in references.headers["content-disposition"]
    notes = await client.get(f"{place}/obsidian")
    with ZipFile(BytesIO(notes.content)) as archive:
        assert any(name.startswith("sources/") for name in archive.namelist())
    assert "no format of exports" in (await client.get(f"{place}/odt")).json()["detail"]
    assert (await client.get(f"{place}/ris", params={"version": 9})).status_code == 400
    theirs = await served.client("read", "acme")
    assert (await theirs.get(f"{place}/bibtex")).status_code == 404


async def test_a_request_that_is_repeated_with_its_key_begins_one_session(served: Served) -> None:
    await served.upload()
    client = await served.client()
    body, key = {"text": LIGHTHOUSE, "docs": DOCS, "settings": {"questions": False}}, {"Idempotency-Key": "k1"}
    answers = await asyncio.gather(*(client.post("/api/v1/sessions", json=body, headers=key) for _ in range(5)))
    [session_id] = {answer.json()["id"] for answer in answers}
    await served.events(session_id)
    again = await client.post("/api/v1/sessions", json=body, headers=key)  # it is finished, and is still the same
    assert (again.status_code, again.json()["id"]) == (201, session_id)
    other = await client.post("/api/v1/sessions", json={**body, "text": BELL}, headers=key)
    assert (other.status_code, "k1" in other.json()["detail"]) == (400, True)
    theirs = await served.client("run", "acme")
    assert (await theirs.post("/api/v1/sessions", json={"text": BELL, "docs": DOCS}, headers=key)).status_code == 400
    assert len((await client.get("/api/v1/sessions")).json()["sessions"]) == 1


async def test_sessions_are_listed_by_status_workflow_and_text_page_by_page(served: Served) -> None:
    await served.upload()
    ids = [await served.start(f"{LIGHTHOUSE} 100%_{number}", questions=False) for number in range(5)]
    for session_id in ids:
        await served.events(session_id)
    waiting = await served.start(UNCLEAR)
    await served.asked(waiting)
    client = await served.client()
    seen: list[str] = []
    query = {"limit": "2"}
    while True:
        page = (await client.get("/api/v1/sessions", params=query)).json()
        assert len(page["sessions"]) <= 2
        seen += [session["id"] for session in page["sessions"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    assert seen == [waiting, *reversed(ids)]

    async def found(**query: str) -> list[str]:
        answer = await client.get("/api/v1/sessions", params=query)
        return [session["id"] for session in answer.json()["sessions"]]

    assert await found(status="waiting") == [waiting]
    assert await found(status="finished", text="100%_3") == [ids[3]]
    assert await found(text="WHEN WAS IT") == [waiting]
    assert await found(workflow="longtask") == []
    assert (await client.get("/api/v1/sessions", params={"cursor": "bm9uc2Vuc2U="})).status_code == 400


async def test_a_question_is_answered_and_what_comes_too_late_is_refused_with_the_state(served: Served) -> None:
    await served.upload()
    session_id = await served.start(UNCLEAR)
    client = await served.client()
    path = f"/api/v1/sessions/{session_id}"
    await served.asked(session_id)
    shown = (await client.get(path)).json()
    assert shown["status"]["state"] == "waiting"
    assert shown["asked"]["questions"] == ["Whom or what does 'it' mean in 'When was it built?'?"]
    answered = await client.post(f"{path}/commands", json={"kind": "answer", "text": "the Aldmouth lighthouse"})
    assert (answered.status_code, answered.json()["effect"]) == (200, "answered")
    assert (await served.events(session_id))[-1].event == "finished"
    late = await client.post(f"{path}/commands", json={"kind": "answer", "text": "the bell"})
    assert (late.status_code, late.headers["content-type"]) == (409, "application/problem+json")
    assert late.json()["state"]["state"] == "finished"
    assert late.json()["type"] == "urn:quaestor:problem:command-refused"
    assert late.json()["detail"].startswith(f"session {session_id}: the session is finished")


async def test_a_plan_is_edited_and_confirmed_and_its_report_asked_on_refreshed_and_forked(served: Served) -> None:
    await served.upload()
    session_id = await served.start(review_plan=True, questions=False)
    client = await served.client()
    path = f"/api/v1/sessions/{session_id}"

    async def told(**command: object) -> tuple[int, dict[str, dict[str, object]]]:
        answer = await client.post(f"{path}/commands", json=command)
        return answer.status_code, answer.json()

    await served.asked(session_id)
    assert (await told(kind="edit_plan", edits=[{"kind": "add", "task": BELL}]))[0] == 200
    assert len((await client.get(f"{path}/plan")).json()["plan"]["todos"]) == 2
    assert (await told(kind="review_plan", review="auto_approved"))[0] == 200
    await served.events(session_id)
    assert (await told(kind="resume"))[0] == 409
    assert (await told(kind="retry", todo_id="t1"))[0] == 409
    seen = (await client.get(path)).json()["events"]
    assert (await told(kind="ask", question="Who kept the Aldmouth lighthouse?"))[0] == 200
    await served.events(session_id, after=str(seen))
    versions = await client.get(f"{path}/diff", params={"from": "1", "to": "2"})
    assert "Who kept the Aldmouth lighthouse?" in versions.text
    assert (await client.get(f"{path}/diff", params={"from": "1", "to": "9"})).status_code == 400
    code, forked = await told(kind="fork", at=5)
    assert (code, forked["session"]["events"]) == (200, 6)
    assert forked["session"]["id"] != session_id
    assert (await told(kind="refresh"))[0] == 200
    assert (await served.events(session_id))[-1].event == "finished"


async def test_a_paused_session_rests_until_it_is_resumed_and_a_cancelled_one_ends(served: Served) -> None:
    await served.upload()
    session_id = await served.start(UNCLEAR)
    client = await served.client()
    path = f"/api/v1/sessions/{session_id}"
    for command, effect in (("pause", "paused"), ("resume", "resumed"), ("cancel", "cancelled")):
        answer = await client.post(f"{path}/commands", json={"kind": command})
        assert (answer.status_code, answer.json()["effect"]) == (200, effect)
    assert (await served.events(session_id))[-1].event == "finished"
    assert (await client.get(path)).json()["status"]["outcome"] == "cancelled"
    missing = await client.get(f"{path}/report")
    assert (missing.status_code, missing.json()["detail"]) == (404, f"session {session_id} has no report yet")


async def test_a_turn_gives_its_session_at_once_and_errors_in_its_answer(served: Served) -> None:
    client = await served.client()
    refused = (await client.post("/api/v1/turns", json={"query": LIGHTHOUSE})).json()
    assert (refused["next_action"], refused["session_id"]) == ("error", None)
    await served.upload()
    session_id = await served.start(UNCLEAR)
    assert (await client.post("/api/v1/turns", json={})).json()["next_action"] == "error"
    answer = {"session_id": session_id, "answer": "the Aldmouth lighthouse"}
    await served.asked(session_id)
    taken = (await client.post("/api/v1/turns", json=answer)).json()
    assert taken == {
        "session_id": session_id,
        "next_action": "processing",
        "output": None,
        "report": None,
        "error": None,
    }
    assert (await served.events(session_id))[-1].event == "finished"


async def test_without_a_worker_sessions_are_begun_for_others_to_carry_on(serve: Serve) -> None:
    served = await serve(sessions=0).begin()
    await served.upload()
    session_id = await served.start()
    following = asyncio.create_task(served.events(session_id))
    await asyncio.sleep(0.2)
    client = await served.client()
    begun = (await client.get(f"/api/v1/sessions/{session_id}")).json()
    assert (begun["events"], begun["status"]["state"]) == (1, "queued")
    listed = (await client.get("/api/v1/sessions", params={"status": "queued"})).json()["sessions"]
    assert [each["id"] for each in listed] == [session_id]
    async with open_home(served.quaestor.home) as other:
        await other.run(session_id)
    assert (await following)[-1].event == "finished"


async def test_sessions_that_were_interrupted_are_resumed_by_the_next_server(serve: Serve) -> None:
    first = await serve(sessions=0).begin()
    await first.upload()
    session_id = await first.start()
    second = await serve().begin()
    assert (await second.events(session_id))[-1].event == "finished"


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({"text": "  "}, 400, "the question is empty"),
        ({"text": "\0"}, 400, "the question is empty"),
        ({"text": LIGHTHOUSE}, 400, "no documents were named"),
        ({"text": LIGHTHOUSE, "docs": ["collection:none"]}, 400, "there is no collection 'none'"),
        ({"text": LIGHTHOUSE, "docs": ["collection:../../etc"]}, 400, "cannot be the name of a collection"),
        ({"text": LIGHTHOUSE, "docs": ["/etc/passwd"]}, 400, "names a file of the server"),
        ({"text": LIGHTHOUSE, "urls": ["file:///etc/passwd"]}, 400, "is no URL"),
        ({"text": LIGHTHOUSE, "urls": ["http://u:p@example.org"]}, 400, "credentials"),
        ({"text": LIGHTHOUSE, "workflow": "nothing"}, 400, "there is no workflow 'nothing'"),
        ({"text": LIGHTHOUSE, "settings": {"model": "script:/etc/passwd"}}, 400, "is a file of the server"),
        ({"text": LIGHTHOUSE, "settings": {"model": "oracle"}}, 400, "'oracle' is not known"),
        ({"text": LIGHTHOUSE, "settings": {"workspace": "/"}}, 422, "body.settings.workspace"),
        ({"text": LIGHTHOUSE, "settings": {"effort": "huge"}}, 422, "body.settings.effort"),
        ({"text": LIGHTHOUSE, "settings": {"max_dollars": "1e999999"}}, 422, "body.settings.max_dollars"),
        ({}, 422, "body.text is missing"),
    ],
)
async def test_what_cannot_be_begun_is_refused_in_the_words_of_the_command_line(
    served: Served, body: dict[str, object], status: int, why: str
) -> None:
    client = await served.client()
    answer = await client.post("/api/v1/sessions", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert why in answer.json()["detail"]
    assert await served.quaestor.sessions() == []


@pytest.mark.parametrize(
    ("media_type", "body", "why"),
    [
        ("application/json", b'{"text": "a" "b"}', "the body is no JSON: Expecting ',' delimiter at character 13"),
        ("application/x-www-form-urlencoded", b"text=a", "send it with the header Content-Type: application/json"),
        ("application/json", b"", "body is missing"),
        ("application/json", b"[1]", "body '[1]' cannot be used: Input should be a valid dictionary"),
    ],
)
async def test_a_body_that_is_no_json_object_is_told_as_what_it_is(
    served: Served, media_type: str, body: bytes, why: str
) -> None:
    client = await served.client()
    answer = await client.post("/api/v1/sessions", content=body, headers={"Content-Type": media_type})
    assert answer.status_code == 422
    assert why in answer.json()["detail"]
    assert {each["place"] for each in answer.json()["faults"]} == {"body"}
    openai = await client.post("/v1/responses", content=body, headers={"Content-Type": media_type})
    assert (openai.status_code, openai.json()["error"]["param"]) == (400, None)


async def test_a_session_is_erased_by_its_tenant_once_nobody_carries_it_on(served: Served) -> None:
    session_id = await served.finished()
    client = await served.client()
    path = f"/api/v1/sessions/{session_id}"

    assert (await client.delete(path)).status_code == 204
    assert (await client.get(path)).status_code == 404
    assert (await client.delete(path)).status_code == 404
    assert (await client.get("/api/v1/sessions")).json()["sessions"] == []


async def test_the_erasure_of_a_session_waits_until_its_process_has_let_go_of_it(served: Served) -> None:
    session_id = await served.finished()
    client = await served.client()

    async def last_lease() -> Lease | None:
        lease = await served.quaestor.store.lease(session_id)
        return lease if lease and lease.is_released else None

    released = await until(last_lease)
    assert released is not None
    lease = await served.quaestor.store.take_lease(session_id, current_process(), released.epoch, LATE)
    assert lease is not None
    deleting = asyncio.create_task(client.delete(f"/api/v1/sessions/{session_id}"))
    await asyncio.sleep(0.2)
    assert not deleting.done()
    await served.quaestor.store.release_lease(lease)
    assert (await deleting).status_code == 204
    metrics = await client.get("/metrics")
    assert metrics.status_code == 200
    assert {"quaestor_queue_sessions 0", "quaestor_workers 0"} <= set(metrics.text.splitlines())
    page = (Path(__file__).parents[3] / "docs" / "deploy.md").read_text(encoding="utf-8")
    rows = "".join(line for line in page.splitlines() if line.startswith("| `quaestor_"))
    assert set(re.findall(r"`(quaestor_\w+)`", rows)) == set(re.findall(r"# TYPE (\w+)", metrics.text))


async def test_what_was_paused_until_a_time_goes_on_by_itself_and_nothing_else_does(served: Served) -> None:
    corpus = await served.quaestor.index([write_papers(served.quaestor.home.parent)])
    due, paused, begun = [await served.quaestor.start(f"{LIGHTHOUSE} #{number}", corpus) for number in range(3)]
    assert await served.quaestor.tell(paused, Pause()) is None
    assert await served.quaestor.tell(due, Pause(until=served.quaestor.clock.now() + timedelta(seconds=3))) is None

    async def is_done() -> bool:
        return (await served.quaestor.session(due)).outcome == "done"

    await until(is_done)
    assert (await served.quaestor.status(paused)).state == "paused"
    assert (await served.quaestor.session(begun)).events == 1
