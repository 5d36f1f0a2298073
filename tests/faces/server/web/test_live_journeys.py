"""What people do with the pages, in a real browser: on a desk and on a phone, in light and in dark."""

import asyncio
import json
import shutil
import signal
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import yaml

from faces.cli.processes import started
from faces.server.served import Serve, Served, links
from faces.server.web.browsing import logged_in
from fakes.chromium import NARROW, Chromium, Tab
from fakes.forked import Forked
from fakes.needed import lacking
from fakes.papers import write_papers
from fakes.sittings import LIGHTHOUSE, PLANNED

HOSTILE = "When <img src=x onerror=alert(1)> was \u202eAldmouth\u202c [x](javascript:alert(1)) lit?"


@pytest.fixture
def papers(tmp_path: Path) -> list[Path]:
    write_papers(tmp_path)
    return sorted((tmp_path / "papers").iterdir())


@pytest.fixture
def slow_model(tmp_path: Path) -> str:
    return scripted(tmp_path, latency=60)


def scripted(folder: Path, latency: float) -> str:
    """Return a model that plans three todos, and whose readers take so many seconds."""
    script = folder / f"{latency}.yaml"
    steps = {"planner": PLANNED, "reader": [{"latency": latency, "times": 9}]}
    script.write_text(yaml.safe_dump(steps), encoding="utf-8")
    return f"script:{script}"


async def ask(tab: Tab, papers: list[Path], question: str = LIGHTHOUSE, *, review: bool = False) -> None:
    """Fill in the form of the first page, drop files into it, and send it."""
    await tab.page.get_by_role("textbox", name="What do you want to find out?").fill(question)
    await tab.page.get_by_label("Documents").set_input_files(papers)
    if review:
        await tab.page.get_by_label("Show me the plan first").check()
    await tab.page.get_by_role("button", name="Start").click()
    await tab.page.wait_for_url("**/sessions/*")


async def ended(tab: Tab, how: str = "Done") -> None:
    """Wait until the page, which nobody loads again, shows that the session ended."""
    await tab.page.get_by_role("heading", name=how, exact=True).wait_for()


async def test_research_on_dropped_files_is_watched_to_its_end(
    serve: Serve, chromium: Chromium, papers: list[Path]
) -> None:
    served = await serve().begin()
    async with logged_in(chromium, served) as tab:
        await tab.assert_fit()
        await ask(tab, papers)
        await ended(tab)
        await tab.page.get_by_text("The Aldmouth lighthouse was built in 1831").first.wait_for()
        await tab.assert_fit()
        await tab.page.get_by_role("link", name="Sessions", exact=True).click()
        await tab.page.get_by_role("link", name=LIGHTHOUSE).click()
        await ended(tab)


async def test_a_clarification_is_answered_on_a_phone_in_the_dark(
    serve: Serve, chromium: Chromium, papers: list[Path]
) -> None:
    served = await serve().begin()
    async with logged_in(chromium, served, width=NARROW, scheme="dark") as tab:
        await tab.assert_width()
        await ask(tab, papers, "When was it built?")
        await tab.page.get_by_role("heading", name="A question for you").wait_for()
        await tab.assert_fit()
        await tab.page.get_by_label("Your answer").fill("the Aldmouth lighthouse")
        await tab.page.get_by_role("button", name="Send the answer").click()
        await ended(tab)
        await tab.assert_width()


async def test_a_plan_is_reviewed_and_edited_and_its_difference_seen(
    serve: Serve, chromium: Chromium, papers: list[Path]
) -> None:
    served = await serve().begin()
    async with logged_in(chromium, served, scheme="dark") as tab:
        await ask(tab, papers, review=True)
        await tab.page.get_by_role("link", name="Edit the plan").first.click()
        new = tab.page.get_by_role("group", name="New todo")
        await new.get_by_label("Task").fill("Who kept the Aldmouth lighthouse?")
        await tab.assert_fit()
        await tab.page.get_by_role("button", name="Show what changes").click()
        await tab.page.get_by_text("+ t2 [research] Who kept the Aldmouth lighthouse?").wait_for()
        await tab.assert_fit()
        await tab.page.get_by_role("button", name="Apply").click()
        await tab.page.get_by_text("The plan is edited.").wait_for()
        await tab.page.get_by_role("button", name="Carry the plan out").click()
        await ended(tab)
        assert await tab.page.locator("#todo-t2").get_by_text("done").is_visible()


async def test_a_session_is_paused_given_more_budget_resumed_and_finished(
    serve: Serve, chromium: Chromium, papers: list[Path], slow_model: str
) -> None:
    served = await serve({"model": slow_model, "max_tool_calls": 500}).begin()
    async with logged_in(chromium, served, width=NARROW) as tab:
        await ask(tab, papers)
        await tab.page.locator("#todo-t1").get_by_text("reading").wait_for()
        await tab.page.get_by_text("Raise the budget").click()
        await tab.page.get_by_label("Tool calls more").fill("70")
        await tab.page.get_by_role("button", name="Raise", exact=True).click()
        await tab.page.get_by_text("/ 570").wait_for()
        await tab.page.get_by_role("button", name="Pause").click()
        await tab.page.locator(".badge.paused").wait_for()
        await tab.assert_width()
        await tab.page.get_by_role("button", name="Resume").click()
        await tab.page.locator(".badge.running").wait_for()
        await tab.page.get_by_role("button", name="Finish now").click()
        await ended(tab, "Nothing was found")


async def test_what_is_typed_and_opened_stays_while_the_page_goes_on(
    serve: Serve, chromium: Chromium, papers: list[Path], slow_model: str
) -> None:
    served = await serve({"model": slow_model}, heartbeat_seconds=0.2).begin()
    async with logged_in(chromium, served) as tab:
        await ask(tab, papers)
        await tab.page.locator("#todo-t1").get_by_text("reading").wait_for()
        await tab.page.get_by_text("Raise the budget").click()
        await tab.page.get_by_label("Dollars more").fill("12")
        running = await tab.page.locator(".figures").inner_text()
        await tab.page.wait_for_function("text => document.querySelector('.figures').innerText !== text", arg=running)
        assert await tab.page.get_by_label("Dollars more").input_value() == "12"


async def test_a_page_for_which_there_was_no_stream_follows_as_soon_as_there_is_one(
    serve: Serve, chromium: Chromium
) -> None:
    served = await serve().begin()
    await served.upload()
    session_id = await served.start("When was it built?")
    await served.asked(session_id)
    served.state.open_streams = served.state.options.streams
    async with logged_in(chromium, served) as tab:
        async with tab.page.expect_response("**/live") as refused:
            await tab.page.goto(f"{served.url}/sessions/{session_id}")
        assert (await refused.value).status == 503
        served.state.open_streams = 0
        await (await served.client()).post(f"/api/v1/sessions/{session_id}/commands", json={"kind": "cancel"})
        await ended(tab, "Cancelled")
        tab.complaints.clear()  # of what was refused


async def test_markup_in_a_question_is_text_on_every_page(serve: Serve, chromium: Chromium, papers: list[Path]) -> None:
    served = await serve().begin()
    async with logged_in(chromium, served, width=NARROW) as tab:
        await ask(tab, papers, HOSTILE, review=True)
        await tab.page.get_by_role("button", name="Carry the plan out").wait_for()
        session = tab.page.url
        for address in (session, f"{session}/plan", served.url):
            await tab.page.goto(address)
            assert await tab.page.locator("img[src=x], a[href^=javascript]").count() == 0
            assert await tab.page.get_by_text("<img src=x onerror=alert(1)>").count() > 0
            assert "\u202e" not in await tab.page.content()
            await tab.assert_width()


async def test_everything_is_done_without_scripts(serve: Serve, chromium: Chromium, papers: list[Path]) -> None:
    served = await serve().begin()
    async with logged_in(chromium, served, width=NARROW, scripts=False) as tab:
        await ask(tab, papers, review=True)
        session_id = tab.page.url.rpartition("/")[2]
        await served.asked(session_id)
        await tab.page.reload()
        async with tab.page.expect_navigation(timeout=200_000):  # that a reload would come across
            await tab.page.get_by_role("button", name="Carry the plan out").click()
        await served.events(session_id)
        await tab.page.reload()
        assert await tab.page.get_by_text("Read the report", exact=True).is_visible()


async def until_shown(tab: Tab, text: str) -> None:
    """Load the page again until it has a text."""
    async with asyncio.timeout(300):
        while not await tab.page.get_by_text(text, exact=True).count():
            await tab.page.reload()


@asynccontextmanager
async def serving(home: Path, port: int) -> AsyncIterator[tuple[Forked, str]]:
    """Run the server in a process of its own, from its link on."""
    with started(home, "serve", "--port", str(port)) as process:
        yield process, f"http://127.0.0.1:{port}{links_of(await asyncio.to_thread(process.stdout.readline))}"


def links_of(printed: str) -> str:
    [code] = links(printed)
    return f"/login?code={code}"


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number: int = listener.getsockname()[1]
        return number


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home whose readers take a second."""
    monkeypatch.setenv("QUAESTOR_EFFORT", "low")
    monkeypatch.setenv("QUAESTOR_MODEL", scripted(tmp_path, latency=1))
    return tmp_path / "home"


async def test_research_is_found_again_by_open_and_new_windows_after_the_server_was_killed(
    chromium: Chromium, papers: list[Path], home: Path, port: int
) -> None:
    profile = home.parent / "profile.json"
    async with chromium.window() as left_open:
        async with serving(home, port) as (process, link):
            await left_open.page.goto(link)
            await ask(left_open, papers)
            await left_open.page.locator("#todo-t1").get_by_text("reading").wait_for()
            await left_open.page.context.storage_state(path=profile)
            process.send_signal(signal.SIGKILL)
            await asyncio.to_thread(process.wait)
        async with serving(home, port), chromium.window(width=NARROW, profile=profile) as tab:
            await tab.page.goto(f"http://127.0.0.1:{port}/")
            await tab.page.get_by_role("link", name=LIGHTHOUSE).click()
            await ended(tab)
            assert tab.page.url == left_open.page.url
            await ended(left_open)
        left_open.complaints.clear()  # the server was away for a while


async def curl(served: Served, path: str, *options: str) -> str:
    """Send a request as a person does at a shell; return the answer."""
    program = shutil.which("curl") or lacking("curl", "there is no curl in PATH")
    token = f"Authorization: Bearer {await served.secret('run')}"
    process = await asyncio.create_subprocess_exec(
        *(program, "--silent", "--show-error", "--fail-with-body", "--noproxy", "*", "--header", token, *options),
        f"{served.url}{path}",
        stdout=subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode()


async def test_a_session_begun_by_curl_and_watched_by_the_command_line_is_finished_in_the_browser(
    serve: Serve, chromium: Chromium, papers: list[Path], slow_model: str, tmp_path: Path
) -> None:
    served = await serve({"model": slow_model}).begin()
    uploads = [word for paper in papers for word in ("--form", f"files=@{paper}")]
    await curl(served, "/api/v1/files", *uploads, "--form", "collection=harbour")
    body = {"text": LIGHTHOUSE, "docs": ["collection:harbour"], "settings": {"questions": False}}
    begun = await curl(served, "/api/v1/sessions", "--json", json.dumps(body))
    session_id = json.loads(begun)["id"]
    with started(tmp_path / "home", "attach", session_id) as watcher:
        async with logged_in(chromium, served) as tab:
            await tab.page.get_by_role("link", name=LIGHTHOUSE).click()
            await tab.page.locator("#todo-t1").get_by_text("reading").wait_for()
            await tab.page.get_by_role("button", name="Finish now").click()
            await ended(tab, "Nothing was found")
        async with asyncio.timeout(300):
            _, seen = await asyncio.to_thread(watcher.communicate)
    assert "asked to finish" in seen
    assert json.loads(await curl(served, f"/api/v1/sessions/{session_id}"))["status"]["outcome"] == "no_result"
