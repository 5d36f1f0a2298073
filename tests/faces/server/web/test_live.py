"""The page of a session: what it shows, its commands as forms, its stream, and who sees it."""

import asyncio
import json
import re
from pathlib import Path

import httpx2
import yaml

from faces.server.served import Serve, Served, until
from faces.server.web.browsing import HTML, csrf_of, signed_in
from fakes.sittings import LIGHTHOUSE
from fakes.workshops import playbook
from quaestor.app.operations import places
from quaestor.app.watching.live_page import LiveSessions

OF_SESSIONS = sorted(route for route in places("pages") if "session_id" in route)
EVIL = "<script>alert(1)</script> \u202e \x1b[31m [x](javascript:alert(1)) <a href='javascript:alert(1)'>"
VAGUE = "When was it built?"


async def give(client: httpx2.AsyncClient, served: Served, session_id: str, **fields: str) -> httpx2.Response:
    """Send one of the forms of a session, and come back to its page as a browser does."""
    data = {"csrf": await csrf_of(client), **fields}
    answer = await client.post(f"/sessions/{session_id}/commands", data=data, headers={"Origin": served.url})
    return await client.get(answer.headers["location"]) if answer.status_code == 303 else answer


async def test_a_finished_session_is_shown_with_its_plan_findings_and_sources(serve: Serve) -> None:
    served = await serve().begin()
    session_id = await served.finished()
    page = (await (await signed_in(served)).get(f"/sessions/{session_id}")).text
    for shown in (
        'class="plan"',
        'class="timeline"',
        "The Aldmouth lighthouse was built in 1831",
        "Sources read",
        "$0.00",
    ):
        assert shown in page, shown
    assert "hx-sse:connect" not in page  # nothing more comes
    assert not re.search(r' style=| on\w+="', page)


async def test_a_session_leads_to_its_report_as_soon_as_there_is_one_and_not_before(serve: Serve) -> None:
    served = await serve().begin()
    await served.upload()
    waiting, empty, written = (
        await served.start(VAGUE),
        await served.start("Who won at chess?"),
        await served.finished(),
    )
    await served.asked(waiting)
    await served.events(empty)
    client = await signed_in(served)
    for session_id, has_report in ((waiting, False), (empty, False), (written, True)):
        pages = [(await client.get(f"/sessions/{session_id}{path}")).text for path in ("", "/inside")]
        assert ["/report" in page for page in pages] == [has_report, has_report]
        assert ("Ask on" in pages[0]) == (session_id != waiting)
    assert "There is no report yet." in (await client.get(f"/sessions/{waiting}/report")).text
    assert "See how it ended" in (await client.get(f"/sessions/{empty}/report")).text


async def test_a_question_of_many_lines_is_a_short_heading_that_opens(serve: Serve) -> None:
    served = await serve(sessions=0).begin()
    await served.upload()
    question = f"{LIGHTHOUSE} {'The harbour of the town is meant. ' * 30}The end."
    page = (await (await signed_in(served)).get(f"/sessions/{await served.start(question)}")).text
    heading = page.partition("<h1>")[2].partition("</h1>")[0]
    assert (len(heading) < 300, "The end." in heading) == (True, False)
    assert "The end." in page.partition("The whole question</summary>")[2]


async def test_a_report_is_whole_in_its_own_language(serve: Serve) -> None:
    served = await serve().begin()
    await served.upload(
        {"turm.md": "# Der Leuchtturm\n\nDer Leuchtturm von Aldmouth wurde 1831 von Henrike Vos gebaut.\n"}
    )
    session_id = await served.start("Wann wurde der Leuchtturm von Aldmouth gebaut?", questions=False)
    await served.events(session_id)
    page = (await (await signed_in(served)).get(f"/sessions/{session_id}/report")).text
    document = page.partition('<article class="document" lang="de"')[2].partition(
        '<section class="panel" id="ask" lang="en"'
    )[0]
    assert all(words in document for words in ("Fassung 1", "Quellen", "Abgerufen", "Wie dies entstand"))
    assert not re.search("Retrieved|version 1|How this was made|Sources", document)


async def test_a_task_is_shown_as_well(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "steps.yaml").write_text("- say: Hello.\n  done: Hello.\n", encoding="utf-8")
    served = await serve({"model": f"playbook:{tmp_path / 'steps.yaml'}"}).begin()
    client = await signed_in(served)
    data = {"csrf": await csrf_of(client), "text": "Write a greeting.", "workflow": "longtask"}
    answer = await client.post("/sessions", data=data, headers={"Origin": served.url})
    assert answer.status_code == 303, answer.text
    await served.events(answer.headers["location"].rpartition("/")[2])
    page = await client.get(answer.headers["location"])
    assert (page.status_code, 'class="badge done"' in page.text) == (200, True)
    assert "Hello." in page.text


async def test_a_call_is_approved_for_good_listed_and_asked_about_again(serve: Serve, tmp_path: Path) -> None:
    contents = {"a": "<b>one</b>\ntwo", "b": "b", "c": "c"}
    calls = [{"say": name, "write_file": {"path": f"{name}.txt", "content": text}} for name, text in contents.items()]
    model = playbook(tmp_path, *calls, {"say": "Done.", "done": "Done."})
    served = await serve({"model": model, "approve": ["write_file"]}).begin()
    client = await signed_in(served)
    data = {"csrf": await csrf_of(client), "text": "Write three files.", "workflow": "longtask", "questions": "true"}
    begun = await client.post("/sessions", data=data, headers={"Origin": served.url})
    session_id = begun.headers["location"].rpartition("/")[2]
    await served.asked(session_id)
    page = (await client.get(f"/sessions/{session_id}")).text
    assert all(f'value="always {scope}"' in page for scope in ("command", "tool", "session"))
    assert "It wants to call write_file with:" in page
    assert (
        page.index(">&lt;b&gt;one&lt;/b&gt;\ntwo</pre>") < page.index("Yes, allow it") < page.index("exactly this: {")
    )
    assert page.index("Yes, allow it") < page.index("Send the answer")
    await give(client, served, session_id, kind="answer", text="always command")
    await served.asked(session_id)
    [approved] = (await (await served.client("read")).get(f"/api/v1/sessions/{session_id}/approvals")).json()
    assert (approved["tool"], "a.txt" in approved["call"]) == ("write_file", True)
    assert "Ask me again" in (await client.get(f"/sessions/{session_id}")).text
    shown = await give(client, served, session_id, kind="revoke_approval", standing=json.dumps(approved))
    assert "You are asked again." in shown.text
    assert "Ask me again" not in shown.text
    await give(client, served, session_id, kind="answer", text="always tool")
    assert [each.event for each in await served.events(session_id)][-1] == "finished"
    ended = (await client.get(f"/sessions/{session_id}")).text
    assert "every call of write_file" in ended
    assert "Ask me again" not in ended


async def test_markup_in_a_source_is_text(serve: Serve) -> None:
    served = await serve().begin()
    name = "<img src=x onerror=alert(1)>.md"
    await served.upload({name: f"# {EVIL}\n\nThe Aldmouth lighthouse was built in 1831 {EVIL} by Henrike Vos.\n"})
    session_id = await served.start(questions=False)
    await served.events(session_id)
    page = (await (await signed_in(served)).get(f"/sessions/{session_id}")).text
    assert "1831 &lt;script&gt;" in page
    assert not re.search("<script>|<img src=x|href=[\"']?javascript|[\u202e\x1b]", page)


async def test_the_stream_ends_with_the_session_and_says_so(serve: Serve) -> None:
    served = await serve().begin()
    await served.upload()
    session_id = await served.start(questions=False)
    client = await signed_in(served)
    async with asyncio.timeout(300):
        stream = (await client.get(f"/sessions/{session_id}/live")).text
    *states, last = stream.removeprefix("retry: 2000\n\n").split("\n\n")[:-1]
    assert last == "event: finished\ndata: finished"
    assert all(line.startswith("data: ") for state in states for line in state.splitlines() if not line.startswith(":"))
    assert 'class="badge done"' in states[-1]


async def test_a_question_is_a_form_and_its_answer_carries_the_session_on(serve: Serve) -> None:
    served = await serve().begin()
    await served.upload()
    session_id = await served.start(VAGUE, questions=True)
    await served.asked(session_id)
    client = await signed_in(served)
    assert "A question for you" in (await client.get(f"/sessions/{session_id}")).text
    page = await give(client, served, session_id, kind="answer", text="the Aldmouth lighthouse")
    assert "Your answer is in the log." in page.text
    await served.events(session_id)
    assert 'class="badge done"' in (await client.get(f"/sessions/{session_id}")).text


async def test_a_plan_is_edited_in_a_form_and_its_changes_are_shown_before_they_are_made(serve: Serve) -> None:
    served = await serve().begin()
    await served.upload()
    session_id = await served.start(questions=False, review_plan=True)
    await served.asked(session_id)
    client = await signed_in(served)
    form = (await client.get(f"/sessions/{session_id}/plan")).text
    [seen] = re.findall(r'name="seen" value="(\d+)"', form)
    [task] = re.findall(r'name="task-t1"[^>]*>([^<]*)<', form)
    own = {"csrf": await csrf_of(client), "seen": seen, "task-t1": task}
    path, origin = f"/sessions/{session_id}/plan", {"Origin": served.url}
    same = await client.post(path, data=own, headers=origin)
    assert "Nothing is changed yet." in same.text
    refused = await client.post(path, data={**own, "task-new": "Who?", "after-new": "t7"}, headers=origin)
    assert (refused.status_code, "cannot depend on t7" in refused.text) == (409, True)
    assert ">Who?</textarea>" in refused.text
    emptied = await client.post(path, data={**own, "task-t1": " "}, headers=origin)
    assert (emptied.status_code, "the plan cannot be used: task" in emptied.text) == (409, True)
    gone = await client.post(path, data={**own, "task-t7": "Who lit it?"}, headers=origin)
    assert (gone.status_code, "t7 is not in the plan" in gone.text) == (409, True)
    shown = await client.post(path, data={**own, "task-new": "Who kept <it>?", "after-new": "t1"}, headers=origin)
    assert "+ t2 [research] Who kept &lt;it&gt;? (after t1), at the end" in shown.text
    assert len((await served.quaestor.plan(session_id)).todos) == 1
    [edits] = re.findall(r'name="edits" value="([^"]*)"', shown.text)
    edits = edits.replace("&#34;", '"').replace("&lt;", "<").replace("&gt;", ">")
    await give(client, served, session_id, kind="edit_plan", edits=edits, seen=seen)
    assert [todo.task for todo in (await served.quaestor.plan(session_id)).todos][1:] == ["Who kept <it>?"]
    stale = await give(client, served, session_id, kind="edit_plan", edits=edits, seen="1")
    assert (stale.status_code, "edited by somebody else" in stale.text) == (409, True)


async def test_a_pause_holds_also_where_the_session_got_more_budget_before(serve: Serve, tmp_path: Path) -> None:
    script = tmp_path / "slow.yaml"
    script.write_text(yaml.safe_dump({"reader": [{"latency": 60, "times": 9}]}), encoding="utf-8")
    served = await serve({"model": f"script:{script}"}).begin()
    await served.upload()
    session_id = await served.start(questions=False, max_tokens=100_000)
    await until(lambda: served.quaestor.holder(session_id))
    client = await signed_in(served)
    assert (await give(client, served, session_id, kind="add_budget", tokens="10")).status_code == 200
    assert (await give(client, served, session_id, kind="pause")).status_code == 200

    async def is_at_rest() -> bool:
        return served.state.worker is not None and served.state.worker.load().running == 0

    await until(is_at_rest)
    assert (await served.quaestor.status(session_id)).state == "paused"
    await give(client, served, session_id, kind="resume")
    await until(lambda: served.quaestor.holder(session_id))


async def test_a_command_that_is_refused_is_explained_on_the_page(serve: Serve) -> None:
    served = await serve().begin()
    session_id = await served.finished()
    client = await signed_in(served)
    for fields, status, reason in (
        ({"kind": "pause"}, 409, "finished"),
        ({"kind": "nonsense"}, 400, "the command cannot be used"),
        ({"kind": "edit_plan", "edits": "{"}, 400, "the command cannot be read"),
        ({"kind": "add_budget", "tokens": "-1"}, 400, "tokens"),
    ):
        answer = await give(client, served, session_id, **fields)
        assert (answer.status_code, reason in answer.text) == (status, True), fields


async def test_a_fork_leads_to_the_new_session_and_an_erased_one_is_gone(serve: Serve) -> None:
    served = await serve().begin()
    session_id = await served.finished()
    client = await signed_in(served)
    page = await give(client, served, session_id, kind="fork", at="4")
    assert "This is the fork." in page.text
    assert page.url.path != f"/sessions/{session_id}"
    data = {"csrf": await csrf_of(client)}

    async def is_erased() -> bool:
        path = f"/sessions/{session_id}/erase"
        return (await client.post(path, data=data, headers={"Origin": served.url})).status_code == 303

    await until(is_erased)
    assert (await client.get(f"/sessions/{session_id}")).status_code == 404


async def test_a_tenant_sees_no_page_of_a_session_of_another(serve: Serve) -> None:
    served = await serve().begin()
    session_id = await served.finished(tenant="acme")
    other = await served.client("admin", "umbrella")
    for route in OF_SESSIONS:
        method, path = route.split(" ")
        answer = await other.request(
            method, path.format(session_id=session_id, number=1, seq=1), data={"kind": "resume"}, headers=HTML
        )
        assert (answer.status_code, "there is no session" in answer.text) == (404, True), route


async def test_who_may_only_read_sees_no_form_and_sends_none(serve: Serve) -> None:
    served = await serve().begin()
    session_id = await served.finished()
    client = await served.client("read")
    page = await client.get(f"/sessions/{session_id}", headers=HTML)
    assert (page.status_code, "/commands" in page.text, "/erase" in page.text) == (200, False, False)
    for route in OF_SESSIONS:
        method, path = route.split(" ")
        if method == "POST":
            answer = await client.post(path.format(session_id=session_id, number=1, seq=1), data={"kind": "resume"})
            assert answer.status_code == 403, route


async def test_too_many_open_pages_are_refused(serve: Serve) -> None:
    served = await serve(streams=1, sessions=0).begin()
    await served.upload()
    session_id = await served.start(LIGHTHOUSE)
    client = await signed_in(served)
    served.state.open_streams = 1
    assert (await client.get(f"/sessions/{session_id}/live")).status_code == 503


async def test_a_log_that_takes_long_to_read_is_shown_as_far_as_it_was_read(serve: Serve) -> None:
    served = await serve().begin()
    session_id = await served.finished()
    events = (await served.quaestor.session(session_id)).events
    live = LiveSessions(page_events=1)
    assert not (await live.read(served.quaestor, session_id, patience=0)).is_whole
    whole = await live.read(served.quaestor, session_id)
    assert (whole.is_whole, whole.seq) == (True, events)
    assert [todo.status for todo in whole.todos] == ["done"]
