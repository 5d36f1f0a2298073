"""Journeys 7 to 12: a report is read down to the words it rests on, and a session is looked into."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from faces.server.web.shelf import AT_DESK, HOSTILE, ON_PHONE, Shelf, browsing, served_shelf, show
from fakes.chromium import Chromium, ColorScheme, Tab


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shelf(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shelf]:
    async with served_shelf(tmp_path_factory.mktemp("shelf")) as shelf:
        yield shelf


@pytest_asyncio.fixture(loop_scope="session")
async def tab(size: tuple[int, ColorScheme], shelf: Shelf, chromium: Chromium) -> AsyncIterator[Tab]:
    """A window, wide and light, or narrow and dark."""
    width, scheme = size
    async with browsing(chromium, shelf.served, width=width, scheme=scheme) as tab:
        yield tab


@ON_PHONE
async def test_a_citation_opens_its_words_in_the_source(shelf: Shelf, tab: Tab) -> None:
    await show(tab, shelf.served, f"/sessions/{shelf.report}/report")
    await tab.page.get_by_role("link", name="Quote 1").first.click()
    quote = tab.page.locator("#quote")
    words = quote.locator("mark#words")
    await words.wait_for()
    assert await words.inner_text() == "The Aldmouth lighthouse was built in 1831 by the engineer Henrike Vos."
    assert await words.is_visible()
    assert "found by the query" in await quote.inner_text()
    assert "not checked" in await quote.inner_text()
    assert tab.page.url.endswith("/report")
    await tab.assert_fit()
    await quote.get_by_role("link", name="Close").click()
    await words.wait_for(state="detached")


async def test_a_citation_is_read_without_scripts_and_leads_to_the_events_that_found_it(
    shelf: Shelf, chromium: Chromium
) -> None:
    async with browsing(chromium, shelf.served, scripts=False) as tab:
        await tab.page.goto(f"{shelf.served.url}/sessions/{shelf.report}/report")
        await tab.page.get_by_role("link", name="Quote 2").first.click()
        assert "fog bell" in await tab.page.locator("mark#words").inner_text()
        await tab.page.get_by_role("link", name=re.compile("^recorded")).click()
        assert '"todo_recorded"' in await tab.page.locator("pre.raw").inner_text()


@AT_DESK
async def test_the_page_of_a_pdf_file_is_shown_with_the_quote_on_it(shelf: Shelf, tab: Tab) -> None:
    await show(tab, shelf.served, f"/sessions/{shelf.pdf}/report/quotes/1")
    picture = tab.page.get_by_role("img", name=re.compile("Page 1 of"))
    assert await picture.evaluate("async image => { await image.decode(); return image.naturalWidth }") == 1224
    assert "built in 1831" in await tab.page.locator("mark#words").inner_text()
    await tab.assert_fit()


async def test_a_follow_up_is_asked_and_makes_a_version_that_is_compared(shelf: Shelf, chromium: Chromium) -> None:
    async with browsing(chromium, shelf.served) as tab:
        await show(tab, shelf.served, f"/sessions/{shelf.pdf}/report")
        before = len(await shelf.served.quaestor.reports(shelf.pdf))
        await tab.page.get_by_label("Question").fill("Who built the Aldmouth lighthouse?")
        async with tab.page.expect_navigation(wait_until="commit"):
            await tab.page.get_by_role("button", name="Ask", exact=True).click()
        assert tab.page.url == f"{shelf.served.url}/sessions/{shelf.pdf}?done=ask"
        await shelf.served.events(shelf.pdf)
        assert len(await shelf.served.quaestor.reports(shelf.pdf)) == before + 1
        await show(tab, shelf.served, f"/sessions/{shelf.pdf}/report")
        await tab.page.get_by_role("link", name="Compare versions").click()
        assert "Who built the Aldmouth lighthouse?" in await tab.page.locator(".changes").inner_text()
        await tab.assert_fit()


@AT_DESK
async def test_the_log_is_filtered_and_paged_and_the_spend_is_shown(shelf: Shelf, tab: Tab) -> None:
    await show(tab, shelf.served, f"/sessions/{shelf.report}/inside")
    await tab.page.get_by_label("Type").select_option("tool_responded")
    await tab.page.get_by_label("Todo").fill("t1")
    await tab.page.get_by_role("button", name="Show").click()
    await tab.page.wait_for_url("**type=tool_responded**")
    rows = await tab.page.locator("tbody tr").all_inner_texts()
    assert rows
    await tab.assert_fit()
    assert all("tool_responded" in row and "t1" in row for row in rows)
    await tab.page.locator("tbody a").first.click()
    assert '"tool_responded"' in await tab.page.locator("pre.raw").inner_text()
    await tab.assert_fit()
    await show(tab, shelf.served, f"/sessions/{shelf.report}/inside?state=PLANNING")
    assert {*await tab.page.locator("td.state").all_inner_texts()} == {"PLANNING"}
    await show(tab, shelf.served, f"/sessions/{shelf.report}/inside/spend")
    await tab.assert_fit()
    assert "reader" in await tab.page.get_by_role("region", name="By role and tool").inner_text()


@ON_PHONE
async def test_a_task_shows_its_plan_its_files_and_its_rounds(shelf: Shelf, tab: Tab) -> None:
    await show(tab, shelf.served, f"/sessions/{shelf.task}/work")
    await tab.assert_fit()
    text = await tab.page.locator("main").inner_text()
    for shown in (
        "Phase 1: Collect",
        "complete",
        "notes/harbour.md",
        "final.md",
        "I read what <b>nobody</b> wrote.",
    ):
        assert shown in text
    assert await tab.page.get_by_role("link", name="Task").get_attribute("aria-current") == "page"


async def test_a_session_is_replayed_from_its_page_to_the_same_report(shelf: Shelf, chromium: Chromium) -> None:
    q = shelf.served.quaestor
    async with browsing(chromium, shelf.served) as tab:
        await tab.page.goto(f"{shelf.served.url}/sessions/{shelf.hostile}/inside/spend")
        await tab.page.get_by_role("button", name="Replay this session").click()
        await tab.page.wait_for_url(re.compile(f"/sessions/(?!{shelf.hostile})[^/]+$"))
        replayed = tab.page.url.rpartition("/")[2]
    assert (await shelf.served.events(replayed))[-1].event == "finished"
    assert await q.render_report(replayed, "md") == await q.render_report(shelf.hostile, "md")


async def test_hostile_texts_are_shown_as_text(shelf: Shelf, chromium: Chromium) -> None:
    async with browsing(chromium, shelf.served) as tab:
        for path in ("report", "report/quotes/1", "inside", "inside/events/1", "inside/spend"):
            await tab.page.goto(f"{shelf.served.url}/sessions/{shelf.hostile}/{path}")
            assert await tab.page.title() != "harm"
            assert await tab.page.locator("main script, main img:not(.page), main b").count() == 0
            assert await tab.page.locator('a[href^="javascript"]').count() == 0
            text = await tab.page.locator("main").inner_text()
            assert not set(text) & {"\x1b", "\u202e", "\u200b"}
        assert "<script>" in text
    assert "<script>" in HOSTILE
