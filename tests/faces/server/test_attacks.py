"""What a caller with a token of scope `run` may not reach: the files, the network, the settings and other tenants."""

import base64
import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from faces.server.served import COLLECTION, Serve, Served
from fakes.sittings import LIGHTHOUSE

SESSIONS = "/api/v1/sessions"
SETTINGS: tuple[dict[str, JsonValue], ...] = (
    {"model": "script:/etc/passwd"},
    {"model": "playbook:/etc/passwd"},
    {"models": {"reader": "script:/etc/passwd"}},
    {"providers": {"openai": {"base_url": "http://evil.example"}}},
    {"providers": {"x": {"base_url": "http://evil.example", "key_env": "OPENAI_API_KEY"}}},
    {"embeddings": "openai:x", "providers": {}},
    {"mcp": {"x": {"command": "sh", "args": ["-c", "id"]}}},
    {"databases": {"x": {"url": "sqlite:////etc/passwd"}}},
    {"agents": "/srv"},
    {"workspace": "/etc"},
    {"allow": ["shell"], "workspace": "/"},
    {"follow": ["jsonl:/srv/x"]},
    {"anchors": "/srv/x"},
    {"robots": False, "contact": "x\r\nX-Evil: 1"},
    {"home": "/srv"},
    {"__class__": "x"},
)
BODIES = (
    b"",
    b"[]",
    b"null",
    b"{" * 50_000,
    b"[" * 200_000 + b"]" * 200_000,
    b'{"text": "a", "text": "b"',
    b'{"text": NaN}',
    b'{"text": "\\ud800"}',
    b'{"text": "a\\u0000b"}',
    b'{"text": 1e999}',
    b"\xff\xfe{\x00}\x00",
    b'{"text": "' + b"a" * 30_000 + b'"}',
    json.dumps({"text": LIGHTHOUSE, "settings": {"max_usd": "1e400"}}).encode(),
    json.dumps({"text": LIGHTHOUSE, "settings": {"max_tokens": -1}}).encode(),
    json.dumps({"text": LIGHTHOUSE, "settings": {"loops": 10**30}}).encode(),
    json.dumps({"text": LIGHTHOUSE, "workflow": "../../x"}).encode(),
    json.dumps({"text": LIGHTHOUSE, "docs": ["/etc"]}).encode(),
    json.dumps({"text": LIGHTHOUSE, "docs": ["collection:../../other"]}).encode(),
    json.dumps({"text": LIGHTHOUSE, "docs": ["file:///etc/passwd"]}).encode(),
    json.dumps({"text": LIGHTHOUSE, "urls": ["https://me:hunter-two@example.org"]}).encode(),
    json.dumps({"text": LIGHTHOUSE, "urls": ["file:///etc/passwd"]}).encode(),
)


@pytest.mark.parametrize("scope", ["run", "admin"])
async def test_no_setting_reads_writes_or_starts_something_on_the_server(served: Served, scope: str) -> None:
    client = await served.client("run" if scope == "run" else "admin")
    for settings in SETTINGS:
        if scope == "admin" and str(settings.get("model", "")).startswith(("script:", "playbook:")):
            continue  # an admin names files of the server
        if scope == "admin" and "models" in settings:
            continue
        answer = await client.post(SESSIONS, json={"text": LIGHTHOUSE, "settings": settings})
        assert 400 <= answer.status_code < 500, (settings, answer.text)
        assert "root:" not in answer.text
    assert await served.quaestor.sessions() == []


async def test_a_body_that_is_none_begins_nothing(served: Served) -> None:
    client = await served.client("run")
    for body in BODIES:
        answer = await client.post(SESSIONS, content=body, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500, (body[:80], answer.text)
        assert "hunter" not in answer.text
    assert await served.quaestor.sessions() == []


async def test_no_method_and_no_header_stands_for_another_one(served: Served) -> None:
    session_id = await served.finished()
    reader = await served.client("read")
    for header in ("X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"):
        answer = await reader.post(f"{SESSIONS}/{session_id}", headers={header: "DELETE"})
        assert answer.status_code == 405
    for method in ("TRACE", "CONNECT", "PATCH", "PUT", "PROPFIND", "DELETE"):
        assert (await reader.request(method, f"{SESSIONS}/{session_id}")).status_code in {403, 405}
    for header in ("X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Prefix"):
        assert (await served.anonymous().get("/healthz", headers={header: SESSIONS})).json() == {"status": "ok"}
    assert (await served.quaestor.session(session_id)).id == session_id


async def test_no_address_that_a_client_claims_gives_it_requests_of_its_own(serve: Serve) -> None:
    served = await serve(requests_a_minute=3).begin()
    claims = [{"X-Forwarded-For": f"10.0.0.{n}", "Forwarded": f"for=10.0.0.{n}"} for n in range(6)]
    answers = [await served.anonymous().get("/api/v1/me", headers=claim) for claim in claims]
    assert [answer.status_code for answer in answers][-2:] == [429, 429]


async def test_two_tokens_at_once_are_not_two_callers(served: Served) -> None:
    session_id = await served.finished(tenant="acme")
    other, own = await served.secret("run", "umbrella"), await served.secret("read", "acme")
    two = [("Authorization", f"Bearer {other}"), ("Authorization", f"Bearer {own}")]
    for headers in (two, two[::-1]):
        found = await served.anonymous().delete(f"{SESSIONS}/{session_id}", headers=headers)
        assert found.status_code in {401, 403, 404}
    mixed = {"Authorization": f"Bearer {other}", "Cookie": f"quaestor_login={own}"}
    assert (await served.anonymous().get(f"{SESSIONS}/{session_id}", headers=mixed)).status_code == 404


async def test_a_key_a_cursor_and_a_place_of_one_tenant_are_nothing_to_another(served: Served) -> None:
    acme, other = await served.client("run", "acme"), await served.client("run", "umbrella")
    session_id = await served.finished(tenant="acme")
    body = {"text": "Who built it?", "settings": {"questions": False}}
    first = await acme.post(SESSIONS, json=body, headers={"Idempotency-Key": "k"})
    second = await other.post(SESSIONS, json=body, headers={"Idempotency-Key": "k"})
    assert first.status_code == second.status_code == 400 or first.json()["id"] != second.json()["id"]
    at = (await served.quaestor.session(session_id)).created_at.isoformat()
    for cursor in (f"{at} {session_id}", f"9999-12-31T00:00:00+00:00 {session_id}", "x", f"{at} ' OR 1=1 --", f"{at}"):
        found = await other.get(SESSIONS, params={"cursor": base64.urlsafe_b64encode(cursor.encode()).decode()})
        assert session_id not in found.text
        assert found.status_code in {200, 400}
    for place in ("../acme", f"{session_id}/../..", "%2e%2e", f"{session_id}%00", "*", f"{session_id[:-1]}?"):
        assert (await other.get(f"{SESSIONS}/{place}")).status_code in {400, 404, 405}


async def test_the_uploads_of_one_tenant_are_nothing_to_another(served: Served) -> None:
    await served.upload(tenant="acme")
    other = await served.client("run", "umbrella")
    for name in (COLLECTION, f"../acme/{COLLECTION}", f"acme/{COLLECTION}"):
        answer = await other.post(SESSIONS, json={"text": LIGHTHOUSE, "docs": [f"collection:{name}"]})
        assert answer.status_code == 400, answer.text
        sent = {"files": {"files": ("lighthouse.md", b"evil")}, "data": {"collection": name}}
        await other.post("/api/v1/files", **sent)  # type: ignore[arg-type]
    own = served.quaestor.home / "uploads" / "acme" / COLLECTION / "lighthouse.md"
    assert b"evil" not in own.read_bytes()


@pytest.mark.soak
async def test_an_upload_of_very_many_parts_is_refused(served: Served) -> None:
    client = await served.client("run")
    many = [("files", (f"{n}.txt", b"")) for n in range(1_100)]
    fields = {f"field{n}": "x" for n in range(1_100)}
    for sent in ({"files": many}, {"files": many[:1], "data": fields}):
        assert (await client.post("/api/v1/files", **sent)).status_code == 400


async def test_what_an_assistant_names_is_held_to_the_same_limits(served: Served, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("The code is 1831.", encoding="utf-8")
    client = await served.client("run")
    headers = {"Accept": "application/json, text/event-stream"}

    async def tool(name: str, **arguments: JsonValue) -> str:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        return (await client.post("/mcp", json=body, headers=headers)).text

    for docs in (str(tmp_path), f"{tmp_path}/secret.txt", "..", "collection:../../x", "file:///etc/passwd"):
        for name, more in (("research_start", {"question": LIGHTHOUSE}), ("search_documents", {"query": "code"})):
            answer = await tool(name, docs=[docs], **more)
            assert "1831" not in answer, answer
            assert '"isError":true' in answer.replace(" ", "") or '"error"' in answer, answer
    for body in (b"", b"[]", b"{}", b'{"jsonrpc": "2.0"}', b"[" * 10_000, b'{"jsonrpc":"2.0","id":1,"method":"../x"}'):
        broken = await client.post("/mcp", content=body, headers={**headers, "Content-Type": "application/json"})
        assert broken.status_code < 500, (body, broken.text)
    assert await served.quaestor.sessions() == []


async def test_no_address_of_the_server_itself_is_asked_for_a_session(served: Served) -> None:
    await served.upload()
    client = await served.client("admin")
    for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "127.1", "0.0.0.0"):  # noqa: S104 -- asked for
        body = {"text": f"{LIGHTHOUSE} {host}", "urls": [f"http://{host}:{served.state.port}/healthz"]}
        before = served.state.responses.total()
        answer = await client.post(SESSIONS, json={**body, "settings": {"questions": False}})
        assert answer.status_code == 201, answer.text
        assert (await served.events(answer.json()["id"]))[-1].event == "finished"
        assert served.state.responses.total() == before + 2, host  # to the two requests of this test
