"""The first page: sessions with their status, cost and age, and the form of a new one."""

import re

import httpx2

from faces.server.served import Serve, Served
from faces.server.web.browsing import csrf_of, signed_in
from fakes.papers import PAPERS
from fakes.sittings import LIGHTHOUSE
from quaestor.research.options import ResearchOptions

HOSTILE = 'A <script>alert(1)</script> "onload=x \u202egnp.exe\u2069 \x1b[31m javascript:alert(1)?'


async def submit(
    client: httpx2.AsyncClient, served: Served, fields: dict[str, str], papers: dict[str, str] | None = None
) -> httpx2.Response:
    """Send the form as a browser does that runs no script."""
    files = [("files", (name, text.encode())) for name, text in (papers or {"": ""}).items()]
    data = {"csrf": await csrf_of(client), **fields}
    return await client.post("/sessions", data=data, files=files, headers={"Origin": served.url})


async def test_research_begins_on_files_that_were_dropped(serve: Serve) -> None:
    served = await serve().begin()
    client = await signed_in(served)
    fields = {"text": LIGHTHOUSE, "effort": "low", "max_dollars": "1.50", "max_minutes": "2"}
    form = {"allowed_domains": "a.org, b.org", "since": "1800-01-01", "language": "pt", "sections": "Cost\nRisks"}
    answer = await submit(client, served, {**fields, **form}, dict(PAPERS))
    assert answer.status_code == 303, answer.text
    session_id = answer.headers["location"].rpartition("/")[2]
    await served.events(session_id)
    options = await served.quaestor.options(session_id)
    assert (str(options.budget.dollars), options.budget.seconds, options.questions) == ("1.50", 120, False)
    assert isinstance(options, ResearchOptions)
    assert (options.allowed_domains, str(options.since)) == (("a.org", "b.org"), "1800-01-01")
    assert (options.language, options.sections) == ("pt", ("Cost", "Risks"))
    page = (await client.get("/")).text
    assert f'href="/sessions/{session_id}"' in page
    assert re.search(r'class="badge done">Done<.*\$0\.00.*ago</time>', page, re.DOTALL)
    assert "in 1 session with this model" in page


async def test_a_form_that_cannot_be_used_is_shown_again_with_the_reason_and_what_was_written(serve: Serve) -> None:
    served = await serve().begin()
    client = await signed_in(served)
    for fields, papers, reason in (
        ({"text": LIGHTHOUSE}, None, "no documents were named"),
        ({"text": LIGHTHOUSE, "max_dollars": "-1"}, PAPERS, "max_dollars cannot be used"),
        ({"text": LIGHTHOUSE, "model": "nobody:nothing"}, PAPERS, "nobody"),
        ({"text": LIGHTHOUSE, "denied_domains": "not/one"}, PAPERS, "denied_domains"),
        ({"text": LIGHTHOUSE, "workflow": "nonsense"}, PAPERS, "there is no workflow"),
        ({"text": LIGHTHOUSE}, {"a.bin": "\x00\x01"}, "skipped: not text"),
    ):
        answer = await submit(client, served, fields, dict(papers or {"": ""}))
        assert (answer.status_code, reason in answer.text) == (400, True), re.findall("notice problem.*", answer.text)
        assert f">{LIGHTHOUSE}</textarea>" in answer.text
    assert await served.quaestor.sessions() == []


async def test_an_unreadable_file_among_others_is_counted(serve: Serve) -> None:
    served = await serve().begin()
    client = await signed_in(served)
    answer = await submit(client, served, {"text": LIGHTHOUSE}, {**PAPERS, "a.bin": "\x00\x01"})
    assert answer.headers["location"].endswith("?skipped=1")


async def test_sessions_are_found_by_words_and_status_page_by_page(serve: Serve) -> None:
    served = await serve(sessions=0).begin()
    await served.upload()
    for number in range(7):
        await served.start(f"When was lighthouse {number} built?")
    client = await signed_in(served)
    first = await client.get("/", params={"limit": 3, "text": "lighthouse", "status": "queued"})
    [older] = re.findall(r'class="button" href="([^"]+)"', first.text)
    second = await client.get(older.replace("&amp;", "&"))
    shown = [re.findall(r"When was lighthouse (\d) built", answer.text) for answer in (first, second)]
    assert shown == [["6", "5", "4"], ["3", "2", "1"]]
    none = (await client.get("/", params={"text": "windmill"})).text
    assert "No session fits." in none


async def test_a_title_full_of_markup_is_text(serve: Serve) -> None:
    served = await serve(sessions=0).begin()
    await served.upload()
    await served.start(HOSTILE)
    page = (await (await signed_in(served)).get("/")).text
    assert "<script>alert" not in page
    assert "A &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.search("[\u202e\u2069\x1b]", page)


async def test_who_may_only_read_is_shown_no_form(serve: Serve) -> None:
    served = await serve().begin()
    page = await (await served.client("read")).get("/", headers={"Accept": "text/html"})
    assert (page.status_code, 'action="/sessions"' in page.text) == (200, False)
