"""The server is killed in the middle of every journey, again and again: who follows misses and repeats nothing."""

import asyncio
import random
import re
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import httpx2
import pytest

from faces.server.served import Streamed, parse_stream
from faces.server.web.shelf import PAPER, STEPS
from faces.server.web.test_live_journeys import ask, ended, scripted, serving, until_shown
from fakes.chromium import NARROW, Chromium, Tab
from fakes.forked import Forked
from fakes.papers import write_papers
from fakes.sittings import LIGHTHOUSE
from fakes.workshops import playbook
from quaestor.app import open_home
from quaestor.app.network.access import add_token

Journey = Callable[[Tab, list[Path]], AsyncIterator[None]]
"""What a person does with a page; where it yields the server may be killed."""


async def watches(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers)
    for _ in range(6):
        yield
    await ended(tab)


async def answers(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers, "When was it built?")
    yield
    await tab.page.get_by_role("heading", name="A question for you").wait_for()
    await tab.page.get_by_label("Your answer").fill("the Aldmouth lighthouse")
    yield
    await tab.page.get_by_role("button", name="Send the answer").click()
    yield
    await ended(tab)


async def edits_the_plan(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers, review=True)
    yield
    await tab.page.get_by_role("link", name="Edit the plan").first.click()
    new = tab.page.get_by_role("group", name="New todo")
    await new.get_by_label("Task").fill("Who kept the Aldmouth lighthouse?")
    yield
    await tab.page.get_by_role("button", name="Show what changes").click()
    yield
    await tab.page.get_by_role("button", name="Apply").click()
    await tab.page.get_by_text("The plan is edited.").wait_for()
    yield
    await tab.page.get_by_role("button", name="Carry the plan out").click()
    yield
    await ended(tab)


async def pauses_and_goes_on(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers)
    await tab.page.locator("#todo-t1").get_by_text("reading").wait_for()
    await tab.page.get_by_role("button", name="Pause").click()
    await tab.page.locator(".badge.paused").wait_for()
    yield
    await tab.page.get_by_text("Raise the budget").click()
    await tab.page.get_by_label("Tool calls more").fill("70")
    await tab.page.get_by_role("button", name="Raise", exact=True).click()
    yield
    await tab.page.get_by_role("button", name="Resume").click()
    yield
    await ended(tab)


async def finishes_early(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers)
    await tab.page.locator("#todo-t1").get_by_text("reading").wait_for()
    yield
    await tab.page.get_by_role("button", name="Finish now").click()
    yield
    await tab.page.get_by_role("heading", name=re.compile("^(Done|Nothing was found)$")).wait_for()


async def asks_on(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers)
    session = tab.page.url
    await ended(tab)
    yield
    await tab.page.goto(f"{session}/report")
    await tab.page.get_by_label("Question").fill("Who built the Aldmouth lighthouse?")
    yield
    await tab.page.get_by_role("button", name="Ask", exact=True).click()
    yield
    await tab.page.goto(session)
    await ended(tab)
    yield
    await tab.page.goto(f"{session}/report/versions")
    assert "Who built the Aldmouth lighthouse?" in await tab.page.locator(".changes").inner_text()


async def reads_without_scripts(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers, review=True)
    yield
    await until_shown(tab, "Carry the plan out")
    await tab.page.get_by_role("button", name="Carry the plan out").click()
    yield
    await until_shown(tab, "Read the report")
    yield
    await tab.page.get_by_role("link", name="Read the report").click()


async def comes_back_in_a_new_window(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers)
    session = tab.page.url
    yield
    await tab.page.goto("about:blank")
    yield
    await tab.page.goto(session.partition("/sessions/")[0])
    await tab.page.get_by_role("link", name=LIGHTHOUSE).click()
    yield
    await ended(tab)
    assert tab.page.url == session


async def reads_a_citation(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers)
    yield
    await ended(tab)
    await tab.page.get_by_role("link", name="Read the report").click()
    await tab.page.get_by_role("heading", level=1).wait_for()
    yield
    await tab.page.get_by_role("link", name="Quote 1").first.click()
    words = tab.page.locator("#quote mark#words")
    await words.wait_for()
    yield
    assert "1831" in await words.inner_text()


async def reads_a_page_of_a_pdf_file(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    (paper := papers[0].with_name("paper.pdf")).write_bytes(PAPER)
    await ask(tab, [paper])
    session = tab.page.url
    yield
    await ended(tab)
    yield
    await tab.page.goto(f"{session}/report/quotes/1")
    picture = tab.page.get_by_role("img", name=re.compile("Page 1 of"))
    assert await picture.evaluate("async image => { await image.decode(); return image.naturalWidth }") == 1224


async def looks_inside(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    await ask(tab, papers)
    session = tab.page.url
    yield
    await tab.page.goto(f"{session}/inside")
    await tab.page.get_by_label("Type").select_option("tool_responded")
    yield
    await tab.page.get_by_role("button", name="Show").click()
    await tab.page.wait_for_url("**type=tool_responded**")
    yield
    await tab.page.goto(session)
    await ended(tab)
    await tab.page.goto(f"{session}/inside/spend")
    yield
    await tab.page.get_by_role("button", name="Replay this session").click()
    await tab.page.wait_for_url(re.compile(f"/sessions/(?!{session.rpartition('/')[2]})[^/]+$"))
    yield
    await ended(tab)


async def works_on_a_task(tab: Tab, papers: list[Path]) -> AsyncIterator[None]:
    del papers
    await tab.page.get_by_role("textbox", name="What do you want to find out?").fill("Describe the harbour.")
    await tab.page.get_by_text("Model, effort and budget").click()
    await tab.page.get_by_label("Kind").select_option("longtask")
    await tab.page.get_by_role("button", name="Start").click()
    await tab.page.wait_for_url("**/sessions/*")
    session = tab.page.url
    yield
    await tab.page.goto(f"{session}/work")
    yield
    await tab.page.goto(session)
    yield
    await ended(tab)
    await tab.page.goto(f"{session}/work")
    await tab.page.locator("main").get_by_text("final.md").first.wait_for()  # a long log is read on in the page


JOURNEYS: Mapping[str, Journey] = {
    each.__name__: each
    for each in (
        watches,
        answers,
        edits_the_plan,
        pauses_and_goes_on,
        finishes_early,
        asks_on,
        reads_without_scripts,
        comes_back_in_a_new_window,
        reads_a_citation,
        reads_a_page_of_a_pdf_file,
        looks_inside,
        works_on_a_task,
    )
}


def model_of(name: str, folder: Path) -> str:
    """Return the model of a journey, which takes as long as the journey does."""
    if name != "works_on_a_task":
        return scripted(folder, latency=2)
    plan, draft, _, note, last = STEPS
    return playbook(folder, plan, *(draft, note) * 12, last)


class Follower:
    """A client of the stream of a session that comes back, whatever happens to the server."""

    def __init__(self, client: httpx2.AsyncClient, session_id: str) -> None:
        self._client = client
        self._path = f"/api/v1/sessions/{session_id}/events"
        self.seen: list[Streamed] = []

    async def follow(self, stop: asyncio.Event) -> None:
        """Follow the session until it is told to stop, and has seen all that there is then."""
        while True:
            is_last = stop.is_set()
            with suppress(httpx2.HTTPError):
                if await self._read() and is_last:
                    return
            await asyncio.sleep(0.05)

    async def whole(self) -> list[Streamed]:
        return parse_stream((await self._client.get(self._path)).text)

    async def _read(self) -> bool:
        """Read on; return whether the server says that this is all."""
        headers, before, text = {"Last-Event-ID": self.seen[-1].id} if self.seen else {}, len(self.seen), ""
        async with self._client.stream("GET", self._path, headers=headers) as answer:
            async for piece in answer.aiter_text():
                text += piece
                self.seen[before:] = parse_stream(text)
            return answer.status_code == 204


class MortalServer:
    """A server in a process of its own, at one address."""

    def __init__(self, stack: AsyncExitStack, home: Path, port: int) -> None:
        self._stack, self._home, self._port = stack, home, port
        self._process: Forked | None = None
        self.kills = 0

    async def start(self) -> str:
        """Start it; return the link of its login."""
        self._process, link = await self._stack.enter_async_context(serving(self._home, self._port))
        return link

    async def kill(self) -> None:
        """Kill it, and start it again after a while."""
        assert self._process
        self._process.kill()
        await asyncio.to_thread(self._process.wait)
        self.kills += 1
        await self.start()


@pytest.mark.soak
@pytest.mark.parametrize("name", JOURNEYS)
async def test_a_follower_misses_and_repeats_nothing_however_often_the_server_is_killed_during_a_journey(
    stack: AsyncExitStack, chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("QUAESTOR_MODEL", model_of(name, tmp_path))
    await kill_during(JOURNEYS[name], stack, chromium, tmp_path, monkeypatch)


async def kill_during(
    journey: Journey, stack: AsyncExitStack, chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kill the server wherever a journey allows it; assert that a follower misses and repeats nothing."""
    chance, home = random.Random(journey.__name__), tmp_path / "home"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    write_papers(tmp_path)
    monkeypatch.setenv("QUAESTOR_EFFORT", "low")
    async with open_home(home) as q:
        headers = {"Authorization": f"Bearer {(await add_token(q, 'ci', 'read')).secret}"}
    client = httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, trust_env=False, timeout=200)
    await stack.enter_async_context(client)
    server, stop, following = MortalServer(stack, home, port), asyncio.Event(), None
    async with chromium.window(width=NARROW, scripts=journey is not reads_without_scripts) as tab:
        await tab.page.goto(await server.start())
        async for _ in journey(tab, sorted((tmp_path / "papers").iterdir())):
            if following is None:
                session_id = tab.page.url.rpartition("/sessions/")[2].partition("?")[0].partition("/")[0]
                follower = Follower(client, session_id)
                following = asyncio.create_task(follower.follow(stop))
                stack.callback(following.cancel)
            await asyncio.sleep(chance.uniform(0, 0.4))
            await server.kill()
        stop.set()
        assert following
        async with asyncio.timeout(300):
            await following
        whole = await follower.whole()
        tab.complaints.clear()  # the server was away for a while
    assert server.kills >= 2
    assert follower.seen == whole
    assert whole[-1].event == "finished"
    checked = (await client.get(f"/api/v1/sessions/{session_id}/verify")).json()
    assert checked["faults"] == []
