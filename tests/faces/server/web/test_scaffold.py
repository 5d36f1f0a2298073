"""What all pages share: their files, their policy, their forms, their errors, and who may see them."""

import re
from hashlib import sha256
from importlib.resources import files

import pytest

from faces.server.served import Serve
from faces.server.web.browsing import HTML, csrf_of, logged_in, signed_in
from fakes.chromium import NARROW, Chromium
from quaestor.app.operations import places
from quaestor.faces.server.web.assets import VENDORED, asset_path, assets

LARGEST_PAGE = 120_000


def test_vendored_scripts_are_what_their_authors_published() -> None:
    assert {name: sha256(assets()[name].content).hexdigest() for name in VENDORED} == VENDORED
    assert max(assets().values(), key=lambda each: len(each.content)).name == "htmx.min.js"


def test_every_text_of_a_page_is_in_the_catalogue() -> None:
    for template in files("quaestor.faces.server.web").joinpath("templates").iterdir():
        text = re.sub(r"\{[{%#].*?[#%}]\}", "", template.read_text(encoding="utf-8"), flags=re.DOTALL)
        spoken = re.findall(r'(?:placeholder|aria-label|title|alt)="([^"]*)"', text)
        written = re.sub(r"<[^>]*>", "", text)
        assert not re.search(r"[A-Za-z]{2}", written), (template.name, written.split())
        assert {*spoken} <= {"", "https://", "example.org"}, template.name


async def test_a_file_of_the_pages_is_kept_for_ever_under_an_address_of_its_content(serve: Serve) -> None:
    client = (await serve().begin()).anonymous()
    for name, asset in assets().items():
        answer = await client.get(asset_path(name))
        assert (answer.content, answer.headers["cache-control"]) == (
            asset.content,
            "public, max-age=31536000, immutable",
        )
    for wrong in (f"/assets/{'0' * 16}/page.css", "/assets/x/nothing.css", "/assets/..%2f..%2f/english.toml"):
        assert (await client.get(wrong)).status_code == 404


async def test_the_login_link_leads_to_the_first_page_whose_policy_is_strict(serve: Serve) -> None:
    served = await serve().begin()
    client = served.anonymous(HTML)
    answer = await client.get("/login", params={"code": served.state.login_code or ""})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    page = await client.get("/")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    assert not re.search(r" style=| on\w+=|<script(?! src)", page.text)


async def test_who_has_no_login_is_shown_how_to_get_one(serve: Serve) -> None:
    served = await serve().begin()
    for route in places("pages") - {"GET /assets/{digest}/{name}"}:
        method, path = route.split(" ")
        answer = await served.anonymous(HTML).request(method, path.format(session_id="s", number=1, seq=1))
        assert (answer.status_code, "Log in with a link" in answer.text) == (401, True), route
        program = await served.anonymous().request(method, path.format(session_id="s", number=1, seq=1))
        assert (program.status_code, program.headers["content-type"]) == (401, "application/problem+json"), route


async def test_a_problem_is_a_page_for_a_browser_and_a_document_for_a_program(serve: Serve) -> None:
    served = await serve().begin()
    client = await signed_in(served)
    page = await client.get("/nothing")
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    document = await client.get("/nothing", headers={"Accept": "*/*"})
    assert (document.status_code, document.headers["content-type"]) == (404, "application/problem+json")
    assert document.json()["detail"] == "there is nothing at '/nothing'; see whether the address is whole"
    wrong = await served.anonymous().delete("/healthz")
    assert (wrong.status_code, wrong.json()["detail"].partition(";")[0]) == (405, "'/healthz' takes no DELETE")
    hostile = await client.get("/login", params={"code": "<script>alert(1)</script>"})
    assert (hostile.status_code, "<script>alert" in hostile.text) == (403, False)


async def test_a_form_carries_its_proof_as_a_field(serve: Serve) -> None:
    served = await serve().begin()
    client = await signed_in(served)
    csrf = await csrf_of(client)
    own = {"Origin": served.url}
    assert (await client.post("/logout", headers=own)).status_code == 403
    assert (await client.post("/logout", data={"csrf": "0" * 64}, headers=own)).status_code == 403
    assert (await client.post("/logout", data={"csrf": csrf})).status_code == 403  # of no page of this server
    answer = await client.post("/logout", data={"csrf": csrf}, headers=own)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert (await client.get("/")).status_code == 401


@pytest.mark.parametrize("scripts", [True, False])
async def test_a_browser_logs_in_and_out(serve: Serve, chromium: Chromium, *, scripts: bool) -> None:
    served = await serve().begin()
    async with logged_in(chromium, served, scripts=scripts, width=NARROW) as tab:
        assert tab.page.url == f"{served.url}/"
        await tab.page.get_by_role("button", name="Log out").click()
        await tab.page.get_by_role("heading", name="Log in with a link").wait_for()
        assert tab.complaints[:1] == [] or "401" in tab.complaints[0]
        tab.complaints.clear()


FOCUSED = """() => {
    const { id, innerText, type } = document.activeElement;
    return [id || innerText.trim() || type, getComputedStyle(document.activeElement).outlineStyle];
}"""


async def test_a_keyboard_reaches_everything_on_the_first_page_and_shows_where_it_is(
    serve: Serve, chromium: Chromium
) -> None:
    served = await serve().begin()
    async with logged_in(chromium, served) as tab:
        keyboard = tab.page.keyboard
        reached: list[tuple[str, str]] = []
        await keyboard.press("Tab")
        assert (await tab.page.evaluate(FOCUSED))[0] == "Skip to the content"
        await tab.page.get_by_role("link", name="Skip to the content").locator("visible=true").wait_for()
        await keyboard.press("Enter")
        assert (await tab.page.evaluate(FOCUSED))[0] == "main"
        while not reached or reached[-1][0] != "Start":
            await keyboard.press("Tab")
            reached.append(await tab.page.evaluate(FOCUSED))
            assert len(reached) < 30
    names = [name for name, _ in reached]
    assert {"text", "files", "Model, effort and budget", "Sources and form of the report"} <= {*names}
    assert [each for each in reached if each[1] == "none"] == []


async def test_the_first_page_is_small(serve: Serve, chromium: Chromium) -> None:
    served = await serve().begin()
    async with chromium.window() as tab:
        await tab.page.goto(f"{served.url}/login?code={served.state.login_code}", wait_until="networkidle")
        loaded = {answer.url: len(await answer.body()) for answer in tab.answers if answer.status == 200}
    assert len(loaded) >= 5
    assert sum(loaded.values()) <= LARGEST_PAGE, loaded
