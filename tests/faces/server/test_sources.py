"""Sources over HTTP: found by their hash, under the names of one's own sessions, and drawn page by page."""

import httpx2

from faces.server.served import COLLECTION, Served
from fakes.papers import PAPERS
from fakes.pdf import pdf
from fakes.png import marked_rows
from fakes.sittings import LIGHTHOUSE
from quaestor.storage.originals import OriginalFiles
from quaestor.storage.sqlite import SqliteStore

PDF_LINES = ["Harbour records", "The Aldmouth lighthouse was built in 1831 by the", "harbour board of the town."]


async def cited(client: httpx2.AsyncClient, session_id: str) -> str:
    answer = await client.get(f"/api/v1/sessions/{session_id}/claims/1")
    return str(answer.json()["traces"][0]["source"]["sha256"])


async def test_a_source_is_found_without_its_session_under_the_names_of_ones_own(served: Served) -> None:
    mine = await served.finished()
    await served.upload({f"theirs-{name}": text for name, text in PAPERS.items()}, tenant="acme")
    theirs = await served.start(tenant="acme", questions=False)
    await served.events(theirs, tenant="acme")
    client, other = await served.client(), await served.client("run", "acme")
    path = f"/api/v1/sources/{await cited(client, mine)}"
    own, foreign = (await client.get(path)).json(), (await other.get(path)).json()
    assert own == (await client.get(path, params={"session": mine})).json()
    assert own["quotes"]
    assert ("theirs" in own["source"]["uri"], "theirs" in foreign["source"]["uri"]) == (False, True)
    assert (await other.get(path, params={"session": mine})).status_code == 404
    nobody = await served.client("run", "nobody")
    assert (await nobody.get(path)).status_code == 404
    assert (await client.get(f"/api/v1/sources/{'0' * 64}")).json()["type"] == "urn:quaestor:problem:no-source"


async def test_a_page_of_a_pdf_file_is_drawn_with_its_quotes_as_long_as_it_is_what_was_read(served: Served) -> None:
    client = await served.client()
    paper = ("paper.pdf", pdf(PDF_LINES, ["Another page."]))
    await client.post("/api/v1/files", files=[("files", paper)], data={"collection": COLLECTION})
    session_id = await served.start(LIGHTHOUSE, questions=False)
    await served.events(session_id)
    path = f"/api/v1/sources/{await cited(client, session_id)}/pages"
    page = (await client.get(f"{path}/1")).json()
    answer = await client.get(f"{path}/1.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert marked_rows(answer.content)[2] > 0
    start = page["start"] + page["text"].index("Harbour")
    span = {"session": session_id, "start": str(start), "end": str(start + 7)}
    assert 0 < marked_rows((await client.get(f"{path}/1.png", params=span)).content)[2] < 40
    stranger = await served.client("run", "acme")
    assert [
        (await each.get(f"{path}/{name}")).status_code for each, name in ((stranger, "1.png"), (client, "3.png"))
    ] == [
        404,
        404,
    ]
    place = served.quaestor.home / "uploads" / "local" / COLLECTION / "paper.pdf"
    place.write_bytes(pdf(["Something else."]))
    changed = await client.get(f"{path}/1.png")
    assert (changed.status_code, changed.json()["type"]) == (404, "urn:quaestor:problem:no-picture")
    assert "other words" in changed.json()["detail"]
    place.unlink()
    assert "the text is kept" in (await client.get(f"{path}/1.png")).json()["detail"]


async def test_a_text_has_no_picture(served: Served) -> None:
    session_id = await served.finished()
    client = await served.client()
    answer = await client.get(f"/api/v1/sources/{await cited(client, session_id)}/pages/1.png")
    assert answer.status_code == 404


async def test_a_file_that_was_fetched_is_drawn_from_what_the_session_kept(served: Served) -> None:
    client, stranger = await served.client(), await served.client("run", "acme")
    paper = pdf(PDF_LINES)
    upload = [("files", ("paper.pdf", paper))]
    await client.post("/api/v1/files", files=upload, data={"collection": COLLECTION})
    session_id = await served.start(LIGHTHOUSE, questions=False)
    await served.events(session_id)
    sha256 = await cited(client, session_id)
    assert isinstance(served.quaestor.store, SqliteStore)
    served.quaestor.store._database.run("UPDATE session_sources SET uri = 'https://example.org/paper.pdf'")
    path = f"/api/v1/sources/{sha256}/pages/1.png"
    absent = await client.get(path)
    assert (absent.status_code, "https://example.org/paper.pdf" in absent.json()["detail"]) == (404, True)
    OriginalFiles(served.quaestor.home, session_id).keep(sha256, paper)
    assert marked_rows((await client.get(path)).content)[2] > 0
    assert (await stranger.get(path)).status_code == 404
