"""Whole runs over the web: a site of 200 linked pages and a search engine, both on loopback."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import JsonValue

from fakes.coast import PAGES, built, coast, town
from fakes.forked import forked
from fakes.http_server import Connection
from fakes.site import Site, page
from quaestor.app import open_home
from quaestor.contracts.codec import value_to_json
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event, ToolRequested, ToolResponded
from quaestor.contracts.result import Result
from quaestor.research.contracts.brief import Brief

NUMBER = 11
QUESTION = f"When was the lighthouse of {town(NUMBER)} built?"


class Ran:
    """A run that ended."""

    def __init__(self, events: Sequence[Event], result: Result) -> None:
        self.events = events
        self.result = result

    @property
    def report(self) -> Brief:
        assert isinstance(self.result.report, Brief)
        return self.result.report

    @property
    def fetched(self) -> list[str]:
        return [str(run["url"]) for run in self.given("fetch")]

    def given(self, tool: str) -> list[dict[str, JsonValue]]:
        runs = (event.payload for event in self.events if isinstance(event.payload, ToolRequested))
        given = (value_to_json(run.given) for run in runs if run.tool == tool)
        return [value for value in given if isinstance(value, dict)]


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    return monkeypatch


async def researched(
    home: Path, site: Site, allow: pytest.MonkeyPatch, question: str = QUESTION, **options: JsonValue
) -> Ran:
    allow.setenv("SEARXNG_URL", site.url)
    allow.setenv("QUAESTOR_FETCH_ALLOW", f"127.0.0.1:{site.port}")
    said: dict[str, JsonValue] = {"web": ["searxng"], "effort": "low", "pause_seconds": 0, **options}
    async with open_home(home, **said) as q:
        session_id = await q.start(question, None)
        result = await q.run(session_id)
        return Ran(await q.events(session_id), result)


def runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def reads_pages(parent: int) -> bool:
    """Return whether a process has a child that reads pages."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            fields = status.read_text(encoding="utf-8").rpartition(")")[2].split()
            command = status.with_name("cmdline").read_text(encoding="utf-8")
            if int(fields[1]) == parent and "quaestor.tools.reading.worker" in command:
                return True
    return False


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="children are found in /proc")
async def test_the_process_that_reads_pages_is_there_before_the_first_search_is_answered(tmp_path: Path) -> None:
    """No page is ever found, so that only the start of the session can have started it."""
    seen = asyncio.Event()
    pid = 0

    async def answer(connection: Connection) -> None:
        while not seen.is_set() and runs(pid):
            await asyncio.sleep(0.01)
            if reads_pages(pid):
                seen.set()
        await page('{"results": []}', "application/json")(connection)

    async with Site({}, other=lambda _: answer) as site:
        environment = {**os.environ, "SEARXNG_URL": site.url}
        words = ("research", QUESTION, "--web", "searxng", "--effort", "low", "--home", str(tmp_path))
        with forked(words, environment) as process:
            pid = process.pid
            said = await asyncio.to_thread(process.communicate)
    assert site.asked, said
    assert seen.is_set(), said


class Whole(NamedTuple):
    """A run over the whole site, with its home and the site, which is closed."""

    home: Path
    site: Site
    ran: Ran


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    async def run(home: Path) -> Whole:
        async with coast() as site:
            with pytest.MonkeyPatch.context() as patch:
                return Whole(home, site, await researched(home, site, patch))

    return asyncio.run(run(tmp_path_factory.mktemp("whole")))


async def test_an_answer_is_found_on_the_web_and_cited_with_its_page(whole: Whole) -> None:
    home, site, ran = whole
    assert str(built(NUMBER)) in (ran.report.answer or "")
    assert len(PAGES) == 200
    for source in ran.report.sources:
        assert source.uri.startswith(site.url)
        assert source.media_type == "text/html"
    async with open_home(home) as q:
        for passage in ran.report.passages:
            text = await q.library.text(passage.source)
            assert text is not None
            assert text[passage.start : passage.end] == passage.text


async def test_what_only_a_link_leads_to_is_found(tmp_path: Path, allowed: pytest.MonkeyPatch) -> None:
    async with coast(known=("index",)) as site:
        ran = await researched(tmp_path, site, allowed)
        assert str(built(NUMBER)) in (ran.report.answer or "")


def test_nothing_is_fetched_that_was_not_found_named_or_linked(whole: Whole) -> None:
    _, site, ran = whole
    known = [url for event in ran.events for url in _offered(event)]
    assert set(ran.fetched) <= set(known)
    assert {target for target in site.targets if not target.startswith("/search")} == {
        "/robots.txt",
        *(url.removeprefix(site.url) for url in ran.fetched),
    }


async def test_no_page_is_fetched_and_no_query_asked_twice(tmp_path: Path, allowed: pytest.MonkeyPatch) -> None:
    async with coast() as site:
        ran = await researched(
            tmp_path,
            site,
            allowed,
            f"Compare the lighthouse of {town(3)} with the lighthouse of {town(4)}.",
            effort="high",
        )
        assert ran.result.outcome == "done"
        assert len(site.targets) == len(set(site.targets))


async def test_a_page_that_the_user_named_is_read(tmp_path: Path, allowed: pytest.MonkeyPatch) -> None:
    async with coast(known=()) as site:
        page = f"{site.url}/{town(NUMBER).lower()}/lighthouse"
        ran = await researched(tmp_path, site, allowed, f"{QUESTION} See {page}.")
        assert ran.fetched[0] == page
        assert page in {source.uri for source in ran.report.sources}
        assert any(str(built(NUMBER)) in passage.text for passage in ran.report.passages)


async def test_an_engine_that_is_down_does_not_stop_the_others(tmp_path: Path, allowed: pytest.MonkeyPatch) -> None:
    allowed.setenv("TAVILY_API_KEY", "k")
    async with coast() as site, Site({}) as down:
        allowed.setenv("TAVILY_BASE_URL", down.url)
        ran = await researched(tmp_path, site, allowed, web=["tavily", "searxng"])
        assert str(built(NUMBER)) in (ran.report.answer or "")
        assert any("tavily" in gap for gap in ran.report.gaps)


async def test_a_site_that_asks_crawlers_to_stay_away_is_left_alone(
    tmp_path: Path, allowed: pytest.MonkeyPatch
) -> None:
    async with coast(robots="User-agent: *\nDisallow: /") as site:
        ran = await researched(tmp_path, site, allowed)
        assert ran.result.outcome == "no_result"
        assert not set(PAGES) & set(site.targets)
        assert "robots.txt" in ran.result.statement


async def test_a_replay_asks_nobody_and_gives_the_same_report(whole: Whole) -> None:
    home, _, ran = whole
    async with open_home(home, model=f"replay:{ran.events[0].session_id}") as q:
        again = await q.run(await q.start(QUESTION, None))
    assert again.report == ran.report


async def test_without_documents_pages_and_the_web_there_is_nothing_to_research(tmp_path: Path) -> None:
    async with open_home(tmp_path) as q:
        with pytest.raises(UsageError, match="name at least one file, folder or URL, or search the web"):
            await q.start(QUESTION, None)


def _offered(event: Event) -> list[str]:
    result = value_to_json(event.payload.result) if isinstance(event.payload, ToolResponded) else None
    if not isinstance(event.payload, ToolResponded) or not isinstance(result, dict):
        return []
    listed = result.get("hits") if event.payload.tool == "search_web" else result.get("links")
    return [str(each["url"]) for each in listed or () if isinstance(each, dict)] if isinstance(listed, list) else []


async def test_pages_of_domains_that_are_left_out_are_neither_asked_for_nor_cited_but_named(
    tmp_path: Path, allowed: pytest.MonkeyPatch
) -> None:
    async with coast() as site:
        ran = await researched(tmp_path, site, allowed, denied_domains=["127.0.0.1"])
        assert ran.fetched == []
        assert ran.result.outcome == "no_result"
        named = await researched(tmp_path, site, allowed, f"{QUESTION} {site.url}/t{NUMBER}", only_named=True)
        assert named.fetched == [f"{site.url}/t{NUMBER}"]
        assert named.given("search_web") == []
