"""A real Chromium, one for all the tests of a process; each test begins without cookies in a window that was left."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser, ConsoleMessage, Error, Page, Playwright, Response, async_playwright

from fakes.needed import lacking

ColorScheme = Literal["light", "dark"]
WIDE, NARROW = 1200, 390
"""Widths of windows: a desk and a phone."""
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",  # Chromium refuses to have one as root, and everything that it loads is this program's
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
)
_HEIGHT = 900
_ACCESSIBILITY = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    found => `${found.id}: ${found.help}: ${found.nodes.map(node => node.html).join(" | ")}`
)"""


def _find_executable() -> str:
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    return found or lacking("Chromium", "there is no chromium in PATH")


def _axe_script() -> str:
    spec = find_spec("axe_playwright_python")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


@dataclass
class Tab:
    """A page in a window of its own, and what its console complained of."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    answers: list[Response] = field(default_factory=list)
    """To everything that the page loaded."""

    def listen(self) -> None:
        self.page.on("console", self._note_message)
        self.page.on("pageerror", self._note_error)
        self.page.on("response", self._note_answer)

    def leave(self) -> None:
        self.page.remove_listener("console", self._note_message)
        self.page.remove_listener("pageerror", self._note_error)
        self.page.remove_listener("response", self._note_answer)

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _note_error(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _note_answer(self, answer: Response) -> None:
        self.answers.append(answer)

    async def assert_fit(self) -> None:
        """Assert that everybody can use the page as it is shown, and that it is no wider than its window.

        This takes as much CPU as ten pages do: once for each kind of page.
        """
        assert await self.accessibility_violations() == [], self.page.url
        await self.assert_width()

    async def assert_width(self) -> None:
        """Assert that the page is no wider than its window."""
        excess = await self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert excess <= 0, self.page.url

    async def accessibility_violations(self) -> list[str]:
        """Return what axe-core finds wrong with the page as it is shown."""
        await self.page.evaluate(_axe_script())  # past the policy of the page, as a person's own tools are
        found: list[str] = await self.page.evaluate(_ACCESSIBILITY)
        return found


class Chromium:
    """The browser, which opens windows."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._left: dict[bool, list[Page]] = {True: [], False: []}
        """Windows that were left, with scripts and without, for others: a new one takes the CPU of several pages."""

    @asynccontextmanager
    async def window(
        self, *, width: int = WIDE, scheme: ColorScheme = "light", scripts: bool = True, profile: Path | None = None
    ) -> AsyncIterator[Tab]:
        """Open a window with the cookies of a profile, or without any; no page in it may complain until its end."""
        left = self._left[scripts] if profile is None else []
        page = left.pop() if left else await self._new_page(profile, scripts=scripts)
        await page.set_viewport_size({"width": width, "height": _HEIGHT})
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # what moves is drawn 60 times a second
        tab = Tab(page)
        tab.listen()
        try:
            yield tab
            assert tab.complaints == []
        finally:
            tab.leave()
            if profile is None:
                await page.goto("about:blank")
                await page.context.clear_cookies()
                left.append(page)
            else:
                await page.context.close()

    async def _new_page(self, profile: Path | None, *, scripts: bool) -> Page:
        context = await self._browser.new_context(java_script_enabled=scripts, storage_state=profile)
        context.set_default_timeout(200_000)
        return await context.new_page()


@asynccontextmanager
async def running_chromium() -> AsyncIterator[Chromium]:
    """Run a browser until the end of the block. A test that needs it ends where there is none."""
    executable = _find_executable()
    async with async_playwright() as playwright:
        browser = await _launch(playwright, executable)
        try:
            yield Chromium(browser)
        finally:
            await browser.close()


async def _launch(playwright: Playwright, executable: str) -> Browser:
    return await playwright.chromium.launch(executable_path=executable, args=list(_ARGUMENTS))
