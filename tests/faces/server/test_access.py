"""Who may use a server: tokens, scopes, tenants, browsers, and the limits at its border."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from starlette.routing import BaseRoute

from faces.server.served import COLLECTION, Serve, Served
from fakes.sittings import LIGHTHOUSE
from quaestor.app.network.access import add_token, list_tokens, revoke_token
from quaestor.app.operations import places
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.faces.server.application import build_app

OPEN = {"GET /healthz", "GET /readyz", "GET /login"}
GUARDED = sorted(places("routes") - OPEN)
CHANGING = sorted(route for route in GUARDED if not route.startswith("GET ") and route != "POST /logout")
OF_SESSIONS = [route for route in GUARDED if re.search(r"\{(session|response|conversation)_id\}", route)]
SHA256 = "0" * 64
BODIES: dict[str, dict[str, object]] = {
    "/api/v1/sessions": {"json": {"text": LIGHTHOUSE}},
    "/api/v1/turns": {"json": {"query": LIGHTHOUSE}},
    "/api/v1/files": {"files": {"files": ("a.txt", b"a")}},
}


async def call(client: httpx2.AsyncClient, route: str, session_id: str = "s", **more: object) -> httpx2.Response:
    """Call a route with what it takes."""
    method, path = route.split(" ")
    filled = path.format(
        session_id=session_id,
        response_id=f"resp_{session_id}_0",
        conversation_id=f"conv_{session_id}",
        model="quaestor-task",
        collection="harbour",
        name="a.md",
        form="md",
        number=1,
        sha256=SHA256,
    )
    query = {"session": session_id} if "sources" in path else {"from": "1", "to": "2"} if "diff" in path else {}
    body = BODIES.get(path) or ({"json": {"kind": "pause"}} if path.endswith("/commands") else {})
    return await client.request(method, filled, params=query, **body, **more)  # type: ignore[arg-type]


def refusal(answer: httpx2.Response, route: str) -> str:
    """Return what a refusal says, in the form that the clients of its route know."""
    is_openai = " /v1/" in route
    assert answer.headers["content-type"] == ("application/json" if is_openai else "application/problem+json"), route
    body = answer.json()
    return str(body["error"]["message"] if is_openai else body["detail"])


OPEN_WITHOUT_LOGIN = OPEN | {"GET /api/v1/openapi.json"}
OPEN_FOLDERS = frozenset({"/assets/{digest}/{name}"})
"""Below which files lie that are the same for everybody."""
PLACE = re.compile(r"{(\w+)[^}]*}")
PLACES = {"session_id": "s", "form": "md", "number": "1", "sha256": SHA256}


def routes_of(routes: Sequence[BaseRoute]) -> Iterator[tuple[str, str]]:
    """Iterate over the methods and paths of routes, also of those that are included."""
    for route in routes:
        if included := getattr(route, "original_router", None):
            yield from routes_of(included.routes)
        else:
            for method in sorted((getattr(route, "methods", None) or {"GET"}) - {"HEAD", "OPTIONS"}):
                yield method, getattr(route, "path", "")


def table(served: Served) -> list[str]:
    """Return every route of the application, whether an operation names it or not, with places filled in."""
    every = list(routes_of(build_app(served.state).routes))
    closed = [each for each in every if " ".join(each) not in OPEN_WITHOUT_LOGIN and each[1] not in OPEN_FOLDERS]
    return [f"{method} {PLACE.sub(lambda name: PLACES.get(name[1], 'x'), path)}" for method, path in closed]


async def test_no_route_is_used_without_a_token_that_holds(serve: Serve) -> None:
    served = await serve(requests_a_minute=10**6).begin()
    expired = await add_token(served.quaestor, "old", "admin", timedelta(microseconds=1))
    revoked = await add_token(served.quaestor, "lost", "admin")
    await revoke_token(served.quaestor, "lost")
    assert not expired.token.is_active(served.quaestor.clock.now())
    bearers = (b"nonsense", b"\xff", expired.secret.encode(), revoked.secret.encode())
    attempts: list[dict[bytes, bytes]] = [{}, {b"Cookie": f"quaestor_login={revoked.secret}".encode()}]
    attempts += [{b"Authorization": b"Bearer " + each} for each in bearers]
    client, routes = served.anonymous(), table(served)
    assert len(routes) >= len(GUARDED)
    for route in routes:
        method, path = route.split(" ")
        for headers in attempts:
            answer = await client.request(method, path, headers=headers, content=b"{}")
            if answer.status_code == 303:  # a page, to a person without a login
                assert "/login" in answer.headers["location"], route
                continue
            assert (answer.status_code, "no token" in refusal(answer, route)) == (401, True), route
            assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_token_that_may_only_read_changes_nothing(served: Served) -> None:
    session_id = await served.finished()
    before = await served.quaestor.session(session_id)
    for route in CHANGING:
        answer = await call(await served.client("read"), route, session_id)
        assert (answer.status_code, "this needs run" in refusal(answer, route)) == (403, True), route
    assert await served.quaestor.session(session_id) == before


async def test_a_tenant_sees_no_session_of_another_by_any_route(served: Served) -> None:
    session_id = await served.finished(tenant="acme")
    own, other = await served.client("run", "acme"), await served.client("admin", "umbrella")
    for route in OF_SESSIONS:
        answer = await call(other, route, session_id)
        assert answer.status_code == 404, route
        assert "there is no session" in refusal(answer, route)
    assert (await other.get("/api/v1/sessions")).json()["sessions"] == []
    assert [each["id"] for each in (await own.get("/api/v1/sessions")).json()["sessions"]] == [session_id]
    traced = (await own.get(f"/api/v1/sessions/{session_id}/claims/1")).json()
    source = f"/api/v1/sources/{traced['traces'][0]['source']['sha256']}"
    assert (await own.get(source, params={"session": session_id})).status_code == 200
    assert (await other.get(source, params={"session": session_id})).status_code == 404
    turned = await other.post("/api/v1/turns", json={"session_id": session_id})
    assert turned.json()["next_action"] == "error"
    replayed = {"text": LIGHTHOUSE, "settings": {"model": f"replay:{session_id}"}}
    assert (await other.post("/api/v1/sessions", json=replayed)).status_code == 404
    mine = {"text": LIGHTHOUSE, "docs": [f"collection:{COLLECTION}"]}
    assert (await other.post("/api/v1/sessions", json=mine)).status_code == 400  # the collection is not theirs


async def test_equal_requests_of_two_tenants_are_two_sessions_in_two_workspaces(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "steps.yaml").write_text("- say: Hello.\n  done: Hello.\n", encoding="utf-8")
    settings = {"model": f"playbook:{tmp_path / 'steps.yaml'}"}
    served = await serve(sessions=0).begin()
    options = []
    for tenant in ("acme", "umbrella", "acme"):
        client = await served.client("admin", tenant)
        body = {"text": "Write a greeting.", "workflow": "longtask", "settings": settings}
        answer = await client.post("/api/v1/sessions", json=body)
        assert answer.status_code == 201, answer.text
        options.append((await served.quaestor.options(answer.json()["id"])).model_dump()["workspace"])
    assert options[0] == options[2] != options[1]
    assert len(await served.quaestor.sessions()) == 2


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8765", "", "localhost.", "[::2]"])
async def test_a_name_that_is_not_the_servers_is_not_answered(served: Served, host: str) -> None:
    answer = await served.anonymous().get("/healthz", headers={"Host": host})
    assert answer.status_code == 421


async def test_names_that_are_allowed_are_answered(serve: Serve) -> None:
    served = await serve(hosts=frozenset({"Quaestor.example"})).begin()
    for host in ("localhost:1", "127.0.0.1", "[::1]:8", "quaestor.example"):
        assert (await served.anonymous().get("/healthz", headers={"Host": host})).status_code == 200


async def logged_in(served: Served) -> httpx2.AsyncClient:
    browser = served.anonymous()
    answer = await browser.get("/login", params={"code": served.state.login_code or ""})
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    return browser


async def test_the_login_link_works_once_and_the_login_outlives_the_server(serve: Serve) -> None:
    served = await serve().begin()
    code = served.state.login_code
    wrong = await served.anonymous().get("/login", params={"code": "nonsense"})
    assert wrong.status_code == 403
    browser = await logged_in(served)
    assert (await browser.get("/api/v1/me")).json()["token"]["kind"] == "browser"
    assert (await served.anonymous().get("/login", params={"code": code or ""})).status_code == 403
    later = await serve().begin()
    answer = await later.anonymous().get(
        "/api/v1/me", headers={"Cookie": f"quaestor_login={browser.cookies['quaestor_login']}"}
    )
    assert answer.status_code == 200
    [token] = await list_tokens(served.quaestor)
    assert (token.kind, token.scope) == ("browser", "admin")


async def test_a_secret_is_used_only_the_way_that_it_was_given(served: Served) -> None:
    browser = await logged_in(served)
    stolen = {"Authorization": f"Bearer {browser.cookies['quaestor_login']}"}
    assert (await served.anonymous().get("/api/v1/me", headers=stolen)).status_code == 401
    token = await served.secret("run")
    assert (
        await served.anonymous().get("/api/v1/me", headers={"Cookie": f"quaestor_login={token}"})
    ).status_code == 401


async def test_another_site_changes_nothing_with_the_cookie_of_this_one(served: Served) -> None:
    session_id = await served.finished()
    browser = await logged_in(served)
    csrf = {"X-CSRF-Token": (await browser.get("/api/v1/me")).json()["csrf"]}
    own = {"Origin": served.url}
    path, body = f"/api/v1/sessions/{session_id}/commands", {"kind": "resume"}
    refused = [
        {},
        own,
        csrf,
        {**csrf, "Origin": "https://evil.example"},
        {**csrf, "Origin": "null"},
        {**own, "X-CSRF-Token": "0" * 64},
        {**own, **csrf, "Sec-Fetch-Site": "cross-site"},
    ]
    for headers in refused:
        assert (await browser.post(path, json=body, headers=headers)).status_code == 403, headers
    assert (
        await browser.post(path, json=body, headers={**own, **csrf})
    ).status_code == 409  # it is let in, and finished
    assert (await browser.get("/api/v1/me", headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
    assert (await browser.post("/logout", headers={**own, **csrf})).status_code == 204
    assert (await browser.get("/api/v1/me")).status_code == 401


async def test_no_answer_can_be_framed_sniffed_stored_or_run(served: Served) -> None:
    session_id = await served.finished()
    client = await served.client()
    for path in (
        "/healthz",
        "/api/v1/nothing",
        f"/api/v1/sessions/{session_id}",
        f"/api/v1/sessions/{session_id}/report.html",
    ):
        headers = (await client.get(path)).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "script-src" not in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")
        assert "access-control-allow-origin" not in headers


async def test_who_comes_too_often_waits_and_others_do_not(serve: Serve) -> None:
    served = await serve(requests_a_minute=5).begin()
    client, other = await served.client("run"), await served.client("read")
    answers = [await client.get("/api/v1/me") for _ in range(7)]
    assert [answer.status_code for answer in answers][:5] == [200] * 5
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0
    assert (await other.get("/api/v1/me")).status_code == 200
    guesses = [await served.anonymous().get("/api/v1/me") for _ in range(7)]
    assert guesses[-1].status_code == 429


@pytest.mark.parametrize("is_declared", [True, False])
async def test_a_body_that_is_too_large_is_refused(serve: Serve, *, is_declared: bool) -> None:
    served = await serve(body_bytes=1000, upload_bytes=2000).begin()
    client = await served.client()

    async def endless() -> AsyncIterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'
        for _ in range(100):
            yield b" " * 100

    for path in ("/api/v1/sessions", "/api/v1/files"):
        headers = {"Content-Type": "application/json" if "sessions" in path else "multipart/form-data; boundary=x"}
        try:
            answer = await client.post(path, content=b" " * 10_000 if is_declared else endless(), headers=headers)
        except httpx2.TransportError:  # the answer was lost, as the client went on sending to a closed connection
            assert not is_declared
            continue
        assert answer.status_code == 413
        assert "larger than" in answer.json()["detail"]


async def test_a_body_that_does_not_come_ends_in_time(serve: Serve) -> None:
    served = await serve(body_seconds=0.1).begin()
    secret = await served.secret("run")
    reader, writer = await asyncio.open_connection("127.0.0.1", served.state.port)
    head = (
        f"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    writer.write(head.encode())
    async with asyncio.timeout(300):
        assert b" 408 " in await reader.readline()
    writer.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])  # noqa: S104 -- refused
async def test_an_address_that_others_reach_needs_a_token(serve: Serve, host: str) -> None:
    with pytest.raises(UsageError, match="there is no token"):
        await serve(host=host).begin()


async def test_with_a_token_others_may_reach_it(serve: Serve) -> None:
    served = await serve().begin()
    await served.secret("read")
    assert (await serve(host="0.0.0.0").begin()).state.is_ready  # noqa: S104 -- it has a token


async def test_a_port_in_use_is_named(serve: Serve) -> None:
    served = await serve().begin()
    with pytest.raises(SetupError, match=f"port {served.state.port} cannot be listened on"):
        await serve(port=served.state.port).begin()
